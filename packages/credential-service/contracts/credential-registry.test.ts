/** The credential registry: what only an issuer's signature registers, and what only an issuer's account changes. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import {
  type ContractFailure,
  createTestChain,
  expectFailure,
  type TestChain,
} from '@symbolon/contract-kit/test-chain';
import { encodeHex } from '@symbolon/core/basics/bytes';
import {
  contentsCommitment,
  issuerDigests,
  issuerSigningInput,
} from '@symbolon/core/credential/credential-assembly';
import { encodeProofValue } from '@symbolon/core/credential/credential-shapes';
import { issuerProofOptions } from '@symbolon/core/credential/issuer-proof-options';
import type { UnsignedCredential } from '@symbolon/core/documents/model';
import { contractLimits } from '@symbolon/core/limits/consensus';
import { normalisedName, templateId } from '@symbolon/core/names/template-names';
import {
  didOf,
  type EntryOrder,
  identifierOf,
  sha256Hex,
  signedEntry,
  templateParams,
} from '../src/ledger/testing/registry-inputs.test.ts';
import { registryLimits } from '../src/limits/service-limits.ts';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
const templateRegistry = read('template-registry.js');
const credentialRegistry = read('credential-registry.js');

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

type Entry = Awaited<ReturnType<typeof signedEntry>>;

/** Both registries, and a template of alice. The registrar is carol. */
function start(accounts?: Record<string, number>): TestChain {
  const templates = { code: templateRegistry, input: { params: { didMethod: 'zid' } } };
  const chain = createTestChain({ accounts, contracts: { templates } });
  const registrar = chain.address(accounts ? Object.keys(accounts)[0] : 'carol');
  const params = { didMethod: 'zid', templateRegistry: chain.address('templates'), registrar };
  chain.deploy(credentialRegistry, { name: 'credentials', input: { params } });
  if (!accounts) addTemplate(chain, 'alice');
  return chain;
}

function addTemplate(chain: TestChain, from: string, changes: object = {}): void {
  const params = templateParams(chain.person(from), changes);
  chain.call('templates', { method: 'addTemplate', params }, { from });
}

const signed = (chain: TestChain, credential = 'one', order: Partial<EntryOrder> = {}): Promise<Entry> =>
  signedEntry({ issuer: chain.person('alice'), credential, ...order });

const issue = (chain: TestChain, ...entries: object[]) =>
  chain.call('credentials', { method: 'issue', params: { entries } }, { from: 'bob' });

const change = (
  chain: TestChain,
  method: string,
  credentials: unknown,
  from = 'alice',
  remarkHashes?: unknown,
) => chain.call('credentials', { method, params: { credentials, remarkHashes } }, { from });

function status(chain: TestChain, credential: string, method = 'getStatus', issuer = 'alice') {
  const params = { issuer: chain.address(issuer), vcId: credential };
  return JSON.parse(chain.query('credentials', { method, params }) as string);
}

const refused = (word: string) => ({ code: 151, exception: new RegExp(`^${word}: `) });
const malformed = refused('requestMalformed');

