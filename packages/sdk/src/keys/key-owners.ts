/** Which account and which DID a public key makes, for whoever reads signatures or follows a DID to its account. */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { addressOfDid, didOfPublicKey } from '@symbolon/core/did/did';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';

export interface KeyOwner {
  /** The raw key in hex. */
  readonly publicKey: string;
  readonly address: string;
  readonly did: string;
}

/** Of a key as signatures carry it, encoded with prefix and checksum; undefined for what is none. */
export function ownerOfPublicKey(
  encodedKey: string,
  profile: NetworkProfile = zetrixProfile,
): KeyOwner | undefined {
  const keys = createKeyFormat(profile, sha256);
  const publicKey = keys.parsePublicKey(encodedKey);
  return (
    publicKey && {
      publicKey: encodeHex(publicKey),
      address: keys.addressOf(publicKey),
      did: didOfPublicKey(publicKey, profile),
    }
  );
}

/** The account of one of the ledger's own DIDs; undefined for any other text. */
export const accountOfDid = (did: string, profile: NetworkProfile = zetrixProfile): string | undefined =>
  addressOfDid(did, createKeyFormat(profile, sha256));
