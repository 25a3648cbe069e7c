/** What issuers are called, for whoever reads a name or an identifier in its place. */
import { usePartyNames } from '../../../api/party-names.ts';
import { shortDid } from '../../../text/short-ids.ts';

/** By DID: its name, or its identifier shortened. A name that looks like another's is none. */
export function useIssuerNames(dids: readonly string[]): (did: string) => string {
  const names = usePartyNames(dids);
  return (did) => names.get(did)?.name ?? shortDid(did).id;
}
