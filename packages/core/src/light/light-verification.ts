/**
 * Whether a block of a network of validators is to be believed by somebody who believes an earlier one: chain, heights,
 * times, the hash of the header, the validators that it names, and their signatures. Nothing is fetched and no clock is
 * asked. What is refused is a value with a name and words.
 *
 * Between two blocks that follow each other the first names the validators of the second. Over a longer way more than a
 * third of the power that is believed must have signed the later block: then at least one honest validator did, as long
 * as fewer than a third are not. In both cases more than two thirds of the block's own validators must have signed it.
 */
import { encodeHex, equalBytes, type Sha256 } from '../basics/bytes.ts';
import { lightLimits } from '../limits/light.ts';
import { consensusHeaderHash, validatorAddressOf, voteBytes, votingSetHash } from './consensus-encoding.ts';
import { type LightBlock, nanosOf, type VotingValidator } from './light-block.ts';

/** The version of blocks that is understood here. */
export const blockVersion = 11n;

/** Why a block is not believed. */
export type LightRefusalName =
  | 'otherChain'
  | 'otherVersion'
  | 'heightNotAbove'
  | 'commitOfOtherHeight'
  | 'commitOfOtherBlock'
  | 'validatorTwice'
  | 'validatorAddressWrong'
  | 'powerOutOfRange'
  | 'otherValidators'
  | 'votesMissing'
  | 'voteOfOther'
  | 'timeNotAfter'
  | 'timeInFuture'
  | 'trustExpired'
  | 'otherNextValidators'
  | 'tooLittlePower'
  | 'wrongSignatures'
  | 'tooLittleTrustedPower'
  | 'otherThanTrusted';

export interface LightRefusal {
  readonly name: LightRefusalName;
  /** For people: what was wrong, with the values that differ. */
  readonly detail: string;
}

export type LightVerdict =
  | { readonly verified: true; readonly hash: Uint8Array }
  | { readonly verified: false; readonly refusal: LightRefusal };

/** A question to whoever verifies Ed25519. */
export interface VoteQuestion {
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
}

export interface LightTools {
  readonly sha256: Sha256;
  readonly verifyVote: (question: VoteQuestion) => boolean | Promise<boolean>;
}

export interface LightTerms {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** How long a block is believed: shorter than it takes until somebody who left could not be held to account. */
  readonly trustingPeriodMs: number;
  readonly clockDriftMs?: number;
}

/** The block that a verifier knows from elsewhere than from the node that it asks. */
export interface TrustedHash {
  readonly chainId: string;
  readonly height: bigint;
  /** Of the header. */
  readonly hash: Uint8Array;
}

const refuseBlock = (name: LightRefusalName, detail: string): LightVerdict => ({
  verified: false,
  refusal: { name, detail },
});

/** Whether a block is the one that is known by its hash, and whole: then it can be built on. */
export async function verifyTrustedBlock(
  known: TrustedHash,
  block: LightBlock,
  terms: LightTerms,
  tools: LightTools,
): Promise<LightVerdict> {
  const { header } = block;
  const hash = consensusHeaderHash(header, tools.sha256);
  if (header.height !== known.height || !equalBytes(hash, known.hash)) {
    const shown = `block ${header.height} with the hash ${encodeHex(hash)}`;
    return refuseBlock(
      'otherThanTrusted',
      `${shown} is not block ${known.height} with the hash ${encodeHex(known.hash)}`,
    );
  }
  return (
    contradictionIn(block, known.chainId, tools.sha256) ??
    expiryOf(block, terms) ??
    futureOf(block, terms) ??
    ownPowerProblem(block, await verifiedVotes(block, tools)) ?? { verified: true, hash }
  );
}

/**
 * Whether more than two thirds of the validators that a block names stand behind it, at whatever time: for one that is
 * kept beside other proof of who they were.
 */
