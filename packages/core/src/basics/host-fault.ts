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
 * The engine's words for running out of stack or memory, as its range errors begin. Told by them, because decoders throw
 * range errors of their own; by their beginning alone, because the rest of a message may quote what anybody sent, and
 * whoever sends these words must not be able to stop a node. Compared without a regular expression, because compiling one
 * takes stack too.
 */
export const exhaustedWords = [
  'Maximum call stack size exceeded',
  'Array buffer allocation failed',
  'WebAssembly.Memory(): could not allocate memory',
  'WebAssembly.instantiate(): Out of memory',
  'WebAssembly.Instance(): Out of memory',
  'Map maximum size exceeded',
  'Set maximum size exceeded',
  'WeakMap maximum size exceeded',
  'Maximum BigInt size exceeded',
  'Invalid string length',
  'Invalid array length',
  'Invalid array buffer length',
  'Invalid typed array length',
];

/** Without stack V8 says that a good regular expression is wrong. All of them are this project's own. */
const expressionWords = 'Invalid regular expression: ';

/** The encoder of messages wraps whatever went wrong below it; names of messages and fields alone stand before that. */
const wrappedWords = ['cannot encode field ', ' to binary: '] as const;

export function isHostFault(error: unknown): boolean {
  if (error instanceof HostFault || error instanceof BrokenInvariant || !(error instanceof Error))
    return true;
  const { message } = error;
  if (error instanceof SyntaxError) return message.startsWith(expressionWords);
  return error instanceof RangeError ? isExhausted(message) : isExhausted(unwrapped(message));
}

function isExhausted(message: string): boolean {
  for (const words of exhaustedWords) if (message.startsWith(words)) return true;
  return false;
}

function unwrapped(message: string): string {
  const [before, between] = wrappedWords;
  const end = message.startsWith(before) ? message.indexOf(between) : -1;
  return end === -1 ? '' : message.slice(end + between.length);
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
