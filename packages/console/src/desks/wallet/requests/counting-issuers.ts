/** Whose cards count for a request: the issuers that the verifier has named. Pure. */
import type { CredentialQuery, DcqlQuery, FrameClaim } from '@symbolon/core/presentation/dcql';

/** DIDs; undefined where cards of all issuers count. */
export function countingIssuers(query: DcqlQuery, queryId: string): readonly string[] | undefined {
  const one = query.credentials.find(({ id }) => id === queryId);
  return [query.issuers, one?.issuers, ...claimedIssuers(one)]
    .filter((list) => list !== undefined)
    .reduce<readonly string[] | undefined>(
      (before, list) => before?.filter((did) => list.includes(did)) ?? list,
      undefined,
    );
}

/** By what a claim says of the issuer, each a list of its own. */
const claimedIssuers = (query: CredentialQuery | undefined): readonly (readonly string[] | undefined)[] =>
  (query?.frame ?? []).filter(({ member }) => member === 'issuer').flatMap(listsOf);

const listsOf = ({ constraints: { constant, values } }: FrameClaim) => [
  constant === undefined ? undefined : [String(constant)],
  values?.map(String),
];
