/** Keys of P-256 as `did:key` writes them: a compressed point, whose other coordinate follows from the curve. */
import { p256 } from '@noble/curves/nist.js';
import { decodeOrNothing } from '../basics/host-fault.ts';

/** Both coordinates, 32 bytes each; undefined for bytes that are no point of the curve. */
export function p256PointOf(
  bytes: Uint8Array,
): { readonly x: Uint8Array; readonly y: Uint8Array } | undefined {
  const whole = decodeOrNothing(() => p256.Point.fromBytes(bytes).toBytes(false));
  return whole && { x: whole.slice(1, 33), y: whole.slice(33) };
}
