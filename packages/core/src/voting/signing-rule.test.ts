import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Ballot, ballotBytes } from '../light/consensus-encoding.ts';
import { judgeBallot, type LastSigned, votingSteps } from './signing-rule.ts';

const chain = 'symbolon-test';
const blockOf = (byte: number) => ({
  hash: new Uint8Array(32).fill(byte),
  partsTotal: 1,
  partsHash: new Uint8Array(32).fill(byte + 1),
});
const time = { seconds: 1_700_000_000n, nanos: 5 };
const vote = (changes: object = {}): Ballot => ({
  ...{ kind: 'prevote', height: 5n, round: 1, blockId: blockOf(1), time },
  ...changes,
});
const proposal = (changes: object = {}): Ballot => ({
  ...{ kind: 'proposal', lockedRound: -1, height: 5n, round: 1, blockId: blockOf(1), time },
  ...changes,
});
const begun: LastSigned = { height: 0n, round: 0, step: 1 };
const after = (ballot: Ballot): LastSigned => ({
  height: ballot.height,
  round: ballot.round,
  step: votingSteps[ballot.kind],
  said: { time: ballot.time, bytes: ballotBytes(chain, ballot), signature: Uint8Array.of(1, 2) },
});
const judged = (ballot: Ballot, last: LastSigned): string => {
  const verdict = judgeBallot(chain, ballot, last);
  return 'reason' in verdict ? verdict.reason : verdict.kind;
};

describe('what a validator may sign', () => {
  test('is whatever comes later: height, round, then step', () => {
    assert.equal(judged(vote(), begun), 'sign');
    for (const later of [
      vote({ kind: 'precommit' }),
      vote({ round: 2 }),
      proposal({ round: 2 }),
      proposal({ height: 6n, round: 0 }),
      vote({ blockId: undefined, height: 6n }),
    ])
      assert.equal(judged(later, after(vote())), 'sign');
  });

  test('is the same again, with the time that was signed', () => {
    for (const ballot of [vote(), vote({ blockId: undefined }), vote({ kind: 'precommit' }), proposal()]) {
      const later = { ...ballot, time: { seconds: 1_800_000_000n, nanos: 0 } };
      const verdict = judgeBallot(chain, later, after(ballot));
      assert.deepEqual(verdict, { kind: 'again', said: after(ballot).said });
    }
  });

  test('is nothing else of the same height, round and step', () => {
    const other = /something else was signed of height 5, round 1/;
    assert.match(judged(vote({ blockId: blockOf(2) }), after(vote())), other);
    assert.match(judged(vote({ blockId: undefined }), after(vote())), other);
    assert.match(judged(vote(), after(vote({ blockId: undefined }))), other);
    assert.match(judged(vote({ blockId: { ...blockOf(1), partsTotal: 2 } }), after(vote())), other);
    assert.match(judged(proposal({ lockedRound: 0 }), after(proposal())), other);
    const verdict = judgeBallot('another chain', vote(), after(vote()));
    assert.equal(verdict.kind, 'refused');
  });

  test('is nothing that is over', () => {
    const last = after(vote({ kind: 'precommit' }));
    for (const earlier of [
      vote(),
      proposal(),
      vote({ round: 0, kind: 'precommit' }),
      vote({ height: 4n, round: 9 }),
    ])
      assert.match(judged(earlier, last), /is over: the last signature is of height 5, round 1, precommit/);
  });

  test('is nothing that is over, of which an earlier step of the same height is no contradiction', () => {
    const last = after(vote({ kind: 'precommit' }));
    const kindOf = (ballot: Ballot) => judgeBallot(chain, ballot, last).kind;
    assert.equal(kindOf(vote({ blockId: blockOf(2) })), 'passed');
    assert.equal(kindOf(proposal({ round: 0 })), 'passed');
    assert.equal(kindOf(vote({ height: 4n, round: 9 })), 'refused');
    assert.equal(kindOf(vote({ kind: 'precommit', blockId: blockOf(2) })), 'refused');
  });

  test('is nothing up to a height that was named without what was said there', () => {
    const floor: LastSigned = { height: 5n, round: 2 ** 31 - 1, step: 3 };
    assert.match(judged(vote(), floor), /is over/);
    assert.match(judged(vote({ round: 2 ** 31 - 1, kind: 'precommit' }), floor), /is not known/);
    assert.equal(judged(vote({ height: 6n, round: 0 }), floor), 'sign');
  });

  test('is no ballot that nobody can have meant', () => {
    for (const [ballot, said] of [
      [vote({ height: 0n }), /a height is/],
      [vote({ height: -1n }), /a height is/],
      [vote({ round: -1 }), /a round is/],
      [vote({ round: 1.5 }), /a round is/],
      [vote({ blockId: { ...blockOf(1), hash: new Uint8Array(0) } }), /named by two hashes/],
      [vote({ blockId: { ...blockOf(1), partsHash: new Uint8Array(31) } }), /named by two hashes/],
      [vote({ blockId: { ...blockOf(1), partsTotal: 0 } }), /named by two hashes/],
      [proposal({ lockedRound: 1 }), /an earlier round/],
      [proposal({ lockedRound: -2 }), /an earlier round/],
    ] as const)
      assert.match(judged(ballot, begun), said);
  });

  test('whatever is asked in whatever order, nothing is said twice of one step', () => {
    const ballots = fc.record({
      kind: fc.constantFrom('proposal', 'prevote', 'precommit'),
      height: fc.bigInt({ min: 1n, max: 3n }),
      round: fc.integer({ min: 0, max: 2 }),
      block: fc.integer({ min: 0, max: 2 }),
      seconds: fc.bigInt({ min: 0n, max: 3n }),
    });
    fc.assert(
      fc.property(fc.array(ballots, { maxLength: 60 }), (asked) => {
        let last = begun;
        const said = new Map<string, string>();
        for (const { kind, height, round, block, seconds } of asked) {
          const facts = { kind, height, round, time: { seconds, nanos: 0 } };
          const ballot = (
            kind === 'proposal'
              ? { ...facts, lockedRound: -1, blockId: blockOf(block) }
              : { ...facts, blockId: block === 0 ? undefined : blockOf(block) }
          ) as Ballot;
          const verdict = judgeBallot(chain, ballot, last);
          if ('reason' in verdict) continue;
          const bytes = verdict.kind === 'sign' ? verdict.bytes : verdict.said.bytes;
          const place = `${height}/${round}/${kind}`;
          const text = Buffer.from(bytes).toString('hex');
          assert.equal(said.get(place) ?? text, text);
          said.set(place, text);
          if (verdict.kind === 'sign') last = after(ballot);
        }
      }),
    );
  });
});
