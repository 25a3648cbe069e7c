/**
 * What CometBFT 0.38 asks its signer (`tendermint.privval.Message`) and is answered, as bytes. Votes and proposals come
 * as whole messages and go back as they came, with their signatures.
 */
import type { Ballot } from '@symbolon/core/light/consensus-encoding';
import { ballotKinds } from '@symbolon/core/light/consensus-encoding';
import type { BlockId, ConsensusTime } from '@symbolon/core/light/light-block';
import { BinaryReader, BinaryWriter } from 'cosmjs-types/binary';
import { PublicKey } from 'cosmjs-types/tendermint/crypto/keys';
import { type BlockID, Proposal, Vote } from 'cosmjs-types/tendermint/types/types';
import { FrameError } from '../abci/frames.ts';

export type SignerRequest =
  | { readonly kind: 'ping' }
  | { readonly kind: 'publicKey'; readonly chainId: string }
  | { readonly kind: 'vote'; readonly chainId: string; readonly vote: Vote }
  | { readonly kind: 'proposal'; readonly chainId: string; readonly proposal: Proposal };

export type SignerAnswer =
  | { readonly kind: 'ping' }
  | { readonly kind: 'publicKey'; readonly publicKey: Uint8Array }
  | { readonly kind: 'vote'; readonly vote: Vote }
  | { readonly kind: 'proposal'; readonly proposal: Proposal }
  | {
      readonly kind: 'refused';
      readonly asked: Exclude<SignerRequest['kind'], 'ping'>;
      readonly reason: string;
    };

/** The fields of the message that is one of them. */
const fields = {
  publicKey: { request: 1, answer: 2 },
  vote: { request: 3, answer: 4 },
  proposal: { request: 5, answer: 6 },
  ping: { request: 7, answer: 8 },
} as const;

/** An embedded message: its tag is the field's number with the type 2. */
const tagOf = (field: number): number => (field << 3) | 2;

export function readRequest(frame: Uint8Array): SignerRequest {
  try {
    return requestOf(onlyField(frame));
  } catch (error) {
    if (error instanceof FrameError) throw error;
    throw new FrameError('a message that is none of CometBFT 0.38 to its signer');
  }
}

/** The one member of the message. */
function onlyField(frame: Uint8Array): { readonly tag: number; readonly content: Uint8Array } {
  const reader = new BinaryReader(frame);
  const found = { tag: reader.uint32(), content: reader.bytes() };
  if (reader.pos !== reader.len) throw new FrameError('a message to the signer with several questions');
  return found;
}

function requestOf({ tag, content }: { readonly tag: number; readonly content: Uint8Array }): SignerRequest {
  switch (tag) {
    case tagOf(fields.ping.request):
      return { kind: 'ping' };
    case tagOf(fields.publicKey.request): {
      const [chainId] = textAndMessage(content, { text: 1 });
      return { kind: 'publicKey', chainId };
    }
    case tagOf(fields.vote.request): {
      const [chainId, vote] = textAndMessage(content, { text: 2, message: 1 });
      return { kind: 'vote', chainId, vote: Vote.decode(vote) };
    }
    case tagOf(fields.proposal.request): {
      const [chainId, proposal] = textAndMessage(content, { text: 2, message: 1 });
      return { kind: 'proposal', chainId, proposal: Proposal.decode(proposal) };
    }
    default:
      throw new FrameError('a question that no signer of CometBFT 0.38 is asked');
  }
}

function textAndMessage(
  bytes: Uint8Array,
  { text, message }: { readonly text: number; readonly message?: number },
): [string, Uint8Array] {
  const reader = new BinaryReader(bytes);
  let [foundText, foundMessage] = ['', new Uint8Array(0)];
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === tagOf(text)) foundText = reader.string();
    else if (message !== undefined && tag === tagOf(message)) foundMessage = Uint8Array.from(reader.bytes());
    else throw new FrameError('a member of a question that is not known');
  }
  return [foundText, foundMessage];
}

export function answerBytes(answer: SignerAnswer): Uint8Array {
  const writer = new BinaryWriter();
  const open = (kind: keyof typeof fields): BinaryWriter =>
    writer.uint32(tagOf(fields[kind].answer)).fork() as BinaryWriter;
  switch (answer.kind) {
    case 'ping':
      return open('ping').ldelim().finish();
    case 'publicKey': {
      const inner = open('publicKey');
      PublicKey.encode({ ed25519: answer.publicKey }, inner.uint32(tagOf(1)).fork() as BinaryWriter).ldelim();
      return inner.ldelim().finish();
    }
    case 'vote': {
      const inner = open('vote');
      Vote.encode(answer.vote, inner.uint32(tagOf(1)).fork() as BinaryWriter).ldelim();
      return inner.ldelim().finish();
    }
    case 'proposal': {
      const inner = open('proposal');
      Proposal.encode(answer.proposal, inner.uint32(tagOf(1)).fork() as BinaryWriter).ldelim();
      return inner.ldelim().finish();
    }
    case 'refused':
      // The error: its number, which says nothing, is 0 and so left out.
      return open(answer.asked)
        .uint32(tagOf(2))
        .fork()
        .uint32(tagOf(2))
        .string(answer.reason)
        .ldelim()
        .ldelim()
        .finish();
  }
}

const ballotKindOf = (type: number): 'prevote' | 'precommit' | undefined =>
  (['prevote', 'precommit'] as const).find((kind) => ballotKinds[kind] === BigInt(type));

/** What a vote says; undefined for one of a kind that there is not. */
export function ballotOfVote({ type, height, round, blockId, timestamp }: Vote): Ballot | undefined {
  const kind = ballotKindOf(type);
  return kind && { kind, height, round, blockId: blockOf(blockId), time: timeOf(timestamp) };
}

/** What a proposal says; undefined for one that names no block. */
export function ballotOfProposal(proposal: Proposal): Ballot | undefined {
  const { type, height, round, polRound, timestamp } = proposal;
  const blockId = blockOf(proposal.blockId);
  if (BigInt(type) !== ballotKinds.proposal || !blockId) return undefined;
  return { kind: 'proposal', height, round, lockedRound: polRound, blockId, time: timeOf(timestamp) };
}

const timeOf = ({ seconds, nanos }: ConsensusTime): ConsensusTime => ({ seconds, nanos });

/** Undefined where nothing of a block is named. */
function blockOf({ hash, partSetHeader: { total, hash: partsHash } }: BlockID): BlockId | undefined {
  if (hash.length === 0 && total === 0 && partsHash.length === 0) return undefined;
  return { hash, partsTotal: total, partsHash };
}
