/** Which events an API key may see, by whom it acts for and what it is good for. */
import { Fault } from '@symbolon/core/faults/faults';
import type { ApiScope, Caller } from '@symbolon/wire/http/service-route';
import { issuerOwner, verifierOwner } from '../audit/event-owner.ts';

/** Owners whose events are seen; of an operator's key everybody's. */
export interface EventView {
  readonly isAll: boolean;
  readonly issuerOwner: string | null;
  readonly verifierOwner: string | null;
}

const issuerScopes: readonly ApiScope[] = ['templates', 'issue', 'revoke'];

/** Throws `notAllowed` for a key that no event concerns. */
export function viewOf({ did, keyId, scopes }: Pick<Caller, 'did' | 'keyId' | 'scopes'>): EventView {
  const isIssuer = did !== undefined && issuerScopes.some((scope) => scopes.has(scope));
  const verifier = scopes.has('verify') ? (did ?? keyId) : undefined;
  const view = {
    isAll: scopes.has('admin'),
    issuerOwner: isIssuer ? issuerOwner(did) : null,
    verifierOwner: verifier === undefined ? null : verifierOwner(verifier),
  };
  if (view.isAll || view.issuerOwner !== null || view.verifierOwner !== null) return view;
  const detail = "events are for keys of an issuer's DID, of scope verify, or of scope admin";
  throw new Fault('notAllowed', { detail });
}

export const ownersOf = ({ issuerOwner, verifierOwner }: EventView): readonly string[] =>
  [issuerOwner, verifierOwner].filter((owner) => owner !== null);

export const isSeen = (view: EventView, owners: ReadonlySet<string>): boolean =>
  view.isAll ? owners.size > 0 : ownersOf(view).some((owner) => owners.has(owner));
