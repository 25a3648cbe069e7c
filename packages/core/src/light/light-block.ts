/**
 * What a light client goes by: a header of CometBFT 0.38, the commit of that block and the validators who could sign
 * it. These are plain values; how they travel is in `wire`, whether they are to be believed in `light-verification.ts`.
 */

/** Since 1970, to the nanosecond: it is hashed and signed so exactly. */
export interface ConsensusTime {
  readonly seconds: bigint;
  readonly nanos: number;
}

/** A block by the hash of its header and by the hash of the parts in which it is handed around. */
export interface BlockId {
  /** Empty where there is no block: before the first. */
  readonly hash: Uint8Array;
  readonly partsTotal: number;
  readonly partsHash: Uint8Array;
}

export interface ConsensusHeader {
  readonly version: { readonly block: bigint; readonly app: bigint };
  readonly chainId: string;
  readonly height: bigint;
  readonly time: ConsensusTime;
  readonly lastBlockId: BlockId;
  readonly lastCommitHash: Uint8Array;
  readonly dataHash: Uint8Array;
  /** Of the validators of this height, and of the next one. */
  readonly validatorsHash: Uint8Array;
  readonly nextValidatorsHash: Uint8Array;
  readonly consensusHash: Uint8Array;
  /** What the application said of the block before this one: with us the hash of the ledger's header. */
  readonly appHash: Uint8Array;
  readonly lastResultsHash: Uint8Array;
  readonly evidenceHash: Uint8Array;
  readonly proposerAddress: Uint8Array;
}

/** What a validator said of a block: nothing, that it is for the block, or that it is for none. */
export type CommitVote =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'block' | 'nil';
      readonly address: Uint8Array;
      readonly time: ConsensusTime;
      readonly signature: Uint8Array;
    };

export interface Commit {
  readonly height: bigint;
  readonly round: number;
  readonly blockId: BlockId;
  /** One for each validator, in the order of these. */
  readonly votes: readonly CommitVote[];
}

export interface VotingValidator {
  /** The first 20 bytes of the hash of its key. */
  readonly address: Uint8Array;
  /** Ed25519, raw. */
  readonly publicKey: Uint8Array;
  readonly power: bigint;
}

export interface LightBlock {
  readonly header: ConsensusHeader;
  readonly commit: Commit;
  /** In the order in which they are hashed. */
  readonly validators: readonly VotingValidator[];
}

const nanosPerSecond = 1_000_000_000n;

/** Nanoseconds since 1970, for comparing. */
export const nanosOf = ({ seconds, nanos }: ConsensusTime): bigint =>
  seconds * nanosPerSecond + BigInt(nanos);

/** Milliseconds since 1970, rounded down. */
export const msOfTime = (time: ConsensusTime): number => Number(nanosOf(time) / 1_000_000n);
