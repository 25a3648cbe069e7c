/** What an explorer asks: lists from the node's index, figures, and what a transaction changed. */
import { defineRoute } from '../../http/ledger-route.ts';
import { explorerParameters as parameters } from './parameters.ts';
import * as requests from './requests.ts';
import * as schemas from './schemas.ts';

/** Beside what each route refuses: who does not get a turn in time is answered 5. */
const codes = ['notFound', 'timeout'] as const;

export const explorerRoutes = {
  getExplorerOverview: defineRoute({
    group: 'explorer',
    summary: 'Heights, totals, the last block, and what waits now and has waited lately',
    query: parameters.overview,
    reply: schemas.overview,
    read: requests.readOverview,
  }),
  getTransactions: defineRoute({
    group: 'explorer',
    summary: 'Executed transactions in short, newest first, or those of one block',
    query: parameters.transactionList,
    reply: schemas.transactionPage,
    codes,
    read: requests.readTransactionList,
  }),
  getAccountTransactions: defineRoute({
    group: 'explorer',
    summary: 'Transactions that an account had part in, newest first, and which part',
    query: parameters.accountTransactions,
    reply: schemas.accountTransactionPage,
    codes,
    read: requests.readAccountTransactions,
  }),
  getTransactionEffects: defineRoute({
    group: 'explorer',
    summary: 'What an executed transaction changed, logged and triggered',
    query: parameters.effects,
    reply: schemas.effects,
    codes,
    read: requests.readEffects,
  }),
  getAccounts: defineRoute({
    group: 'explorer',
    summary: 'Accounts, the youngest first',
    query: parameters.accountList,
    reply: schemas.accountPage,
    codes,
    read: requests.readAccountList,
  }),
  getLedgerFigures: defineRoute({
    group: 'explorer',
    summary: 'Transactions, fees, size and times of blocks, newest first',
    query: parameters.ledgerFigures,
    reply: schemas.figuresPage,
    codes,
    read: requests.readFigures,
  }),
  searchLedger: defineRoute({
    group: 'explorer',
    summary: 'Blocks, transactions and accounts by number, hash or address, or by how these begin',
    query: parameters.search,
    reply: schemas.searchResults,
    codes,
    read: requests.readSearch,
  }),
};
