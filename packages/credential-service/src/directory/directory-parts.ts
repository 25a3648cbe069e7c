/** What names and the search work with, beside the parts of every room. */
import type { ServiceParts } from '../parts/service-parts.ts';
import type { LedgerSearch } from './ledger-search.ts';

export interface DirectoryParts extends ServiceParts {
  readonly ledgerSearch: LedgerSearch;
}