export async function verifyOwnCommit(
  block: LightBlock,
  chainId: string,
  tools: LightTools,
): Promise<LightVerdict> {
  const { sha256 } = tools;
  return (
    contradictionIn(block, chainId, sha256) ??
    ownPowerProblem(block, await verifiedVotes(block, tools)) ?? {
      verified: true,
      hash: consensusHeaderHash(block.header, sha256),
    }
  );
}

/** Whether somebody who believes `trusted` is to believe `block`, which is a later one of the same chain. */
export async function verifyLightBlock(
  trusted: LightBlock,
  block: LightBlock,
  terms: LightTerms,
  tools: LightTools,
): Promise<LightVerdict> {
  const { sha256 } = tools;
  const early =
    expiryOf(trusted, terms) ??
    contradictionIn(block, trusted.header.chainId, sha256) ??
    orderProblem(trusted, block) ??
    futureOf(block, terms);
  if (early) return early;
  const isNext = block.header.height === trusted.header.height + 1n;
  if (isNext && !equalBytes(block.header.validatorsHash, trusted.header.nextValidatorsHash)) {
    const [named, shown] = [trusted.header.nextValidatorsHash, block.header.validatorsHash].map(encodeHex);
    return refuseBlock(
      'otherNextValidators',
      `the block before it names the validators ${named}, not ${shown}`,
    );
  }
  const votes = await verifiedVotes(block, tools);
  return (
    ownPowerProblem(block, votes) ??
    (isNext ? undefined : trustedPowerProblem(trusted, votes)) ?? {
      verified: true,
      hash: consensusHeaderHash(block.header, sha256),
    }
  );
}

function expiryOf({ header }: LightBlock, { nowMs, trustingPeriodMs }: LightTerms): LightVerdict | undefined {
  if (nanosOf(header.time) + nanosOfMs(trustingPeriodMs) > nanosOfMs(nowMs)) return undefined;
  return refuseBlock('trustExpired', `block ${header.height} is older than ${trustingPeriodMs} milliseconds`);
}

function futureOf(
  { header }: LightBlock,
  { nowMs, clockDriftMs = lightLimits.clockDriftMs }: LightTerms,
): LightVerdict | undefined {
  if (nanosOf(header.time) < nanosOfMs(nowMs + clockDriftMs)) return undefined;
  return refuseBlock('timeInFuture', `block ${header.height} is dated after now`);
}

const nanosOfMs = (ms: number): bigint => BigInt(Math.floor(ms)) * 1_000_000n;

/** What is wrong with a block whoever looks at it: parts of it that contradict each other. */
function contradictionIn(block: LightBlock, chainId: string, sha256: Sha256): LightVerdict | undefined {
  const { header, commit } = block;
  if (header.chainId !== chainId)
    return refuseBlock('otherChain', `the block is of the chain ${header.chainId}, not ${chainId}`);
  if (header.version.block !== blockVersion)
    return refuseBlock('otherVersion', `blocks of version ${header.version.block} are not understood`);
  if (commit.height !== header.height) {
    const detail = `the header is of block ${header.height}, the commit of block ${commit.height}`;
    return refuseBlock('commitOfOtherHeight', detail);
  }
  const hash = consensusHeaderHash(header, sha256);
  if (!equalBytes(commit.blockId.hash, hash)) {
    const detail = `the commit is of ${encodeHex(commit.blockId.hash)}, the header is ${encodeHex(hash)}`;
    return refuseBlock('commitOfOtherBlock', detail);
  }
  return validatorsProblem(block, sha256) ?? votesProblem(block);
}

