import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import type { MetadataEntry, SetMetadata } from '../../proto/ledger_pb.ts';
import { codes } from '../terms/codes.ts';
import { stateKeys } from '../terms/state.ts';
import { encodeValidators, type ValidatorEntry } from '../terms/validators.ts';
import { createTestLedger, MemoryState, operation } from '../testing/test-ledger.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const ledger = createTestLedger({ sha256, network: { council: 'council', powers: { ann: 1, ben: 2 } } });
const { account, address, attempt, check, validatorEntry } = ledger;
const [ann, ben, cat] = ['ann', 'ben', 'cat'].map((name, index) => validatorEntry(name, index + 1));
const council = address('council');
const mark = { height: 5, kind: 'duplicateVote' } as const;
const jailed = { ...ann, jailed: mark };

type Fields = Partial<Pick<SetMetadata, 'key' | 'value' | 'version' | 'deleteFlag'>>;
const sets = (entries: readonly ValidatorEntry[], fields: Fields = {}) =>
  operation('setMetadata', { key: 'validators', value: encodeValidators(entries), ...fields });

const stateWith = (entries: readonly ValidatorEntry[]) =>
  new MemoryState(['council', 'ann', 'alice'].map((name) => account(name, 10n ** 9n))).withMetadata(
    council,
    'validators',
    { value: encodeValidators(entries), version: 3n },
  );

/** What a block makes of it: the code, or the entry that then stands there. */
function outcome(
  body: ReturnType<typeof sets>,
  { stored = [ann, ben], signers = ['council'] }: { stored?: ValidatorEntry[]; signers?: string[] } = {},
) {
  const { verdict, code, effects } = attempt(stateWith(stored), {
    source: signers[0],
    signers,
    operations: [body],
  });
  const entry = effects.get(stateKeys.metadata(council, 'validators')) as MetadataEntry | undefined;
  return verdict === 'done' ? [entry?.value, entry?.version] : [verdict, code, effects.size];
}

describe('the council’s entry of validators', () => {
  it('is set as a whole, one version further', () => {
    for (const entries of [[cat], [ann, ben, cat], [{ ...ann, power: 9 }, ben]])
      for (const version of [0n, 3n])
        assert.deepEqual(outcome(sets(entries, { version })), [encodeValidators(entries), 4n]);
  });

  it('is not set by an operation that was signed for another version', () => {
    for (const version of [1n, 2n, 4n])
      assert.deepEqual(outcome(sets([cat], { version })), ['failed', codes.badMetadataVersion, 0]);
  });

  it('may keep a mark of jail and may take it away, with the validator or alone', () => {
    const stored = [jailed, ben];
    for (const entries of [[jailed, ben, cat], [ann, ben], [ben]])
      assert.deepEqual(outcome(sets(entries), { stored }), [encodeValidators(entries), 4n]);
  });

  it('gets no mark but by evidence', () => {
    const other = { ...ann, jailed: { ...mark, height: 6 } };
    const refused = ['failed', codes.invalidParameter, 0];
    assert.deepEqual(outcome(sets([jailed, ben])), refused);
    assert.deepEqual(outcome(sets([other, ben]), { stored: [jailed, ben] }), refused);
    assert.deepEqual(outcome(sets([{ ...ben, jailed: mark }, cat]), { stored: [jailed, ben] }), refused);
  });

  const malformed: Record<string, Fields> = {
    'is deleted': { deleteFlag: true },
    'is deleted, with a good value': { deleteFlag: true, value: encodeValidators([cat]) },
    'becomes empty': { value: '' },
    'becomes an empty list': { value: '[]' },
    'becomes something else': { value: '{"power":1}' },
    'has nobody who is free': { value: encodeValidators([jailed]) },
    'is in another spelling': { value: ` ${encodeValidators([cat])}` },
  };
  for (const [name, fields] of Object.entries(malformed))
    it(`refuses an operation by which it ${name}: ${codes.invalidParameter}, no trace`, () => {
      assert.equal(check(sets([], fields), 'council'), codes.invalidParameter);
      assert.deepEqual(outcome(sets([], fields)), ['dropped', codes.invalidParameter, 0]);
    });

  it('is the council’s alone to set', () => {
    const { verdict, code } = attempt(stateWith([ann, ben]), {
      source: 'alice',
      operations: [{ ...sets([cat]), sourceAddress: council }],
    });
    assert.deepEqual([verdict, code], ['failed', codes.weightTooLow]);
  });
});

describe('what is no entry of a network’s validators', () => {
  it('is anything that somebody else keeps under that name', () => {
    assert.equal(check(sets([], { value: 'mine' }), 'alice'), 0);
    assert.equal(check(sets([], { deleteFlag: true }), 'alice'), 0);
  });

  it('is any other entry of the council', () => {
    for (const key of ['validator', 'Validators', 'validators ']) {
      assert.equal(check(sets([], { key, value: 'x' }), 'council'), 0);
    }
  });

  it('is that of the same account on a chain of one node', () => {
    const alone = createTestLedger({ sha256 });
    assert.equal(alone.check(sets([], { value: 'x' }), 'council'), 0);
    assert.equal(alone.check(sets([], { deleteFlag: true }), 'council'), 0);
  });
});
