/**
 * Statements, witnesses and composite proofs of the proof library: knowledge of a BBS signature, some of its
 * messages revealed, some hidden ones within bounds, all hidden ones those that a commitment is to. A range or a
 * commitment is worth something only because it is tied to the signed messages by equalities, so all of it is built in
 * one place, for prover and verifier alike.
 */
import { commitmentToHidden } from '@symbolon/core/proofs/commitment';
import type {
  DeriveOrder,
  ProofOrder,
  ProofStatement,
  RangeParameters,
} from '@symbolon/core/proofs/proof-engine';
import { integerBytes } from '@symbolon/core/proofs/scalars';
import { scalarBytes } from '@symbolon/core/proofs/sizes';
import type { DockModule } from './dock-library.ts';
import { type LibraryRange, needsInequality } from './proof-layout.ts';
import { KeptParameters } from './proof-setup.ts';
import { boundContext, isProofOf, proofShapeOf } from './statement-facts.ts';

/** Adds to a list and answers the number under which the library knows what was added. */
const added = (list: Uint8Array[], bytes: Uint8Array): number => list.push(bytes) - 1;

/** The messages that are not revealed, ascending. */
function hiddenIndexes({ messageCount, revealed }: ProofStatement): readonly number[] {
  const shown = new Set(revealed.map(({ index }) => index));
  return Array.from({ length: messageCount }, (_, index) => index).filter((index) => !shown.has(index));
}

/** What prover and verifier agree on, as the library takes it. */
interface ProofSpec {
  readonly statements: Uint8Array[];
  readonly equalities: Uint8Array[];
  readonly parameters: Uint8Array[];
  readonly context: Uint8Array;
}

export class CompositeProofs {
  readonly #dock: DockModule;
  readonly #kept: KeptParameters;

  constructor(dock: DockModule) {
    this.#dock = dock;
    this.#kept = new KeptParameters(dock);
  }

  /** `scalars`: the domain and all messages, as the library writes them. */
  derive(order: DeriveOrder, scalars: readonly Uint8Array[], signature: Uint8Array): Uint8Array | undefined {
    const dock = this.#dock;
    // Index 0 is the domain, so messages are one further.
    const shown = new Set([0, ...order.revealed.map(({ index }) => index + 1)]);
    const all = [...scalars.entries()];
    const revealed = new Map(all.filter(([index]) => shown.has(index)));
    const hidden = new Map(all.filter(([index]) => !shown.has(index)));
    const witnesses = [dock.generatePoKBBSSignatureWitness(signature, hidden, false)];
    if (order.commitment) witnesses.push(dock.generatePedersenCommitmentWitness([...hidden.values()]));
    for (const [position, range] of proofShapeOf(order).ranges.entries())
      witnesses.push(...this.#rangeWitnesses(range, scalars[order.ranges[position].index + 1]));
    const parameters: Uint8Array[] = [];
    const signed = added(parameters, this.#kept.signature(order.interface, order.messageCount));
    const statement = dock.generatePoKBBSSignatureProverStatementFromParamRefs(signed, revealed, false);
    const spec = this.#specify(order, statement, parameters);
    if (spec === undefined) return undefined;
    const proof = dock.generateCompositeProofG1WithDeconstructedProofSpec(
      spec.statements,
      spec.equalities,
      spec.parameters,
      witnesses,
      spec.context,
      order.nonce,
    );
    return isProofOf(order, proof) ? proof : undefined;
  }

  verify(order: ProofOrder, domain: Uint8Array, revealed: readonly Uint8Array[]): boolean {
    const dock = this.#dock;
    const shown = new Map([[0, domain]]);
    for (const [position, { index }] of order.revealed.entries()) shown.set(index + 1, revealed[position]);
    const parameters: Uint8Array[] = [];
    const signed = added(parameters, this.#kept.signature(order.interface, order.messageCount));
    const key = added(parameters, this.#kept.publicKey(order.publicKey));
    const statement = dock.generatePoKBBSSignatureVerifierStatementFromParamRefs(signed, key, shown, false);
    const spec = this.#specify(order, statement, parameters);
    if (spec === undefined) return false;
    const { verified } = dock.verifyCompositeProofG1WithDeconstructedProofSpec(
      order.proof,
      spec.statements,
      spec.equalities,
      spec.parameters,
      spec.context,
      order.nonce,
    );
    return verified === true;
  }

  clear(): void {
    this.#kept.clear();
  }

  /** Whatever stands in several statements is one message. Undefined when the commitment is not one. */
  #specify(order: ProofStatement, signature: Uint8Array, parameters: Uint8Array[]): ProofSpec | undefined {
    const dock = this.#dock;
    const statements = [signature];
    // By the message of the signature: where else it stands. The signature is statement 0, and the domain its message 0.
    const places = new Map<number, Set<[statement: number, witness: number]>>();
    const tie = (index: number, statement: number, witness: number): void => {
      const known = places.get(index) ?? new Set([[0, index + 1]]);
      places.set(index, known.add([statement, witness]));
    };
    if (order.commitment) {
      const hidden = hiddenIndexes(order);
      const rest = commitmentToHidden(order.commitment, order);
      if (rest === undefined) return undefined;
      const bases = added(parameters, this.#kept.commitment(hidden, order.messageCount));
      const place = added(statements, dock.generatePedersenCommitmentG1StatementFromParamRefs(bases, rest));
      for (const [position, index] of hidden.entries()) tie(index, place, position);
    }
    const { ranges } = proofShapeOf(order);
    const statementsOf =
      ranges.length === 0 ? undefined : this.#rangeSetup(order.rangeParameters, parameters);
    for (const [position, range] of ranges.entries())
      for (const statement of statementsOf?.(range) ?? [])
        tie(order.ranges[position].index, added(statements, statement), 0);
    const equalities = [...places.values()].map((same) => dock.generateWitnessEqualityMetaStatement(same));
    return { statements, equalities, parameters, context: boundContext(order) };
  }

  /** Adds what ranges of this method need to the parameters, and answers how their statements are made. */
  #rangeSetup(
    chosen: RangeParameters,
    parameters: Uint8Array[],
  ): (range: LibraryRange) => readonly Uint8Array[] {
    const dock = this.#dock;
    if (chosen.method === 'bulletproofs') {
      const setup = added(parameters, this.#kept.bulletproofs());
      return ({ min, end }) => [
        dock.generateBoundCheckBppStatementFromParamRefs(Number(min), Number(end), setup),
      ];
    }
    const setup = added(parameters, this.#kept.setMembership(chosen.parameters));
    const inequality = added(parameters, this.#kept.inequality());
    return (range) => {
      const [min, end] = [Number(range.min), Number(range.end)];
      const within = dock.generateBoundCheckSmcStatementFromParamRefs(min, end, setup);
      if (!needsInequality(range)) return [within];
      const value = integerBytes(range.end, scalarBytes).reverse();
      return [within, dock.generatePublicInequalityG1StatementFromParamRefs(value, inequality)];
    };
  }

  #rangeWitnesses(range: LibraryRange, value: Uint8Array): readonly Uint8Array[] {
    const dock = this.#dock;
    if (range.method === 'bulletproofs') return [dock.generateBoundCheckBppWitness(value)];
    const within = dock.generateBoundCheckSmcWitness(value);
    return needsInequality(range) ? [within, dock.generatePublicInequalityWitness(value)] : [within];
  }
}