function validatorsProblem({ header, validators }: LightBlock, sha256: Sha256): LightVerdict | undefined {
  const keys = new Set<string>();
  for (const [index, { address, publicKey }] of validators.entries()) {
    const key = encodeHex(publicKey);
    if (keys.has(key)) return refuseBlock('validatorTwice', `validator ${index} stands there twice`);
    keys.add(key);
    if (!equalBytes(address, validatorAddressOf(publicKey, sha256)))
      return refuseBlock('validatorAddressWrong', `the address of validator ${index} is not that of its key`);
  }
  const isEach = validators.every(({ power }) => power > 0n);
  if (!isEach || validators.length === 0 || powerOf(validators) > lightLimits.totalPowerMax)
    return refuseBlock('powerOutOfRange', 'the validators have no power, or more than there can be');
  const hash = votingSetHash(validators, sha256);
  if (equalBytes(header.validatorsHash, hash)) return undefined;
  const detail = `the header names the validators ${encodeHex(header.validatorsHash)}, not ${encodeHex(hash)}`;
  return refuseBlock('otherValidators', detail);
}

/** A vote belongs to the validator in its place, so nobody can vote twice. */
function votesProblem({ commit, validators }: LightBlock): LightVerdict | undefined {
  if (commit.votes.length !== validators.length) {
    const detail = `${validators.length} validators, but ${commit.votes.length} votes`;
    return refuseBlock('votesMissing', detail);
  }
  const at = commit.votes.findIndex(
    (vote, index) => vote.kind !== 'absent' && !equalBytes(vote.address, validators[index].address),
  );
  return at < 0 ? undefined : refuseBlock('voteOfOther', `vote ${at} is not of the validator in its place`);
}

function orderProblem(trusted: LightBlock, block: LightBlock): LightVerdict | undefined {
  const [before, after] = [trusted.header, block.header];
  if (after.height <= before.height)
    return refuseBlock('heightNotAbove', `block ${after.height} is not above block ${before.height}`);
  if (nanosOf(after.time) <= nanosOf(before.time))
    return refuseBlock('timeNotAfter', `block ${after.height} is dated no later than block ${before.height}`);
  return undefined;
}

/** Who has voted for the block, and who says so without having signed it. */
interface VotesFor {
  readonly signed: readonly VotingValidator[];
  readonly wrong: readonly VotingValidator[];
}

/**
 * Votes for no block, which are signed too, count nothing and are not looked at. A vote whose signature does not verify
 * counts nothing either and does not spoil the others: CometBFT takes some signatures that stricter verifiers do not,
 * and one validator alone must not be able to make a block that no light client believes.
 */
async function verifiedVotes(
  { header, commit, validators }: LightBlock,
  { verifyVote }: LightTools,
): Promise<VotesFor> {
  const signed: VotingValidator[] = [];
  const wrong: VotingValidator[] = [];
  for (const [index, vote] of commit.votes.entries()) {
    if (vote.kind !== 'block') continue;
    const validator = validators[index];
    const message = voteBytes(header.chainId, commit, vote);
    const { publicKey } = validator;
    const isGood = await verifyVote({ publicKey, message, signature: vote.signature });
    (isGood === true ? signed : wrong).push(validator);
  }
  return { signed, wrong };
}

const powerOf = (validators: readonly VotingValidator[]): bigint =>
  validators.reduce((sum, { power }) => sum + power, 0n);

function ownPowerProblem({ validators }: LightBlock, { signed, wrong }: VotesFor): LightVerdict | undefined {
  const [total, power, claimed] = [validators, signed, wrong].map(powerOf);
  if (power * 3n > total * 2n) return undefined;
  const words = `${power} of ${total} have signed, more than two thirds must`;
  return (power + claimed) * 3n > total * 2n
    ? refuseBlock('wrongSignatures', `${wrong.length} signatures do not verify; ${words}`)
    : refuseBlock('tooLittlePower', words);
}

/** Compared by whole keys: addresses are cut short. */
function trustedPowerProblem({ validators }: LightBlock, { signed }: VotesFor): LightVerdict | undefined {
  const keys = new Set(signed.map(({ publicKey }) => encodeHex(publicKey)));
  const common = validators.filter(({ publicKey }) => keys.has(encodeHex(publicKey)));
  const [total, power] = [validators, common].map(powerOf);
  if (power * 3n > total) return undefined;
  const detail = `${power} of ${total} that are believed have signed, more than a third must`;
  return refuseBlock('tooLittleTrustedPower', detail);
}
