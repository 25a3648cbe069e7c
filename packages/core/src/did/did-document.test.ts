import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createKeyFormat } from '../keys/keys.ts';
import { zetrixProfile } from '../keys/profile.ts';
import { didLimits } from '../limits/documents.ts';
import { encodeBbsPublicKey, encodeMultikey, parseBbsPublicKey, parseDid } from './did.ts';
import {
  applyDidChange,
  type DidSubject,
  emptyDidState,
  foldDidRecords,
  keyIdOfMethod,
  nextKeyNumber,
  type RecordedChanges,
  resolveKeyDid,
  resolveSubject,
  type VersionChoice,
} from './did-document.ts';
import { type DidChange, encodeDidLogEntry, parseDidLogEntry, readDidChange } from './did-log.ts';
import { didLogTransaction } from './did-log-transaction.ts';

const format = createKeyFormat(zetrixProfile, (bytes) => createHash('sha256').update(bytes).digest());
const publicKey = new Uint8Array(32).fill(9);
const did = `did:zid:${'09'.repeat(32)}`;
const bbs = (seed: number) =>
  encodeBbsPublicKey(Uint8Array.from({ length: 96 }, (_, index) => (index === 0 ? 0x81 : seed)));
const publish = (number: number, more: object = {}): DidChange => ({
  change: 'publishKey',
  number,
  type: 'Bls12381G2Key2020',
  publicKeyMultibase: bbs(number),
  ...more,
});
const end = (number: number): DidChange => ({ change: 'endKey', number });
const at = (ledgerSeq: number, timeSeconds: number, ...changes: DidChange[]): RecordedChanges => ({
  ledgerSeq: BigInt(ledgerSeq),
  timeSeconds,
  changes,
});

const resolve = (records: readonly RecordedChanges[], choice: Partial<VersionChoice> = {}) => {
  const subject: DidSubject = { did, publicKey, chainId: 5n, records };
  return resolveSubject(subject, { nowSeconds: 10_000, ...choice }, format);
};
const keysOf = (...args: Parameters<typeof resolve>) =>
  resolve(...args)
    ?.document.verificationMethod?.slice(2)
    .filter(({ type }) => type !== 'Multikey')
    .map(({ id }) => id.split('#')[1]);

