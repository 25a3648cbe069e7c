/**
 * The wallet of an agent as agents use it: `symbolon mcp` in a process of its own, spoken to by the protocol's own
 * client, in a folder with a profile that knows a running service.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { Owner } from './owner.ts';
import { familyPayment, headerOf, payPaths, readHeader } from './payment-world.ts';
import type { RunningService } from './running-service.ts';
import { postService } from './service-http.ts';

const main = path.resolve(import.meta.dirname, '../../packages/cli/src/main.ts');

/** Proofs take long where many tests run at once. */
const callTimeoutMs = 180_000;

export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  /** Empty for an error. */
  readonly value: Record<string, unknown>;
}

export interface WatchedAnswer {
  readonly value: Record<string, unknown>;
  readonly steps: readonly { readonly progress: number; readonly message?: string }[];
}

export interface AgentWallet {
  readonly client: Client;
  readonly call: (name: string, given?: JsonObject) => Promise<ToolAnswer>;
  /** What must succeed, and the progress that was told on the way. */
  readonly watch: (name: string, given?: JsonObject) => Promise<WatchedAnswer>;
  /** What must succeed. */
  readonly ask: (name: string, given?: JsonObject) => Promise<Record<string, unknown>>;
  /** What must fail, and its words. */
  readonly refused: (name: string, given?: JsonObject) => Promise<string>;
  readonly err: () => string;
  readonly close: () => Promise<void>;
}

/** A profile of one person at a service, in a folder. */
export function writeProfile(
  folder: string,
  { url, node }: Pick<RunningService, 'url' | 'node'>,
  privateKey: string,
): void {
  const profile = { service: url, ledger: node.url, holder: { privateKey } };
  writeFileSync(path.join(folder, 'profile.json'), JSON.stringify(profile), { mode: 0o600 });
}

/** Starts `symbolon mcp <words>` in the folder of a profile; `mode` is the revision of the protocol to speak. */
export async function startAgentWallet(
  owner: Owner,
  folder: string,
  words: readonly string[] = [],
  mode: 'legacy' | { readonly pin: string } = 'legacy',
): Promise<AgentWallet> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'mcp', '--profile', './profile.json', ...words],
    cwd: folder,
    stderr: 'pipe',
  });
  let printed = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    printed += chunk.toString('utf8');
  });
  const client = new Client({ name: 'test agent', version: '1.0.0' }, { versionNegotiation: { mode } });
  owner.after(() => client.close());
  await client.connect(transport).catch((error: unknown) => {
    throw new Error(`the wallet does not start: ${printed}`, { cause: error });
  });
  const call = async (
    name: string,
    given: JsonObject = {},
    options: { readonly onprogress?: (step: WatchedAnswer['steps'][number]) => void } = {},
  ): Promise<ToolAnswer> => {
    const { isError = false, content } = await client.callTool(
      { name, arguments: given },
      { timeout: callTimeoutMs, ...options },
    );
    const [first] = content as [{ type: string; text: string }];
    return { isError, text: first.text, value: isError ? {} : JSON.parse(first.text) };
  };
  return {
    client,
    call: (name, given) => call(name, given),
    async watch(name, given) {
      const steps: WatchedAnswer['steps'][number][] = [];
      const answer = await call(name, given, { onprogress: (step) => void steps.push(step) });
      assert.equal(answer.isError, false, answer.text);
      return { value: answer.value, steps };
    },
    async ask(name, given) {
      const answer = await call(name, given);
      assert.equal(answer.isError, false, answer.text);
      return answer.value;
    },
    async refused(name, given) {
      const answer = await call(name, given);
      assert.equal(answer.isError, true, answer.text);
      return answer.text;
    },
    err: () => printed,
    close: () => client.close(),
  };
}

export interface PaidSite {
  readonly url: string;
  /** What it was paid with. */
  readonly payments: readonly JsonObject[];
}

export interface PaidSiteOrder {
  readonly payTo: string;
  readonly amount: string;
  /** Hands payments in at this facilitator; without one it keeps them and answers 500. */
  readonly facilitator?: string;
  /** Only the body of the older version. */
  readonly isOlder?: boolean;
}

/** Somebody else's site that wants to be paid for what it shows. */
export async function startPaidSite(owner: Owner, order: PaidSiteOrder): Promise<PaidSite> {
  const { payTo, amount, facilitator, isOlder = false } = order;
  const payments: JsonObject[] = [];
  const terms = { scheme: 'exact', network: 'zetrix:testnet', payTo, asset: 'ZTX', maxTimeoutSeconds: 60 };
  const server = createServer(async (request, response) => {
    const header = request.headers[isOlder ? 'x-payment' : 'payment-signature'];
    if (header === undefined) {
      const older = { x402Version: 1, error: 'pay', accepts: [{ ...terms, maxAmountRequired: amount }] };
      const canonical = { x402Version: 2, error: 'pay', accepts: [{ ...terms, amount }] };
      if (!isOlder) response.setHeader('payment-required', headerOf(canonical));
      response.writeHead(402).end(isOlder ? JSON.stringify(older) : '{}');
      return;
    }
    const payment = readHeader(header);
    payments.push(payment);
    const body = familyPayment(payment.payload as JsonObject);
    const path = `${payPaths.facilitator}/settle`;
    const settled = facilitator && (await postService(facilitator, path, body)).body.success;
    response.writeHead(settled === true ? 200 : 500).end(settled === true ? 'the paid text' : 'out of order');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  owner.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, payments };
}
