/** All handlers of the ledger's route table. A route without one does not compile. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { bindRoutes } from '@symbolon/wire/http/ledger-route';
import { answerMultiQuery } from '@symbolon/wire/ledger/multi-query';
import { type LedgerHandlers, ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { type ExplorerParts, noExplorerParts } from '../explorer/explorer-parts.ts';
import type { LedgerNode } from '../node/node.ts';
import { createAccountHandlers } from './account-handlers.ts';
import { createExplorerHandlers } from './explorer-handlers.ts';
import { createLedgerHandlers, type NodeFacts } from './ledger-handlers.ts';
import { createSandboxHandlers } from './sandbox-handlers.ts';
import { createTransactionHandlers } from './transaction-handlers.ts';

export interface HandlerOptions extends NodeFacts {
  /** Without: a node that keeps nothing for explorers. */
  readonly explorerParts?: ExplorerParts | undefined;
  /** Told of a query of a batch that failed by a defect of ours. */
  onFailure(name: string, error: unknown): void;
}

export function createHandlers(node: LedgerNode, options: HandlerOptions): LedgerHandlers {
  const handlers: LedgerHandlers = {
    ...createAccountHandlers(node),
    ...createTransactionHandlers(node),
    ...createSandboxHandlers(node),
    ...createLedgerHandlers(node, options),
    ...createExplorerHandlers(node, options.explorerParts ?? noExplorerParts),
    multiQuery: (request) => answerMultiQuery(request, { routes, onFailure: options.onFailure, nextTurn }),
  };
  const routes = bindRoutes(ledgerRoutes, handlers);
  return handlers;
}
