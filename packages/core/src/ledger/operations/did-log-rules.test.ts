import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { type DidChange, type DidLogEntry, didLogKey, encodeDidLogEntry } from '../../did/did-log.ts';
import { didLogHash, didLogTransaction } from '../../did/did-log-transaction.ts';
import type { SetMetadata } from '../../proto/ledger_pb.ts';
import { codes } from '../terms/codes.ts';
import { createTestLedger, MemoryState, operation } from '../testing/test-ledger.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const { account, address, attempt, check, rules } = createTestLedger({ sha256 });
const alice = address('alice');
const rich = 100_000_000n;
const { chainId, fees } = rules.parameters;
const terms = { nonce: 1n, feeLimit: 10_000_000n, gasPrice: fees.gasPrice, chainId };
const deactivate: DidChange = { change: 'deactivate' };
const publishKey = { change: 'endName' } as const;

const first: DidLogEntry = { version: 1, terms, changes: [deactivate] };
const firstText = encodeDidLogEntry(first);
const firstHash = didLogHash({ text: firstText, entry: first, subject: alice }, sha256);

const empty = () => new MemoryState([account('alice', rich)]);
const deactivated = () => empty().withMetadata(alice, didLogKey, { value: firstText, version: 1n });

/** What becomes of the transaction that an entry names. */
function add(before: MemoryState, fields: Partial<DidLogEntry>) {
  const entry = { version: 2, previous: firstHash, terms, changes: [publishKey], ...fields };
  const { operations } = didLogTransaction(encodeDidLogEntry(entry), entry, alice);
  return attempt(before, { operations });
}
type Fields = Partial<Pick<SetMetadata, 'value' | 'version' | 'deleteFlag'>>;
const set = (fields: Fields) => operation('setMetadata', { key: didLogKey, value: '', ...fields });

describe('the DID log of an account', () => {
  it('grows by entries that follow', () => {
    assert.equal(add(deactivated(), {}).verdict, 'done');
    const begin = didLogTransaction(firstText, first, alice);
    assert.equal(attempt(empty(), { operations: begin.operations }).verdict, 'done');
  });

  it('is never deleted, blanked or overwritten by something else', () => {
    for (const fields of [{ deleteFlag: true }, {}, { value: '{}' }, { value: 'x', version: 1n }]) {
      assert.equal(check(set(fields)), codes.invalidParameter);
      const { verdict, effects } = attempt(deactivated(), { operations: [set(fields)] });
      assert.deepEqual([verdict, effects.size], ['dropped', 0]);
    }
  });

  it('does not begin again: an entry names the one before and its own version', () => {
    const { previous: _, ...begun } = { ...first, version: 2 };
    const anew = didLogTransaction(encodeDidLogEntry(begun), begun, alice);
    const outcomes = [
      attempt(deactivated(), { operations: anew.operations }),
      add(deactivated(), { previous: '00'.repeat(32) }),
      add(empty(), { version: 1 }),
    ];
    for (const { verdict, code } of outcomes)
      assert.deepEqual([verdict, code], ['failed', codes.invalidParameter]);
    for (const version of [1, 3, 512])
      assert.equal(add(deactivated(), { version }).code, codes.badMetadataVersion);
  });

  it('takes an entry from the transaction that it names and from no other', () => {
    const entry = { version: 2, previous: firstHash, terms: { ...terms, feeLimit: 9n }, changes: [] };
    const { operations } = didLogTransaction(encodeDidLogEntry(entry), entry, alice);
    const right = didLogTransaction(
      encodeDidLogEntry({ ...entry, terms }),
      { ...entry, terms },
      alice,
    ).operations;
    const log = operation('log', { topic: 't', datas: [] });
    for (const order of [{ operations }, { operations: [...right, log] }, { operations: right, nonce: 2n }]) {
      const { code, effects } = attempt(deactivated(), order);
      assert.notEqual(code, 0);
      assert.equal(effects.size, 0);
    }
    assert.equal(attempt(deactivated(), { operations: right }).verdict, 'done');
  });

  it('does not come with a new account', () => {
    const priv = { masterWeight: 1n, thresholds: { txThreshold: 1n } };
    const body = { destAddress: address('bob'), initBalance: 1n, priv };
    const planted = { ...body, metadatas: [{ key: didLogKey, value: firstText }] };
    assert.equal(check(operation('createAccount', planted)), codes.invalidParameter);
    assert.equal(check(operation('createAccount', body)), 0);
  });
});
