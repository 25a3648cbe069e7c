/**
 * Reads the `vp_token` of a wallet's answer in the forms that wallets send: the presentation as an object, a JWT whose
 * payload is the presentation with or without its proof, base64 of the object's JSON, or the id of a presentation that
 * was kept. All of them become one thing: a presentation in the product's own shape, and the bytes that the holder's
 * signature covers. The nonce that some wallets write into derived proofs is taken out and handed over; it is covered
 * by those bytes.
 */
import { decodeUtf8, encodeUtf8, parseBase64, parseHex } from '@symbolon/core/basics/bytes';
import { CanonicalJsonError, canonicalJsonBytes } from '@symbolon/core/basics/jcs';
import { detachedJws, jwsSignatureBytes, jwsSigningInput } from '@symbolon/core/credential/jws';
import { proofTypes, suites } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { credentialLimits } from '@symbolon/core/limits/documents';
import { savedIdPattern } from '../credentials/extended-routes.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../json/json.ts';

export interface PresentedToken {
  /** In the product's shape, as far as anybody has looked. */
  readonly presentation: JsonObject;
  /** What the holder has signed. */
  readonly signedBytes: Uint8Array;
  /** The nonce of each derived proof that has one. */
  readonly derivedNonces: readonly (string | undefined)[];
}

export type GivenToken = { readonly token: PresentedToken } | { readonly savedId: string };

const malformed = (detail: string) =>
  new Fault('presentationMalformed', { detail, errors: [{ pointer: '/vp_token', detail }] });

export function readVpToken(given: JsonValue): GivenToken {
  if (isJsonObject(given)) return { token: readObject(given) };
  if (typeof given !== 'string') throw malformed('must be an object or a text');
  const text = given.trim();
  if (savedIdPattern.test(text)) return { savedId: text };
  if (text.startsWith('{')) return { token: readObject(parseObject(text)) };
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) return { token: readJwt(text) };
  const bytes = parseBase64(text);
  if (!bytes) throw malformed('must be a presentation, a JWT, or base64 of a presentation');
  return { token: readObject(parseObject(textOf(bytes))) };
}

function textOf(bytes: Uint8Array): string {
  try {
    return decodeUtf8(bytes);
  } catch {
    throw malformed('holds bytes that are not UTF-8');
  }
}

function parseObject(text: string): JsonObject {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch {
    throw malformed('does not hold JSON');
  }
  if (!isJsonObject(value)) throw malformed('does not hold an object');
  return value;
}

/** The signature is in the presentation's proof and covers everything else. */
function readObject(given: JsonObject): PresentedToken {
  const { proof } = given;
  if (!isJsonObject(proof)) throw malformed('has no proof of the holder');
  const { jws: _signature, ...options } = proof;
  try {
    const signedBytes = jwsSigningInput('holder', canonicalJsonBytes({ ...given, proof: options }));
    return { ...withoutNonces(given), signedBytes };
  } catch (error) {
    if (error instanceof CanonicalJsonError) throw malformed('is not plain JSON');
    throw error;
  }
}

/** The signature is the third part and covers the first two, letter by letter. */
function readJwt(text: string): PresentedToken {
  const [headerText, payloadText, signatureText] = text.split('.');
  const header = parseObject(textOf(partOf(headerText)));
  if (header.alg !== 'EdDSA' || 'crit' in header || 'b64' in header)
    throw malformed('has a JWT header that is not {"alg":"EdDSA"}');
  const signature = signatureOf(partOf(signatureText));
  const payload = parseObject(textOf(partOf(payloadText)));
  const { holder, proof } = payload;
  if (typeof holder !== 'string') throw malformed('names no holder');
  const options = isJsonObject(proof) ? proof : defaultOptions(payload, holder);
  const { presentation, derivedNonces } = withoutNonces(payload);
  return {
    presentation: { ...presentation, proof: { ...options, jws: detachedJws('holder', signature) } },
    derivedNonces,
    signedBytes: encodeUtf8(`${headerText}.${payloadText}`),
  };
}

function partOf(text: string): Uint8Array {
  const bytes = parseBase64(text);
  if (!bytes) throw malformed('has a part that is not base64url');
  return bytes;
}

/** 64 bytes, or their hex text as some libraries of the family write it. */
function signatureOf(bytes: Uint8Array): Uint8Array {
  const signature = bytes.length === 2 * jwsSignatureBytes ? parseHex(textOf(bytes)) : bytes;
  if (signature?.length !== jwsSignatureBytes) throw malformed('has a JWT signature that is not 64 bytes');
  return signature;
}

/** What a JWT says by being one: the holder's own key, for no challenge and no domain. */
function defaultOptions({ verifiableCredential }: JsonObject, holder: string): JsonObject {
  const first = Array.isArray(verifiableCredential) ? verifiableCredential[0] : undefined;
  const proof = isJsonObject(first) && isJsonObject(first.proof) ? first.proof : {};
  return {
    type: proofTypes.ed25519,
    cryptosuite: suites.ed25519,
    created: proof.created ?? null,
    proofPurpose: 'authentication',
    verificationMethod: `${holder}#controllerKey`,
  };
}

function withoutNonces(given: JsonObject): Pick<PresentedToken, 'presentation' | 'derivedNonces'> {
  const { verifiableCredential } = given;
  if (!Array.isArray(verifiableCredential)) return { presentation: given, derivedNonces: [] };
  const stripped = verifiableCredential
    .slice(0, credentialLimits.presentedCredentialsMax + 1)
    .map((credential) => {
      if (!isJsonObject(credential)) return { credential, nonce: undefined };
      // A derived proof may stand in an array of one.
      const list = Array.isArray(credential.proof) && credential.proof.length === 1;
      const proof = list ? (credential.proof as JsonValue[])[0] : credential.proof;
      if (!isJsonObject(proof) || typeof proof.nonce !== 'string')
        return { credential: list ? { ...credential, proof } : credential, nonce: undefined };
      const { nonce, ...others } = proof;
      return { credential: { ...credential, proof: others }, nonce };
    });
  return {
    presentation: { ...given, verifiableCredential: stripped.map(({ credential }) => credential) },
    derivedNonces: stripped.map(({ nonce }) => (typeof nonce === 'string' ? nonce : undefined)),
  };
}

/** Whether every derived proof carries the session's nonce: as wallets write it, `u` and base64url of its bytes. */
export const carriesNonce = (
  { derivedNonces }: Pick<PresentedToken, 'derivedNonces'>,
  nonce: string,
): boolean => derivedNonces.length > 0 && derivedNonces.every((one) => one === `u${nonce}` || one === nonce);
