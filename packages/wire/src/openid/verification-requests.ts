/** Turns requests of OpenID4VP into requests of the inside. */
import { sessionLimits as limits } from '@symbolon/core/limits/waiting';
import type * as z from 'zod';
import type { WithBody } from '../http/schema-parts.ts';
import { malformedAt } from '../http/service-route.ts';
import type { JsonObject } from '../json/json.ts';
import { readTrust, type TrustOrder } from '../trust/requests.ts';
import type * as schemas from './verification-schemas.ts';

/** An issuer that is trusted although the ledger does not know it. */
export interface ForeignIssuer {
  readonly issuer: string;
  /** Public keys, as they were given. */
  readonly keys?: readonly JsonObject[];
}

export interface OpenidVerificationOrder {
  readonly query: JsonObject;
  readonly responseMode: (typeof schemas.openidResponseModes)[number];
  readonly prefix: (typeof schemas.openidClientIdPrefixes)[number] | undefined;
  readonly isByPost: boolean;
  readonly redirectUri: string | undefined;
  readonly transactionData: readonly JsonObject[] | undefined;
  readonly foreignIssuers: readonly ForeignIssuer[];
  readonly trust: TrustOrder;
  readonly callbackUrl: string | undefined;
  readonly stateId: string | undefined;
  readonly minutes: number;
  readonly purpose: string | undefined;
}

export function readOpenidVerificationOrder({
  body,
}: WithBody<typeof schemas.openidVerificationOrder>): OpenidVerificationOrder {
  const { callbackUrl, redirectUri, stateId, purpose } = body;
  // A result that is posted before the browser is back would be believed without knowing whose browser it was.
  if (callbackUrl !== undefined && redirectUri !== undefined)
    throw malformedAt(
      '/callbackUrl',
      'must not stand beside redirectUri: it would tell the result without the response_code',
    );
  const foreignIssuers = (body.foreignIssuers ?? []).map(({ issuer, keys }) => ({
    issuer,
    ...(keys && { keys }),
  }));
  if (new Set(foreignIssuers.map(({ issuer }) => issuer)).size < foreignIssuers.length)
    throw malformedAt('/foreignIssuers', 'must name each issuer once');
  return {
    query: body.dcqlQuery,
    responseMode: body.responseMode ?? 'direct_post.jwt',
    prefix: body.clientIdPrefix,
    isByPost: body.requestUriMethod === 'post',
    redirectUri,
    transactionData: body.transactionData,
    foreignIssuers,
    trust: readTrust(body),
    ...{ callbackUrl, stateId, purpose },
    minutes: body.expirationMinutes ?? limits.sessionMinutesDefault,
  };
}

/** What a wallet posts: an encrypted answer, one in clear, or why it gives none. */
export type WalletResponse =
  | { readonly encrypted: string }
  | { readonly token: string; readonly state: string | undefined }
  | { readonly refusal: string; readonly state: string | undefined };

export function readWalletResponse({
  response,
  vp_token: token,
  state,
  error,
}: z.output<typeof schemas.responseForm>): WalletResponse {
  const given = [response, token, error].filter((one) => one !== undefined);
  if (given.length !== 1)
    throw malformedAt('/vp_token', 'or response or error: exactly one of them is an answer');
  if (response !== undefined) return { encrypted: response };
  return token === undefined ? { refusal: error as string, state } : { token, state };
}