describe('issuing', () => {
  test('registers what the issuer has signed, whoever hands it in', async () => {
    const chain = start();
    const entry = await signed(chain);
    const { block, events } = issue(chain, entry);
    const expected = {
      digest: entry.digest,
      commitment: entry.commitment,
      template: entry.template,
      templateVersion: entry.templateVersion,
      validFrom: entry.validFrom,
      validUntil: entry.validUntil,
      status: 'active',
      issuedAt: block.timestamp,
      changedAt: block.timestamp,
      changedIn: block.number,
    };
    assert.deepEqual(status(chain, entry.credential), expected);
    const key = `credential__${chain.address('alice')}__${entry.credential}`;
    assert.deepEqual(JSON.parse(chain.storage('credentials')[key]), expected);
    assert.deepEqual(
      events.map(({ topic, values }) => [topic, ...values]),
      [['issue', '1']],
    );
    assert.deepEqual(status(chain, entry.credential, 'getStatus', 'bob'), { status: 'unknown' });
  });

  test('takes what the product’s own rules have the issuer sign', () => {
    const chain = start();
    const alice = chain.person('alice');
    const name = 'İstanbul  Diploma';
    const identity = { issuer: didOf(alice), name };
    const template = templateId(identity, { didMethod: 'zid', sha256 });
    addTemplate(chain, 'alice', { templateId: template, templateName: name, nameKey: normalisedName(name) });
    const credential: UnsignedCredential = {
      '@context': ['https://www.w3.org/ns/credentials/v2'],
      id: identifierOf('own'),
      type: ['VerifiableCredential', name],
      issuer: didOf(alice),
      validFrom: '2026-01-01T00:00:00Z',
      validUntil: '2027-01-01T00:00:00Z',
      credentialSchema: { id: template, type: 'SymbolonTemplate2026', version: '1.0.0', attributes: [] },
      credentialStatus: { id: 'ledger:x:y#z', type: 'LedgerCredentialStatus2026' },
      credentialSubject: { id: didOf(chain.person('bob')), grade: 'A "quoted" name' },
    };
    const created = '2026-01-01T00:00:00Z';
    const options = issuerProofOptions(credential, created);
    const point = new Uint8Array(48).fill(0x8b);
    const contents = contentsCommitment(encodeProofValue(new Uint8Array(32)), point);
    const statement = { credential, options, contents };
    const signature = alice.sign(issuerSigningInput(statement, sha256));
    const digest = encodeHex(issuerDigests(statement, sha256).credential);
    const commitment = encodeHex(point);
    const entry = {
      issuerKey: alice.publicKey,
      ...options.registryEntry,
      created,
      digest,
      commitment,
      signature,
    };
    issue(chain, entry);
    assert.equal(status(chain, credential.id).digest, digest);
    assert.equal(status(chain, credential.id).commitment, commitment);
  });

  test('the same again changes nothing, something else under the same name is refused', async () => {
    const chain = start();
    const entry = await signed(chain);
    issue(chain, entry);
    const before = chain.storage('credentials');
    issue(chain, entry, entry);
    issue(chain, await signed(chain, 'one', { created: '2026-01-02T00:00:00Z' }));
    assert.deepEqual(chain.storage('credentials'), before);
    const others = [
      await signed(chain, 'one', { digest: sha256Hex('other') }),
      await signed(chain, 'one', { commitment: '9'.repeat(96) }),
      await signed(chain, 'one', { terms: { validUntil: '2028-01-01T00:00:00Z' } }),
    ];
    for (const other of others) expectFailure(() => issue(chain, other), refused('entryExists'));
    change(chain, 'revoke', [entry.credential]);
    issue(chain, entry);
    assert.equal(status(chain, entry.credential).status, 'revoked', 'handing it in again revives nothing');
  });

  test('needs the issuer’s signature over exactly these terms', async () => {
    const chain = start();
    const entry = await signed(chain);
    const bob = chain.person('bob');
    const byBob = await signedEntry({ issuer: bob, credential: 'one', terms: { template: entry.template } });
    const changed: object[] = [
      { signature: '0'.repeat(128) },
      { signature: byBob.signature },
      { signature: (await signed(chain, 'two')).signature },
      { credential: identifierOf('two') },
      { validFrom: '2025-01-01T00:00:00Z' },
      { validUntil: '2099-01-01T00:00:00Z' },
      { created: '2026-01-01T00:00:01Z' },
      { digest: sha256Hex('other') },
    ];
    for (const changes of changed) {
      expectFailure(() => issue(chain, { ...entry, ...changes }), refused('signatureInvalid'));
    }
    addTemplate(chain, 'alice', { version: '2' });
    expectFailure(() => issue(chain, { ...entry, templateVersion: '2' }), refused('signatureInvalid'));
    addTemplate(chain, 'bob');
    const ofBob = { ...entry, issuerKey: bob.publicKey, template: templateParams(bob).templateId };
    expectFailure(() => issue(chain, ofBob), refused('signatureInvalid'));
    assert.deepEqual(status(chain, entry.credential), { status: 'unknown' });
  });

  test('needs a template of the same issuer in this very version', async () => {
    const chain = start();
    const unknown = refused('templateUnknown');
    const bob = chain.person('bob');
    const { templateId: template } = templateParams(chain.person('alice'));
    const byBob = await signedEntry({ issuer: bob, credential: 'one', terms: { template } });
    expectFailure(() => issue(chain, byBob), unknown);
    for (const terms of [
      { templateVersion: '1' },
      { templateVersion: '2' },
      { template: identifierOf('x') },
    ]) {
      const entry = await signed(chain, 'one', { terms });
      expectFailure(() => issue(chain, entry), unknown);
    }
    addTemplate(chain, 'alice', { version: '2' });
    issue(chain, await signed(chain, 'one', { terms: { templateVersion: '2' } }), await signed(chain, 'two'));
  });

  test('takes all of a list or nothing, and says which one is wrong', async () => {
    const chain = start();
    const good = [await signed(chain, 'a'), await signed(chain, 'b')];
    const failure: ContractFailure = expectFailure(
      () => issue(chain, ...good, { ...good[0], credential: identifierOf('c') }),
      refused('signatureInvalid'),
    );
    assert.match(failure.exception ?? '', /entry 2:/);
    for (const { credential } of good) assert.equal(status(chain, credential).status, 'unknown');
  });

  test('does not take validity that ends before it begins', async () => {
    const chain = start();
    const terms = { validUntil: '2025-12-31T23:59:59Z' };
    const entry = await signed(chain, 'one', { terms });
    expectFailure(() => issue(chain, entry), refused('validityInvalid'));
  });

  const bad: Record<string, object> = {
    'no key': { issuerKey: undefined },
    'a key with a wrong checksum': { issuerKey: `b001${'0'.repeat(72)}` },
    'a key in capitals': { issuerKey: 'B'.repeat(76) },
    'a credential of another method': { credential: `did:bid:${'0'.repeat(64)}` },
    'a template of another method': { template: `did:bid:${'0'.repeat(64)}` },
    'a credential with a quotation mark': { credential: `did:zid:${'0'.repeat(63)}"` },
    'a version with words': { templateVersion: '1.0 2026' },
    'a local time': { validFrom: '2026-01-01T00:00:00+01:00' },
    'a date': { validUntil: '2026-01-01' },
    'a line break': { created: '2026-01-01T00:00:00Z\n' },
    'a digest in capitals': { digest: 'A'.repeat(64) },
    'a short signature': { signature: '0'.repeat(126) },
    'an object for a text': { digest: {} },
  };
  for (const [name, changes] of Object.entries(bad)) {
    test(`refuses ${name}`, async () => {
      const chain = start();
      const entry = { ...(await signed(chain)), ...changes };
      expectFailure(() => issue(chain, entry), malformed);
    });
  }

  for (const entries of [undefined, null, {}, 'x', 7, [], [null], [7], [[]], { length: 1, map: 1 }]) {
    test(`refuses the list ${JSON.stringify(entries)}`, () => {
      const call = () => start().call('credentials', { method: 'issue', params: { entries } });
      expectFailure(call, malformed);
    });
  }
});

