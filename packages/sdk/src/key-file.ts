/**
 * A private key in a file, under a password: version 2 of the JSON key files that the family's tools write, so that
 * either side reads the other's. What those files are is not to be improved here, only bounded: the key comes out of
 * scrypt over the low byte of each word of the salt; its hex is the password of OpenSSL's older container, AES-256 in
 * counter mode. A wrong password is noticed by the checksum in the encoded key.
 */
import { md5 } from '@noble/hashes/legacy.js';
import { scryptAsync } from '@noble/hashes/scrypt.js';
import { sha256 } from '@noble/hashes/sha2.js';
import {
  concatBytes,
  decodeUtf8,
  encodeBase64,
  encodeHex,
  encodeUtf8,
  parseBase64,
  parseHex,
} from '@symbolon/core/bytes';
import { createKeyFormat } from '@symbolon/core/keys';
import { keyFileLimits as limits } from '@symbolon/core/limits';
import { zetrixProfile } from '@symbolon/core/profile';
import { isJsonObject, type JsonValue, parseJson, stringifyJson } from '@symbolon/wire/json';
import { SdkError } from './errors.ts';
import { type Signer, type SignerOptions, signerFromPrivateKey } from './signer.ts';

/** What the family's tools compute with, whatever a file says. */
const usualCost = { n: 16_384, r: 8, p: 1 } as const;
const keyBytes = 32;
const saltWords = 32;
const version = 2;

/** The text of a key file for an encoded private key. */
export async function writeKeyFile(
  privateKey: string,
  password: string,
  options: SignerOptions = {},
): Promise<string> {
  const { address } = await signerFromPrivateKey(privateKey, options);
  const { crypto } = globalThis;
  const salt = crypto.getRandomValues(new Uint8Array(4 * saltWords));
  const innerSalt = crypto.getRandomValues(new Uint8Array(innerSaltBytes));
  const passphrase = await passphraseOf(checkedPassword(password), salt, usualCost);
  const sealed = await applyCipher(encodeUtf8(privateKey), passphrase, innerSalt);
  const container = encodeBase64(concatBytes(containerMark, innerSalt, sealed));
  return stringifyJson(
    {
      // The other tools pass over members that they do not know.
      address,
      cypher_text: encodeBase64(encodeUtf8(container)),
      // Written because they are expected; the counter really starts at what comes out of the inner password.
      aesctr_iv: encodeHex(crypto.getRandomValues(new Uint8Array(4 * 16))),
      scrypt_params: { ...usualCost, salt: encodeHex(salt) },
      version,
    },
    2,
  );
}

/**
 * The signer of the key in a file; rejects with `passwordWrong` if the password does not open it. A function is asked
 * for the password only when the text is a key file.
 */
export async function signerFromKeyFile(
  text: string,
  password: string | (() => Promise<string>),
  options: SignerOptions = {},
): Promise<Signer> {
  const { salt, cost, innerSalt, sealed, address } = readKeyFile(text);
  const given = typeof password === 'string' ? password : await password();
  const passphrase = await passphraseOf(checkedPassword(given), salt, cost);
  const opened = await applyCipher(sealed, passphrase, innerSalt);
  try {
    const keys = createKeyFormat(options.profile ?? zetrixProfile, sha256);
    const privateKey = textOrNothing(opened);
    if (!keys.parsePrivateKey(privateKey)) throw passwordWrong();
    const signer = await signerFromPrivateKey(privateKey, options);
    if (address !== undefined && address !== signer.address) throw passwordWrong();
    return signer;
  } finally {
    opened.fill(0);
  }
}

interface ScryptCost {
  readonly n: number;
  readonly r: number;
  readonly p: number;
}

interface KeyFile {
  readonly salt: Uint8Array;
  readonly cost: ScryptCost;
  readonly innerSalt: Uint8Array;
  readonly sealed: Uint8Array;
  readonly address: string | undefined;
}

/** `Salted__`, as OpenSSL writes it. */
const containerMark = encodeUtf8('Salted__');
const innerSaltBytes = 8;

