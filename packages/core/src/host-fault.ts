/**
 * When the machine underneath gives out: no stack, no memory, a broken invariant. What was being decided then is not
 * decided. Such an error is never an answer, an outcome or a receipt, because another node, or this one a minute later,
 * would come to another; it passes through whatever catches the errors of its own trade.
 */
import { BrokenInvariant } from './assert.ts';

/** A part of this node did not do its work. */
export class HostFault extends Error {
  override name = 'HostFault';
}

/** The words of JavaScript engines for running out of stack or memory. Decoders throw range errors of their own. */
const exhaustion =
  /call stack|too much recursion|allocation failed|allocate|out of memory|maximum size exceeded|^Invalid (string|array|typed array|array buffer|BigInt) (length|size)/i;

export const isHostFault = (error: unknown): boolean =>
  error instanceof HostFault ||
  error instanceof BrokenInvariant ||
  !(error instanceof Error) ||
  error.name === 'InternalError' ||
  (error instanceof RangeError && exhaustion.test(error.message));

/** What a decoder makes of text or bytes from anybody; nothing where it objects to them. */
export function decodeOrNothing<Value>(decode: () => Value): Value | undefined {
  try {
    return decode();
  } catch (error) {
    if (isHostFault(error)) throw error;
    return undefined;
  }
}
