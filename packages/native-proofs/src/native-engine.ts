/**
 * The proof engine on the compiled library, in the calling thread: proofs and verdicts are those of the engine on
 * WebAssembly, five to ten times cheaper. Code that is compiled may end its process whatever is caught, so a service
 * runs this one in processes of their own.
 *
 * What an order must look like, which shape a proof has and what it is bound to is decided by what both engines share;
 * the facts of BBS, its points and tags, come from core. The library hashes and computes.
 *
 * It exposes no sums of points, of which proofs by the draft's own `ProofGen` are made: these are computed by the engine on
 * WebAssembly, in the same process, which is loaded for the first of them.
 */
import { concatBytes } from '@symbolon/core/basics/bytes';
import { allCommitmentBases, committedHeaderTag } from '@symbolon/core/proofs/commitment';
import { createGenerators, domainInput, domainTag } from '@symbolon/core/proofs/generators';
import {
  type BbsMessage,
  type BbsStatement,
  type CommitOrder,
  type DeriveOrder,
  type PlainDeriveOrder,
  type PlainProofOrder,
  type ProofEngine,
  ProofEngineError,
  type ProofOrder,
  type ProofStatement,
  type SignatureOrder,
  type SignOrder,
} from '@symbolon/core/proofs/proof-engine';
import { messageTag } from '@symbolon/core/proofs/scalars';
import { basePointG1 } from '@symbolon/core/proofs/suite';
import { createDockEngine, type DockEngine } from '@symbolon/sdk/proofs/dock-engine';
import {
  checkCommitOrder,
  checkDeriveOrder,
  checkPlainDeriveOrder,
  checkProofStatement,
  checkSecretKey,
  checkSignOrder,
  checkStatement,
  isPlainProofOrder,
  isPublicKey,
  isSignature,
} from '@symbolon/sdk/proofs/order-checks';
import { isRangeParameters, needsInequality, setMembershipBase } from '@symbolon/sdk/proofs/proof-layout';
import {
  boundContext,
  hasProofShape,
  isProofOf,
  proofShapeOf,
  rangeLabels,
} from '@symbolon/sdk/proofs/statement-facts';
import {
  type NativeContents,
  type NativeMessage,
  type NativeProofs,
  type NativeScheme,
  type NativeStatement,
  nativeLibrary,
} from './native-library.ts';

export interface NativeEngine extends ProofEngine {
  /** After a panic inside the library, which nobody has thought of: everything then rejects. */
  readonly isBroken: boolean;
}

const failed = (what: string, cause?: unknown): ProofEngineError =>
  new ProofEngineError('failed', what, { cause });

const nativeMessage = (message: BbsMessage): NativeMessage =>
  'integer' in message ? Number(message.integer) : message.bytes;

function schemeOf(statement: BbsStatement, messageCount: number): NativeScheme {
  const generators = createGenerators(statement.interface, messageCount);
  return {
    points: concatBytes(basePointG1, ...generators),
    domain: domainInput(statement, generators),
    domainTag: domainTag(statement.interface),
    messageTag: messageTag(statement.interface),
  };
}

const contentsOf = (header: Uint8Array, messageCount: number): NativeContents => ({
  bases: concatBytes(...allCommitmentBases(messageCount)),
  header,
  headerTag: committedHeaderTag(),
  messageTag: messageTag('typed'),
});

function statementOf(order: ProofStatement): NativeStatement {
  const { rangeParameters, commitment, messageCount } = order;
  return {
    scheme: schemeOf(order, messageCount),
    revealed: order.revealed.map(({ index }) => index),
    ranges: proofShapeOf(order).ranges.map((range, position) => ({
      index: order.ranges[position].index,
      min: Number(range.min),
      end: Number(range.end),
      needsInequality: needsInequality(range),
    })),
    bulletproofsLabel: rangeLabels.bulletproofs,
    ...(rangeParameters.method === 'set-membership' && {
      setMembership: {
        parameters: rangeParameters.parameters,
        inequalityLabel: rangeLabels.inequality,
      },
    }),
    ...(commitment && {
      commitment: { point: commitment, contents: contentsOf(order.header, messageCount) },
    }),
    context: boundContext(order),
    nonce: order.nonce,
  };
}

