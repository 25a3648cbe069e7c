/** Names on the web that issuers of this service have, and which issuer of the ledger each means. */
import {
  createStandardPlaces,
  issuerOfSegment,
  issuerSegment,
  standardsOrigin,
} from '@symbolon/wire/oauth/standard-places';
import type { ServiceParts } from '../../parts/service-parts.ts';

type Named = Pick<ServiceParts, 'profile' | 'settings'>;

/** The DID on the ledger, of the https identifier or the did:web that this service has given it; undefined for others. */
export function issuerOfOwnName({ profile, settings }: Named, name: string): string | undefined {
  const origin = standardsOrigin(settings.publicUrl);
  if (origin === undefined) return undefined;
  const places = createStandardPlaces(origin);
  const segment = name.startsWith('did:') ? issuerSegment(name) : name.slice(name.lastIndexOf('/') + 1);
  const did = issuerOfSegment(segment, profile);
  if (did === undefined) return undefined;
  return [places.issuer(did), places.webDid(did)].includes(name) ? did : undefined;
}

/** What stands behind the service's own origin; undefined for addresses of others. */
export const ownPathOf = ({ settings }: Pick<Named, 'settings'>, url: string): string | undefined =>
  url.startsWith(`${settings.publicUrl}/`) ? url.slice(settings.publicUrl.length) : undefined;