describe('a document', () => {
  test('needs no record: the identifier is a key', () => {
    const resolution = resolve([]);
    assert.deepEqual(resolution?.document, {
      '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/ed25519-2020/v1'],
      id: did,
      verificationMethod: [
        {
          id: `${did}#controller`,
          type: 'Ed25519VerificationKey2020',
          controller: did,
          blockchainAccountId: `zep155:5:${format.addressOf(publicKey)}`,
        },
        {
          id: `${did}#controllerKey`,
          type: 'Ed25519VerificationKey2020',
          controller: did,
          publicKeyHex: format.encodePublicKey(publicKey),
        },
      ],
      authentication: [`${did}#controller`, `${did}#controllerKey`],
      assertionMethod: [`${did}#controller`, `${did}#controllerKey`],
    });
    assert.deepEqual(resolution?.metadata, { versionId: '0' });
  });

  test('shows published keys and services', () => {
    const agreement = encodeMultikey('x25519', publicKey);
    const x25519 = { type: 'X25519KeyAgreementKey2020', publicKeyMultibase: agreement };
    const service: DidChange = {
      change: 'publishService',
      id: 'files',
      type: 'Files',
      serviceEndpoint: 'https://example.com/f',
    };
    const resolution = resolve([at(7, 100, publish(1), publish(2, x25519)), at(8, 200, service)]);
    const { document, metadata, keys } = resolution ?? assert.fail();
    assert.deepEqual(document.verificationMethod?.slice(2), [
      { id: `${did}#delegateKey-1`, type: 'Bls12381G2Key2020', controller: did, publicKeyMultibase: bbs(1) },
      { id: `${did}#keyAgreementKey-2`, ...x25519, controller: did },
      // As bbs-2023 reads it: the same key with its prefix.
      {
        id: `${did}#delegateKey-1-multikey`,
        type: 'Multikey',
        controller: did,
        publicKeyMultibase: encodeMultikey('bls12381g2', parseBbsPublicKey(bbs(1)) ?? assert.fail()),
      },
    ]);
    assert.equal(document.assertionMethod?.at(-1), `${did}#delegateKey-1-multikey`);
    assert.equal(keyIdOfMethod(`${did}#delegateKey-1-multikey`), `${did}#delegateKey-1`);
    assert.ok(document['@context'].includes('https://w3id.org/security/multikey/v1'));
    assert.deepEqual(document.keyAgreement, [`${did}#keyAgreementKey-2`]);
    assert.equal(document.assertionMethod?.includes(`${did}#delegateKey-1`), true);
    assert.equal(document.authentication?.length, 2);
    assert.deepEqual(document.service?.[0]?.id, `${did}#files`);
    assert.equal(keys.find(({ id }) => id === `${did}#delegateKey-1`)?.publicKey.length, 96);
    assert.deepEqual(metadata, {
      created: '1970-01-01T00:01:40Z',
      updated: '1970-01-01T00:03:20Z',
      versionId: '8',
    });
  });

  test('keeps its earlier versions, by number and by time', () => {
    const records = [at(7, 100, publish(1)), at(9, 200, end(1), publish(2)), at(11, 300, end(2))];
    assert.deepEqual(keysOf(records), []);
    assert.deepEqual(keysOf(records, { versionId: '7' }), ['delegateKey-1']);
    assert.deepEqual(keysOf(records, { versionId: '9' }), ['delegateKey-2']);
    assert.deepEqual(keysOf(records, { versionId: '0' }), []);
    assert.deepEqual(keysOf(records, { versionTime: 99 }), []);
    assert.deepEqual(keysOf(records, { versionTime: 100 }), ['delegateKey-1']);
    assert.deepEqual(keysOf(records, { versionTime: 299 }), ['delegateKey-2']);
    for (const versionId of ['8', '12', '', '-1', '07', 'x'])
      assert.equal(resolve(records, { versionId }), undefined);
    const { nextUpdate, nextVersionId } = resolve(records, { versionTime: 150 })?.metadata ?? {};
    assert.deepEqual([nextUpdate, nextVersionId], ['1970-01-01T00:03:20Z', '9']);
    assert.equal(resolve(records, { versionId: '11' })?.metadata.nextUpdate, undefined);
  });

  test('prints times as every calendar does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), (seconds) => {
        const printed = resolve([at(1, seconds, publish(1))])?.metadata.updated;
        assert.equal(printed, new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z'));
      }),
    );
  });

  test('takes a block as a whole', () => {
    const records = [at(7, 100, publish(1)), at(7, 100, end(1), publish(2))];
    assert.deepEqual(keysOf(records, { versionId: '7' }), ['delegateKey-2']);
  });

  test('shows keys only while they are valid, and believes no claim about the past', () => {
    const records = [
      at(7, 100, publish(1, { validFrom: 5, validUntil: 300 }), publish(2, { validFrom: 400 })),
    ];
    assert.deepEqual(keysOf(records, { versionTime: 50 }), []);
    assert.deepEqual(keysOf(records, { versionTime: 299 }), ['delegateKey-1']);
    assert.deepEqual(keysOf(records, { versionTime: 300 }), []);
    assert.deepEqual(keysOf(records, { versionTime: 400 }), ['delegateKey-2']);
    assert.deepEqual(keysOf(records, { nowSeconds: 250 }), ['delegateKey-1']);
    assert.deepEqual(keysOf(records, { versionId: '7' }), ['delegateKey-1']);
    // A resolver whose clock is behind the ledger's sees what the ledger has.
    assert.deepEqual(keysOf(records, { nowSeconds: 1 }), ['delegateKey-1']);
  });

  test('of a deactivated identifier has no keys, for good', () => {
    const records = [at(7, 100, publish(1)), at(8, 200, { change: 'deactivate' }), at(9, 300, publish(2))];
    const resolution = resolve(records);
    assert.equal(resolution?.metadata.deactivated, true);
    assert.deepEqual([resolution?.keys, resolution?.document.verificationMethod], [[], undefined]);
    assert.deepEqual(keysOf(records, { versionTime: 150 }), ['delegateKey-1']);
    assert.equal(resolve(records, { versionTime: 150 })?.metadata.deactivated, undefined);
  });

  test('of did:key is its key', () => {
    const parsed = parseDid('did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK', zetrixProfile);
    assert.ok(typeof parsed === 'object' && parsed.method === 'key');
    const { document } = resolveKeyDid(parsed);
    const id = `${parsed.did}#z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK`;
    assert.deepEqual(document.authentication, [id]);
    assert.equal(document.verificationMethod?.[0]?.publicKeyMultibase, id.split('#')[1]);
  });
});

