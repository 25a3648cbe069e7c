/**
 * Names of parties over HTTP, and the search. A name here is somebody's word, and every answer says whose: the party's own
 * or the operator's. A party that calls itself something else loses the operator's word for what it was called.
 */
import { Fault } from '@symbolon/core/faults/faults';
import type { NameOrder } from '@symbolon/wire/directory/requests';
import type { DirectoryHandlers } from '@symbolon/wire/directory/routes';
import type { ApiScope, Caller } from '@symbolon/wire/http/service-route';
import { ownNameOf } from '../templates/issuer-names.ts';
import { findOthersNames } from '../templates/name-form-rows.ts';
import type { DirectoryParts } from './directory-parts.ts';
import { nameParty, renderProfile } from './name-party.ts';
import { findPartyProfile, findProfiles, removeProfile } from './profile-rows.ts';
import { searchEverything } from './search.ts';

/** Who issues, or asks: whoever only holds credentials has no name for everybody to read. */
const namedScopes: readonly ApiScope[] = ['templates', 'issue', 'verify'];

export function createDirectoryHandlers(parts: DirectoryParts): DirectoryHandlers {
  const { database, audit } = parts;
  const { kysely } = database;

  return {
    async getProfile({ did }) {
      const [profile, ledgerName] = [await findPartyProfile(kysely, did), await ownNameOf(parts, did)];
      const name = profile?.name ?? ledgerName;
      if (name === undefined) throw new Fault('profileUnknown');
      const looksLikeAnothers = (await findOthersNames(kysely, [{ name, issuer: did }])).has(name);
      const own = { did, name, word: 'ledger', looksLikeAnothers } as const;
      return {
        ...(profile ? renderProfile(profile, looksLikeAnothers) : own),
        ...(ledgerName !== undefined && { ledgerName }),
      };
    },

    async listProfiles({ dids }) {
      const found = await findProfiles(kysely, dids);
      const others = await findOthersNames(
        kysely,
        found.map(({ did, name }) => ({ name, issuer: did })),
      );
      return { profiles: found.map((profile) => renderProfile(profile, others.has(profile.name))) };
    },

    setProfile: (order, { caller }) => nameItself(parts, order, caller),

    async nameParty({ did, ...order }, { caller }) {
      return nameParty(parts, order, { did, word: 'operator', caller, action: 'profile.name' });
    },

    async removeProfile({ did }, { caller }) {
      if (caller.did !== did && !caller.scopes.has('admin'))
        throw new Fault('notAllowed', { detail: 'the API key acts for another DID' });
      await database.transaction(async (queries) => {
        if (!(await removeProfile(queries, did))) throw new Fault('profileUnknown');
        await audit.record({ actor: caller, action: 'profile.remove', subject: did }, queries);
      });
      return { did };
    },

    async search({ text }, { caller }) {
      const { results, isComplete } = await searchEverything(parts, text, caller);
      return { results: [...results], isComplete };
    },
  };
}

async function nameItself(parts: DirectoryParts, order: NameOrder, caller: Caller) {
  const { did, scopes } = caller;
  if (did === undefined || !namedScopes.some((scope) => scopes.has(scope)))
    throw new Fault('notAllowed', {
      detail: `a name is for the DID of an API key of scope ${namedScopes.join(', ')}`,
    });
  const before = await findPartyProfile(parts.database.kysely, did);
  const isSame = before?.name === order.name && (before.site ?? undefined) === order.site;
  const word = isSame ? before.word : 'itself';
  return nameParty(parts, order, { did, word, caller, action: 'profile.set' });
}
