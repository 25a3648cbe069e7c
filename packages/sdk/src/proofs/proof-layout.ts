/**
 * The exact bytes that a composite proof may have: where points, scalars and fixed bytes stand follows from the
 * statement alone. Checked before the library sees a proof, for three reasons. A proof says itself which base its
 * range digits have and how many there are, and the library believes any base below its own, which would widen the
 * range. Wrong lengths make it panic. And bytes that may be changed freely would give one proof many forms.
 */
import { groupOrder } from '@symbolon/core/proofs/suite';

/** One range as the library counts it: from `min` up to but not including `end`. */
export interface LibraryRange {
  readonly min: bigint;
  readonly end: bigint;
  readonly method: 'bulletproofs' | 'set-membership';
}

export interface ProofShape {
  readonly hiddenMessages: number;
  /** Whether the hidden messages open a commitment. */
  readonly isCommitted: boolean;
  readonly ranges: readonly LibraryRange[];
}

/** A point of G1 or of G2, compressed, a scalar, or bytes that are always the same. */
type Piece = 'point' | 'widePoint' | 'scalar' | Uint8Array;

const scalarLength = 32;
const pieceLengths = { point: 48, widePoint: 96, scalar: scalarLength } as const;
/** Digits of set-membership ranges: 16 of them were signed by the maker of the parameters. */
export const setMembershipBase = 16;
/** Below, the library proves a sum of weighted digits, which includes `end`; from here on two plain digit sums. */
const weightedDigitsDifference = 2n ** 20n;

const fixed = (...bytes: number[]): Uint8Array => Uint8Array.from(bytes);
const count = (items: number): Uint8Array => fixed(items, 0, 0, 0, 0, 0, 0, 0);
const repeated = (times: number, pieces: readonly Piece[]): Piece[] =>
  Array.from({ length: times }, () => pieces).flat();
const points = (number: number): Piece[] => repeated(number, ['point']);
const scalars = (number: number): Piece[] => repeated(number, ['scalar']);

/** Which kind of statement a part is for. */
const signatureTag = 0x0b;
const commitmentTag = 0x20;
const bulletproofsTag = 0x0c;
const setMembershipTag = 0x0d;
const inequalityTag = 0x0f;

/** One response for the message at 1 of 2: the other is shared with the signature's part. */
const sharedResponse: readonly Piece[] = [count(1), count(1), 'scalar', count(2)];

/** Without this, the library's weighted digits let a dishonest prover reach `end` itself. */
export const needsInequality = ({ min, end, method }: LibraryRange): boolean =>
  method === 'set-membership' && end - min < weightedDigitsDifference;

const signaturePieces = (hiddenMessages: number): Piece[] => [
  fixed(signatureTag),
  ...points(4),
  ...scalars(2),
  'point',
  fixed(1),
  count(hiddenMessages + 1),
  ...scalars(hiddenMessages + 1),
  fixed(0),
];

/** All its responses are those of the signature's part. */
const commitmentPieces = (hiddenMessages: number): Piece[] => [
  fixed(commitmentTag),
  'point',
  count(0),
  count(hiddenMessages),
];

const bulletproofsPieces: readonly Piece[] = [
  fixed(bulletproofsTag),
  count(2),
  ...points(2),
  fixed(2, 0),
  ...points(4),
  count(7),
  ...points(7),
  count(7),
  ...points(7),
  count(1),
  'scalar',
  count(1),
  'scalar',
  'point',
  ...sharedResponse,
  'point',
  ...sharedResponse,
];

const digitPieces: readonly Piece[] = ['point', 'point', fixed(1), 'point', 'scalar', 'scalar', fixed(0)];

const inequalityPieces: readonly Piece[] = [
  fixed(inequalityTag),
  ...points(2),
  ...scalars(2),
  'point',
  'scalar',
  'point',
  ...scalars(2),
  ...points(2),
  ...sharedResponse,
];

