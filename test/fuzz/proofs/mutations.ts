/**
 * Changes to proofs and to what they are about. Most keep every length and mark right, so that they get past the checks
 * of form and are computed with.
 */
import type {
  DeriveOrder,
  ProofOrder,
  ProofStatement,
  RangeParameters,
  SignatureOrder,
} from '@symbolon/core/proofs/proof-engine';
import type { Random } from '../../crash/seeded-random.ts';
import { pointBytes } from './points.ts';
import type { ProofSample } from './samples.ts';

export interface Chance {
  readonly random: Random;
  /** On the curve, and not in the group. */
  readonly strays: readonly Uint8Array[];
}

const scalarBytes = 32;

const withPiece = (bytes: Uint8Array, offset: number, piece: Uint8Array): Uint8Array => {
  const changed = bytes.slice();
  changed.set(piece.subarray(0, changed.length - offset), offset);
  return changed;
};

const withBitFlipped = (bytes: Uint8Array, offset: number, random: Random): Uint8Array =>
  bytes.with(offset, bytes[offset] ^ (1 << random.below(8)));

/** Of anything that is bytes, with what stands in its place elsewhere. */
function changeBytes(bytes: Uint8Array, other: Uint8Array, { random, strays }: Chance): Uint8Array {
  switch (random.below(8)) {
    case 0:
      return bytes.slice(0, random.below(bytes.length));
    case 1:
      return Uint8Array.of(...bytes, ...new Uint8Array(1 + random.below(64)));
    case 2:
      return withPiece(bytes, 0, random.pick(strays));
    case 3:
      return bytes.map(() => random.below(256));
    case 4:
      return withPiece(new Uint8Array(bytes.length), 0, Uint8Array.of(0xc0));
    case 5:
      return other;
    default:
      return withBitFlipped(bytes, random.below(bytes.length), random);
  }
}

/** The place of a piece of a proof. */
function pickPlace({ points, scalars }: ProofSample, random: Random): { offset: number; length: number } {
  return random.chance(0.5)
    ? { offset: random.pick(points), length: pointBytes }
    : { offset: random.pick(scalars), length: scalarBytes };
}

/** The bytes of a proof, changed where they matter. */
const proofChanges: readonly ((one: ProofSample, other: ProofSample, chance: Chance) => Uint8Array)[] = [
  ({ order: { proof } }, _, { random }) => withBitFlipped(proof, random.below(proof.length), random),
  ({ order: { proof }, points }, _, { random }) =>
    withBitFlipped(proof, random.pick(points) + random.below(pointBytes), random),
  // The sign of a point: its negative is in the group, too.
  ({ order: { proof }, points }, _, { random }) => {
    const offset = random.pick(points);
    return proof.with(offset, proof[offset] ^ 0x20);
  },
  // One point in the place of another, and both swapped.
  ({ order: { proof }, points }, _, { random }) => {
    const [from, to] = [random.pick(points), random.pick(points)];
    const moved = withPiece(proof, to, proof.subarray(from, from + pointBytes));
    return random.chance(0.5) ? moved : withPiece(moved, from, proof.subarray(to, to + pointBytes));
  },
  ({ order: { proof }, points }, _, { random, strays }) =>
    withPiece(proof, random.pick(points), random.pick(strays)),
  // What stands at the same place of another good proof: one piece, or everything from there on.
  (one, other, { random }) => {
    const { offset, length } = pickPlace(one, random);
    const end = random.chance(0.8) ? offset + length : other.order.proof.length;
    return withPiece(one.order.proof, offset, other.order.proof.subarray(offset, end));
  },
  // One scalar in the place of another, of either proof, or a small one.
  (one, other, { random }) => {
    const { order, scalars } = random.pick([one, other]);
    const from = random.pick(scalars);
    const scalar = random.chance(0.2)
      ? withPiece(new Uint8Array(scalarBytes), 0, Uint8Array.of(random.below(3)))
      : order.proof.subarray(from, from + scalarBytes);
    return withPiece(one.order.proof, random.pick(one.scalars), scalar);
  },
  ({ order: { proof }, scalars }, _, { random }) =>
    withBitFlipped(proof, random.pick(scalars) + random.below(scalarBytes), random),
  // A piece of either at any place, well formed or not.
  (one, other, { random }) => {
    const from = random.pick([one, other]);
    const { offset, length } = pickPlace(from, random);
    const target = random.chance(0.7) ? pickPlace(one, random).offset : random.below(one.order.proof.length);
    return withPiece(one.order.proof, target, from.order.proof.subarray(offset, offset + length));
  },
  ({ order: { proof } }, other, chance) => changeBytes(proof, other.order.proof, chance),
];

