/** The status lists of a running service: its ledger, its database, its addresses, and whoever holds the keys of issuers. */
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { addressOfIssuer } from '../access/signatures.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { readEntryAsOwed } from '../status/ledger-facts.ts';
import { createLedgerChanges } from './ledger-changes.ts';
import { listUri } from './list-requests.ts';
import { createPublishedLists, type ListSigners, type PublishedLists } from './published-lists.ts';

export interface ServiceListsOptions {
  readonly parts: Pick<ServiceParts, 'ledger' | 'database' | 'keys' | 'clock'> & {
    readonly chain: Pick<ServiceParts['chain'], 'changes' | 'reach'>;
    readonly settings: Pick<ServiceParts['settings'], 'publicUrl'>;
  };
  readonly client: Pick<LedgerClient, 'getLedger' | 'getTransactionHistory'>;
  readonly signers: ListSigners;
  /** Told when a list is given although the ledger does not answer. */
  readonly onSilence?: (error: unknown) => void;
}

export function openServiceLists({ parts, client, signers, onSilence }: ServiceListsOptions): PublishedLists {
  const { ledger, database, keys, clock, chain, settings } = parts;
  const { credentials, unbound } = ledger.registries;
  return createPublishedLists({
    queries: database.kysely,
    clock,
    signers,
    uriOf: listUri(settings.publicUrl),
    addressOf: (did) => addressOfIssuer(did, keys),
    changes: createLedgerChanges({
      client,
      registries: [credentials, ...(unbound === undefined ? [] : [unbound])],
      chainChanges: () => chain.changes,
      reach: (seq) => chain.reach(seq),
    }),
    // What the ledger has lost of a status counts all the same.
    readStatus: async (address, vcId) => (await readEntryAsOwed(parts, { address, vcId }))?.status,
    ...(onSilence && { onSilence }),
  });
}
