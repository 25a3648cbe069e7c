/**
 * Chains of a network with test keys, signed as CometBFT signs: for tests that change exactly one thing. Nothing of the
 * blocks counts but header, commit and validators.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { concatBytes, parseHex } from '../../basics/bytes.ts';
import { consensusHeaderHash, validatorAddressOf, voteBytes, votingSetHash } from '../consensus-encoding.ts';
import type { BlockId, CommitVote, ConsensusHeader, LightBlock, VotingValidator } from '../light-block.ts';
import type { LightTools, VoteQuestion } from '../light-verification.ts';

export const sha256 = (bytes: Uint8Array): Uint8Array =>
  new Uint8Array(createHash('sha256').update(bytes).digest());

const pkcs8Head = parseHex('302e020100300506032b657004220420') as Uint8Array;
const spkiHead = parseHex('302a300506032b6570032100') as Uint8Array;

export interface TestValidator extends VotingValidator {
  readonly key: KeyObject;
}

/** The same key for the same name. */
export function testValidator(name: string, power: bigint): TestValidator {
  const der = Buffer.from(concatBytes(pkcs8Head, sha256(Buffer.from(name))));
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = new Uint8Array(
    createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(spkiHead.length),
  );
  return { key, publicKey, power, address: validatorAddressOf(publicKey, sha256) };
}

export function verifyVote({ publicKey, message, signature }: VoteQuestion): boolean {
  const der = Buffer.from(concatBytes(spkiHead, publicKey));
  try {
    return verify(null, message, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature);
  } catch {
    return false;
  }
}

export const tools: LightTools = { sha256, verifyVote };

/** CometBFT's order: power, then address. */
export const inOrder = (validators: readonly TestValidator[]): TestValidator[] =>
  validators.toSorted((left, right) =>
    left.power === right.power
      ? Buffer.compare(left.address, right.address)
      : Number(right.power - left.power),
  );

const hashOf = (text: string): Uint8Array => sha256(Buffer.from(text));

/** What of a block is to be otherwise than usual. */
export interface BlockChoice {
  readonly header?: Partial<ConsensusHeader>;
  /** What each validator does; votes for the block, if left out. */
  readonly voteOf?: (validator: TestValidator, index: number) => CommitVote['kind'];
  readonly round?: number;
}

export interface ChainOrder {
  readonly chainId?: string;
  readonly firstHeight?: bigint;
  /** Seconds since 1970 of the first block; each block is a second later. */
  readonly startSeconds?: bigint;
  /** The validators of each block, and of the one after the last. */
  readonly sets: readonly (readonly TestValidator[])[];
  readonly appHashAt?: (height: bigint) => Uint8Array;
}

export const chainStartMs = 1_800_000_000_000;

export function headerAt(order: ChainOrder, index: number, lastBlockId: BlockId): ConsensusHeader {
  const { chainId = 'made-up', firstHeight = 2n, startSeconds = BigInt(chainStartMs / 1_000) } = order;
  const height = firstHeight + BigInt(index);
  const hashAt = (at: number) => votingSetHash(inOrder(order.sets[at] ?? []), sha256);
  return {
    version: { block: 11n, app: 1n },
    chainId,
    height,
    time: { seconds: startSeconds + BigInt(index), nanos: 123_456_789 },
    lastBlockId,
    lastCommitHash: hashOf(`commit ${height}`),
    dataHash: hashOf(`data ${height}`),
    validatorsHash: hashAt(index),
    nextValidatorsHash: hashAt(index + 1),
    consensusHash: hashOf('parameters'),
    appHash: order.appHashAt?.(height) ?? hashOf(`state ${height}`),
    lastResultsHash: hashOf('results'),
    evidenceHash: hashOf('evidence'),
    proposerAddress: inOrder(order.sets[index] ?? [])[0]?.address ?? new Uint8Array(20),
  };
}

/** A block over a header, signed by these validators. */
export function signBlock(
  header: ConsensusHeader,
  set: readonly TestValidator[],
  { voteOf = () => 'block', round = 0 }: BlockChoice = {},
): LightBlock {
  const validators = inOrder(set);
  const hash = consensusHeaderHash(header, sha256);
  const blockId = { hash, partsTotal: 1, partsHash: hashOf(`parts ${header.height}`) };
  const commit = { height: header.height, round, blockId };
  const votes = validators.map((validator, index): CommitVote => {
    const kind = voteOf(validator, index);
    if (kind === 'absent') return { kind };
    const time = { seconds: header.time.seconds + 1n, nanos: index };
    const unsigned = { kind, address: validator.address, time, signature: new Uint8Array(0) };
    const signature = new Uint8Array(sign(null, voteBytes(header.chainId, commit, unsigned), validator.key));
    return { ...unsigned, signature };
  });
  return {
    header,
    commit: { ...commit, votes },
    validators: validators.map(({ address, publicKey, power }) => ({ address, publicKey, power })),
  };
}

/** Block after block; `choices` by index. */
export function makeChain(
  order: ChainOrder,
  choices: Readonly<Record<number, BlockChoice>> = {},
): LightBlock[] {
  let lastBlockId: BlockId = { hash: new Uint8Array(0), partsTotal: 0, partsHash: new Uint8Array(0) };
  return order.sets.slice(0, -1).map((set, index) => {
    const choice = choices[index];
    const header = { ...headerAt(order, index, lastBlockId), ...choice?.header };
    const block = signBlock(header, set, choice);
    lastBlockId = block.commit.blockId;
    return block;
  });
}
