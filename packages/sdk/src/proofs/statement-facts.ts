/**
 * What follows from a statement for every engine that proves or verifies it: which shape a proof has, and to what bytes
 * it is bound. Engines that differ here would not take each other's proofs.
 */
import { concatBytes, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { bbsLimits } from '@symbolon/core/limits/documents';
import type {
  BbsMessage,
  ProofOrder,
  ProofStatement,
  RangeParameters,
} from '@symbolon/core/proofs/proof-engine';
import { integerBytes } from '@symbolon/core/proofs/scalars';
import { interfaceIds } from '@symbolon/core/proofs/suite';
import { hasShape, type LibraryRange, type ProofShape } from './proof-layout.ts';

/** What the points and keys of ranges are hashed from: nobody knows how they relate to each other. */
export const rangeLabels = {
  bulletproofs: encodeUtf8('symbolon bulletproofs v1'),
  inequality: encodeUtf8('symbolon inequality v1'),
  parameters: encodeUtf8('symbolon range parameters v1'),
} as const;

/** Our bounds are inclusive; the library's upper one is not, and goes no further than the largest safe number. */
const libraryRange = (
  { min, max }: { min: bigint; max: bigint },
  { method }: RangeParameters,
): LibraryRange => ({
  min,
  end: max < bbsLimits.boundMax ? max + 1n : bbsLimits.boundMax,
  method,
});

export const proofShapeOf = (order: ProofStatement): ProofShape => ({
  hiddenMessages: order.messageCount - order.revealed.length,
  isCommitted: order.commitment !== undefined,
  ranges: order.ranges.map((range) => libraryRange(range, order.rangeParameters)),
});

/** Whether the bytes can be a proof of this at all. Everything else is refused before a library sees it. */
export const isProofOf = (order: ProofStatement, proof: Uint8Array): boolean =>
  hasShape(proof, proofShapeOf(order));

/** The same of bytes that came from elsewhere. */
export const hasProofShape = (order: ProofOrder): boolean =>
  order.proof instanceof Uint8Array && isProofOf(order, order.proof);

const withLength = (bytes: Uint8Array): Uint8Array[] => [integerBytes(bytes.length, 8), bytes];
const messageParts = (message: BbsMessage): Uint8Array[] =>
  'integer' in message
    ? [Uint8Array.of(1), integerBytes(message.integer, 8)]
    : [Uint8Array.of(0), ...withLength(message.bytes)];

/** Everything the verifier knows, each part with its length: the proof's challenge is a hash of it all. */
export function boundContext(order: ProofStatement): Uint8Array {
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
