/**
 * Signs what CometBFT asks for, one thing after the other: judged by the rule, signed, written to the disk, and only then
 * told. After anything that fails on the way nothing more is signed by this process.
 */
import { verify } from 'node:crypto';
import type { Ballot } from '@symbolon/core/light/consensus-encoding';
import { emptyExtensionBytes } from '@symbolon/core/light/consensus-encoding';
import {
  judgeBallot,
  type LastSigned,
  type SignedBallot,
  votingSteps,
} from '@symbolon/core/voting/signing-rule';
import { signerLimits } from '../limits/node-limits.ts';
import { ballotOfProposal, ballotOfVote, type SignerAnswer, type SignerRequest } from './privval-messages.ts';
import { publicKeyObject, type VoteKey } from './signing-key.ts';

export interface VoteSignerOptions {
  readonly chainId: string;
  readonly key: Pick<VoteKey, 'publicKey' | 'sign'>;
  readonly last: LastSigned;
  /** Resolves when it is on the disk. */
  save(signed: LastSigned): Promise<void>;
  /** What no CometBFT asks for that is alone and has its data. */
  onRefused(reason: string): void;
  /** An earlier step of the height: a CometBFT that was killed asks for it, and goes on without. */
  onPassed(reason: string): void;
}

type Refusal = { readonly refused: string; readonly isPassed?: boolean };

export class VoteSigner {
  readonly #options: VoteSignerOptions;
  readonly #half: ReturnType<typeof publicKeyObject>;
  #last: LastSigned;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: VoteSignerOptions) {
    this.#options = options;
    this.#half = publicKeyObject(options.key.publicKey);
    this.#last = options.last;
  }

  get last(): LastSigned {
    return this.#last;
  }

  /** Rejects when the key or the disk fails: then nothing was told, and nothing more is signed. */
  answer(request: SignerRequest): Promise<SignerAnswer> {
    const answer = this.#turn.then(() => this.#answer(request));
    // One that failed fails all after it.
    this.#turn = answer;
    answer.catch(() => undefined);
    return answer;
  }

  async #answer(request: SignerRequest): Promise<SignerAnswer> {
    if (request.kind === 'ping') return request;
    const { chainId, key } = this.#options;
    if (request.chainId !== chainId)
      return this.#refuse(
        request.kind,
        `it asks for the chain ${JSON.stringify(request.chainId)}, and this signer is of ${chainId}`,
      );
    if (request.kind === 'publicKey') return { kind: 'publicKey', publicKey: key.publicKey };
    const signed =
      request.kind === 'vote' ? await this.#vote(request.vote) : await this.#propose(request.proposal);
    return 'refused' in signed ? this.#refuse(request.kind, signed.refused, signed.isPassed) : signed;
  }

  async #vote(vote: (SignerRequest & { kind: 'vote' })['vote']): Promise<SignerAnswer | Refusal> {
    const ballot = ballotOfVote(vote);
    if (!ballot) return { refused: `a vote of the kind ${vote.type} is not known` };
    if (vote.extension.length > 0) return { refused: 'our networks have no vote extensions' };
    const signed = await this.#sign(ballot);
    if ('refused' in signed) return signed;
    // CometBFT wants it beside every precommit for a block, also where the application extends nothing.
    const isExtended = ballot.kind === 'precommit' && ballot.blockId !== undefined;
    const extensionSignature = isExtended
      ? await this.#signature(emptyExtensionBytes(this.#options.chainId, ballot))
      : new Uint8Array(0);
    const { time: timestamp, signature } = signed;
    return { kind: 'vote', vote: { ...vote, timestamp, signature, extensionSignature } };
  }

  async #propose(
    proposal: (SignerRequest & { kind: 'proposal' })['proposal'],
  ): Promise<SignerAnswer | Refusal> {
    const ballot = ballotOfProposal(proposal);
    if (!ballot) return { refused: 'that is no proposal of a block' };
    const signed = await this.#sign(ballot);
    if ('refused' in signed) return signed;
    return {
      kind: 'proposal',
      proposal: { ...proposal, timestamp: signed.time, signature: signed.signature },
    };
  }

  async #sign(ballot: Ballot): Promise<SignedBallot | Refusal> {
    const { chainId, save } = this.#options;
    const verdict = judgeBallot(chainId, ballot, this.#last);
    if ('reason' in verdict) return { refused: verdict.reason, isPassed: verdict.kind === 'passed' };
    if (verdict.kind === 'again') return verdict.said;
    const { height, round, kind, time } = ballot;
    const said = { time, bytes: verdict.bytes, signature: await this.#signature(verdict.bytes) };
    const signed = { height, round, step: votingSteps[kind], said };
    await save(signed);
    this.#last = signed;
    return said;
  }

  async #signature(bytes: Uint8Array): Promise<Uint8Array> {
    const signature = await this.#options.key.sign(bytes);
    if (verify(null, bytes, this.#half, signature)) return signature;
    throw new Error('the key makes signatures that do not hold');
  }

  #refuse(asked: Exclude<SignerRequest['kind'], 'ping'>, reason: string, isPassed = false): SignerAnswer {
    const { onPassed, onRefused } = this.#options;
    (isPassed ? onPassed : onRefused)(reason);
    return { kind: 'refused', asked, reason: reason.slice(0, signerLimits.reasonCharsMax) };
  }
}