describe('the largest transactions', () => {
  const { entriesMax, statusChangesMax } = registryLimits;
  const stepsMax = Number(contractLimits.gasMax / contractLimits.gasPerStep);

  test('issue for as many issuers as entries, with room to spare', async () => {
    const people = Array.from({ length: entriesMax }, (_, index) => `issuer ${index}`);
    const chain = start({ bob: 1_000, ...Object.fromEntries(people.map((name) => [name, 1_000])) });
    const version = '123456789.123456789.123456789.123456789';
    const instant = '2026-01-01T00:00:00.000Z';
    const terms = { templateVersion: version, validFrom: instant, validUntil: instant };
    const entries: Entry[] = [];
    for (const person of people) {
      addTemplate(chain, person, { version });
      const issuer = chain.person(person);
      entries.push(await signedEntry({ issuer, credential: person, terms, created: instant }));
    }
    const { steps } = issue(chain, ...entries);
    assert.ok(steps < stepsMax * 0.85, `${steps} of ${stepsMax} steps`);
    assert.equal(
      status(chain, entries[entriesMax - 1].credential, 'getStatus', people[entriesMax - 1]).status,
      'active',
    );
    expectFailure(() => issue(chain, ...entries, entries[0]), malformed);
  });

  test('change as many statuses, with room to spare', async () => {
    const chain = start();
    const names = Array.from({ length: statusChangesMax }, (_, index) => `credential ${index}`);
    const entries = await Promise.all(names.map((name) => signed(chain, name)));
    issue(chain, ...entries);
    const credentials = entries.map(({ credential }) => credential);
    const hashes = credentials.map(sha256Hex);
    for (const method of ['suspend', 'reinstate', 'revoke']) {
      const { steps } = change(chain, method, credentials, 'alice', hashes);
      assert.ok(steps < stepsMax * 0.85, `${steps} of ${stepsMax} steps`);
    }
    expectFailure(() => change(chain, 'revoke', [...credentials, 'more']), malformed);
  });
});