/** A small number more or less. */
const nearby = (value: bigint, random: Random): bigint => {
  const step = BigInt(1 + random.below(3));
  return random.chance(0.5) || value < step ? value + step : value - step;
};

type Revealed = ProofStatement['revealed'][number];
type StatementChange = (
  one: ProofStatement,
  other: ProofStatement,
  chance: Chance,
) => Partial<ProofStatement>;

function changeParameters(one: RangeParameters, other: RangeParameters, chance: Chance): RangeParameters {
  if (one.method !== 'set-membership' || other.method !== 'set-membership') return { method: 'bulletproofs' };
  return { ...one, parameters: changeBytes(one.parameters, other.parameters, chance) };
}

const statementChanges: readonly StatementChange[] = [
  ({ publicKey }, other, chance) => ({ publicKey: changeBytes(publicKey, other.publicKey, chance) }),
  ({ header }, other, chance) => ({ header: changeBytes(header, other.header, chance) }),
  ({ context }, _, chance) => ({ context: changeBytes(context, context, chance) }),
  ({ nonce }, _, chance) => ({ nonce: changeBytes(nonce, nonce, chance) }),
  ({ commitment }, other, chance) =>
    commitment ? { commitment: changeBytes(commitment, other.commitment ?? commitment, chance) } : {},
  ({ commitment }, _, { random }) => (commitment && random.chance(0.2) ? { commitment: undefined } : {}),
  ({ rangeParameters }, other, chance) => ({
    rangeParameters: changeParameters(rangeParameters, other.rangeParameters, chance),
  }),
  ({ ranges }, _, { random }) => ({
    ranges: ranges.map((range) =>
      random.chance(0.5)
        ? { ...range, min: nearby(range.min, random) }
        : { ...range, max: nearby(range.max, random) },
    ),
  }),
  ({ ranges }, _, { random }) => ({ ranges: ranges.map((range) => ({ ...range, index: random.below(14) })) }),
  ({ messageCount }, _, { random }) => ({ messageCount: Number(nearby(BigInt(messageCount), random)) }),
  ({ revealed }, other, { random }) => ({
    revealed: revealed.map((entry, position) => (random.chance(0.5) ? other.revealed[position] : entry)),
  }),
  ({ revealed }, _, { random }) => ({ revealed: revealed.filter(() => random.chance(0.5)) }),
  ({ revealed }) => ({
    revealed: revealed.map(({ index }, position) => ({ ...(revealed.at(position - 1) as Revealed), index })),
  }),
];

/** A proof that may not verify, unless nothing was changed after all. */
export function changedProof(one: ProofSample, other: ProofSample, chance: Chance): ProofOrder {
  const { random } = chance;
  if (random.chance(0.3))
    return { ...one.order, ...random.pick(statementChanges)(one.order, other.order, chance) };
  return { ...one.order, proof: random.pick(proofChanges)(one, other, chance) };
}

/** An order whose proof, if any is made, may not verify for what was signed. */
export function changedDerive(one: ProofSample, other: ProofSample, chance: Chance): DeriveOrder {
  const { derive } = one;
  const signature = changeBytes(derive.signature, other.derive.signature, chance);
  const { publicKey, commitment } = derive;
  const changes: readonly Partial<DeriveOrder>[] = [
    { signature },
    { publicKey: changeBytes(publicKey, other.derive.publicKey, chance) },
    commitment
      ? { commitment: changeBytes(commitment, other.derive.commitment ?? commitment, chance) }
      : { signature },
    derive.rangeParameters.method === 'set-membership'
      ? { rangeParameters: changeParameters(derive.rangeParameters, other.derive.rangeParameters, chance) }
      : { signature },
  ];
  return { ...derive, ...chance.random.pick(changes) };
}

export function changedSignature(one: SignatureOrder, other: SignatureOrder, chance: Chance): SignatureOrder {
  const { random } = chance;
  const { signature, publicKey, header, messages } = one;
  switch (random.below(4)) {
    case 0:
      return { ...one, publicKey: changeBytes(publicKey, other.publicKey, chance) };
    case 1:
      return { ...one, header: changeBytes(header, other.header, chance) };
    case 2:
      return { ...one, messages: messages.with(random.below(messages.length), random.pick(other.messages)) };
    default:
      return { ...one, signature: changeBytes(signature, other.signature, chance) };
  }
}
