/**
 * The seam to whatever computes BBS signatures and zero-knowledge proofs. Orders are plain data that can cross a
 * thread; what they mean is decided by the pure rules beside, never by an engine. Every answer to bad input is a
 * refusal or `false`, whatever happens inside.
 */
import { Fault } from '../faults/faults.ts';

/** Which BBS interface: the draft's own over plain strings, or ours over typed attributes. They share no generator. */
export type BbsInterface = 'plain' | 'typed';

/**
 * A message: bytes that are hashed to a scalar, or an integer that stands for itself so that ranges can be proved.
 * Integers are from 0 to 2^53 - 2 (`bbsLimits.integerMax`).
 */
export type BbsMessage = { readonly bytes: Uint8Array } | { readonly integer: bigint };

export interface BbsStatement {
  readonly interface: BbsInterface;
  /** 96 bytes, a compressed point of G2. */
  readonly publicKey: Uint8Array;
  /** Bound by the signature and always known to the verifier. */
  readonly header: Uint8Array;
}

export interface SignOrder extends BbsStatement {
  readonly secretKey: Uint8Array;
  readonly messages: readonly BbsMessage[];
}

export interface SignatureOrder extends BbsStatement {
  readonly messages: readonly BbsMessage[];
  /** 80 bytes, as the draft writes it. */
  readonly signature: Uint8Array;
}

/** What a commitment is to: the messages of the typed interface, a salt last. */
export interface CommitOrder {
  readonly header: Uint8Array;
  readonly messages: readonly BbsMessage[];
}

export type RangeParameters =
  | { readonly method: 'bulletproofs' }
  | { readonly method: 'set-membership'; readonly parameters: Uint8Array };

export interface ProofStatement extends BbsStatement {
  readonly messageCount: number;
  /** By index among all messages, ascending. */
  readonly revealed: readonly { readonly index: number; readonly message: BbsMessage }[];
  /**
   * Inclusive bounds on the integer message at `index`, from 0 to 2^53 - 1 (`bbsLimits.boundMax`). One for each index.
   */
  readonly ranges: readonly { readonly index: number; readonly min: bigint; readonly max: bigint }[];
  readonly rangeParameters: RangeParameters;
  /**
   * What the hidden messages must open, together with header and revealed ones: 48 bytes, as `commit` made them. The
   * last message is then the salt, and never revealed. Absent where nothing was committed to.
   */
  readonly commitment?: Uint8Array;
  /** Bound by the proof: everything the verifier knows the proof is for. */
  readonly context: Uint8Array;
  readonly nonce: Uint8Array;
}

export interface DeriveOrder extends ProofStatement {
  readonly messages: readonly BbsMessage[];
  readonly signature: Uint8Array;
}

export interface ProofOrder extends ProofStatement {
  readonly proof: Uint8Array;
}

/**
 * What a proof by the draft's own `ProofGen` is about: messages of the plain interface, revealed or hidden. Nothing of ours
 * is in it, so that it is a proof to every implementation of the draft.
 */
export interface PlainStatement {
  readonly publicKey: Uint8Array;
  readonly header: Uint8Array;
  /** Bound by the proof, and chosen when it is made. */
  readonly presentationHeader: Uint8Array;
}

export interface PlainDeriveOrder extends PlainStatement {
  readonly messages: readonly Uint8Array[];
  readonly signature: Uint8Array;
  /** Indexes of the revealed messages, ascending. */
  readonly revealed: readonly number[];
}

export interface PlainProofOrder extends PlainStatement {
  /** By index among all messages, ascending; how many others there are is what the proof's length says. */
  readonly revealed: readonly { readonly index: number; readonly message: Uint8Array }[];
  readonly proof: Uint8Array;
}

const engineHints = {
  invalidInput:
    'What was given is no key, message, signature or proof of this kind: check where it comes from.',
  outOfRange: 'Ask for a range that the value lies in.',
  overloaded: 'Try again in a moment.',
  timedOut: 'Try again, with fewer or smaller ranges if it stays.',
  failed: 'Make a new engine and try again; in a browser WebAssembly must be allowed.',
} as const;

/** Whether a text is the code of a `ProofEngineError`. */
export const isEngineErrorCode = (text: unknown): text is ProofEngineError['code'] =>
  typeof text === 'string' && Object.hasOwn(engineHints, text);

/** When an engine that is busy may have time. */
const retryAfterSeconds = 5;

/** What a refusal of an engine means to whoever asked a service: nothing that was not computed counts as proved. */
export function faultOfEngine(error: ProofEngineError): Fault {
  switch (error.code) {
    case 'outOfRange':
      return new Fault('rangeInvalid', { detail: 'A value is not in its range', cause: error });
    case 'overloaded':
    case 'timedOut':
      return new Fault('overloaded', { cause: error, retryAfterSeconds });
    case 'invalidInput':
    case 'failed':
      return new Fault('proofFailed', { cause: error });
  }
}

/** A refusal that says why in a word: the caller's input was bad, or the engine is busy or broken. */
export class ProofEngineError extends Error {
  override readonly name = 'ProofEngineError';
  readonly code: keyof typeof engineHints;
  /** What the caller can do about it. */
  readonly hint: string;

  constructor(code: ProofEngineError['code'], message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.hint = engineHints[code];
  }
}

/**
 * Whether something is proved, or signed. An engine refuses bytes that are no key or no proof at all; nobody can have
 * signed or proved anything with these, so that is a no. Any other failure of the engine is no answer.
 */
export async function falseIfRefused(ask: () => Promise<boolean>): Promise<boolean> {
  try {
    return (await ask()) === true;
  } catch (error) {
    if (error instanceof ProofEngineError && error.code === 'invalidInput') return false;
    throw error;
  }
}

/** Whoever computes BBS signatures and proofs: in this thread, in others, or in another machine. */
export interface ProofEngine {
  /** The public key of a secret scalar (32 bytes, big-endian, below the group order, not 0). */
  publicKeyOf(secretKey: Uint8Array): Promise<Uint8Array>;
  sign(order: SignOrder): Promise<Uint8Array>;
  verifySignature(order: SignatureOrder): Promise<boolean>;
  /** A commitment to header and messages, 48 bytes, a compressed point of G1. */
  commit(order: CommitOrder): Promise<Uint8Array>;
  /** Rejects with `outOfRange` when a value lies outside its bounds. */
  derive(order: DeriveOrder): Promise<Uint8Array>;
  verifyProof(order: ProofOrder): Promise<boolean>;
  /** A proof as the draft's `ProofGen` makes it. */
  derivePlain(order: PlainDeriveOrder): Promise<Uint8Array>;
  /** Whether the draft's `ProofVerify` accepts the proof. */
  verifyPlain(order: PlainProofOrder): Promise<boolean>;
  /** Fresh parameters for set-membership ranges; whoever makes them can forge such proofs, so only verifiers do. */
  makeRangeParameters(): Promise<Uint8Array>;
  close(): Promise<void>;
}
