/** A party gets its name, on somebody's word: its own or the operator's. */
import { Fault } from '@symbolon/core/faults/faults';
import type { AuditAction } from '@symbolon/wire/credentials/audit-actions';
import type { NameOrder } from '@symbolon/wire/directory/requests';
import type { Actor } from '../audit/audit-entry.ts';
import { ownNameOf, releaseAndFindOthersNames } from '../templates/issuer-names.ts';
import type { DirectoryParts } from './directory-parts.ts';
import { type PartyProfile, putProfile } from './profile-rows.ts';

export const renderProfile = (
  { did, name, site, word, updatedAt }: PartyProfile,
  looksLikeAnothers: boolean,
) => ({
  did,
  name,
  ...(site !== null && { site }),
  word,
  since: new Date(updatedAt).toISOString(),
  looksLikeAnothers,
});

export interface PartyNaming extends Pick<PartyProfile, 'did' | 'word'> {
  readonly caller: Actor;
  readonly action: AuditAction;
}

/** Throws `nameTaken`; the ledger is asked whether others still go by a name that is read alike. */
export async function nameParty(
  parts: Pick<DirectoryParts, 'database' | 'clock' | 'audit' | 'resolver'>,
  { name, site }: NameOrder,
  { did, word, caller, action }: PartyNaming,
) {
  const { database, clock, audit } = parts;
  const ledgerName = await ownNameOf(parts, did);
  if ((await releaseAndFindOthersNames(parts, [{ name, issuer: did }])).has(name))
    throw new Fault('nameTaken');
  const row = { did, name, site: site ?? null, word, updatedAt: clock.nowMs() };
  await database.transaction(async (queries) => {
    if (!(await putProfile(queries, row, ledgerName))) throw new Fault('nameTaken');
    await audit.record({ actor: caller, action, subject: did }, queries);
  });
  return renderProfile({ ...row, nameKey: '' }, false);
}
