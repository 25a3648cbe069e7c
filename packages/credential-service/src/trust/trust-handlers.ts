/**
 * Lists of trusted issuers over HTTP, and what a request that asks for a verdict says about whom it trusts, with its
 * list looked up. A list is its owner's: under the same name somebody else has another one, or none.
 */

import { Fault } from '@symbolon/core/faults/faults';
import type { TrustedIssuer, VerifierTrust } from '@symbolon/core/presentation/trust-rules';
import type { Caller } from '@symbolon/wire/http/service-route';
import { isSameList } from '@symbolon/wire/trust/named-once';
import type { TrustOrder } from '@symbolon/wire/trust/requests';
import type { TrustHandlers } from '@symbolon/wire/trust/routes';
import type { ServiceParts } from '../parts/service-parts.ts';
import { findTrustList, listTrustLists, putTrustedIssuer, removeTrustedIssuer } from './trust-list-rows.ts';

/** All API keys of a DID have the same lists; one that acts for nobody has its own. */
function ownerOf({ did, keyId }: Caller): string {
  const owner = did ?? keyId;
  if (owner === undefined)
    throw new Fault('notAuthenticated', {
      detail: 'A trust list is used with the API key that it belongs to',
    });
  return owner;
}

export function createTrustHandlers({
  database,
  clock,
  audit,
}: Pick<ServiceParts, 'database' | 'clock' | 'audit'>): TrustHandlers {
  const { kysely } = database;
  return {
    listTrustLists: async (_request, { caller }) => ({
      lists: [...(await listTrustLists(kysely, ownerOf(caller)))],
    }),

    async getTrustList({ list }, { caller }) {
      const issuers = await findTrustList(kysely, { owner: ownerOf(caller), list });
      if (!issuers) throw new Fault('trustListUnknown');
      return renderList(list, issuers);
    },

    async setTrustedIssuer({ list, entry }, { caller }) {
      const owner = ownerOf(caller);
      return database.transaction(async (queries) => {
        if (!(await putTrustedIssuer(queries, { owner, list, entry, now: clock.nowMs() })))
          throw new Fault('trustListFull');
        await audit.record({ actor: caller, action: 'trustList.set', subject: list }, queries);
        return renderList(list, (await findTrustList(queries, { owner, list })) ?? []);
      });
    },

    async removeTrustedIssuer({ list, did }, { caller }) {
      const owner = ownerOf(caller);
      await database.transaction(async (queries) => {
        if (!(await removeTrustedIssuer(queries, { owner, list, did })))
          throw new Fault('trustListUnknown', { detail: 'The issuer is on no such list of the caller' });
        await audit.record({ actor: caller, action: 'trustList.remove', subject: list }, queries);
      });
      return { name: list, did };
    },
  };
}

const renderList = (name: string, issuers: readonly TrustedIssuer[]) => ({
  name,
  issuers: issuers.map(({ templates, ...issuer }) => ({
    ...issuer,
    ...(templates && { templates: [...templates] }),
  })),
});

/**
 * Issuers that were named and those of the list, together; who is both is trusted for the same templates. Throws
 * `notAuthenticated`, `trustListUnknown` and `requestMalformed`.
 */
export async function resolveTrust(
  { database }: Pick<ServiceParts, 'database'>,
  { list, issuers, templates }: TrustOrder,
  caller: Caller,
): Promise<VerifierTrust> {
  const listed =
    list === undefined ? undefined : await findTrustList(database.kysely, { owner: ownerOf(caller), list });
  if (list !== undefined && !listed) throw new Fault('trustListUnknown');
  const isOther = (named: TrustedIssuer): boolean =>
    listed?.some(({ did, templates }) => did === named.did && !isSame(templates, named.templates)) === true;
  const other = issuers?.find(isOther);
  if (other)
    throw new Fault('requestMalformed', {
      detail: `the issuer ${other.did} is named, and on the list for other templates`,
    });
  const all = issuers || listed ? [...(issuers ?? []), ...(listed ?? [])] : undefined;
  return { ...(all && { issuers: all }), ...(templates && { templates }) };
}

const isSame = (left: readonly string[] | undefined, right: readonly string[] | undefined): boolean =>
  left && right ? isSameList(left, right) : left === right;
