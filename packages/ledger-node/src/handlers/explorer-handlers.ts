/** The explorer's routes: all but the overview are questions to the index. */
import { overviewReply } from '@symbolon/wire/ledger/explorer/replies';
import type { explorerRoutes } from '@symbolon/wire/ledger/explorer/routes';
import type { LedgerHandlers } from '@symbolon/wire/ledger/routes';
import { findBlock } from '../chain/chain-reader.ts';
import { type Explorer, noExplorer } from '../explorer/explorer.ts';
import type { PendingSamples } from '../explorer/pending-samples.ts';
import type { LedgerNode } from '../node/node.ts';

export interface ExplorerParts {
  /** Without: a node that keeps no index. */
  readonly explorer?: Explorer | undefined;
  readonly pending?: Pick<PendingSamples, 'list'> | undefined;
}

export function createExplorerHandlers(
  { chain, queue }: LedgerNode,
  { explorer = noExplorer, pending }: ExplorerParts,
) {
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
        lately: pending?.list() ?? [],
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
