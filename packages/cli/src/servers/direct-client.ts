/** A ledger client that reaches a node of the same process by function call, through the very texts that HTTP carries. */
import { createHandlers } from '@symbolon/ledger-node/handlers/index';
import type { LedgerNode } from '@symbolon/ledger-node/node/node';
import { nodeVersion } from '@symbolon/ledger-node/operation/serve-node';
import { createLedgerClient, type LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { directTransport } from '@symbolon/sdk/transport/transport';
import { bindRoutes } from '@symbolon/wire/http/route';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';

export type OnQueryFailure = (name: string, error: unknown) => void;

export function directClient(node: LedgerNode, onFailure: OnQueryFailure): LedgerClient {
  const handlers = createHandlers(node, {
    version: nodeVersion,
    socketPort: () => 0,
    socketClients: () => 0,
    onFailure,
  });
  return createLedgerClient(directTransport(bindRoutes(ledgerRoutes, handlers)));
}
