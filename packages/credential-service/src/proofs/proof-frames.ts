/**
 * Tasks and outcomes on the pipe to a proof process. A frame is its length, the length of a text, the text, and bytes:
 * the text is JSON, in which bytes stand by their place behind it. So secrets lie in a frame's own memory and nowhere
 * else, and can be wiped there; and what a process says that has gone wrong is read as text, never as objects.
 */
import { assert } from '@symbolon/core/basics/assert';
import { proofLimits } from '../limits/service-limits.ts';
import { replaceBytes } from './proof-job.ts';

/** Of the two numbers that a frame begins with. */
const lengthBytes = 4;
const headBytes = 2 * lengthBytes;

/** How bytes and integers without bound stand in the text. No order has members of these names. */
const bytesMark = '$bytes';
const integerMark = '$integer';

const markedInteger = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? { [integerMark]: value.toString() } : value;

/** A frame in memory of its own. Whoever has sent it wipes it. */
export function encodePipeFrame(value: unknown): Uint8Array {
  const parts: Uint8Array[] = [];
  let offset = 0;
  const marked = replaceBytes(value, (bytes) => {
    const mark = { [bytesMark]: [offset, bytes.length] };
    parts.push(bytes);
    offset += bytes.length;
    return mark;
  });
  const text = Buffer.from(JSON.stringify(marked, markedInteger));
  const frame = new Uint8Array(headBytes + text.length + offset);
  assert(frame.length <= proofLimits.frameBytesMax, 'a frame within its bounds');
  const head = new DataView(frame.buffer);
  head.setUint32(0, frame.length);
  head.setUint32(lengthBytes, text.length);
  frame.set(text, headBytes);
  let end = headBytes + text.length;
  for (const part of parts) {
    frame.set(part, end);
    end += part.length;
  }
  return frame;
}

/** What a frame says; its bytes are views of the frame. Throws for what is no frame. */
export function decodePipeFrame(frame: Uint8Array): unknown {
  const textLength = new DataView(frame.buffer, frame.byteOffset).getUint32(lengthBytes);
  assert(textLength <= frame.length - headBytes, 'a text within its frame');
  const text = Buffer.from(frame.buffer, frame.byteOffset + headBytes, textLength).toString();
  const behind = frame.subarray(headBytes + textLength);
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if (integerMark in value) return BigInt(value[integerMark] as string);
    if (!(bytesMark in value)) return value;
    const [offset, length] = value[bytesMark] as [number, number];
    const bytes = behind.subarray(offset, offset + length);
    assert(bytes.length === length, 'bytes within their frame');
    return bytes;
  });
}

/** Puts frames together from the pieces in which a pipe delivers them. Throws for a frame that is too long. */
export class FrameReader {
  readonly #onFrame: (frame: Uint8Array) => void;
  readonly #head = new Uint8Array(lengthBytes);
  #frame: Uint8Array | undefined;
  #filled = 0;

  constructor(onFrame: (frame: Uint8Array) => void) {
    this.#onFrame = onFrame;
  }

  /** The piece is copied, and its owner's again. */
  push(piece: Uint8Array): void {
    for (let rest = piece; rest.length > 0; ) rest = rest.subarray(this.#take(rest));
  }

  /** Answers how much it took. */
  #take(rest: Uint8Array): number {
    const target = this.#frame ?? this.#head;
    const taken = Math.min(rest.length, target.length - this.#filled);
    target.set(rest.subarray(0, taken), this.#filled);
    this.#filled += taken;
    if (this.#filled < target.length) return taken;
    if (target === this.#frame) {
      this.#frame = undefined;
      this.#filled = 0;
      this.#onFrame(target);
    } else this.#begin();
    return taken;
  }

  #begin(): void {
    const length = new DataView(this.#head.buffer).getUint32(0);
    assert(length >= headBytes && length <= proofLimits.frameBytesMax, 'a frame within its bounds');
    this.#frame = new Uint8Array(length);
    this.#frame.set(this.#head);
  }
}
