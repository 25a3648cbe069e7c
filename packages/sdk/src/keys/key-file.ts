/**
 * A private key in a file, under a password. New files have this house's own form (`own-key-file.ts`); those of
 * the family's tools (`family-key-file.ts`) are read, too, and written for whoever needs one there.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { createKeyFormat, type KeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { keyFileLimits } from '@symbolon/core/limits/documents';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '@symbolon/wire/json/json';
import { DoubledMember, parseUniqueJson } from '@symbolon/wire/json/json-members';
import { SdkError } from '../errors/errors.ts';
import { encryptFamilyKey, familyVersion, readFamilyKeyFile } from './family-key-file.ts';
import { checkedPassword, notAKeyFile, passwordWrong } from './key-derivation.ts';
import { encryptSeed, ownFormat, readOwnKeyFile } from './own-key-file.ts';
import { type Signer, type SignerOptions, signerFromPrivateKey, signerFromSeed } from './signer.ts';

const keysOf = ({ profile = zetrixProfile }: SignerOptions): KeyFormat => createKeyFormat(profile, sha256);

/** The text of a key file for an encoded private key. */
export async function writeKeyFile(
  privateKey: string,
  password: string,
  options: SignerOptions = {},
): Promise<string> {
  const signer = await signerFromPrivateKey(privateKey, options);
  const seed = keysOf(options).parsePrivateKey(privateKey) as Uint8Array;
  try {
    return stringifyJson(await encryptSeed(seed, checkedPassword(password), signer), 2);
  } finally {
    seed.fill(0);
  }
}

/**
 * The same for the family's tools. Their form takes an eighth of the memory to try passwords on, and nothing in it shows
 * that it was changed: for handing a key over, not for keeping it.
 */
export async function writeFamilyKeyFile(
  privateKey: string,
  password: string,
  options: SignerOptions = {},
): Promise<string> {
  const { address } = await signerFromPrivateKey(privateKey, options);
  return stringifyJson(await encryptFamilyKey(privateKey, checkedPassword(password), address), 2);
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
  return (await openKeyFile(text, password, options)).signer;
}

export interface OpenedKeyFile {
  readonly form: 'own' | 'family';
  readonly signer: Signer;
  /** Encoded. For writing it into another file; whoever only signs has the signer. */
  readonly privateKey: string;
}

export async function openKeyFile(
  text: string,
  password: string | (() => Promise<string>),
  options: SignerOptions = {},
): Promise<OpenedKeyFile> {
  const file = parseFile(text);
  const ask = async () => checkedPassword(typeof password === 'string' ? password : await password());
  if (file.format === ownFormat) return openOwn(file, ask, options);
  if (file.version === familyVersion) return openFamily(file, ask, options);
  throw notAKeyFile(`it has neither the format ${ownFormat} nor the version ${familyVersion} of the family`);
}

type Opening = (
  file: JsonObject,
  ask: () => Promise<string>,
  options: SignerOptions,
) => Promise<OpenedKeyFile>;

const openOwn: Opening = async (file, ask, options) => {
  const { address, publicKey, openSeed } = readOwnKeyFile(file);
  const seed = await openSeed(await ask());
  try {
    const signer = await signerFromSeed(seed, options);
    if (signer.address !== address || signer.publicKey !== publicKey)
      throw notAKeyFile('its account is of another network');
    return { form: 'own', signer, privateKey: keysOf(options).encodePrivateKey(seed) };
  } finally {
    seed.fill(0);
  }
};

const openFamily: Opening = async (file, ask, options) => {
  const { address, openKey } = readFamilyKeyFile(file);
  const privateKey = await openKey(await ask());
  const signer = await signerFromPrivateKey(privateKey, options).catch((error: unknown) => {
    throw error instanceof SdkError && error.code === 'invalidArgument' ? passwordWrong() : error;
  });
  if (address !== undefined && address !== signer.address) throw passwordWrong();
  return { form: 'family', signer, privateKey };
};

function parseFile(text: string): JsonObject {
  if (text.length > keyFileLimits.fileCharsMax) throw notAKeyFile('it is too large');
  let file: JsonValue | undefined;
  try {
    file = parseUniqueJson(text);
  } catch (error) {
    if (error instanceof DoubledMember) throw notAKeyFile(error.message);
    // Anything else is told below.
  }
  if (isJsonObject(file)) return file;
  throw notAKeyFile('it is no JSON object, or only a part of one');
}
