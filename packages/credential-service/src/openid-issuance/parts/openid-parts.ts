/** What the rooms of this plane work with, and how issuers are called there. */
import { Fault } from '@symbolon/core/faults/faults';
import { createStandardPlaces, issuerOfSegment, standardsOrigin } from '@symbolon/wire/oauth/standard-places';
import type { ServiceParts } from '../../parts/service-parts.ts';
import type { OpenidClients } from './openid-clients.ts';
import type { OpenidSecrets } from './openid-secrets.ts';

export interface OpenidParts extends ServiceParts {
  readonly openidSecrets: OpenidSecrets;
  /** Clients that must show who they are. */
  readonly openidClients: OpenidClients;
}

export interface OpenidIssuer {
  readonly did: string;
  /** The 64 hex digits of the DID. */
  readonly name: string;
  /** Its identifier as credential issuer, as authorization server, and as `iss`. */
  readonly identifier: string;
}

/** Endpoints below the identifier. */
export const openidEndpoints = {
  token: 'token',
  nonce: 'nonce',
  credential: 'credential',
  deferred: 'deferred',
  notification: 'notification',
  offers: 'offers',
  jwks: 'jwks',
  par: 'par',
  authorize: 'authorize',
  continue: 'continue',
} as const;

type Named = Pick<ServiceParts, 'profile' | 'settings'>;

/** By the name in a path; whether it is an issuer here is for whoever asks for its templates. */
export function openidIssuerOf({ profile, settings }: Named, name: string): OpenidIssuer {
  const origin = standardsOrigin(settings.publicUrl);
  if (origin === undefined) throw new Fault('standardsUnavailable');
  const did = issuerOfSegment(name, profile);
  if (did === undefined) throw new Fault('templateUnknown', { detail: 'There is no such issuer' });
  return { did, name, identifier: createStandardPlaces(origin).issuer(did) };
}

export const openidIssuerOfDid = (parts: Named, did: string): OpenidIssuer =>
  openidIssuerOf(parts, did.slice(did.lastIndexOf(':') + 1));

export const endpointOf = (
  { identifier }: Pick<OpenidIssuer, 'identifier'>,
  endpoint: keyof typeof openidEndpoints,
): string => `${identifier}/${openidEndpoints[endpoint]}`;