function readKeyFile(text: string): KeyFile {
  if (text.length > limits.fileCharsMax) throw notAKeyFile('it is too large');
  let file: JsonValue | undefined;
  try {
    file = parseJson(text);
  } catch {
    // Told below.
  }
  if (!isJsonObject(file) || file.version !== version) throw notAKeyFile('it is no JSON of version 2');
  const { scrypt_params: parameters, cypher_text: cipherText, address } = file;
  if (!isJsonObject(parameters) || typeof cipherText !== 'string') throw notAKeyFile('members are missing');
  const salt = typeof parameters.salt === 'string' ? parseHex(parameters.salt) : undefined;
  if (!salt || salt.length % 4 !== 0 || salt.length > limits.saltBytesMax) {
    throw notAKeyFile('its salt is malformed');
  }
  const outer = parseBase64(cipherText);
  const container = outer && parseBase64(textOrNothing(outer));
  const begin = containerMark.length + innerSaltBytes;
  if (!container || container.length <= begin || !containerMark.every((byte, at) => container[at] === byte)) {
    throw notAKeyFile('its ciphertext is malformed');
  }
  return {
    salt,
    cost: readCost(parameters.n, parameters.r, parameters.p),
    innerSalt: container.subarray(containerMark.length, begin),
    sealed: container.subarray(begin),
    address: typeof address === 'string' ? address : undefined,
  };
}

/** Whoever wrote the file decides how much work it is to open; not without end. */
function readCost(n: JsonValue | undefined, r: JsonValue | undefined, p: JsonValue | undefined): ScryptCost {
  const isCount = (value: JsonValue | undefined, most: number): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;
  const { costMax, blockSizeMax, parallelMax, memoryBytesMax } = limits;
  const isGood =
    isCount(n, costMax) &&
    n >= 2 &&
    (n & (n - 1)) === 0 &&
    isCount(r, blockSizeMax) &&
    isCount(p, parallelMax);
  if (isGood && 128 * n * r <= memoryBytesMax) return { n, r, p };
  throw notAKeyFile('its work factors are out of bounds');
}

/** The hex of what scrypt makes. Of each word of the salt the low byte counts. */
async function passphraseOf(
  password: string,
  salt: Uint8Array,
  { n, r, p }: ScryptCost,
): Promise<Uint8Array> {
  const counted = salt.filter((_byte, at) => at % 4 === 3);
  const key = await scryptAsync(encodeUtf8(password), counted, { N: n, r, p, dkLen: keyBytes });
  return encodeUtf8(encodeHex(key));
}

/** Counter mode: what seals also opens. */
async function applyCipher(
  bytes: Uint8Array,
  passphrase: Uint8Array,
  innerSalt: Uint8Array,
): Promise<Uint8Array> {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) {
    const hint = 'In a browser the page must come over https, or from this very machine.';
    throw new SdkError('signingUnavailable', 'there is no Web Crypto to open a key file with', { hint });
  }
  const blocks: Uint8Array[] = [];
  for (let made = 0; made < keyBytes + 16; made += 16) {
    blocks.push(md5(concatBytes(blocks.at(-1) ?? new Uint8Array(0), passphrase, innerSalt)));
  }
  const derived = concatBytes(...blocks);
  const raw = Uint8Array.from(derived.subarray(0, keyBytes));
  const key = await subtle.importKey('raw', raw, 'AES-CTR', false, ['encrypt']);
  // Only the last word counts up.
  const algorithm = { name: 'AES-CTR', counter: Uint8Array.from(derived.subarray(keyBytes)), length: 32 };
  return new Uint8Array(await subtle.encrypt(algorithm, key, Uint8Array.from(bytes)));
}

function textOrNothing(bytes: Uint8Array): string {
  try {
    return decodeUtf8(bytes);
  } catch {
    // What a wrong password makes.
    return '';
  }
}

function checkedPassword(password: string): string {
  if (password !== '' && password.length <= limits.passwordCharsMax) return password;
  const hint = `A password has 1 to ${limits.passwordCharsMax} characters.`;
  throw new SdkError('invalidArgument', 'the password is empty or too long', { hint });
}

const notAKeyFile = (why: string): SdkError =>
  new SdkError('invalidArgument', `this is not a key file: ${why}`, {
    hint: 'Give the whole text of a file that writeKeyFile or a tool of the family has written.',
  });

const passwordWrong = (): SdkError =>
  new SdkError('passwordWrong', 'the password does not open the key file', {
    hint: 'Check the password, and that the file is of this network.',
  });
