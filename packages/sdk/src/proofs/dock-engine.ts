/**
 * The proof engine on `@docknetwork/crypto-wasm`, in the calling thread: for wallets, verifiers and tools. A
 * service uses one in each of its worker threads, because an operation takes up to a second and a malformed proof
 * may break the library.
 *
 * Its BBS is the draft's when it is given the draft's points, and the domain as the message before the first.
 * Scalars are little-endian there, big-endian in the draft.
 */

import { commitContents } from '@symbolon/core/proofs/commitment';
import { calculateDomain, createGenerators } from '@symbolon/core/proofs/generators';
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
  type SignatureOrder,
  type SignOrder,
} from '@symbolon/core/proofs/proof-engine';
import { integerBytes, messageScalar } from '@symbolon/core/proofs/scalars';
import { bbsPublicKeyBytes, bbsSignatureBytes, pointBytes, scalarBytes } from '@symbolon/core/proofs/sizes';
import { CompositeProofs } from './composite-proofs.ts';
import { callLibrary, type DockLibrary, type DockModule, loadDockLibrary } from './dock-library.ts';
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
} from './order-checks.ts';
import { derivePlainProof, verifyPlainProof } from './plain-proof-library.ts';
import { isRangeParameters, setMembershipBase } from './proof-layout.ts';
import { signatureParameters } from './proof-setup.ts';
import { hasProofShape, rangeLabels } from './statement-facts.ts';

export interface DockEngine extends ProofEngine {
  /** After a trap inside the library, which no engine of this thread survives: everything then rejects. */
  readonly isBroken: boolean;
}

const reversed = (bytes: Uint8Array): Uint8Array => Uint8Array.from(bytes).reverse();
const littleEndian = (scalar: bigint): Uint8Array => integerBytes(scalar, scalarBytes).reverse();

/** The scalar of a signature stands at its end, in the other order of bytes on each side. */
function turnSignature(signature: Uint8Array): Uint8Array {
  const turned = signature.slice();
  turned.subarray(pointBytes).reverse();
  return turned;
}

const failed = (what: string): ProofEngineError => new ProofEngineError('failed', what);

class WasmEngine implements DockEngine {
  readonly #library: DockLibrary;
  readonly #proofs: CompositeProofs;
  #isClosed = false;

  constructor(library: DockLibrary) {
    this.#library = library;
    this.#proofs = new CompositeProofs(library.dock);
  }

  get isBroken(): boolean {
    return this.#library.isBroken;
  }

  async publicKeyOf(secretKey: Uint8Array): Promise<Uint8Array> {
    checkSecretKey(secretKey);
    const secret = reversed(secretKey);
    const key = this.#call((dock) => dock.bbsGeneratePublicKey(secret, signatureParameters('plain', 0)));
    secret.fill(0);
    if (key?.length !== bbsPublicKeyBytes) throw failed('the public key was not made');
    return key;
  }

  async sign(order: SignOrder): Promise<Uint8Array> {
    checkSignOrder(order);
    const scalars = signedScalars(order, order.messages);
    const secret = reversed(order.secretKey);
    const signature = this.#call((dock) => {
      const parameters = signatureParameters(order.interface, order.messages.length);
      return dock.bbsSignConstantTime(scalars, secret, parameters, false);
    });
    secret.fill(0);
    if (signature?.length !== bbsSignatureBytes) throw failed('the signature was not made');
    return turnSignature(signature);
  }

  async verifySignature(order: SignatureOrder): Promise<boolean> {
    checkStatement(order, order.messages);
    if (!isPublicKey(order.publicKey) || !isSignature(order.signature)) return false;
    const scalars = signedScalars(order, order.messages);
    const result = this.#call((dock) => {
      const parameters = signatureParameters(order.interface, order.messages.length);
      const signature = turnSignature(order.signature);
      return dock.bbsVerifyConstantTime(scalars, signature, order.publicKey, parameters, false);
    });
    return result?.verified === true;
  }

  async commit(order: CommitOrder): Promise<Uint8Array> {
    checkCommitOrder(order);
    return commitContents(order);
  }

  async derive(order: DeriveOrder): Promise<Uint8Array> {
    checkDeriveOrder(order);
    const scalars = signedScalars(order, order.messages);
    const signature = turnSignature(order.signature);
    const proof = this.#call(() => this.#proofs.derive(order, scalars, signature));
    if (proof === undefined) throw failed('the proof was not made');
    return proof;
  }

  async verifyProof(order: ProofOrder): Promise<boolean> {
    checkProofStatement(order);
    if (!isPublicKey(order.publicKey) || !hasProofShape(order)) return false;
    const domain = littleEndian(domainOf(order, order.messageCount));
    const revealed = order.revealed.map(({ message }) =>
      littleEndian(messageScalar(order.interface, message)),
    );
    return this.#call(() => this.#proofs.verify(order, domain, revealed)) === true;
  }

  async derivePlain(order: PlainDeriveOrder): Promise<Uint8Array> {
    checkPlainDeriveOrder(order);
    const proof = this.#call((dock) => derivePlainProof(dock, order));
    if (proof === undefined) throw failed('the proof was not made');
    return proof;
  }

  async verifyPlain(order: PlainProofOrder): Promise<boolean> {
    if (!isPlainProofOrder(order)) return false;
    return this.#call((dock) => verifyPlainProof(dock, order)) === true;
  }

  async makeRangeParameters(): Promise<Uint8Array> {
    const made = this.#call((dock) =>
      dock.boundCheckSmcSetup(rangeLabels.parameters, setMembershipBase, false),
    );
    if (made === undefined || !isRangeParameters(made)) throw failed('range parameters were not made');
    return made;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#proofs.clear();
  }

  #call<Result>(call: (dock: DockModule) => Result): Result | undefined {
    if (this.#isClosed) throw failed('the proof engine is closed');
    return callLibrary(this.#library, call);
  }
}

const domainOf = (statement: BbsStatement, messageCount: number): bigint =>
  calculateDomain(statement, createGenerators(statement.interface, messageCount));

/** What the library signs: the domain, and then the messages. */
const signedScalars = (statement: BbsStatement, messages: readonly BbsMessage[]): Uint8Array[] =>
  [
    domainOf(statement, messages.length),
    ...messages.map((message) => messageScalar(statement.interface, message)),
  ].map(littleEndian);

/** Takes a quarter of a second the first time in a thread. The first operation of each kind takes longer, too. */
export async function createDockEngine(): Promise<DockEngine> {
  const library = await loadDockLibrary();
  if (library.isBroken) throw failed('the proof library is broken');
  return new WasmEngine(library);
}
