/**
 * The steps by which a wallet gets credentials of an offer (OpenID4VCI 1.0): a token for its code, proofs of keys, the
 * request, and asking later. A token is bound to a key of the wallet's (DPoP) where the server knows that, and messages
 * are encrypted where the issuer can.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { encodeBase64Url, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { signJws } from '@symbolon/formats/jose/compact-jws';
import type { SecretSigningJwk } from '@symbolon/formats/jose/web-signatures';
import { keyProofType } from '@symbolon/formats/oid4vci/key-proofs';
import { decryptMessage, encryptMessage, makeAnswerKey } from '@symbolon/formats/oid4vci/message-encryption';
import { preAuthorizedGrant } from '@symbolon/wire/offers/offer-link';
import { SdkError } from '../errors/errors.ts';
import type { FieldOffer } from './credential-offers.ts';
import type { IssuerEndpoints, KeyNaming } from './issuer-documents.ts';
import { parseFields, requireText, textOrNothing, unreadable } from './openid-json.ts';
import { namedSigner } from './wallet-keys.ts';
import type { WalletWeb, WebAnswer } from './wallet-web.ts';

/** What a wallet shows an issuer after it has redeemed a code. Whoever has it gets the credentials: it is kept as they are. */
export interface IssuanceGrant {
  readonly token: string;
  /** What the token is bound to; absent where anybody could use it. */
  readonly key?: SecretSigningJwk;
}

export type Issued =
  | { readonly credentials: readonly unknown[]; readonly notificationId?: string }
  | { readonly transactionId: string };