describe('a status', () => {
  test('is changed by the issuer, and revoked for good', async () => {
    const chain = start();
    const { credential } = await signed(chain);
    issue(chain, await signed(chain));
    const forbidden = refused('statusForbids');
    expectFailure(() => change(chain, 'reinstate', [credential]), forbidden);
    const { block, events } = change(chain, 'suspend', [credential], 'alice', [sha256Hex('salted')]);
    const { issuedAt, ...suspended } = status(chain, credential);
    assert.equal(suspended.status, 'suspended');
    assert.equal(suspended.remarkHash, sha256Hex('salted'));
    assert.deepEqual([suspended.changedAt, suspended.changedIn], [block.timestamp, block.number]);
    assert.ok(issuedAt < block.timestamp);
    assert.deepEqual(
      events.map(({ topic, values }) => [topic, ...values]),
      [['suspend', chain.address('alice'), credential]],
    );
    expectFailure(() => change(chain, 'suspend', [credential]), forbidden);
    change(chain, 'reinstate', [credential]);
    assert.equal(status(chain, credential).remarkHash, undefined);
    change(chain, 'suspend', [credential]);
    assert.deepEqual(status(chain, credential, 'getRevokeStatus'), { isRevoked: false, revokedAt: null });
    const revoked = change(chain, 'revoke', [credential]);
    for (const method of ['revoke', 'suspend', 'reinstate']) {
      expectFailure(() => change(chain, method, [credential]), forbidden);
    }
    assert.deepEqual(status(chain, credential, 'getRevokeStatus'), {
      isRevoked: true,
      revokedAt: revoked.block.timestamp,
    });
  });

  test('is nobody else’s to change, not even the registrar’s', async () => {
    const chain = start();
    const entry = await signed(chain);
    issue(chain, entry);
    for (const from of ['bob', 'carol']) {
      for (const method of ['revoke', 'suspend', 'reinstate']) {
        expectFailure(() => change(chain, method, [entry.credential], from), refused('credentialUnknown'));
      }
    }
    assert.equal(status(chain, entry.credential).status, 'active');
  });

  test('changes for all of a list or for none', async () => {
    const chain = start();
    const [one, two] = [await signed(chain, 'one'), await signed(chain, 'two')];
    issue(chain, one, two);
    const lists = [
      [one.credential, identifierOf('unknown')],
      [one.credential, one.credential],
    ];
    for (const list of lists) expectFailure(() => change(chain, 'revoke', list), { code: 151 });
    change(chain, 'revoke', [two.credential]);
    const failure = expectFailure(() => change(chain, 'revoke', [one.credential, two.credential]));
    assert.match(failure.exception ?? '', /^statusForbids: entry 1:/);
    assert.equal(status(chain, one.credential).status, 'active');
  });

  for (const list of [undefined, null, {}, [], [7], [null], [['a']], ['x'.repeat(129)]]) {
    test(`does not change for ${JSON.stringify(list)?.slice(0, 20)}`, () => {
      expectFailure(() => change(start(), 'revoke', list), malformed);
    });
  }

  for (const hashes of [null, [], ['because'], [7], [sha256Hex('a'), sha256Hex('b')]]) {
    test(`does not change with the remarks ${JSON.stringify(hashes)?.slice(0, 20)}`, async () => {
      const chain = start();
      const entry = await signed(chain);
      issue(chain, entry);
      expectFailure(() => change(chain, 'revoke', [entry.credential], 'alice', hashes), malformed);
    });
  }

  test('is not asked for with anything but texts', () => {
    const chain = start();
    for (const params of [
      {},
      { issuer: 7, vcId: 'x' },
      { issuer: 'x', vcId: null },
      { issuer: 'x'.repeat(65), vcId: '' },
    ]) {
      expectFailure(() => chain.query('credentials', { method: 'getStatus', params }), malformed);
    }
    const params = { issuer: didOf(chain.person('alice')).slice(0, 40), vcId: '__proto__' };
    assert.deepEqual(JSON.parse(chain.query('credentials', { method: 'getStatus', params }) as string), {
      status: 'unknown',
    });
    expectFailure(() => chain.query('credentials', { method: 'issue', params }), malformed);
  });
});

