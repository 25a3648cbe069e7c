import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { int64Max } from '../../limits/consensus.ts';
import { MetadataEntrySchema, type SetMetadata } from '../../proto/ledger_pb.ts';
import { codes } from '../terms/codes.ts';
import { stateKeys } from '../terms/state.ts';
import { createTestLedger, MemoryState, operation } from '../testing/test-ledger.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const { account, address, attempt, check } = createTestLedger({ sha256 });
const [alice, bob] = [address('alice'), address('bob')];
const rich = 100_000_000n;

type Fields = Partial<Pick<SetMetadata, 'key' | 'value' | 'version' | 'deleteFlag'>>;
const setMetadata = (fields: Fields) => operation('setMetadata', { key: 'k', value: 'v', ...fields });
const entry = (key: string, value: string, version: bigint) =>
  create(MetadataEntrySchema, { key, value, version });

describe('set_metadata, static rules', () => {
  const refused: Record<string, Fields> = {
    'no key': { key: '' },
    'key of 1025 bytes': { key: 'x'.repeat(1025) },
    'key of 342 characters and 1026 bytes': { key: '€'.repeat(342) },
    'key of 257 characters and 1028 bytes': { key: '😀'.repeat(257) },
    'value of 262145 bytes': { value: 'x'.repeat(262_145) },
    'value of 131073 characters and 262146 bytes': { value: 'é'.repeat(131_073) },
    'no key when deleting': { key: '', deleteFlag: true },
  };
  for (const [name, fields] of Object.entries(refused)) {
    it(`${name}: ${codes.invalidParameter}, dropped without a trace`, () => {
      assert.equal(check(setMetadata(fields)), codes.invalidParameter);
      const { verdict, effects } = attempt(new MemoryState([account('alice', rich)]), {
        operations: [setMetadata(fields)],
      });
      assert.deepEqual([verdict, effects.size], ['dropped', 0]);
    });
  }

  it('a missing body is a parameter error', () => {
    assert.equal(check(operation('setMetadata', undefined)), codes.invalidParameter);
  });

  it('keys of 1 to 1024 bytes and values of 0 to 262144 bytes pass', () => {
    for (const key of ['x', 'x'.repeat(1024), 'é'.repeat(512), '😀'.repeat(256), ' ', 'a/b']) {
      assert.equal(check(setMetadata({ key })), 0);
    }
    for (const value of ['', 'x'.repeat(262_144), '😀'.repeat(65_536)]) {
      assert.equal(check(setMetadata({ value })), 0);
    }
  });
});

describe('set_metadata, a negative version', () => {
  it('is refused before anything is executed', () => {
    for (const version of [-1n, -(2n ** 63n)])
      for (const deleteFlag of [false, true])
        assert.equal(check(setMetadata({ version, deleteFlag })), codes.badMetadataVersion);
  });
});

/** The outcome for an entry with this stored version (none: no entry) when this one is asked for. */
function outcome(stored: bigint | undefined, fields: Fields) {
  const before = new MemoryState([account('alice', rich)]);
  if (stored !== undefined) before.withMetadata(alice, 'k', { value: 'old', version: stored });
  const { code, effects, verdict } = attempt(before, { operations: [setMetadata(fields)] });
  if (code !== 0) assert.deepEqual([verdict, effects.size], ['failed', 0]);
  else assert.deepEqual([...effects.keys()], [stateKeys.metadata(alice, 'k')]);
  return code === 0 ? effects.get(stateKeys.metadata(alice, 'k')) : code;
}

describe('set_metadata, setting', () => {
  it('a new entry has version 1; asking for 0 or 1 is the same', () => {
    for (const version of [0n, 1n]) assert.deepEqual(outcome(undefined, { version }), entry('k', 'v', 1n));
    for (const version of [2n, int64Max]) {
      assert.equal(outcome(undefined, { version }), codes.badMetadataVersion);
    }
  });

  it('version 0 asks for no check and counts on', () => {
    assert.deepEqual(outcome(1n, {}), entry('k', 'v', 2n));
    assert.deepEqual(outcome(7n, { value: '' }), entry('k', '', 8n));
  });

  it('a version above 0 must be the stored one', () => {
    assert.deepEqual(outcome(7n, { version: 7n }), entry('k', 'v', 8n));
    for (const version of [1n, 6n, 8n, int64Max]) {
      assert.equal(outcome(7n, { version }), codes.badMetadataVersion);
    }
  });

  it('belongs to the operation’s own source, and keys with slashes stay apart', () => {
    const before = new MemoryState([account('alice', rich), account('bob', 0n)]);
    const operations = [
      operation('setMetadata', { key: 'k', value: 'bob' }, { sourceAddress: bob }),
      setMetadata({ key: 'k/' }),
      setMetadata({ key: '/k' }),
    ];
    const { effects } = attempt(before, { operations, signers: ['alice', 'bob'] });
    assert.deepEqual(
      effects,
      new Map([
        [stateKeys.metadata(bob, 'k'), entry('k', 'bob', 1n)],
        [stateKeys.metadata(alice, 'k/'), entry('k/', 'v', 1n)],
        [stateKeys.metadata(alice, '/k'), entry('/k', 'v', 1n)],
      ]),
    );
  });
});

describe('set_metadata, deleting', () => {
  it('removes an entry, without a version or under the stored one', () => {
    for (const version of [0n, 7n]) assert.equal(outcome(7n, { deleteFlag: true, version }), null);
    for (const version of [1n, 6n, 8n, int64Max]) {
      assert.equal(outcome(7n, { deleteFlag: true, version }), codes.badMetadataVersion);
    }
  });

  it('an unknown key is not found, whatever the version', () => {
    for (const version of [0n, 1n, 2n]) {
      assert.equal(outcome(undefined, { deleteFlag: true, version }), codes.notFound);
    }
  });

  it('the value does not matter, but its size does', () => {
    assert.equal(outcome(1n, { deleteFlag: true, value: 'x' }), null);
    assert.equal(
      check(setMetadata({ deleteFlag: true, value: 'x'.repeat(262_145) })),
      codes.invalidParameter,
    );
  });

  it('an entry set again after its deletion starts at version 1', () => {
    const before = new MemoryState([account('alice', rich)]);
    before.withMetadata(alice, 'k', { value: 'old', version: 9n });
    const operations = [setMetadata({ deleteFlag: true }), setMetadata({ version: 1n })];
    const { effects } = attempt(before, { operations });
    assert.deepEqual(effects, new Map([[stateKeys.metadata(alice, 'k'), entry('k', 'v', 1n)]]));
  });
});
