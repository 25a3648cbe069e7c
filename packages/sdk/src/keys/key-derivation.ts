/**
 * From a password to a key, for key files of either form: scrypt, with bounds on what a file may ask for. Whoever wrote
 * a file decides how much work it is to open; not without end.
 */
import { scryptAsync } from '@noble/hashes/scrypt.js';
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { keyFileLimits as limits } from '@symbolon/core/limits/documents';
import type { JsonValue } from '@symbolon/wire/json/json';
import { SdkError } from '../errors/errors.ts';

export interface ScryptCost {
  readonly n: number;
  readonly r: number;
  readonly p: number;
}

const keyBytes = 32;

export const deriveKey = (password: string, salt: Uint8Array, { n, r, p }: ScryptCost): Promise<Uint8Array> =>
  scryptAsync(encodeUtf8(password), salt, { N: n, r, p, dkLen: keyBytes });

/** The cost that a file names; throws where it is none, or too much. */
export function readCost({ n, r, p }: Readonly<Record<string, JsonValue | undefined>>): ScryptCost {
  const isCount = (value: JsonValue | undefined, most: number): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;
  const { costMax, blockSizeMax, parallelMax, memoryBytesMax, workBytesMax } = limits;
  const isGood =
    isCount(n, costMax) &&
    n >= 2 &&
    (n & (n - 1)) === 0 &&
    isCount(r, blockSizeMax) &&
    isCount(p, parallelMax);
  if (isGood && 128 * n * r <= memoryBytesMax && 128 * n * r * p <= workBytesMax) return { n, r, p };
  throw notAKeyFile('its work factors are out of bounds');
}

export function checkedPassword(password: string): string {
  if (password !== '' && password.length <= limits.passwordCharsMax) return password;
  const hint = `A password has 1 to ${limits.passwordCharsMax} characters.`;
  throw new SdkError('invalidArgument', 'the password is empty or too long', { hint });
}

/** `why` repeats nothing of the file: there may be a key in it. */
export const notAKeyFile = (why: string): SdkError =>
  new SdkError('invalidArgument', `this is not a key file: ${why}`, {
    hint: 'Give the whole text of a file that writeKeyFile or a tool of the family has written.',
  });

export const passwordWrong = (): SdkError =>
  new SdkError('passwordWrong', 'the password does not open the key file', {
    hint: 'Check the password, and that the file is of this network. If both are right, somebody has changed it.',
  });

export function subtleCrypto(): typeof globalThis.crypto.subtle {
  const subtle = globalThis.crypto?.subtle;
  if (subtle) return subtle;
  const hint = 'In a browser the page must come over https, or from this very machine.';
  throw new SdkError('signingUnavailable', 'there is no Web Crypto to open a key file with', { hint });
}
