/** Keys that nobody had before, in Node and in browsers: 32 bytes of the platform's random source. */
import { sha256 } from '@noble/hashes/sha2.js';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { didOfSigner, keySeedBytes, type Signer, type SignerOptions, signerFromSeed } from './signer.ts';

/** A new key, and the account and DID that it is. */
export interface GeneratedKey {
  readonly signer: Signer;
  /**
   * Encoded, as `signerFromPrivateKey` takes it. Nobody can make it again, and whoever has it signs for the account: keep it
   * in a key file (`writeKeyFile`), not in a log.
   */
  readonly privateKey: string;
  /** The account that it signs for. There is none on the ledger before something is paid to it. */
  readonly address: string;
  readonly did: string;
}

/** Makes a key. Throws `signingUnavailable` where the platform has no Ed25519. */
export async function generateKey(options: SignerOptions = {}): Promise<GeneratedKey> {
  const { profile = zetrixProfile } = options;
  const seed = globalThis.crypto.getRandomValues(new Uint8Array(keySeedBytes));
  try {
    const signer = await signerFromSeed(seed, options);
    const privateKey = createKeyFormat(profile, sha256).encodePrivateKey(seed);
    return { signer, privateKey, address: signer.address, did: didOfSigner(signer, profile) };
  } finally {
    seed.fill(0);
  }
}
