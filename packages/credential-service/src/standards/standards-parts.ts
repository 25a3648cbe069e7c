/** What the standards plane works with, beside the parts of every room. */
import { delegatedDocument } from '@symbolon/core/did/foreign-document';
import { Fault } from '@symbolon/core/faults/faults';
import {
  createStandardPlaces,
  issuerOfSegment,
  type StandardPlaces,
  standardsOrigin,
} from '@symbolon/wire/oauth/standard-places';
import { createDidKeys, type DidKeys } from '../identity/did-keys.ts';
import { createGuardedFetch, type GuardedFetch } from '../outbound/guarded-fetch.ts';
import type { OutboundReach } from '../outbound/outbound-address.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { createIssuerKeys, type IssuerKeys } from './issuer-keys.ts';

export interface StandardsParts extends ServiceParts {
  /** Every address; throws `standardsUnavailable` where OpenID does not take the service's. */
  readonly places: () => StandardPlaces;
  readonly issuerKeys: IssuerKeys;
  /** Keys of whoever proves something by a DID. */
  readonly didKeys: DidKeys;
  /** Fetches what strangers name. */
  readonly fetchDocument: GuardedFetch;
}

type Given = Pick<
  ServiceParts,
  'database' | 'vault' | 'clock' | 'proofs' | 'resolver' | 'profile' | 'settings'
>;

export function openStandards(
  parts: Given,
  reach: OutboundReach,
): Pick<StandardsParts, 'places' | 'issuerKeys' | 'didKeys' | 'fetchDocument'> {
  const { resolver, profile, clock, settings } = parts;
  const origin = standardsOrigin(settings.publicUrl);
  const known = origin === undefined ? undefined : createStandardPlaces(origin);
  const issuerKeys = createIssuerKeys(parts);
  const fetchDocument = createGuardedFetch({ nowMs: () => clock.nowMs(), reach });
  const ownDocument = async (did: string): Promise<object | undefined> => {
    const issuer = issuerOfSegment(did.slice(did.lastIndexOf(':') + 1), profile);
    if (!known || issuer === undefined || known.webDid(issuer) !== did) return undefined;
    return issuerDocument({ issuerKeys, places: () => known }, issuer);
  };
  return {
    places() {
      if (!known) throw new Fault('standardsUnavailable');
      return known;
    },
    issuerKeys,
    fetchDocument,
    didKeys: createDidKeys({ resolver, profile, fetchDocument, ownDocument }),
  };
}

/** The document of an issuer's `did:web`; throws `didUnknown` where the service signs nothing for it. */
export async function issuerDocument(
  { issuerKeys, places }: Pick<StandardsParts, 'issuerKeys' | 'places'>,
  issuer: string,
) {
  const keys = await issuerKeys.publicKeys(issuer);
  if (keys.length === 0)
    throw new Fault('didUnknown', { detail: 'the service signs nothing for this issuer' });
  return delegatedDocument(places().webDid(issuer), { alsoKnownAs: [issuer], keys });
}