/** How many digits the library needs: for narrow ranges the width counts, for wide ones where they end. */
function digitCount({ min, end }: LibraryRange): number {
  const base = BigInt(setMembershipBase);
  const difference = end - min;
  let digits = 0;
  let power = 1n;
  if (difference < weightedDigitsDifference) {
    const weighted = difference % (base - 1n) === 0n ? difference : difference * (base - 1n);
    for (; power < weighted; power *= base) digits++;
    return digits;
  }
  for (; power <= end; power *= base) digits++;
  return digits;
}

function setMembershipPieces(range: LibraryRange): Piece[] {
  const isWeighted = needsInequality(range);
  const digits = digitCount(range);
  const oneSum: Piece[] = [count(digits), ...repeated(digits, digitPieces)];
  const sums: Piece[] = isWeighted
    ? [...oneSum, 'point', 'scalar']
    : [...oneSum, ...oneSum, ...points(2), ...scalars(2)];
  const head = fixed(setMembershipTag, isWeighted ? 1 : 0, setMembershipBase, 0);
  const proved: Piece[] = [head, ...sums, ...points(2), ...sharedResponse];
  return isWeighted ? [...proved, ...inequalityPieces] : proved;
}

function proofPieces({ hiddenMessages, isCommitted, ranges }: ProofShape): Piece[] {
  const inequalities = ranges.filter(needsInequality).length;
  return [
    count(1 + (isCommitted ? 1 : 0) + ranges.length + inequalities),
    ...signaturePieces(hiddenMessages),
    ...(isCommitted ? commitmentPieces(hiddenMessages) : []),
    ...ranges.flatMap((range) =>
      range.method === 'bulletproofs' ? bulletproofsPieces : setMembershipPieces(range),
    ),
    new Uint8Array(10),
  ];
}

const lengthOf = (piece: Piece): number => (typeof piece === 'string' ? pieceLengths[piece] : piece.length);

const totalLength = (pieces: readonly Piece[]): number =>
  pieces.reduce((length, piece) => length + lengthOf(piece), 0);

/** Whether a compressed point is marked as such and is not the point at infinity. */
export const looksLikePoint = (bytes: Uint8Array): boolean => (bytes[0] & 0xc0) === 0x80;

/** Little-endian and below the order of the group. */
function isScalar(bytes: Uint8Array): boolean {
  let value = 0n;
  for (let index = bytes.length - 1; index >= 0; index--) value = (value << 8n) | BigInt(bytes[index]);
  return value < groupOrder;
}

function fits(piece: Piece, bytes: Uint8Array): boolean {
  if (piece === 'scalar') return isScalar(bytes);
  if (typeof piece === 'string') return looksLikePoint(bytes);
  return piece.every((byte, index) => bytes[index] === byte);
}

function hasPieces(bytes: Uint8Array, pieces: readonly Piece[]): boolean {
  if (bytes.length !== totalLength(pieces)) return false;
  let offset = 0;
  return pieces.every((piece) => {
    const start = offset;
    offset += lengthOf(piece);
    return fits(piece, bytes.subarray(start, offset));
  });
}

/** Where the points, or the scalars, of a proof of this shape begin. */
export function pieceOffsets(shape: ProofShape, kind: 'point' | 'scalar'): number[] {
  let offset = 0;
  return proofPieces(shape).flatMap((piece) => {
    const start = offset;
    offset += lengthOf(piece);
    return piece === kind ? [start] : [];
  });
}

/** How long a proof of this shape is, to the byte. */
export const proofLength = (shape: ProofShape): number => totalLength(proofPieces(shape));

export const hasShape = (proof: Uint8Array, shape: ProofShape): boolean =>
  hasPieces(proof, proofPieces(shape));

/** Parameters of set-membership ranges: two bases, a public key, the digits, a signature on each, two bases. */
const parameterPieces: readonly Piece[] = [
  'point',
  'widePoint',
  'widePoint',
  count(setMembershipBase),
  ...Array.from({ length: setMembershipBase }, (_, digit) =>
    fixed(digit, ...new Uint8Array(scalarLength - 1)),
  ),
  count(setMembershipBase),
  ...points(setMembershipBase),
  ...points(2),
];

export const isRangeParameters = (bytes: Uint8Array): boolean => hasPieces(bytes, parameterPieces);
