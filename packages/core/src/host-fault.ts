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

/**
 * The engine's words for running out of stack or memory. Told by its words, because decoders throw range and syntax
 * errors of their own; compared without a regular expression, because compiling one takes stack too, and without any
 * left it is itself said to be wrong.
 */
const exhaustedWords = [
  'Maximum call stack size exceeded',
  'Stack overflow',
  'Regular expression too large',
  'allocation failed',
  'could not allocate',
  'out of memory',
  'aximum size exceeded',
  'Maximum BigInt size exceeded',
  'Invalid string length',
  'Invalid array length',
  'Invalid array buffer length',
  'Invalid typed array length',
];

export function isHostFault(error: unknown): boolean {
  if (error instanceof HostFault || error instanceof BrokenInvariant || !(error instanceof Error))
    return true;
  if (!(error instanceof RangeError) && !(error instanceof SyntaxError)) return false;
  const { message } = error;
  for (const words of exhaustedWords) if (message.includes(words)) return true;
  return false;
}

/** What a decoder makes of text or bytes from anybody; nothing where it objects to them. */
export function decodeOrNothing<Value>(decode: () => Value): Value | undefined {
  try {
    return decode();
  } catch (error) {
    if (isHostFault(error)) throw error;
    return undefined;
  }
}
