/**
 * What the SDK's tests share: a real node in memory, reached by function call or over HTTP. It has the ending of a
 * test, though it holds none, because only tests may know the node.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { createLedgerServer } from '@symbolon/host/http/ledger-server';
import { genesisSchema } from '@symbolon/ledger-node/chain/genesis-document';
import { ledgerRulesOf } from '@symbolon/ledger-node/chain/ledger-rules';
import { createHandlers } from '@symbolon/ledger-node/handlers/index';
import { LedgerNode, type NodeSettings } from '@symbolon/ledger-node/node/node';
import { signEd25519 } from '@symbolon/ledger-node/signatures/ed25519';
import { MemoryStore } from '@symbolon/ledger-node/testing/memory-store';
import { bindRoutes } from '@symbolon/wire/http/ledger-route';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { type Signer, signerFromSeed } from '../keys/signer.ts';
import { createLedgerClient, type LedgerClient } from '../ledger/ledger-client.ts';
import { sendTransaction } from '../transactions/transactions.ts';
import { directTransport, httpTransport, type Transport } from '../transport/transport.ts';

export interface TestChain {
  readonly node: LedgerNode;
  readonly transport: Transport;
  readonly client: LedgerClient;
  /** Holds everything at first. */
  readonly genesis: Signer;
  /** The root of the newest block, from the node's inside. */
  trustedRoot(): string;
  /** A fresh account with a balance. */
  fund(balance?: bigint): Promise<Signer>;
}

const silent = () => undefined;
const silentLogger = { debug: silent, info: silent, warn: silent, error: silent };

export async function openTestChain(
  t: TestContext,
  settings: Partial<NodeSettings> = {},
): Promise<TestChain> {
  const validatorSeed = randomBytes(32);
  const validator = await signerFromSeed(validatorSeed);
  const genesis = await signerFromSeed(randomBytes(32));
  const document = genesisSchema.parse({
    profile: 'zetrix',
    genesisAddress: genesis.address,
    validators: [validator.address],
  });
  const result = ledgerRulesOf(document);
  assert.ok('rules' in result);
  const node = await LedgerNode.open({
    store: new MemoryStore(),
    rules: result.rules,
    validator: { ...validator, sign: (message) => signEd25519(validatorSeed, message) },
    settings: { blockIntervalMs: 2, signatureWorkers: 0, ...settings },
    onFailure: (error) => assert.fail(error as Error),
  });
  t.after(() => node.close());
  const transport = directTransport(bindRoutes(ledgerRoutes, handlersOf(node)));
  const client = createLedgerClient(transport);
  return {
    node,
    transport,
    client,
    genesis,
    trustedRoot: () => encodeHex(node.chain.head.accountTreeHash),
    fund: (balance = 100_000_000n) => fund({ client, genesis, balance }),
  };
}

/** The same node behind a real server. */
export async function serveTestChain(t: TestContext, { node }: TestChain): Promise<Transport> {
  const server = createLedgerServer({
    routes: ledgerRoutes,
    handlers: handlersOf(node),
    logger: silentLogger,
  });
  t.after(() => server.close());
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
  return httpTransport(url, { timeoutMs: 5_000 });
}

const handlersOf = (node: LedgerNode) =>
  createHandlers(node, {
    version: '0.0.0',
    socketPort: () => 0,
    socketClients: () => 0,
    onFailure: (name, error) => assert.fail(`${name}: ${error}`),
  });

async function fund(order: { client: LedgerClient; genesis: Signer; balance: bigint }): Promise<Signer> {
  const signer = await signerFromSeed(randomBytes(32));
  const createAccount = {
    destAddress: signer.address,
    initBalance: order.balance,
    priv: { masterWeight: 1n, thresholds: { txThreshold: 1n } },
  };
  await sendTransaction(
    order.client,
    { signers: [order.genesis], operations: [{ createAccount }] },
    { pollIntervalMs: 2 },
  );
  return signer;
}
