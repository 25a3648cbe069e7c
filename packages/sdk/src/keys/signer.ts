/**
 * Who signs: the seam, and its implementation over WebCrypto's Ed25519, which Node and current browsers have. The
 * private key is imported as not extractable and is not kept in any other form; a signer elsewhere (a wallet, a
 * hardware key) implements the same three members.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@symbolon/core/basics/bytes';
import { didOfPublicKey } from '@symbolon/core/did/did';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import { assertMembers, type MembersOf } from '../arguments/exact-arguments.ts';
import { parseBase64Url } from '../arguments/foreign-texts.ts';
import { SdkError } from '../errors/errors.ts';

/** Whoever signs for an account: a key in this program, in a wallet, in hardware or in custody. */
export interface Signer {
  readonly address: string;
  /** Encoded, as signatures carry it. */
  readonly publicKey: string;
  /** The 64-byte Ed25519 signature over the bytes. */
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}

/** For whoever makes a signer. */
export interface SignerOptions {
  /** The network whose address form is meant; the default profile if left out. */
  readonly profile?: NetworkProfile;
}

export const signerOptionMembers: MembersOf<SignerOptions> = { profile: true };

/** Node and the browsers declare it under different names. */
type Subtle = typeof globalThis.crypto.subtle;

const algorithm = 'Ed25519';
export const keySeedBytes = 32;
/** What precedes the seed of an Ed25519 key in PKCS#8 (RFC 8410). */
const pkcs8Prefix = Uint8Array.of(48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32);

/** The signer of an encoded private key. */
export async function signerFromPrivateKey(text: string, options: SignerOptions = {}): Promise<Signer> {
  assertMembers(options, signerOptionMembers, 'options of a signer');
  const seed = createKeyFormat(options.profile ?? zetrixProfile, sha256).parsePrivateKey(text);
  // The text itself is never repeated: it may be a key with one wrong character.
  if (!seed) throw invalidKey('the text is not an encoded private key of this network');
  return signerFromSeed(seed, options);
}

/** The signer of a raw 32-byte seed. */
export async function signerFromSeed(seed: Uint8Array, options: SignerOptions = {}): Promise<Signer> {
  assertMembers(options, signerOptionMembers, 'options of a signer');
  if (seed.length !== keySeedBytes)
    throw invalidKey(`a seed has ${keySeedBytes} bytes, this one has ${seed.length}`);
  const subtle = subtleCrypto();
  const pkcs8 = Uint8Array.from(concatBytes(pkcs8Prefix, seed));
  const { privateKey, publicKey } = await importKeyPair(subtle, pkcs8);
  const keys = createKeyFormat(options.profile ?? zetrixProfile, sha256);
  return {
    address: keys.addressOf(publicKey),
    publicKey: keys.encodePublicKey(publicKey),
    sign: async (bytes) => new Uint8Array(await subtle.sign(algorithm, privateKey, Uint8Array.from(bytes))),
  };
}

/** Only an extractable key gives away its public half, so that one is imported first and dropped again. */
async function importKeyPair(subtle: Subtle, pkcs8: Uint8Array<ArrayBuffer>) {
  try {
    const extractable = await subtle.importKey('pkcs8', pkcs8, algorithm, true, ['sign']);
    const { x = '' } = await subtle.exportKey('jwk', extractable);
    const publicKey = parseBase64Url(x);
    const privateKey = await subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
    if (publicKey) return { privateKey, publicKey };
  } catch (cause) {
    throw signingUnavailable(cause);
  } finally {
    pkcs8.fill(0);
  }
  throw signingUnavailable(undefined);
}

function subtleCrypto(): Subtle {
  const { crypto } = globalThis as { crypto?: { subtle?: Subtle } };
  // Pages that came over plain HTTP have a crypto object without this part.
  if (!crypto?.subtle) throw signingUnavailable(undefined);
  return crypto.subtle;
}

function signingUnavailable(cause: unknown): SdkError {
  const hint =
    'Use Node 24 or a current browser; in a browser the page must come over https or from localhost.';
  return new SdkError('signingUnavailable', 'this platform offers no Ed25519 signatures', { hint, cause });
}

function invalidKey(message: string): SdkError {
  return new SdkError('invalidArgument', message, { hint: 'Check that the whole key was copied.' });
}

/** Whether a raw key has signed a message. Bytes that are no key or no signature have signed nothing. */
export async function verifyWithWebCrypto({
  publicKey,
  message,
  signature,
}: Readonly<Record<'publicKey' | 'message' | 'signature', Uint8Array>>): Promise<boolean> {
  const subtle = subtleCrypto();
  try {
    const key = await subtle.importKey('raw', Uint8Array.from(publicKey), algorithm, false, ['verify']);
    return await subtle.verify(algorithm, key, Uint8Array.from(signature), Uint8Array.from(message));
  } catch (cause) {
    // Thrown for bytes that are no point of the curve, and by platforms that do not know the algorithm.
    if ((cause as { name?: unknown }).name === 'NotSupportedError') throw signingUnavailable(cause);
    return false;
  }
}

/** The DID that a signer's key is. */
export function didOfSigner(signer: Signer, profile: NetworkProfile = zetrixProfile): string {
  const publicKey = createKeyFormat(profile, sha256).parsePublicKey(signer.publicKey);
  if (publicKey) return didOfPublicKey(publicKey, profile);
  const hint = 'Use a signer of the network that the service belongs to.';
  throw new SdkError('invalidArgument', 'the signer has no public key of this network', { hint });
}
