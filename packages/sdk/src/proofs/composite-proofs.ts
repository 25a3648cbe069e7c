/**
 * Statements, witnesses and composite proofs of the proof library: knowledge of a BBS signature, some of its
 * messages revealed, some hidden ones within bounds. A range is worth something only because it is tied to the
 * signed message by an equality, so both are built in one place, for prover and verifier alike.
 */
import { integerBytes } from '@symbolon/core/bbs/scalars';
import { interfaceIds, scalarBytes } from '@symbolon/core/bbs/suite';
import { concatBytes, encodeHex, encodeUtf8 } from '@symbolon/core/bytes';
import type {
  BbsMessage,
  DeriveOrder,
  ProofOrder,
  ProofStatement,
  RangeParameters,
} from '@symbolon/core/credential/proof-engine';
import { bbsLimits } from '@symbolon/core/limits';
import type { DockLibrary, DockModule } from './dock-library.ts';
import { hasShape, type LibraryRange, needsInequality, type ProofShape } from './proof-layout.ts';

type SignatureParameters = InstanceType<DockModule['BBSSignatureParams']>;
type SetupParameter = InstanceType<DockModule['SetupParam']>;
type Statements = InstanceType<DockModule['Statements']>;
type Witnesses = InstanceType<DockModule['Witnesses']>;

interface Prover {
  readonly parameters: SignatureParameters | undefined;
  /** The domain and all messages, as the library writes scalars. */
  readonly scalars: readonly Uint8Array[];
  readonly signature: Uint8Array;
}

interface Verifier {
  readonly parameters: SignatureParameters | undefined;
  readonly domain: Uint8Array;
  readonly revealed: readonly Uint8Array[];
}

/** Set-membership parameters come from verifiers; decoding them takes a while, so a few are kept. */
const keptParametersMax = 8;
const bulletproofsLabel = 'symbolon bulletproofs v1';
const inequalityLabel = 'symbolon inequality v1';

/** Where parameters of ranges stand among the setup of a proof. */
const rangeSetup = 0;
const inequalitySetup = 1;

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
    encodeUtf8('symbolon composite proof v1'),
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
    ...withLength(order.context),
  );
}

export class CompositeProofs {
  readonly #library: DockLibrary;
  readonly #dock: DockModule;
  /** Made when first needed: takes a fifth of a second. */
  #bulletproofs: SetupParameter | undefined;
  #inequality: SetupParameter | undefined;
  readonly #setMembership = new Map<string, SetupParameter>();

  constructor(library: DockLibrary) {
    this.#library = library;
    this.#dock = library.dock;
  }

  derive(order: DeriveOrder, { parameters, scalars, signature }: Prover): Uint8Array | undefined {
    if (parameters === undefined) return undefined;
    const dock = this.#dock;
    // Index 0 is the domain, so messages are one further.
    const shown = new Set([0, ...order.revealed.map(({ index }) => index + 1)]);
    const all = [...scalars.entries()];
    const revealed = new Map(all.filter(([index]) => shown.has(index)));
    const hidden = new Map(all.filter(([index]) => !shown.has(index)));
    const witnesses = new dock.Witnesses(
      dock.Witness.bbsSignature(new dock.BBSSignature(signature), hidden, false),
    );
    for (const range of order.ranges) this.#addWitness(witnesses, order, range, scalars[range.index + 1]);
    const statement = dock.Statement.bbsSignatureProver(parameters, revealed, false);
    const spec = this.#specify(order, new dock.Statements(statement));
    const proof = dock.CompositeProof.generateUsingQuasiProofSpec(spec, witnesses, order.nonce).value;
    return hasShape(proof, shapeOf(order)) ? proof : undefined;
  }

  verify(order: ProofOrder, { parameters, domain, revealed }: Verifier): boolean {
    if (parameters === undefined) return false;
    const dock = this.#dock;
    const shown = new Map([[0, domain]]);
    for (const [position, { index }] of order.revealed.entries()) shown.set(index + 1, revealed[position]);
    const key = new dock.BBSPublicKey(order.publicKey);
    const statement = dock.Statement.bbsSignatureVerifier(parameters, key, shown, false);
    const spec = this.#specify(order, new dock.Statements(statement));
    return (
      new dock.CompositeProof(order.proof).verifyUsingQuasiProofSpec(spec, order.nonce).verified === true
    );
  }

  clear(): void {
    this.#setMembership.clear();
    this.#bulletproofs = undefined;
    this.#inequality = undefined;
  }

  #specify(order: ProofStatement, statements: Statements) {
    const dock = this.#dock;
    const equalities = new dock.MetaStatements();
    const ranges = shapeOf(order).ranges;
    for (const [position, range] of ranges.entries()) {
      const equality = new dock.WitnessEqualityMetaStatement();
      equality.addWitnessRef(0, order.ranges[position].index + 1);
      equality.addWitnessRef(statements.add(this.#rangeStatement(range)), 0);
      if (needsInequality(range)) equality.addWitnessRef(statements.add(this.#notEnd(range)), 0);
      equalities.addWitnessEquality(equality);
    }
    const setup = ranges.length === 0 ? [] : this.#setup(order.rangeParameters);
    return new dock.QuasiProofSpec(statements, equalities, setup, boundContext(order));
  }

  #rangeStatement({ min, end, method }: LibraryRange): Uint8Array {
    const { Statement } = this.#dock;
    return method === 'bulletproofs'
      ? Statement.boundCheckBppFromSetupParamRefs(Number(min), Number(end), rangeSetup)
      : Statement.boundCheckSmcFromSetupParamRefs(Number(min), Number(end), rangeSetup);
  }

  #notEnd({ end }: LibraryRange): Uint8Array {
    const value = integerBytes(end, scalarBytes).reverse();
    return this.#dock.Statement.publicInequalityG1FromSetupParamRefs(value, inequalitySetup);
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

  #setup(chosen: RangeParameters): SetupParameter[] {
    return chosen.method === 'bulletproofs'
      ? [this.#bulletproofsSetup()]
      : [this.#setMembershipSetup(chosen.parameters), this.#inequalitySetup()];
  }

  #bulletproofsSetup(): SetupParameter {
    const { BoundCheckBppParams, SetupParam } = this.#dock;
    this.#bulletproofs ??= SetupParam.bppSetupParamsUncompressed(
      new BoundCheckBppParams(encodeUtf8(bulletproofsLabel), 2, 64).decompress(),
    );
    return this.#bulletproofs;
  }

  #inequalitySetup(): SetupParameter {
    const key = this.#library.commitmentKey;
    this.#inequality ??= this.#dock.SetupParam.pedCommKeyG1Uncompressed(
      new key(encodeUtf8(inequalityLabel)).decompress(),
    );
    return this.#inequality;
  }

  #setMembershipSetup(parameters: Uint8Array): SetupParameter {
    const name = encodeHex(parameters);
    const kept = this.#setMembership.get(name);
    if (kept !== undefined) return kept;
    const { BoundCheckSmcWithKVProverParams, SetupParam } = this.#dock;
    // The library's own class for these can only make fresh ones; a prover's other kind are the same bytes.
    const read = new BoundCheckSmcWithKVProverParams(parameters);
    const setup = SetupParam.smcSetupParamsUncompressed(read.decompress());
    const [oldest] = this.#setMembership.keys();
    if (this.#setMembership.size >= keptParametersMax && oldest !== undefined)
      this.#setMembership.delete(oldest);
    this.#setMembership.set(name, setup);
    return setup;
  }
}
