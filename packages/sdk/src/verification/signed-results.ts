/**
 * Results of verification sessions that the service has signed (`docs/verification.md`, "Results"): a detached JWS by
 * one of its keys over the time and the very text. What is not signed so is not read: a relying service that took a
 * wallet's word would open to anybody.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { signedCredentials } from '@symbolon/wire/credentials/presented-replies';
import { isJsonObject, type JsonObject, parseJsonOrNothing, stringifyJson } from '@symbolon/wire/json/json';
import { fieldCredentialReply } from '@symbolon/wire/sessions/field-replies';
import { signedPayload } from '@symbolon/wire/sessions/replies';
import { assertMembers } from '../arguments/exact-arguments.ts';
import { parseBase64Url } from '../arguments/foreign-texts.ts';
import { wrongMembers } from '../arguments/member-paths.ts';
import { SdkError } from '../errors/errors.ts';
import { verifyWithWebCrypto } from '../keys/signer.ts';

/** As the last event of a session, or the body and headers of a callback, have them. */
export interface SignedText {
  readonly text: string;
  readonly timestamp: string;
  /** The detached JWS: `result_signature`, `X-Result-Signature`. */
  readonly signature: string;
}

/** The reply of `getResultKeys`. */
export interface ResultKeys {
  readonly keys: readonly { readonly kid: string; readonly [member: string]: unknown }[];
}

/**
 * Names of keys that a service shows and that are not among those remembered of it, or are others under the same name.
 * Whoever relies on results remembers the keys at first use, and takes new ones when a person has said so.
 */
export const newResultKeys = (known: ResultKeys, shown: ResultKeys): readonly string[] =>
  shown.keys.filter((key) => !known.keys.some((one) => isSameKey(one, key))).map(({ kid }) => String(kid));

type ResultKey = ResultKeys['keys'][number];

const isSameKey = (left: ResultKey, right: ResultKey): boolean =>
  (['kid', 'kty', 'crv', 'x'] as const).every((name) => left[name] === right[name]);

/** The result of a verification session, whose signature was verified. */
export interface OpenedResult {
  readonly presentationId: string;
  readonly verified: boolean;
  readonly status: string;
  /** Revealed values, and in words what was proved of hidden ones; of several credentials by `<position>.<key>`. */
  readonly verifiedClaims: JsonObject;
  /** Of each credential who issued it, whether that issuer was asked for, and what it shows and proves. */
  readonly credentials: readonly SignedCredential[];
  /** Those in formats of the field, where the session was one of OpenID4VP. */
  readonly fieldCredentials?: readonly SignedFieldCredential[];
}

/** A credential in a format of the field, as the service has signed it. */
export type SignedFieldCredential = (typeof fieldCredentialReply)['_zod']['output'];

/** As `vp/verify` says it, with `queryId`: the part of the query that it answers. */
export type SignedCredential = (typeof signedCredentials)['_zod']['output'][number];

/** Which session was asked, with which request, and whose signature counts. */
export interface ResultExpectation {
  readonly keys: ResultKeys;
  /** The session that was asked: another one's result is no answer. */
  readonly presentationId: string;
  /**
   * What was asked, as it was given to `requestVerification`: the result of another question is no answer, whoever says
   * that it is this session's. With a `stateId` that is new each time no older result is one either.
   */
  readonly request: JsonObject;
}

/**
 * The result, if a key of the service has signed it and it is that of the session; else `resultNotSigned` is thrown.
 */
export async function openSignedResult(
  signed: SignedText,
  expectation: ResultExpectation,
): Promise<OpenedResult> {
  assertMembers(expectation, { keys: true, presentationId: true, request: true }, 'expectations');
  const { keys, presentationId, request } = expectation;
  const problem = await resultSignatureProblem(signed, keys);
  // Where a signature does not fit, nobody can tell which of them was changed.
  if (problem !== undefined) throw notSigned(problem, ['signature', 'text', 'timestamp']);
  const result = parsed(signed.text);
  const { verified, status, verifiedClaims } = result ?? {};
  if (!result || typeof verified !== 'boolean' || typeof status !== 'string' || !isJsonObject(verifiedClaims))
    throw notSigned('the text is not a result', ['text']);
  if (result.presentationId !== presentationId)
    throw notSigned('the result is that of another session', ['presentationId']);
  if (result.requestHash !== requestHashOf(request))
    throw notSigned('the result answers another request than the one that was sent', ['requestHash']);
  const isVerified = verified && status === 'VERIFIED';
  const { fieldCredentials } = result;
  return {
    ...{ presentationId, verified: isVerified, status, verifiedClaims, credentials: credentialsIn(result) },
    ...(fieldCredentials !== undefined && { fieldCredentials: fieldCredentialsIn(fieldCredentials) }),
  };
}

/** As the service tells it: of the body that was sent. */
const requestHashOf = (request: JsonObject): string => encodeHex(sha256(encodeUtf8(stringifyJson(request))));

function credentialsIn({ credentials = [] }: JsonObject): readonly SignedCredential[] {
  const read = signedCredentials.safeParse(credentials);
  if (!read.success) throw notSigned('the text is not a result', wrongMembers(read, 'credentials'));
  return read.data;
}

function fieldCredentialsIn(given: unknown): readonly SignedFieldCredential[] {
  if (!Array.isArray(given)) throw notSigned('the text is not a result', ['fieldCredentials']);
  return given.map((one: unknown, place) => {
    const read = fieldCredentialReply.safeParse(one);
    if (!read.success)
      throw notSigned('the text is not a result', wrongMembers(read, `fieldCredentials.${place}`));
    return read.data;
  });
}

/** Undefined if the detached JWS is by a key of the service, else what is wrong with it. */
export async function resultSignatureProblem(
  { text, timestamp, signature }: SignedText,
  keys: ResultKeys,
): Promise<string | undefined> {
  const [head = '', payload, proof = '', ...others] = signature.split('.');
  const header = parsed(new TextDecoder().decode(parseBase64Url(head)));
  if (payload !== '' || others.length > 0 || !header) return 'the signature is not a detached JWS';
  const { alg, b64, crit, kid } = header;
  const isOurs = alg === 'EdDSA' && b64 === false && Array.isArray(crit) && crit.join() === 'b64';
  if (!isOurs) return 'the signature is of another kind';
  const publicKey = keyOf(keys, kid);
  if (!publicKey) return 'the signature is by a key that the service does not show';
  const isGood = await verifyWithWebCrypto({
    publicKey,
    message: encodeUtf8(`${head}.${signedPayload(timestamp, text)}`),
    signature: parseBase64Url(proof) ?? new Uint8Array(0),
  });
  return isGood ? undefined : 'the signature does not fit the text';
}

const keyBytes = 32;

function keyOf({ keys }: ResultKeys, kid: unknown): Uint8Array | undefined {
  const found = keys.find((key) => key.kid === kid && key.kty === 'OKP' && key.crv === 'Ed25519');
  const raw = typeof found?.x === 'string' ? parseBase64Url(found.x) : undefined;
  return raw?.length === keyBytes ? raw : undefined;
}

function parsed(text: string): JsonObject | undefined {
  const value = parseJsonOrNothing(text);
  return isJsonObject(value) ? value : undefined;
}

function notSigned(message: string, members: readonly string[]): SdkError {
  const hint = 'Do not rely on it. Take results from the events or callbacks of the service that you asked.';
  return new SdkError('resultNotSigned', message, { hint, members });
}
