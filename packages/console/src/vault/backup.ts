/**
 * A backup: everything of a vault in one file, under a password of its own, so that it opens in any browser. What is not
 * sealed in it says whose it is and how it was sealed, and is bound as additional data.
 */
import {
  decodeUtf8,
  encodeBase64,
  encodeHex,
  encodeUtf8,
  parseExactBase64,
  parseHex,
} from '@symbolon/core/basics/bytes';
import { didOfSigner, signerFromPrivateKey } from '@symbolon/sdk/keys/signer';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJsonOrNothing,
  stringifyJson,
} from '@symbolon/wire/json/json';
import { withoutHidden } from '../text/foreign-text.ts';
import { assertNewPassword, passwordCost, passwordKey, workOf } from './protection.ts';
import type { NamedRecord } from './records.ts';
import { openUnder, randomBytes, sealUnder, secretBytes } from './sealing.ts';
import { VaultFailure } from './vault-failure.ts';
import { vaultLimits } from './vault-limits.ts';

export interface VaultContents {
  readonly did: string;
  readonly name: string;
  /** Encoded. */
  readonly privateKey: string;
  readonly records: readonly NamedRecord[];
}

const format = 'symbolon-vault-backup';

export async function writeBackup(
  { did, name, privateKey, records }: VaultContents,
  password: string,
  now: Date,
): Promise<string> {
  assertNewPassword(password);
  const salt = randomBytes(secretBytes);
  const header: JsonObject = {
    format,
    version: 1,
    did,
    name,
    createdAt: now.toISOString(),
    kdf: { name: 'scrypt', ...passwordCost, salt: encodeHex(salt) },
    cipher: 'AES-256-GCM',
  };
  const plain = encodeUtf8(stringifyJson({ privateKey, records: records.map((record) => ({ ...record })) }));
  const key = await passwordKey(password, salt, passwordCost);
  const { iv, ciphertext } = await sealUnder(key, header, Uint8Array.from(plain));
  return stringifyJson({ ...header, iv: encodeHex(iv), ciphertext: encodeBase64(ciphertext) });
}

/** Rejects with `notABackup`, and with `backupSealed` for another password or a file that was changed. */
export async function readBackup(text: string, password: string): Promise<VaultContents> {
  if (text.length > vaultLimits.backupCharsMax) throw new VaultFailure('tooLarge');
  const { iv, ciphertext, ...header } = readFile(text);
  const salt = isJsonObject(header.kdf) && readBytes(header.kdf.salt, parseHex);
  const [sealedIv, sealed] = [readBytes(iv, parseHex), readBytes(ciphertext, parseExactBase64)];
  if (!salt || !sealedIv || !sealed) throw new VaultFailure('notABackup');
  const key = await passwordKey(password, salt, workOf(header.kdf as JsonObject, 'notABackup'));
  const bound = { purpose: header, orElse: 'backupSealed' } as const;
  const plain = await openUnder(key, bound, { iv: sealedIv, ciphertext: sealed });
  const contents = contentsOf(header, parseJsonOrNothing(decodeUtf8(plain)));
  if ((await didOf(contents.privateKey)) !== contents.did) throw new VaultFailure('notABackup');
  return contents;
}

/** Undefined for what is no key. */
const didOf = (privateKey: string): Promise<string | undefined> =>
  signerFromPrivateKey(privateKey).then(didOfSigner, () => undefined);

function readFile(text: string): JsonObject {
  const file = parseJsonOrNothing(text);
  if (isJsonObject(file) && file.format === format && file.version === 1) return file;
  throw new VaultFailure('notABackup');
}

function readBytes(
  value: JsonValue | undefined,
  parse: (text: string) => Uint8Array | undefined,
): Uint8Array<ArrayBuffer> | undefined {
  const bytes = typeof value === 'string' ? parse(value) : undefined;
  return bytes && Uint8Array.from(bytes);
}

function contentsOf({ did, name }: JsonObject, sealed: JsonValue | undefined): VaultContents {
  if (!isJsonObject(sealed)) throw new VaultFailure('notABackup');
  const { privateKey, records } = sealed;
  if (typeof did !== 'string' || typeof name !== 'string') throw new VaultFailure('notABackup');
  if (typeof privateKey !== 'string' || !Array.isArray(records)) throw new VaultFailure('notABackup');
  return { did, name: withoutHidden(name), privateKey, records: records.map(readRecord) };
}

function readRecord(given: JsonValue): NamedRecord {
  if (!isJsonObject(given) || typeof given.name !== 'string' || given.value === undefined)
    throw new VaultFailure('notABackup');
  return { name: given.name, value: given.value };
}