describe('changes', () => {
  const published = foldDidRecords([at(1, 100, publish(3))]);
  const refusals: [string, DidChange][] = [
    ['a number that is taken', publish(3, { publicKeyMultibase: bbs(8) })],
    ['a number below', publish(2)],
    ['a key that lapses before it is valid', publish(4, { validUntil: 150 })],
    ['a key that lapses before its begin', publish(4, { validFrom: 400, validUntil: 300 })],
    ['the end of an unknown key', end(9)],
    ['the end of an unknown service', { change: 'endService', id: 'x' }],
  ];
  for (const [name, change] of refusals)
    test(`have no effect: ${name}`, () =>
      assert.equal(typeof applyDidChange(published, change, 200), 'string'));

  test('do not bring an ended key back under another number', () => {
    const ended = foldDidRecords([at(1, 100, publish(1)), at(2, 200, end(1))]);
    assert.equal(typeof applyDidChange(ended, publish(2, { publicKeyMultibase: bbs(1) }), 300), 'string');
    assert.equal(typeof applyDidChange(ended, end(1), 300), 'string');
    assert.equal(nextKeyNumber(ended), 2);
  });

  describe('that end a key as compromised', () => {
    const compromised = (number: number, compromisedSince: number): DidChange => ({
      change: 'endKey',
      number,
      compromisedSince,
    });
    const sinceOf = (...records: RecordedChanges[]) => resolve(records)?.metadata.compromisedKeys;
    const first = at(1, 100, publish(1));
    const saying = (since: string) => [{ id: `${did}#delegateKey-1`, since }];

    test('count for a living key, which ends by it', () => {
      const records = [first, at(2, 200, compromised(1, 150))];
      assert.deepEqual(sinceOf(...records), saying('1970-01-01T00:02:30Z'));
      assert.deepEqual(keysOf(records), []);
      assert.equal(foldDidRecords(records).keys.get(1)?.endedAt, 200);
    });

    test('count for a key that has ended, whose end stays', () => {
      const records = [first, at(2, 200, end(1)), at(3, 300, compromised(1, 150))];
      assert.deepEqual(sinceOf(...records), saying('1970-01-01T00:02:30Z'));
      assert.equal(foldDidRecords(records).keys.get(1)?.endedAt, 200);
      const plain = [first, at(2, 200, end(1))];
      assert.equal(sinceOf(...plain), undefined);
    });

    test('can say an earlier time, and never a later one', () => {
      const said = [first, at(2, 200, compromised(1, 150))];
      assert.deepEqual(sinceOf(...said, at(3, 300, compromised(1, 120))), saying('1970-01-01T00:02:00Z'));
      assert.deepEqual(sinceOf(...said, at(3, 300, compromised(1, 180))), saying('1970-01-01T00:02:30Z'));
      const state = foldDidRecords(said);
      for (const change of [compromised(1, 150), compromised(1, 180), end(1)])
        assert.equal(typeof applyDidChange(state, change, 300), 'string');
    });

    test('cannot speak of what is yet to come', () => {
      const records = [first, at(2, 200, compromised(1, 9_000))];
      assert.deepEqual(sinceOf(...records), saying('1970-01-01T00:03:20Z'));
    });

    test('count for the same key under every number', () => {
      const twice = at(2, 110, publish(2, { publicKeyMultibase: bbs(1) }), publish(3));
      const records = [first, twice, at(3, 200, compromised(1, 150))];
      assert.deepEqual(
        sinceOf(...records)?.map(({ id }) => id.split('#')[1]),
        ['delegateKey-1', 'delegateKey-2'],
      );
      assert.deepEqual(keysOf(records), ['delegateKey-3']);
      assert.deepEqual(keysOf([first, twice, at(3, 200, end(1))]), ['delegateKey-2', 'delegateKey-3']);
    });

    test('are malformed without a time that is one', () => {
      for (const compromisedSince of ['150', -1, 1.5, Number.NaN, null, {}])
        assert.equal(readDidChange({ ...end(1), compromisedSince }), undefined);
      assert.deepEqual(readDidChange({ ...compromised(1, 150), more: 1 }), compromised(1, 150));
    });
  });

  test('fill a document up to its bounds', () => {
    const keys = Array.from({ length: 80 }, (_, index) => publish(index + 1));
    const services = Array.from({ length: 40 }, (_, index): DidChange => {
      return { change: 'publishService', id: `s${index}`, type: 'S', serviceEndpoint: 'https://e.x' };
    });
    const state = foldDidRecords([at(1, 100, ...keys, ...services)]);
    assert.equal(state.keys.size, didLimits.documentKeysMax);
    assert.equal(state.services.size, didLimits.documentServicesMax);
    assert.equal(nextKeyNumber(emptyDidState), 1);
  });
});

