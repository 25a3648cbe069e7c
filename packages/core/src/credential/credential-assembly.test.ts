import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ContentsCommitment, Credential } from '../documents/model.ts';
import { Fault } from '../faults/faults.ts';
import {
  contentsOf,
  credentialSignatureOrder,
  hasIssuerSignature,
  issuerDigests,
} from './credential-assembly.ts';
import { credentialHeader } from './credential-messages.ts';
import { parseCredential } from './credential-parsing.ts';
import { encodeProofValue } from './credential-shapes.ts';
import {
  didMethod,
  holder,
  issuer,
  issuerBbsKey,
  parsed,
  sampleCredential,
  sha256,
  stranger,
  template,
  values,
  verifyEd25519,
} from './testing/sample-credentials.ts';

const credential = sampleCredential();
const isFault = (code: string) => (error: unknown) => error instanceof Fault && error.code === code;
const copy = (): Record<string, unknown> & { proof: Record<string, unknown>[] } =>
  structuredClone(credential) as never;

describe('assembling', () => {
  test('the subject is flat, holder first, then the attributes in template order', () => {
    assert.deepEqual(Object.keys(credential.credentialSubject), [
      'id',
      ...template.attributes.map(({ key }) => key).filter((key) => key !== 'email'),
    ]);
    assert.equal(credential.credentialSubject.id, holder.did);
    assert.ok(credential.credentialStatus.id.endsWith(`#${credential.id}`));
  });

  test('a mandatory value is missing, or a value is not as read', () => {
    const { points: _left, ...fewer } = values;
    assert.throws(() => sampleCredential({ values: fewer }), isFault('attributesInvalid'));
    assert.throws(() => sampleCredential({ values: { ...values, points: 1.5 } }));
    assert.throws(() => sampleCredential({ values: { ...values, other: 1 } }));
  });

  test('the header names the frame and the holder, and no value', () => {
    const text = new TextDecoder().decode(credentialHeader(credential, holder.did));
    const header = JSON.parse(text) as Record<string, unknown>;
    assert.equal(header.holder, holder.did);
    assert.equal('@context' in header || 'credentialSubject' in header || 'proof' in header, false);
    assert.equal(text.includes('Elbonia'), false);
  });

  test('the signature order has one message for each attribute, and the salt', () => {
    const order = credentialSignatureOrder(parsed(credential), issuerBbsKey, sha256);
    assert.equal(order.messages.length, template.attributes.length + 1);
    assert.deepEqual(order.signature, new Uint8Array(80).fill(9));
  });
});

test('no value is found by trying it out against the digest that the ledger shows', () => {
  const countries = ['Elbonia', 'Freedonia', 'Ruritania', 'Sylvania'];
  const { proof, ...unsigned } = credential;
  const { jws: _signature, ...options } = proof[1];
  const bound = contentsOf(proof[0]);
  const digestOf = (statement: Parameters<typeof issuerDigests>[0]) =>
    Buffer.from(issuerDigests(statement, sha256).credential).toString('hex');
  const shown = digestOf({ credential: unsigned, options, contents: bound });
  // Whoever has seen a presentation knows the frame and the holder; suppose it knows every other value as well.
  const tried = (contents: ContentsCommitment | undefined) =>
    countries.filter((country) => {
      const credentialSubject = { ...unsigned.credentialSubject, country };
      return digestOf({ credential: { ...unsigned, credentialSubject }, options, contents }) === shown;
    });
  assert.ok(bound);
  assert.deepEqual(tried(undefined), []);
  // The commitment stands on the ledger, too; the salt stands nowhere.
  const guessed = encodeProofValue(new Uint8Array(32));
  assert.deepEqual(tried({ ...bound, salt: guessed }), []);
  assert.deepEqual(tried({ ...bound, salt: bound.commitment }), []);
  assert.deepEqual(tried(bound), ['Elbonia'], 'the salt is all that is missing');
});

describe("the issuer's signature", () => {
  const isGood = (value: unknown) => hasIssuerSignature(parsed(value), { verifyEd25519, sha256 });

  test('fits the credential it was made for', () => {
    assert.ok(isGood(credential));
    const single = { ...credential, proof: credential.proof[0] };
    assert.equal(isGood(single), false);
  });

  test('fits no changed credential', () => {
    const changes: ((one: Credential) => unknown)[] = [
      (one) => ({ ...one, credentialSubject: { ...one.credentialSubject, country: 'Ruritania' } }),
      (one) => ({ ...one, credentialSubject: { ...one.credentialSubject, email: 'a@b.example' } }),
      (one) => ({ ...one, credentialSubject: { ...one.credentialSubject, id: stranger.did } }),
      (one) => ({ ...one, type: ['VerifiableCredential', 'Other'] }),
      (one) => ({ ...one, proof: [one.proof[0], { ...one.proof[1], created: '2026-01-01T00:00:01Z' }] }),
    ];
    for (const change of changes) assert.equal(isGood(change(credential)), false);
  });
});

