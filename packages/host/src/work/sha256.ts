/** SHA-256 as this machine computes it: for the rules of the core, which bring no hash function of their own. */
import { createHash } from 'node:crypto';

export const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

/** Of bytes, or of a text in UTF-8. */
export const sha256Hex = (content: Uint8Array | string): string =>
  createHash('sha256').update(content).digest('hex');
