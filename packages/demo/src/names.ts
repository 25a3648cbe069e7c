/**
 * What the demo's university and bank are called: at the service on the operator's word, who has checked that they are
 * who they say, and the university on the ledger on its own. Holders have no name for everybody to read.
 */
import { foldDidRecords } from '@symbolon/core/did/did-document';
import { Fault } from '@symbolon/core/faults/faults';
import { nameParty } from '@symbolon/credential-service/directory/name-party';
import { findPartyProfile } from '@symbolon/credential-service/directory/profile-rows';
import type { AllParts } from '@symbolon/credential-service/wiring/all-parts';
import { readDidHistory } from '@symbolon/sdk/ledger/did-history';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { publishName } from '@symbolon/sdk/transactions/did-keys';
import { demoLimits } from './limits.ts';
import type { DemoPerson } from './people.ts';

/** Nobody has these sites: the domain is kept free for examples. */
const sites: Readonly<Partial<Record<DemoPerson['role'], string>>> = {
  issuer: 'https://university.example/',
  verifier: 'https://bank.example/',
};

/** Once only: whoever took the name away, or has given the identifier up, meant it. */
export async function publishOwnName(
  client: LedgerClient,
  { address, signer, name }: DemoPerson,
): Promise<void> {
  const { entries } = await readDidHistory(client, address);
  const wasNamed = entries.some(({ changes }) => changes.some(({ change }) => change === 'publishName'));
  if (wasNamed || foldDidRecords(entries).isDeactivated) return;
  const { pollIntervalMs } = demoLimits;
  await publishName(client, { signer, name }, { pollIntervalMs });
}

/** What somebody is called here, unless there is a name, or another party was faster. */
export async function ensureProfile(parts: AllParts, { role, did, name }: DemoPerson): Promise<void> {
  const site = sites[role];
  if (await findPartyProfile(parts.database.kysely, did)) return;
  const order = { name, ...(site !== undefined && { site }) };
  await nameParty(parts, order, { did, word: 'operator', caller: {}, action: 'profile.name' }).catch(
    (error: unknown) => {
      if (!(error instanceof Fault) || error.code !== 'nameTaken') throw error;
    },
  );
}