describe('parsing', () => {
  test('gives back what was issued, attributes in template order', () => {
    const shuffled = structuredClone(credential) as unknown as Record<string, object>;
    shuffled.credentialSubject = Object.fromEntries(
      Object.entries(credential.credentialSubject).toReversed(),
    );
    const read = parsed(shuffled);
    assert.deepEqual(
      Object.keys(read.credential.credentialSubject),
      Object.keys(credential.credentialSubject),
    );
    const { proof, ...unsigned } = credential;
    assert.deepEqual(read, { credential: unsigned, bbsProof: proof[0], issuerProof: proof[1] });
  });

  test('a single proof, also with a jws in it', () => {
    const [bbs, { jws }] = credential.proof;
    assert.deepEqual(parsed({ ...credential, proof: { ...bbs, jws } }).bbsProof, bbs);
    assert.deepEqual(parsed({ ...credential, proof: [bbs] }).bbsProof, bbs);
  });

  test('a dropped member is named', () => {
    for (const member of [
      '@context',
      'validFrom',
      'credentialStatus',
      'credentialSchema',
      'proof',
      'issuer',
    ]) {
      const { [member]: _dropped, ...rest } = copy();
      assert.throws(
        () => parsed(rest),
        (error) =>
          error instanceof Fault &&
          error.code === 'credentialMalformed' &&
          error.message.includes('every member') &&
          error.errors.some(({ pointer, detail }) => pointer === `/${member}` && detail === 'is missing'),
      );
    }
  });

  test('what is not a credential', () => {
    const withSubject = (members: object) => ({
      ...copy(),
      credentialSubject: { ...credential.credentialSubject, ...members },
    });
    const withSchema = (members: object) => ({
      ...copy(),
      credentialSchema: { ...credential.credentialSchema, ...members },
    });
    const [bbs, ed] = credential.proof;
    const attributes = credential.credentialSchema.attributes;
    const bad: unknown[] = [
      undefined,
      null,
      'x',
      7,
      [],
      [credential],
      {},
      { ...copy(), extra: 1 },
      { ...copy(), '@context': [...credential['@context'], 'https://evil.example'] },
      { ...copy(), '@context': credential['@context'][0] },
      { ...copy(), type: 'VerifiableCredential' },
      { ...copy(), type: ['VerifiableCredential'] },
      { ...copy(), type: [...credential.type, 'More'] },
      { ...copy(), issuer: { id: issuer.did } },
      { ...copy(), issuer: [issuer.did] },
      { ...copy(), issuer: stranger.did },
      { ...copy(), id: `did:zid:${'cd'.repeat(32)}` },
      { ...copy(), validFrom: '2026-01-01' },
      { ...copy(), validFrom: '2026-01-01T00:00:00.000Z' },
      { ...copy(), validUntil: credential.validFrom },
      { ...copy(), credentialStatus: { ...credential.credentialStatus, id: 'https://evil.example' } },
      { ...copy(), credentialStatus: { ...credential.credentialStatus, more: 1 } },
      withSubject({ other: 1 }),
      withSubject({ points: '-3' }),
      withSubject({ points: -0 }),
      withSubject({ points: 2 ** 60 }),
      withSubject({ points: [1] }),
      withSubject({ points: null }),
      withSubject({ fullName: 'Zoe\u0308 Example' }),
      withSubject({ fullName: ['Zoë'] }),
      withSubject({ balance: '-12.50' }),
      withSubject({ birthDate: '2023-02-29' }),
      withSubject({ id: 'x' }),
      { ...copy(), credentialSubject: [credential.credentialSubject] },
      {
        ...copy(),
        credentialSubject: JSON.parse(`{"id":"${holder.did}","__proto__":{"points":1},"points":1}`),
      },
      withSchema({ attributes: [...attributes, attributes[0]] }),
      withSchema({ attributes: [...attributes, { key: 'id', type: 'text', format: 'string' }] }),
      withSchema({ attributes: [...attributes, { key: 'x', type: 'constructor', format: 'string' }] }),
      withSchema({ attributes: [...attributes, { key: 'x', type: 'text', format: 'string', more: 1 }] }),
      withSchema({ version: '1.0.1' }),
      { ...copy(), proof: [] },
      { ...copy(), proof: [bbs, ed, ed] },
      { ...copy(), proof: [ed, bbs] },
      { ...copy(), proof: ed },
      { ...copy(), proof: [{ ...bbs, nonce: 'x' }, ed] },
      { ...copy(), proof: [{ ...bbs, proofValue: `${bbs.proofValue}A` }, ed] },
      { ...copy(), proof: [{ ...bbs, proofValue: bbs.proofValue.replace('u', 'm') }, ed] },
      { ...copy(), proof: [{ ...bbs, verificationMethod: `${stranger.did}#delegateKey-1` }, ed] },
      { ...copy(), proof: [bbs, { ...ed, verificationMethod: `${stranger.did}#controllerKey` }] },
      { ...copy(), proof: [bbs, { ...ed, jws: 'eyJhbGciOiJub25lIn0..' }] },
      { ...copy(), proof: [bbs, { ...ed, registryEntry: { ...ed.registryEntry, template: credential.id } }] },
    ];
    for (const value of bad)
      assert.throws(
        () => parseCredential(value, { didMethod }),
        isFault('credentialMalformed'),
        JSON.stringify(value)?.slice(0, 2000),
      );
    assert.throws(() => parseCredential(credential, { didMethod: 'bid' }), isFault('credentialMalformed'));
  });

  test('too large', () => {
    const huge = { ...copy(), filler: 'a'.repeat(3 * 1024 * 1024) };
    assert.throws(() => parseCredential(huge, { didMethod }), isFault('credentialMalformed'));
  });
});
