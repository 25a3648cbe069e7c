/** What the room of the VC-API works with, and whose an instance is. */
import { Fault } from '@symbolon/core/faults/faults';
import type { Caller } from '@symbolon/wire/http/service-route';
import { issuerOfSegment } from '@symbolon/wire/oauth/standard-places';
import type { LdpIssuerParts } from '../ldp-credentials/template-credentials.ts';
import type { StandardsParts } from '../standards/standards-parts.ts';
import type { PublishedLists } from '../status-lists/published-lists.ts';

export interface VcApiParts extends StandardsParts {
  readonly statusLists: PublishedLists;
}

/** An instance takes keys of its own DID alone: whoever calls another's has the wrong address or the wrong key. */
export function requireInstance({ profile, places }: VcApiParts, name: string, caller: Caller): string {
  places();
  const did = issuerOfSegment(name, profile);
  if (did === undefined || caller.did !== did)
    throw new Fault('issuerMismatch', { detail: 'The API key is not of the DID whose instance this is' });
  return did;
}

/** What proofs are made with; the caller pays for them. */
export const provingParts = (parts: VcApiParts, caller: Caller): LdpIssuerParts => ({
  keys: parts.issuerKeys,
  proofs: parts.proofDesk.metered(caller),
  webDidOf: (did) => parts.places().webDid(did),
  publicUrl: parts.settings.publicUrl,
});
