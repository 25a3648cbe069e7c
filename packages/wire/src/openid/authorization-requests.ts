/** Turns requests of the authorization code flow into requests of the inside. */
import { Fault } from '@symbolon/core/faults/faults';
import {
  type AttributePlaces,
  attributePlaces,
  type GivenAttributes,
  readAttributes,
  readInstant,
} from '../credentials/request-encodings.ts';
import { readIdentifier } from '../credentials/requests.ts';
import type { WithBody } from '../http/schema-parts.ts';
import { malformedAt } from '../http/service-route.ts';
import type * as schemas from './authorization-schemas.ts';
import { type GivenClient, readClient, readDetails } from './issuance-requests.ts';

export const readOpenidLogin = ({ body }: WithBody<typeof schemas.openidLoginOrder>) => ({
  loginUrl: body.loginUrl,
  templateIds: [...new Set(body.templateIds.map((id) => readIdentifier(id)))],
});

/** What somebody who has logged in is to get. */
export interface GrantedValues {
  readonly attributes: GivenAttributes;
  readonly places: AttributePlaces;
  readonly validFrom: string | undefined;
  readonly validUntil: string;
}

export interface AuthorizationDecision {
  readonly reference: string;
  readonly isGranted: boolean;
  /** Absent where nothing is granted, or an offer says it already. */
  readonly values: GrantedValues | undefined;
}

export function readAuthorizationDecision({
  body,
}: WithBody<typeof schemas.authorizationDecision>): AuthorizationDecision {
  const { reference, decision, metadata, validFrom, validUntil } = body;
  const isGranted = decision === 'grant';
  if (metadata === undefined || !isGranted) {
    const [surplus] = Object.entries({ metadata, validFrom, validUntil }).filter(
      ([, given]) => given !== undefined,
    );
    if (surplus)
      throw malformedAt(`/${surplus[0]}`, isGranted ? 'needs metadata beside it' : 'must not stand here');
    return { reference, isGranted, values: undefined };
  }
  if (validUntil === undefined) throw malformedAt('/validUntil');
  const values = {
    attributes: readAttributes(metadata, '/metadata'),
    places: attributePlaces(metadata, '/metadata'),
    validFrom: validFrom === undefined ? undefined : readInstant(validFrom, '/validFrom'),
    validUntil: readInstant(validUntil, '/validUntil'),
  };
  return { reference, isGranted, values };
}

/** What a wallet pushes before it sends the browser of its holder (RFC 9126). */
export interface PushedRequest {
  readonly issuer: string;
  readonly client: GivenClient;
  readonly redirectUri: string;
  /** Configurations, by scopes and by details; by the latter the token comes with identifiers. */
  readonly scopes: readonly string[];
  readonly details: readonly string[] | undefined;
  readonly codeChallenge: string;
  readonly state: string | undefined;
  /** From an offer; not believed. */
  readonly issuerState: string | undefined;
  /** Of the key that alone may redeem the code. */
  readonly dpopThumbprint: string | undefined;
}

type OfIssuer = { readonly params: { readonly issuer: string } };

export function readPushed({ params, body }: OfIssuer & WithBody<typeof schemas.pushedForm>): PushedRequest {
  if (body.response_type !== 'code') throw new Fault('responseTypeUnsupported');
  for (const member of ['request', 'request_uri'] as const)
    if (body[member] !== undefined) throw malformedAt(`/${member}`, 'is not taken in a pushed request');
  if (body.response_mode !== undefined && body.response_mode !== 'query')
    throw malformedAt('/response_mode', 'can be query alone');
  if (body.client_id === undefined) throw malformedAt('/client_id');
  return {
    issuer: params.issuer,
    client: readClient(body),
    redirectUri: body.redirect_uri,
    scopes: [...new Set((body.scope ?? '').split(' ').filter((one) => one !== ''))],
    details: readDetails(body.authorization_details),
    codeChallenge: readChallenge(body),
    state: body.state,
    issuerState: body.issuer_state,
    dpopThumbprint: body.dpop_jkt,
  };
}

function readChallenge({
  code_challenge: challenge,
  code_challenge_method: method,
}: WithBody<typeof schemas.pushedForm>['body']): string {
  if (challenge === undefined) throw malformedAt('/code_challenge');
  // Without a method it would be `plain` by RFC 7636.
  if (method !== 'S256') throw malformedAt('/code_challenge_method', 'has to be S256');
  return challenge;
}
