/** The template registry: whose templates they are, versions that only grow, and the form in which they are read. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { createTestChain, expectFailure, type TestChain } from '@symbolon/contract-kit/test-chain';
import {
  didOf,
  identifierOf,
  sha256Hex,
  templateParams,
} from '../src/ledger/testing/registry-inputs.test.ts';

const code = readFileSync(new URL('template-registry.js', import.meta.url), 'utf8');

const start = (didMethod: unknown = 'zid'): TestChain =>
  createTestChain({ contracts: { registry: { code, input: { params: { didMethod } } } } });

const add = (
  chain: TestChain,
  changes: object = {},
  { by, from }: { by: string; from?: string } = { by: 'alice' },
) =>
  chain.call(
    'registry',
    { method: 'addTemplate', params: templateParams(chain.person(by), changes) },
    { from: from ?? by },
  );

const ask = (chain: TestChain, method: string, params: object): Record<string, unknown> =>
  JSON.parse(chain.query('registry', { method, params }) as string);

const refused = (word: string) => ({ code: 151, exception: new RegExp(`^${word}: `) });
const malformed = refused('requestMalformed');

const attribute = { key: 'grade', attribute: 'Grade', format: 'string', type: 1, mandatory: 1 };
const format = (...attributes: unknown[]) => ({ applyFormat: JSON.stringify(attributes) });

describe('a template', () => {
  test('is stored in the form that wallets read, and says who registered it', () => {
    const chain = start();
    const { events, block } = add(chain, { remarkHash: sha256Hex('salted') });
    const alice = chain.person('alice');
    const { templateId } = templateParams(alice);
    const stored = JSON.parse(chain.storage('registry')[`template__${templateId}`]);
    assert.deepEqual(stored, {
      templateId,
      templateName: 'Degree',
      version: '1.0.0',
      issuerZid: didOf(alice),
      applyFormat: JSON.stringify([attribute]),
      metadata: '{}',
      issuer: alice.address,
      remarkHash: sha256Hex('salted'),
      versionCount: 1,
      createdAt: block.timestamp,
      changedAt: block.timestamp,
    });
    assert.deepEqual(events, [
      {
        contract: chain.address('registry'),
        topic: 'addTemplate',
        values: [templateId, '1.0.0', alice.address],
      },
    ]);
    assert.deepEqual(ask(chain, 'get', { templateId }), stored);
  });

  test('has versions that only grow, each kept as it was', () => {
    const chain = start();
    const { templateId } = templateParams(chain.person('alice'));
    const versions = ['1', '1.0.1', '1.2', '1.10', '2.0.0.0', '10'];
    for (const version of versions) {
      add(chain, { version, templateName: `Degree ${version}` });
      for (const older of ['0', '0.9.9.9', version, `${version}.0`.split('.').slice(0, 4).join('.')]) {
        expectFailure(() => add(chain, { version: older }), refused('templateExists'));
      }
    }
    assert.deepEqual(ask(chain, 'versions', { templateId, start: 0, limit: 20 }), { total: 6, versions });
    assert.deepEqual(ask(chain, 'versions', { templateId, start: 4, limit: 1 }).versions, ['2.0.0.0']);
    for (const version of versions) {
      assert.equal(ask(chain, 'get', { templateId, version }).templateName, `Degree ${version}`);
    }
    const newest = ask(chain, 'get', { templateId });
    assert.deepEqual([newest.version, newest.versionCount], ['10', 6]);
    assert.equal(newest.createdAt, ask(chain, 'get', { templateId, version: '1' }).createdAt);
    for (const version of ['3', undefined]) {
      const other = { templateId: identifierOf('other'), version };
      expectFailure(() => ask(chain, 'get', other), refused('templateUnknown'));
    }
    expectFailure(() => ask(chain, 'get', { templateId, version: '3' }), refused('templateUnknown'));
  });

  test('is registered by the account of the issuer’s own key, and by nobody else', () => {
    const chain = start();
    const [alice, bob] = [chain.person('alice'), chain.person('bob')];
    const mismatch = refused('issuerMismatch');
    expectFailure(() => add(chain, {}, { by: 'alice', from: 'bob' }), mismatch);
    expectFailure(() => add(chain, { publicKey: bob.publicKey }, { by: 'alice', from: 'bob' }), mismatch);
    expectFailure(() => add(chain, { issuerZid: didOf(bob) }), mismatch);
    const { templateId } = templateParams(alice);
    expectFailure(() => add(chain, { templateId }, { by: 'bob' }), malformed);
    add(chain);
    expectFailure(() => add(chain, { version: '2' }, { by: 'alice', from: 'bob' }), mismatch);
    expectFailure(() => add(chain, { templateId, version: '2' }, { by: 'bob' }), malformed);
    add(chain, { version: '2' }, { by: 'bob' });
    assert.equal(
      ask(chain, 'get', { templateId }).version,
      '1.0.0',
      'the same name of another issuer is another template',
    );
  });

  test('is not registered through a contract in the name of whoever calls that', () => {
    const chain = start();
    const between = `'use strict';
    function init() {
      return true;
    }
    function main(input) {
      const order = JSON.parse(input);
      return Chain.contractCall(order.registry, true, '0', order.input);
    }`;
    chain.deploy(between, { name: 'between' });
    const input = JSON.stringify({ method: 'addTemplate', params: templateParams(chain.person('alice')) });
    expectFailure(
      () => chain.call('between', { registry: chain.address('registry'), input }, { from: 'alice' }),
      refused('issuerMismatch'),
    );
  });

  const bad: Record<string, object> = {
    'another id': { templateId: identifierOf('anything') },
    'an id of another method': { templateId: `did:bid:${'0'.repeat(64)}` },
    'an id that is no text': { templateId: 7 },
    'a name key that is not the one of its id': { nameKey: 'diploma' },
    'no name': { templateName: '' },
    'a long name': { templateName: 'x'.repeat(257) },
    'a key with a wrong checksum': { publicKey: `b001${'0'.repeat(72)}` },
    'a key in capitals': { publicKey: 'B001' },
    'no key': { publicKey: undefined },
    'an issuer that is no DID': { issuerZid: 'did:zid:alice' },
    'a remark in clear': { remarkHash: 'because' },
    'metadata that is no object': { metadata: '7' },
    'long metadata': { metadata: JSON.stringify({ a: 'x'.repeat(4096) }) },
    'no attributes': format(),
    'attributes that are no list': { applyFormat: '{"length":1}' },
    'attributes as a value': { applyFormat: [attribute] },
    'too many attributes': format(
      ...Array.from({ length: 61 }, (_, index) => ({ ...attribute, key: `k${index}` })),
    ),
    'a key twice': format(attribute, attribute),
    'the key id': format({ ...attribute, key: 'id' }),
    'a key like a number': format({ ...attribute, key: '7' }),
    'mandatory as a truth value': format({ ...attribute, mandatory: true }),
    'a type in words': format({ ...attribute, type: 'text' }),
    'no format': format({ ...attribute, format: undefined }),
    'an attribute that is nothing': format(null),
  };
  for (const [name, changes] of Object.entries(bad)) {
    test(`is refused with ${name}`, () => {
      expectFailure(() => add(start(), changes), malformed);
    });
  }

  for (const version of ['', '1.', '.1', '01', '1.2.3.4.5', 'v1', '1.0-beta', '1'.repeat(10), 1, null]) {
    test(`has no version ${JSON.stringify(version)}`, () => {
      expectFailure(() => add(start(), { version }), malformed);
    });
  }

  test('may be as large as templates get', () => {
    const attributes = Array.from({ length: 60 }, (_, index) => ({
      ...attribute,
      key: 'k'.repeat(60) + index,
      attribute: 'x'.repeat(256),
    }));
    const { steps } = add(start(), format(...attributes));
    assert.ok(steps < 5_000, String(steps));
  });
});

describe('the list of templates', () => {
  test('comes in pages, in the order of their first versions', () => {
    const chain = start();
    const ids = Array.from({ length: 25 }, (_, index) => {
      const nameKey = `degree ${index}`;
      const templateId = identifierOf(`${didOf(chain.person('alice'))}\n${nameKey}`);
      add(chain, { templateId, nameKey });
      return templateId;
    });
    add(chain, { templateId: ids[0], nameKey: 'degree 0', version: '2' });
    assert.deepEqual(ask(chain, 'list', { start: 0, limit: 20 }), { total: 25, templates: ids.slice(0, 20) });
    assert.deepEqual(ask(chain, 'list', { start: 20, limit: 20 }).templates, ids.slice(20));
    assert.deepEqual(ask(chain, 'list', { start: 25, limit: 1 }).templates, []);
  });

  for (const params of [{}, { start: -1, limit: 1 }, { start: 0, limit: 21 }, { start: '0', limit: 1 }]) {
    test(`refuses ${JSON.stringify(params)}`, () => {
      expectFailure(() => ask(start(), 'list', params), malformed);
    });
  }
});

describe('the registry', () => {
  for (const didMethod of [7, null, '', 'Zid', 'a:b']) {
    test(`is not set up for the method ${JSON.stringify(didMethod)}`, () => {
      expectFailure(() => start(didMethod), malformed);
    });
  }

  test('knows no other method, takes no coins, and does not take what is no JSON', () => {
    const chain = start();
    for (const method of ['removeTemplate', 'get', 'constructor', undefined]) {
      expectFailure(() => chain.call('registry', { method, params: {} }), malformed);
    }
    expectFailure(() => chain.query('registry', { method: 'addTemplate', params: {} }), malformed);
    for (const input of ['', 'null', '[]', '{}', '{"method":"addTemplate"}']) {
      expectFailure(() => chain.call('registry', input), { code: 151 });
    }
    const params = templateParams(chain.person('alice'));
    expectFailure(() => chain.call('registry', { method: 'addTemplate', params }, { coin: 1 }), malformed);
  });
});
