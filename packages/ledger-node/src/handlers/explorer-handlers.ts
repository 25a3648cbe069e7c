/** The explorer's routes: all but the overview are questions to the index. */
import { overviewReply } from '@symbolon/wire/ledger/explorer/replies';
import type { explorerRoutes } from '@symbolon/wire/ledger/explorer/routes';
import type { LedgerHandlers } from '@symbolon/wire/ledger/routes';
import { findBlock } from '../chain/chain-reader.ts';
import type { ExplorerParts } from '../explorer/explorer-parts.ts';
import type { LedgerNode } from '../node/node.ts';

export function createExplorerHandlers({ chain, queue }: LedgerNode, { explorer, pending }: ExplorerParts) {
  return {
    getExplorerOverview: () => {
      const { head } = chain;
      const before = findBlock(chain.rows, head.seq - 1n)?.header.closeTime ?? 0n;
      return overviewReply({
        headSeq: head.seq,
        closeTime: head.closeTime,
        blockTime: before === 0n ? 0n : head.closeTime - before,
        transactions: head.txCount,
        accounts: chain.accountCount,
        validators: chain.validators.validators.length,
        waiting: queue.size,
        lately: pending.list(),
        index: explorer.totals,
      });
    },
    getTransactions: (request) => explorer.ask({ name: 'getTransactions', request }),
    getAccountTransactions: (request) => explorer.ask({ name: 'getAccountTransactions', request }),
    getTransactionEffects: (request) => explorer.ask({ name: 'getTransactionEffects', request }),
    getAccounts: (request) => explorer.ask({ name: 'getAccounts', request }),
    getLedgerFigures: (request) => explorer.ask({ name: 'getLedgerFigures', request }),
    searchLedger: (request) => explorer.ask({ name: 'searchLedger', request }),
  } satisfies Pick<LedgerHandlers, keyof typeof explorerRoutes>;
}
