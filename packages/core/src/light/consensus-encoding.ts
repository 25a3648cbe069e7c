/**
 * The bytes that CometBFT 0.38 hashes and signs: the tree over the fields of a header, the tree over a set of
 * validators, and what a validator signs. Written by hand, because they are protobuf with rules of its Go library: an
 * embedded message that must be there is written even if it is empty, and everything else is left out if it is.
 */
import { concatBytes, emptyBytes, encodeUtf8, type Sha256 } from '../basics/bytes.ts';
import type {
  BlockId,
  Commit,
  CommitVote,
  ConsensusHeader,
  ConsensusTime,
  VotingValidator,
} from './light-block.ts';

const addressBytes = 20;
/** Types of protobuf fields. */
const wireTypes = { varint: 0, fixed64: 1, bytes: 2 } as const;

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  // A negative number is written as its complement in 64 bits.
  let rest = BigInt.asUintN(64, value);
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Uint8Array.from([...bytes, Number(rest)]);
}

const tag = (field: number, type: number): Uint8Array => Uint8Array.of((field << 3) | type);

const integerField = (field: number, value: bigint): Uint8Array =>
  value === 0n ? emptyBytes : concatBytes(tag(field, wireTypes.varint), varint(value));

function fixedField(field: number, value: bigint): Uint8Array {
  if (value === 0n) return emptyBytes;
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, value, true);
  return concatBytes(tag(field, wireTypes.fixed64), bytes);
}

const messageField = (field: number, message: Uint8Array): Uint8Array =>
  concatBytes(tag(field, wireTypes.bytes), varint(BigInt(message.length)), message);

const bytesField = (field: number, value: Uint8Array): Uint8Array =>
  value.length === 0 ? emptyBytes : messageField(field, value);

const textField = (field: number, value: string): Uint8Array => bytesField(field, encodeUtf8(value));

const timeMessage = ({ seconds, nanos }: ConsensusTime): Uint8Array =>
  concatBytes(integerField(1, seconds), integerField(2, BigInt(nanos)));

const blockIdMessage = ({ hash, partsTotal, partsHash }: BlockId): Uint8Array =>
  concatBytes(
    bytesField(1, hash),
    messageField(2, concatBytes(integerField(1, BigInt(partsTotal)), bytesField(2, partsHash))),
  );

/** The root of a list as RFC 6962 has it: leaves and inner nodes begin with different bytes. */
export function listRoot(items: readonly Uint8Array[], sha256: Sha256): Uint8Array {
  if (items.length === 0) return sha256(emptyBytes);
  if (items.length === 1) return sha256(concatBytes(Uint8Array.of(0), items[0]));
  // The left side is the largest power of two that leaves something on the right.
  let split = 1;
  while (split * 2 < items.length) split *= 2;
  const [left, right] = [items.slice(0, split), items.slice(split)].map((side) => listRoot(side, sha256));
  return sha256(concatBytes(Uint8Array.of(1), left, right));
}

/** The hash that names a block. */
export function consensusHeaderHash(header: ConsensusHeader, sha256: Sha256): Uint8Array {
  const { version } = header;
  const fields = [
    concatBytes(integerField(1, version.block), integerField(2, version.app)),
    textField(1, header.chainId),
    integerField(1, header.height),
    timeMessage(header.time),
    blockIdMessage(header.lastBlockId),
    bytesField(1, header.lastCommitHash),
    bytesField(1, header.dataHash),
    bytesField(1, header.validatorsHash),
    bytesField(1, header.nextValidatorsHash),
    bytesField(1, header.consensusHash),
    bytesField(1, header.appHash),
    bytesField(1, header.lastResultsHash),
    bytesField(1, header.evidenceHash),
    bytesField(1, header.proposerAddress),
  ];
  return listRoot(fields, sha256);
}

/** What a header says of its validators: their keys and powers, in this order. */
export const votingSetHash = (
  validators: readonly Pick<VotingValidator, 'publicKey' | 'power'>[],
  sha256: Sha256,
): Uint8Array =>
  listRoot(
    validators.map(({ publicKey, power }) =>
      concatBytes(messageField(1, bytesField(1, publicKey)), integerField(2, power)),
    ),
    sha256,
  );

/** How CometBFT names the validator with an Ed25519 key. */
export const validatorAddressOf = (publicKey: Uint8Array, sha256: Sha256): Uint8Array =>
  sha256(publicKey).slice(0, addressBytes);

/** What a validator says of one height and round: what it proposes, or what it votes for. */
export type Ballot = {
  readonly height: bigint;
  readonly round: number;
  readonly time: ConsensusTime;
} & (
  | {
      readonly kind: 'proposal';
      /** The round in which two thirds were for this block already; -1 if there was none. */
      readonly lockedRound: number;
      readonly blockId: BlockId;
    }
  /** Without a block it is a vote for none. */
  | { readonly kind: 'prevote' | 'precommit'; readonly blockId: BlockId | undefined }
);

/** The number of a kind, where it is signed and where it travels. */
export const ballotKinds = { prevote: 1n, precommit: 2n, proposal: 32n } as const;

const delimited = (message: Uint8Array): Uint8Array => concatBytes(varint(BigInt(message.length)), message);

/** What its validator signs. */
export function ballotBytes(chainId: string, ballot: Ballot): Uint8Array {
  const { kind, height, round, blockId, time } = ballot;
  const isProposal = kind === 'proposal';
  // A proposal has one field more, and the ones after it are numbered on.
  const after = isProposal ? 5 : 4;
  return delimited(
    concatBytes(
      integerField(1, ballotKinds[kind]),
      fixedField(2, height),
      fixedField(3, BigInt(round)),
      isProposal ? integerField(4, BigInt(ballot.lockedRound)) : emptyBytes,
      blockId ? messageField(after, blockIdMessage(blockId)) : emptyBytes,
      messageField(after + 1, timeMessage(time)),
      textField(after + 2, chainId),
    ),
  );
}

/** What is signed beside a precommit for a block, where the application adds nothing to it. */
export const emptyExtensionBytes = (
  chainId: string,
  { height, round }: Pick<Ballot, 'height' | 'round'>,
): Uint8Array =>
  delimited(concatBytes(fixedField(2, height), fixedField(3, BigInt(round)), textField(4, chainId)));

/** What a validator has signed who voted for the block of a commit, or for none. */
export const voteBytes = (
  chainId: string,
  { height, round, blockId }: Omit<Commit, 'votes'>,
  { kind, time }: Exclude<CommitVote, { kind: 'absent' }>,
): Uint8Array =>
  ballotBytes(chainId, {
    kind: 'precommit',
    height,
    round,
    blockId: kind === 'block' ? blockId : undefined,
    time,
  });
