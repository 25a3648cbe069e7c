/** Signatures by the Ed25519 key that an issuer has left here for issuing at once. */
import { assert } from '@symbolon/core/basics/assert';
import { equalBytes } from '@symbolon/core/basics/bytes';
import { signerFromSeed } from '@symbolon/sdk/index';
import { keyOfLedgerDid } from '../access/signatures.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { findStoredIssuerKey } from './price-rows.ts';

export interface KeptSignature {
  readonly signature: Uint8Array;
  /** The raw public key. */
  readonly bytes: Uint8Array;
}

/** Undefined where the issuer has left no key, or has taken it away. */
export async function signAsIssuer(
  { database, vault, keys }: Pick<ServiceParts, 'database' | 'vault' | 'keys'>,
  issuer: string,
  message: Uint8Array,
): Promise<KeptSignature | undefined> {
  const stored = await findStoredIssuerKey(database.kysely, issuer);
  if (!stored) return undefined;
  const seed = await vault.decrypt(stored.secret, contexts.issuerSecret(issuer));
  try {
    const signer = await signerFromSeed(seed, { profile: keys.profile });
    const bytes = keys.parsePublicKey(signer.publicKey);
    assert(bytes && equalBytes(bytes, keyOfLedgerDid(issuer, keys)), "the key kept is the issuer's");
    return { signature: await signer.sign(message), bytes };
  } finally {
    seed.fill(0);
  }
}