class AddonEngine implements NativeEngine {
  readonly #native: NativeProofs;
  #isBroken = false;
  #isClosed = false;
  #plainProofs: Promise<DockEngine> | undefined;
  #isPlainBroken = false;

  constructor(native: NativeProofs) {
    this.#native = native;
  }

  get isBroken(): boolean {
    return this.#isBroken || this.#isPlainBroken;
  }

  async publicKeyOf(secretKey: Uint8Array): Promise<Uint8Array> {
    checkSecretKey(secretKey);
    const key = this.#call((native) => native.publicKey(secretKey));
    if (key === null) throw failed('the public key was not made');
    return key;
  }

  async sign(order: SignOrder): Promise<Uint8Array> {
    checkSignOrder(order);
    const { messages, secretKey } = order;
    const signature = this.#call((native) =>
      native.sign(schemeOf(order, messages.length), messages.map(nativeMessage), secretKey),
    );
    if (signature === null) throw failed('the signature was not made');
    return signature;
  }

  async verifySignature(order: SignatureOrder): Promise<boolean> {
    const { messages, publicKey, signature } = order;
    checkStatement(order, messages);
    if (!isPublicKey(publicKey) || !isSignature(signature)) return false;
    const scheme = schemeOf(order, messages.length);
    const verdict = this.#call((native) =>
      native.verifySignature(scheme, messages.map(nativeMessage), publicKey, signature),
    );
    return verdict === true;
  }

  async commit(order: CommitOrder): Promise<Uint8Array> {
    checkCommitOrder(order);
    const { header, messages } = order;
    const commitment = this.#call((native) =>
      native.commit(contentsOf(header, messages.length), messages.map(nativeMessage)),
    );
    if (commitment === null) throw failed('the commitment was not made');
    return commitment;
  }

  async derive(order: DeriveOrder): Promise<Uint8Array> {
    checkDeriveOrder(order);
    const messages = order.messages.map(nativeMessage);
    const proof = this.#call((native) => native.derive(statementOf(order), messages, order.signature));
    if (proof === null || !isProofOf(order, proof)) throw failed('the proof was not made');
    return proof;
  }

  async verifyProof(order: ProofOrder): Promise<boolean> {
    checkProofStatement(order);
    if (!isPublicKey(order.publicKey) || !hasProofShape(order)) return false;
    const revealed = order.revealed.map(({ message }) => nativeMessage(message));
    const verdict = this.#call((native) =>
      native.verifyProof(statementOf(order), revealed, order.publicKey, order.proof),
    );
    return verdict === true;
  }

  async derivePlain(order: PlainDeriveOrder): Promise<Uint8Array> {
    checkPlainDeriveOrder(order);
    return this.#callPlain((engine) => engine.derivePlain(order));
  }

  async verifyPlain(order: PlainProofOrder): Promise<boolean> {
    return isPlainProofOrder(order) && this.#callPlain((engine) => engine.verifyPlain(order));
  }

  async makeRangeParameters(): Promise<Uint8Array> {
    const made = this.#call((native) =>
      native.makeRangeParameters(rangeLabels.parameters, setMembershipBase),
    );
    if (made === null || !isRangeParameters(made)) throw failed('range parameters were not made');
    return made;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#native.forget();
    await (await this.#plainProofs)?.close();
  }

  async #callPlain<Result>(call: (engine: DockEngine) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw failed('the proof engine is closed');
    if (this.isBroken) throw failed('the proof library is broken');
    this.#plainProofs ??= createDockEngine();
    const engine = await this.#plainProofs;
    try {
      return await call(engine);
    } finally {
      this.#isPlainBroken = engine.isBroken;
    }
  }

  #call<Result>(call: (native: NativeProofs) => Result): Result {
    if (this.#isClosed) throw failed('the proof engine is closed');
    if (this.isBroken) throw failed('the proof library is broken');
    try {
      return call(this.#native);
    } catch (error) {
      this.#isBroken = true;
      throw failed('the proof library failed', error);
    }
  }
}

/** Rejects where there is no library for this platform: `nativeLibrary` says why. */
export async function createNativeEngine(): Promise<NativeEngine> {
  const library = nativeLibrary();
  if (library.native === undefined) throw failed(library.reason);
  return new AddonEngine(library.native);
}