/** Who calls, where. */
export interface IssuanceCall {
  readonly web: WalletWeb;
  readonly places: IssuerEndpoints;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const json = 'application/json';

/** What an issuer said in refusing: a word of the standard, and its own. */
function refused(place: string, { status, text }: WebAnswer): SdkError {
  if (status >= 500 || status === 429)
    return new SdkError('httpStatus', `the issuer did not answer ${place} (status ${status})`, {
      hint: 'Ask again later: nothing was decided.',
    });
  let said: Fields = {};
  try {
    said = parseFields(text, place);
  } catch (error) {
    if (!(error instanceof SdkError)) throw error;
  }
  const { error, error_description: description } = said;
  const word = typeof error === 'string' && /^[\w.-]{1,64}$/.test(error) ? error : `status ${status}`;
  const detail = typeof description === 'string' ? `: ${description.slice(0, 200)}` : '';
  return new SdkError('openidRefused', `the issuer refused ${place} (${word})${detail}`, {
    hint: refusalHints[word] ?? 'Ask the issuer for a new offer.',
  });
}

const refusalHints: Readonly<Record<string, string>> = {
  invalid_grant: 'The code is wrong, over or taken. Look at it again; after a few tries the offer is over.',
  invalid_request: 'Look whether the offer needs a code that the issuer tells on another way.',
  credential_request_denied: 'The issuer has turned it down for good. Ask the issuer why.',
};

const seconds = (ms: number): number => Math.floor(ms / 1_000);

async function dpopHeader(
  { now }: IssuanceCall,
  order: {
    readonly key: SecretSigningJwk;
    readonly url: string;
    readonly token?: string;
    readonly nonce?: string;
  },
): Promise<string> {
  const { key, url, token, nonce } = order;
  const { origin, pathname } = new URL(url);
  const claims = {
    ...{ htm: 'POST', htu: `${origin}${pathname}`, iat: seconds(now()), jti: crypto.randomUUID() },
    ...(token !== undefined && { ath: encodeBase64Url(sha256(encodeUtf8(token))) }),
    ...(nonce !== undefined && { nonce }),
  };
  return signJws('dpop+jwt', claims, await namedSigner(key, 'jwk'));
}

interface Posting {
  readonly url: string;
  readonly place: string;
  readonly type: string;
  readonly body: string;
}

/** Once more where the server wants its own nonce in the proof (RFC 9449, section 8). */
async function post(call: IssuanceCall, posting: Posting, grant: Partial<IssuanceGrant>): Promise<WebAnswer> {
  const { url, place, type, body } = posting;
  const { token, key } = grant;
  const send = async (nonce?: string): Promise<WebAnswer> => {
    const scheme = key ? 'DPoP' : 'Bearer';
    const headers = {
      'content-type': type,
      accept: `${json}, application/jwt`,
      ...(token !== undefined && { authorization: `${scheme} ${token}` }),
      ...(key && {
        dpop: await dpopHeader(call, {
          key,
          url,
          ...(token !== undefined && { token }),
          ...(nonce !== undefined && { nonce }),
        }),
      }),
    };
    return call.web.call({ method: 'POST', url, place, headers, body });
  };
  const answer = await send();
  const nonce = answer.headers['dpop-nonce'];
  const wantsNonce = key && nonce !== undefined && [400, 401].includes(answer.status);
  const isAboutNonce = `${answer.text} ${answer.headers['www-authenticate'] ?? ''}`.includes(
    'use_dpop_nonce',
  );
  return wantsNonce && isAboutNonce ? send(nonce) : answer;
}

/** Redeems the code of an offer, which is good once. */
export async function redeemOfferCode(
  call: IssuanceCall,
  { code, txCode }: Pick<FieldOffer, 'code'> & { readonly txCode?: string },
  key: SecretSigningJwk | undefined,
): Promise<IssuanceGrant> {
  const form = new URLSearchParams({ grant_type: preAuthorizedGrant, 'pre-authorized_code': code });
  if (txCode !== undefined) form.set('tx_code', txCode);
  const place = 'the code';
  const type = 'application/x-www-form-urlencoded';
  const posting = { url: call.places.token, place, type, body: form.toString() };
  const answer = await post(call, posting, key ? { key } : {});
  if (answer.status !== 200) throw refused(place, answer);
  const reply = parseFields(answer.text, 'the token');
  const isBound = String(reply.token_type).toLowerCase() === 'dpop';
  if (key && !isBound) throw unreadable('the token', 'is not bound to the key of this wallet');
  return { token: requireText(reply, 'access_token', 'the token'), ...(key && { key }) };
}

interface ProofOrder {
  readonly keys: readonly SecretSigningJwk[];
  readonly naming: KeyNaming;
}

async function keyProofs(call: IssuanceCall, { keys, naming }: ProofOrder): Promise<readonly string[]> {
  const { places, web, now } = call;
  let nonce: string | undefined;
  if (places.nonce !== undefined) {
    const answer = await web.call({
      method: 'POST',
      url: places.nonce,
      place: 'a nonce',
      body: '',
      headers: { accept: json },
    });
    if (answer.status !== 200) throw refused('a nonce', answer);
    nonce = requireText(parseFields(answer.text, 'the nonce'), 'c_nonce', 'the nonce');
  }
  const claims = { aud: places.issuer, iat: seconds(now()), ...(nonce !== undefined && { nonce }) };
  return Promise.all(keys.map(async (key) => signJws(keyProofType, claims, await namedSigner(key, naming))));
}

/** Sent and answered so that nobody on the way reads it, where the issuer can. */
async function exchange(
  call: IssuanceCall,
  grant: IssuanceGrant,
  { url, body }: { readonly url: string; readonly body: object },
): Promise<Fields> {
  const place = 'the request';
  const { encryption } = call.places;
  if (!encryption) {
    const answer = await post(call, { url, place, type: json, body: JSON.stringify(body) }, grant);
    if (answer.status !== 200 && answer.status !== 202) throw refused(place, answer);
    return parseFields(answer.text, 'the answer');
  }
  const { reader, wish } = await makeAnswerKey(encryption.enc);
  const text = JSON.stringify({ ...body, credential_response_encryption: wish });
  const sealed = await encryptMessage(text, encryption);
  if (sealed === undefined) throw unreadable("the issuer's document", 'has a key that is none');
  const answer = await post(call, { url, place, type: 'application/jwt', body: sealed }, grant);
  if (answer.status !== 200 && answer.status !== 202) throw refused(place, answer);
  if (answer.type !== 'application/jwt') throw unreadable('the answer', 'is not encrypted');
  const opened = await decryptMessage(answer.text.trim(), reader);
  if (isComplaint(opened)) throw unreadable('the answer', `cannot be read: ${opened.complaint}`);
  return parseFields(opened.text, 'the answer');
}

function issuedOf(answer: Fields): Issued {
  const { credentials, notification_id: id } = answer;
  if (Array.isArray(credentials) && credentials.length > 0) {
    const notificationId = textOrNothing(id);
    return {
      credentials: credentials.map((one: unknown) => asObject(one)?.credential),
      ...(notificationId !== undefined && { notificationId }),
    };
  }
  return { transactionId: requireText(answer, 'transaction_id', 'the answer') };
}

export async function requestCredentials(
  call: IssuanceCall,
  grant: IssuanceGrant,
  order: ProofOrder & { readonly configurationId: string },
): Promise<Issued> {
  const proofs = { jwt: await keyProofs(call, order) };
  const body = { credential_configuration_id: order.configurationId, proofs };
  return issuedOf(await exchange(call, grant, { url: call.places.credential, body }));
}

export async function requestDeferred(
  call: IssuanceCall,
  grant: IssuanceGrant,
  transactionId: string,
): Promise<Issued> {
  const { deferred: url } = call.places;
  if (url === undefined) throw unreadable("the issuer's document", 'does not say where to ask later');
  return issuedOf(await exchange(call, grant, { url, body: { transaction_id: transactionId } }));
}

/** What an issuer is told of its credentials. */
export type IssuanceEvent = 'credential_accepted' | 'credential_failure' | 'credential_deleted';

/** Tells the issuer what became of its credentials; an issuer that does not hear it loses nothing. */
export async function notifyIssuer(
  call: IssuanceCall,
  grant: IssuanceGrant,
  { id, event }: { readonly id: string; readonly event: IssuanceEvent },
): Promise<boolean> {
  const { notification: url } = call.places;
  if (url === undefined) return false;
  const body = JSON.stringify({ notification_id: id, event });
  try {
    const { status } = await post(call, { url, place: 'the notification', type: json, body }, grant);
    return status === 204 || status === 200;
  } catch (error) {
    if (error instanceof SdkError) return false;
    throw error;
  }
}
