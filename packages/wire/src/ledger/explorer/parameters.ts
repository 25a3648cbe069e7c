/** The parameters of the explorer's queries, one table a query. */
import { flag, integer, neverBlank, type ParameterValues, textQuery } from '../../http/parameters.ts';

const page = {
  cursor: neverBlank(textQuery('The next_cursor of the page before; left out for the first page')),
  limit: integer('How many to show, 1 to 200; 50 if left out'),
};

export const explorerParameters = {
  overview: {},
  accountTransactions: { address: textQuery('Address of the account that is asked about'), ...page },
  accountList: { ...page, contracts: flag('true shows contracts alone') },
  transactionList: {
    ...page,
    failed: flag('true shows failed transactions alone'),
    triggered: flag('true shows what contracts triggered, too'),
    ledger_seq: neverBlank(integer('Transactions of one block, in the order of execution')),
  },
  ledgerFigures: {
    ...page,
    from_seq: neverBlank(integer('First block of the range; 1 if left out')),
    to_seq: neverBlank(integer('Last block of the range; the latest if left out')),
  },
  effects: { hash: neverBlank(textQuery('Transaction hash, 64 hex digits')) },
  search: {
    q: textQuery('A block number, an address, a hash, or at least 4 first characters of the latter'),
  },
} as const;

/** What a request gives of the parameters of one query. */
export type ExplorerQuery<Name extends keyof typeof explorerParameters> = ParameterValues<
  (typeof explorerParameters)[Name]
>;
