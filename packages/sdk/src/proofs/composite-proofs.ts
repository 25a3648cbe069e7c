/**
 * Statements, witnesses and composite proofs of the proof library: knowledge of a BBS signature, some of its
 * messages revealed, some hidden ones within bounds, all hidden ones those that a commitment is to. A range or a
 * commitment is worth something only because it is tied to the signed messages by equalities, so all of it is built in
 * one place, for prover and verifier alike.
 */

import { concatBytes, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { bbsLimits } from '@symbolon/core/limits/limits';
import { commitmentToHidden } from '@symbolon/core/proofs/commitment';
import type {
  BbsMessage,
  DeriveOrder,
  ProofOrder,
  ProofStatement,
  RangeParameters,
} from '@symbolon/core/proofs/proof-engine';
import { integerBytes } from '@symbolon/core/proofs/scalars';
import { interfaceIds, scalarBytes } from '@symbolon/core/proofs/suite';
import type { DockLibrary, DockModule } from './dock-library.ts';
import { hasShape, type LibraryRange, needsInequality, type ProofShape } from './proof-layout.ts';
import { hiddenIndexes, KeptParameters, SetupList } from './proof-setup.ts';

type Statements = InstanceType<DockModule['Statements']>;
type Witnesses = InstanceType<DockModule['Witnesses']>;

interface Prover {
  /** The domain and all messages, as the library writes scalars. */
  readonly scalars: readonly Uint8Array[];
  readonly signature: Uint8Array;
}

interface Verifier {
  readonly domain: Uint8Array;
  readonly revealed: readonly Uint8Array[];
}

/** Where parameters of ranges stand among those of a proof. */
interface RangeRefs {
  readonly range: number;
  readonly inequality: number;
}

/** Our bounds are inclusive; the library's upper one is not, and goes no further than the largest safe number. */
const libraryRange = (
  { min, max }: { min: bigint; max: bigint },
  { method }: RangeParameters,
): LibraryRange => ({
  min,
  end: max < bbsLimits.boundMax ? max + 1n : bbsLimits.boundMax,
  method,
});

const shapeOf = (order: ProofStatement): ProofShape => ({
  hiddenMessages: order.messageCount - order.revealed.length,
  isCommitted: order.commitment !== undefined,
  ranges: order.ranges.map((range) => libraryRange(range, order.rangeParameters)),
});

/** Whether the bytes can be a proof of this at all. Everything else is refused before the library sees it. */
export const hasProofShape = (order: ProofOrder): boolean =>
  order.proof instanceof Uint8Array && hasShape(order.proof, shapeOf(order));

const withLength = (bytes: Uint8Array): Uint8Array[] => [integerBytes(bytes.length, 8), bytes];
const messageParts = (message: BbsMessage): Uint8Array[] =>
  'integer' in message
    ? [Uint8Array.of(1), integerBytes(message.integer, 8)]
    : [Uint8Array.of(0), ...withLength(message.bytes)];

/** Everything the verifier knows, each part with its length: the proof's challenge is a hash of it all. */
function boundContext(order: ProofStatement): Uint8Array {
  const { rangeParameters } = order;
  return concatBytes(
    encodeUtf8('symbolon composite proof v2'),
    ...withLength(encodeUtf8(interfaceIds[order.interface])),
    order.publicKey,
    ...withLength(order.header),
    integerBytes(order.messageCount, 8),
    integerBytes(order.revealed.length, 8),
    ...order.revealed.flatMap(({ index, message }) => [integerBytes(index, 8), ...messageParts(message)]),
    integerBytes(order.ranges.length, 8),
    ...order.ranges.flatMap(({ index, min, max }) =>
      [index, min, max].map((value) => integerBytes(value, 8)),
    ),
    ...withLength(encodeUtf8(rangeParameters.method)),
    ...withLength(
      rangeParameters.method === 'set-membership' ? rangeParameters.parameters : new Uint8Array(0),
    ),
    ...withLength(order.commitment ?? new Uint8Array(0)),
    ...withLength(order.context),
  );
}

/** Where the messages of the signature stand in other statements. */
class Equalities {
  readonly #places = new Map<number, [statement: number, witness: number][]>();

  add(index: number, statement: number, witness: number): void {
    const places = this.#places.get(index) ?? [];
    places.push([statement, witness]);
    this.#places.set(index, places);
  }

  written(dock: DockModule): InstanceType<DockModule['MetaStatements']> {
    const written = new dock.MetaStatements();
    for (const [index, places] of this.#places) {
      const equality = new dock.WitnessEqualityMetaStatement();
      // The signature is statement 0, and the domain its message 0.
      equality.addWitnessRef(0, index + 1);
      for (const [statement, witness] of places) equality.addWitnessRef(statement, witness);
      written.addWitnessEquality(equality);
    }
    return written;
  }
}

export class CompositeProofs {
  readonly #dock: DockModule;
  readonly #kept: KeptParameters;

  constructor(library: DockLibrary) {
    this.#dock = library.dock;
    this.#kept = new KeptParameters(library);
  }

  derive(order: DeriveOrder, { scalars, signature }: Prover): Uint8Array | undefined {
    const dock = this.#dock;
    // Index 0 is the domain, so messages are one further.
    const shown = new Set([0, ...order.revealed.map(({ index }) => index + 1)]);
    const all = [...scalars.entries()];
    const revealed = new Map(all.filter(([index]) => shown.has(index)));
    const hidden = new Map(all.filter(([index]) => !shown.has(index)));
    const witnesses = new dock.Witnesses(
      dock.Witness.bbsSignature(new dock.BBSSignature(signature), hidden, false),
    );
    if (order.commitment) witnesses.add(dock.Witness.pedersenCommitment([...hidden.values()]));
    for (const range of order.ranges) this.#addWitness(witnesses, order, range, scalars[range.index + 1]);
    const setup = new SetupList();
    const parameters = setup.add(this.#kept.signature(order.interface, order.messageCount));
    const statement = dock.Statement.bbsSignatureProverFromSetupParamRefs(parameters, revealed, false);
    const spec = this.#specify(order, new dock.Statements(statement), setup);
    if (spec === undefined) return undefined;
    const proof = dock.CompositeProof.generateUsingQuasiProofSpec(spec, witnesses, order.nonce).value;
    return hasShape(proof, shapeOf(order)) ? proof : undefined;
  }

  verify(order: ProofOrder, { domain, revealed }: Verifier): boolean {
    const dock = this.#dock;
    const shown = new Map([[0, domain]]);
    for (const [position, { index }] of order.revealed.entries()) shown.set(index + 1, revealed[position]);
    const setup = new SetupList();
    const parameters = setup.add(this.#kept.signature(order.interface, order.messageCount));
    const key = setup.add(this.#kept.publicKey(order.publicKey));
    const statement = dock.Statement.bbsSignatureVerifierFromSetupParamRefs(parameters, key, shown, false);
    const spec = this.#specify(order, new dock.Statements(statement), setup);
    if (spec === undefined) return false;
    return (
      new dock.CompositeProof(order.proof).verifyUsingQuasiProofSpec(spec, order.nonce).verified === true
    );
  }

  clear(): void {
    this.#kept.clear();
  }

  /** Whatever stands in several statements is one message. Undefined when the commitment is not one. */
  #specify(order: ProofStatement, statements: Statements, setup: SetupList) {
    const dock = this.#dock;
    const equalities = new Equalities();
    if (order.commitment) {
      const hidden = hiddenIndexes(order);
      const rest = commitmentToHidden(order.commitment, order);
      if (rest === undefined) return undefined;
      const bases = setup.add(this.#kept.commitment(hidden, order.messageCount));
      const place = statements.add(dock.Statement.pedersenCommitmentG1FromSetupParamRef(bases, rest));
      for (const [position, index] of hidden.entries()) equalities.add(index, place, position);
    }
    const { ranges } = shapeOf(order);
    const refs = ranges.length === 0 ? undefined : this.#rangeSetup(order.rangeParameters, setup);
    for (const [position, range] of ranges.entries()) {
      const { index } = order.ranges[position];
      for (const statement of this.#rangeStatements(range, refs as RangeRefs))
        equalities.add(index, statements.add(statement), 0);
    }
    return new dock.QuasiProofSpec(
      statements,
      equalities.written(dock),
      setup.parameters,
      boundContext(order),
    );
  }

  #rangeSetup(chosen: RangeParameters, setup: SetupList): RangeRefs {
    return chosen.method === 'bulletproofs'
      ? { range: setup.add(this.#kept.bulletproofs()), inequality: -1 }
      : {
          range: setup.add(this.#kept.setMembership(chosen.parameters)),
          inequality: setup.add(this.#kept.inequality()),
        };
  }

  #rangeStatements(range: LibraryRange, refs: RangeRefs): Uint8Array[] {
    const { Statement } = this.#dock;
    const [min, end] = [Number(range.min), Number(range.end)];
    if (range.method === 'bulletproofs')
      return [Statement.boundCheckBppFromSetupParamRefs(min, end, refs.range)];
    const within = Statement.boundCheckSmcFromSetupParamRefs(min, end, refs.range);
    if (!needsInequality(range)) return [within];
    const value = integerBytes(range.end, scalarBytes).reverse();
    return [within, Statement.publicInequalityG1FromSetupParamRefs(value, refs.inequality)];
  }

  #addWitness(
    witnesses: Witnesses,
    order: ProofStatement,
    range: ProofStatement['ranges'][number],
    value: Uint8Array,
  ): void {
    const { Witness } = this.#dock;
    const isBulletproofs = order.rangeParameters.method === 'bulletproofs';
    witnesses.add(isBulletproofs ? Witness.boundCheckBpp(value) : Witness.boundCheckSmc(value));
    if (needsInequality(libraryRange(range, order.rangeParameters)))
      witnesses.add(Witness.publicInequality(value));
  }
}