describe('an entry of the log', () => {
  const terms = { nonce: 3n, feeLimit: 2n ** 63n - 1n, gasPrice: 1n, chainId: 0n };
  const entry = { version: 2, previous: 'ab'.repeat(32), terms, changes: [publish(1), end(1)] };

  test('comes back as it was written', () => {
    assert.deepEqual(parseDidLogEntry(encodeDidLogEntry(entry)), entry);
    const paid = { version: 1, terms: { ...terms, source: 'payer' }, changes: [] };
    assert.deepEqual(parseDidLogEntry(encodeDidLogEntry(paid)), paid);
  });

  test('says which transaction sets it', () => {
    const own = didLogTransaction('text', entry, 'me');
    assert.deepEqual([own.sourceAddress, own.nonce, own.operations[0]?.sourceAddress], ['me', 3n, '']);
    assert.equal(own.operations[0]?.setMetadata?.version, 1n);
    const paid = didLogTransaction('text', { ...entry, terms: { ...terms, source: 'payer' } }, 'me');
    assert.deepEqual([paid.sourceAddress, paid.operations[0]?.sourceAddress], ['payer', 'me']);
  });

  const text = encodeDidLogEntry(entry);
  const malformed = {
    nothing: '',
    'no JSON': '{',
    'a list': '[]',
    null: 'null',
    'a version of zero': text.replace('"version":2', '"version":0'),
    'a version beyond the bound': text.replace('"version":2', '"version":100000'),
    'a version in text': text.replace('"version":2', '"version":"2"'),
    'a short hash': text.replace('abab', ''),
    'a number instead of text': text.replace('"nonce":"3"', '"nonce":3'),
    'a number beyond 64 bits': text.replace('775807', '775808'),
    'a leading zero': text.replace('"nonce":"3"', '"nonce":"03"'),
    'no terms': text.replace('"transaction"', '"other"'),
    'no changes': text.replace('"changes"', '"other"'),
    'too long a text': text.replace('}', `,"x":"${'x'.repeat(20_000)}"}`),
    'too many changes': encodeDidLogEntry({ ...entry, changes: Array(17).fill(end(1)) }),
  };
  for (const [name, bad] of Object.entries(malformed))
    test(`is not ${name}`, () => assert.equal(parseDidLogEntry(bad), undefined));

  test('keeps its good changes when others are malformed', () => {
    const changes = [publish(1), { change: 'endKey' }, null, 'x', { change: 'grow' }, end(1)] as DidChange[];
    assert.deepEqual(parseDidLogEntry(encodeDidLogEntry({ ...entry, changes }))?.changes, [
      publish(1),
      end(1),
    ]);
  });

  const service = {
    change: 'publishService',
    id: 'files',
    type: 'Files',
    serviceEndpoint: 'https://e.x/a?b',
  };
  const malformedChanges: object[] = [
    { ...publish(1), number: 0 },
    { ...publish(1), number: 1.5 },
    { ...publish(1), number: 10_000 },
    { ...publish(1), type: 'toString' },
    { ...publish(1), type: 'Ed25519VerificationKey2020' },
    { ...publish(1), publicKeyMultibase: 'z1' },
    { ...publish(1), validUntil: '2030' },
    { ...publish(1), validFrom: -1 },
    { ...publish(1), validUntil: 1e300 },
    ...['', '#', 'a b', 'controllerKey', 'delegateKey-1', 'x'.repeat(65), 7].map((id) => ({
      ...service,
      id,
    })),
    ...[
      'javascript:alert(1)',
      'https://',
      'https://e.x/\r\nset-cookie:x',
      'https://a@e.x',
      'ftp://e.x',
      '/x',
    ].map((serviceEndpoint) => ({ ...service, serviceEndpoint })),
    { ...service, type: '' },
    { ...service, type: '<b>' },
  ];
  test('knows malformed changes', () => {
    assert.deepEqual(readDidChange({ ...service, more: 1 }), service);
    for (const change of malformedChanges)
      assert.equal(readDidChange(change), undefined, JSON.stringify(change));
  });

  test('never makes reading throw', () => {
    fc.assert(fc.property(fc.json(), (value) => void parseDidLogEntry(value)));
    fc.assert(fc.property(fc.anything(), (value) => void readDidChange(value)));
  });
});
