/**
 * What a validator may sign, so that it never says two things of one height, round and step: the rule of CometBFT's own
 * `FilePV`. Of what it has signed only the last is remembered, because everything before that is over: nothing earlier is
 * ever signed again.
 */
import { equalBytes } from '../basics/bytes.ts';
import { type Ballot, ballotBytes } from '../light/consensus-encoding.ts';
import type { BlockId, ConsensusTime } from '../light/light-block.ts';

/** In this order a round goes. */
export const votingSteps = { proposal: 1, prevote: 2, precommit: 3 } as const;
export type VotingStep = (typeof votingSteps)[Ballot['kind']];

/** How far a validator has come, and what it said there. */
export interface LastSigned {
  readonly height: bigint;
  readonly round: number;
  readonly step: VotingStep;
  /** Unknown where a height alone was named up to which nothing is to be signed. */
  readonly said?: SignedBallot | undefined;
}

export interface SignedBallot {
  readonly time: ConsensusTime;
  readonly bytes: Uint8Array;
  readonly signature: Uint8Array;
}

export type SigningVerdict =
  | { readonly kind: 'sign'; readonly bytes: Uint8Array }
  /** The very same was signed before, perhaps at another time: that signature holds, with its time. */
  | { readonly kind: 'again'; readonly said: SignedBallot }
  /** An earlier step of the very height that was signed last: who was killed in the middle of a height asks for it anew. */
  | { readonly kind: 'passed'; readonly reason: string }
  /** What contradicts the last signature, is of a height that is over, or is no ballot. */
  | { readonly kind: 'refused'; readonly reason: string };

const hashBytes = 32;
const roundMax = 2 ** 31 - 1;

export function judgeBallot(chainId: string, ballot: Ballot, last: LastSigned): SigningVerdict {
  const problem = ballotProblem(ballot);
  if (problem !== undefined) return { kind: 'refused', reason: problem };
  const reason = setBack(ballot, last);
  if (reason !== undefined) return { kind: ballot.height === last.height ? 'passed' : 'refused', reason };
  if (!isSameStep(ballot, last)) return { kind: 'sign', bytes: ballotBytes(chainId, ballot) };
  const { said } = last;
  if (!said) return { kind: 'refused', reason: `what was signed of ${placeOf(last)} is not known` };
  // Who asks again after a crash has a later clock, and nothing else may differ.
  if (equalBytes(ballotBytes(chainId, { ...ballot, time: said.time }), said.bytes))
    return { kind: 'again', said };
  return { kind: 'refused', reason: `something else was signed of ${placeOf(last)}` };
}

const isSameStep = (ballot: Ballot, last: LastSigned): boolean =>
  ballot.height === last.height && ballot.round === last.round && votingSteps[ballot.kind] === last.step;

const stepNames = Object.fromEntries(Object.entries(votingSteps).map(([name, step]) => [step, name]));

const placeOf = ({ height, round, step }: LastSigned): string =>
  `height ${height}, round ${round}, ${stepNames[step]}`;

/** Why a ballot is of something that is over. */
function setBack({ kind, height, round }: Ballot, last: LastSigned): string | undefined {
  const step = votingSteps[kind];
  const isOver =
    height < last.height ||
    (height === last.height && (round < last.round || (round === last.round && step < last.step)));
  return isOver
    ? `${placeOf({ height, round, step })} is over: the last signature is of ${placeOf(last)}`
    : undefined;
}

/** Why nobody signs such a ballot. */
function ballotProblem(ballot: Ballot): string | undefined {
  const { height, round, blockId } = ballot;
  if (height < 1n) return 'a height is 1 at least';
  if (!isRound(round)) return 'a round is 0 at least';
  if (blockId && !isWhole(blockId)) return 'a block is named by two hashes and the number of its parts';
  if (ballot.kind !== 'proposal') return undefined;
  const { lockedRound } = ballot;
  const isBefore = lockedRound === -1 || (isRound(lockedRound) && lockedRound < round);
  return isBefore ? undefined : 'a proposal names an earlier round, or none';
}

const isRound = (round: number): boolean => Number.isInteger(round) && round >= 0 && round <= roundMax;

const isWhole = ({ hash, partsTotal, partsHash }: BlockId): boolean =>
  hash.length === hashBytes &&
  partsHash.length === hashBytes &&
  Number.isInteger(partsTotal) &&
  partsTotal > 0;