describe('the audit log', () => {
  const anchor = (chain: TestChain, params: object, from = 'carol') =>
    chain.call('credentials', { method: 'anchorAudit', params }, { from });
  const head = sha256Hex('head');

  test('is anchored by the registrar alone, and only grows', () => {
    const chain = start();
    for (const from of ['alice', 'bob']) {
      expectFailure(() => anchor(chain, { head, count: 1 }, from), refused('notAllowed'));
    }
    const { block } = anchor(chain, { head, count: 5 });
    anchor(chain, { head, count: 5 });
    expectFailure(() => anchor(chain, { head, count: 4 }), malformed);
    expectFailure(() => anchor(chain, { head: sha256Hex('other'), count: 5 }), malformed);
    const stored = JSON.parse(chain.storage('credentials').audit__head);
    assert.deepEqual([stored.head, stored.count], [head, 5]);
    assert.ok(stored.anchoredAt > block.timestamp);
    anchor(chain, { head: sha256Hex('next'), count: 6 });
  });

  for (const params of [
    {},
    { head },
    { head, count: 0 },
    { head, count: 1.5 },
    { head: 'x', count: 1 },
    { head, count: '1' },
  ]) {
    test(`is not ${JSON.stringify(params).slice(0, 60)}`, () => {
      expectFailure(() => anchor(start(), params), malformed);
    });
  }
});

describe('the registry', () => {
  test('has the limits that the product knows', () => {
    for (const name of ['entriesMax', 'statusChangesMax'] as const) {
      assert.ok(credentialRegistry.includes(`const ${name} = ${registryLimits[name]};`), name);
    }
  });

  test('is not set up with anything but addresses', () => {
    const chain = start();
    const [templateRegistry, registrar] = [chain.address('templates'), chain.address('carol')];
    const good = { didMethod: 'zid', templateRegistry, registrar };
    for (const changes of [
      { didMethod: 'Z' },
      { templateRegistry: 'x' },
      { registrar: 7 },
      { registrar: undefined },
    ]) {
      const params = { ...good, ...changes };
      expectFailure(() => chain.deploy(credentialRegistry, { input: { params } }), malformed);
    }
  });

  test('knows no other method and takes no coins', async () => {
    const chain = start();
    for (const method of ['getStatus', 'delete', 'constructor', undefined]) {
      expectFailure(() => chain.call('credentials', { method, params: {} }), malformed);
    }
    const entries = [await signed(chain)];
    expectFailure(
      () => chain.call('credentials', { method: 'issue', params: { entries } }, { coin: 1 }),
      malformed,
    );
    for (const input of ['', 'null', '{"method":"issue"}', '{"method":"revoke"}']) {
      expectFailure(() => chain.call('credentials', input), { code: 151 });
    }
  });
});
