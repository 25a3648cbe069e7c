/**
 * Who made a backup: the key that signed its manifest. A node's backup is signed by its validator's key, a service's by
 * its registrar's, and either by another key where its owner says so. What is signed begins with a line of its own, so
 * that no signature of a backup is ever one of a block or a transaction.
 */
import { parseHex } from '@symbolon/core/basics/bytes';
import { didOfPublicKey } from '@symbolon/core/did/did';
import { type Signer, verifyWithWebCrypto } from '@symbolon/sdk/keys/signer';
import { keyFormat } from '../profile/key-format.ts';
import { addressOrDid } from '../profile/options.ts';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';

export const makerRoles = ['validator', 'service', 'operator'] as const;
export type MakerRole = (typeof makerRoles)[number];

export interface Maker {
  /** Of a raw Ed25519 key, in hex. */
  readonly publicKey: string;
  /** Whose key it is by its own word. */
  readonly as: MakerRole;
}

export interface BackupSigner {
  readonly maker: Maker;
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}

export function signerAs(as: MakerRole, { publicKey, sign }: Signer): BackupSigner {
  const raw = keyFormat.parsePublicKey(publicKey);
  if (!raw) throw new CommandFailure('The key cannot sign a backup: it is of another network.');
  return { maker: { publicKey: Buffer.from(raw).toString('hex'), as }, sign };
}

const signedLine = 'symbolon backup manifest v2\n';
const signedBytes = (text: string): Uint8Array => Buffer.from(`${signedLine}${text}`, 'utf8');

export const signText = async ({ sign }: BackupSigner, text: string): Promise<string> =>
  Buffer.from(await sign(signedBytes(text))).toString('hex');

export async function isSignedBy({ publicKey }: Maker, text: string, signature: string): Promise<boolean> {
  const [key, bytes] = [parseHex(publicKey), parseHex(signature)];
  if (!key || !bytes) return false;
  return verifyWithWebCrypto({ publicKey: key, message: signedBytes(text), signature: bytes });
}

const rawKey = ({ publicKey }: Maker): Uint8Array => Buffer.from(publicKey, 'hex');
export const makerAddress = (maker: Maker): string => keyFormat.addressOf(rawKey(maker));

/** What a program is told of a maker, and whether the chain in the backup says so too. */
export const makerFacts = (maker: Maker | undefined, isConfirmed = false) =>
  maker === undefined
    ? null
    : {
        address: makerAddress(maker),
        did: didOfPublicKey(rawKey(maker), keyFormat.profile),
        as: maker.as,
        isConfirmed,
      };

const roleWords: Readonly<Record<MakerRole, string>> = {
  validator: "a validator's key",
  service: "a service's key",
  operator: "an operator's key",
};

/** Whose key it is, is the maker's own word until something else in the backup has confirmed it. */
export const makerWords = (maker: Maker | undefined, isConfirmed = false): string =>
  maker === undefined
    ? 'unknown: nobody has signed it'
    : `${makerAddress(maker)}  (${isConfirmed ? '' : 'says it is '}${roleWords[maker.as]})`;

/** Throws unless the backup was made by whoever is expected. */
export function assertMadeBy(folder: string, maker: Maker | undefined, expected: string): void {
  const address = addressOrDid(expected);
  if (maker !== undefined && makerAddress(maker) === address) return;
  const who =
    maker === undefined ? 'nobody has signed it' : `it was made by ${makerAddress(maker)}, not by ${address}`;
  throw new CommandFailure(
    `The backup ${folder} is not the expected one: ${who}.\nUse the backup that ${address} has made.`,
    exitCodes.notVerified,
    { madeBy: makerFacts(maker) },
  );
}
