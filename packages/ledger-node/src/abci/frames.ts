/**
 * Messages on an ABCI socket: each is preceded by its length as a varint. What arrives comes in pieces of any size; a
 * length beyond the bound, or one that is no number, ends the connection.
 */

/** What came over the socket is not ABCI. */
export class FrameError extends Error {
  override name = 'FrameError';
}

/** Of a length: 2^35 is far beyond every bound. */
const lengthBytesMax = 5;

export class AbciFrames {
  readonly #bytesMax: number;
  /** Of the message under way: its length so far, as far as that is known. */
  #length = 0;
  #lengthBytes = 0;
  #message: Uint8Array | undefined;
  #filled = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The messages that these bytes complete, each in memory of its own. */
  *read(bytes: Uint8Array): Generator<Uint8Array> {
    let at = 0;
    while (at < bytes.length || this.#message?.length === 0) {
      if (!this.#message) {
        this.#readLength(bytes[at++]);
        continue;
      }
      const part = bytes.subarray(at, at + this.#message.length - this.#filled);
      this.#message.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled < this.#message.length) return;
      const message = this.#message;
      this.#message = undefined;
      yield message;
    }
  }

  #readLength(byte: number): void {
    if (this.#lengthBytes === lengthBytesMax) throw new FrameError('a length that is no number');
    this.#length += (byte & 0x7f) * 2 ** (7 * this.#lengthBytes);
    this.#lengthBytes++;
    if (byte >= 0x80) return;
    if (this.#length > this.#bytesMax)
      throw new FrameError(`a message of ${this.#length} bytes, ${this.#bytesMax} at most`);
    this.#message = new Uint8Array(this.#length);
    this.#filled = 0;
    this.#length = 0;
    this.#lengthBytes = 0;
  }
}

/** What goes before a message of so many bytes. */
export function lengthPrefix(length: number): Uint8Array {
  const bytes: number[] = [];
  let rest = length;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
