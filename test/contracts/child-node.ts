/**
 * A client of a node that runs in a process of its own, so that what its contracts do to it is seen from outside:
 * how fast it answers, how much memory it holds, whether it is still there. Every answer must be a real one.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type JsonObject, type JsonValue, stringifyJson } from '@symbolon/wire/json/json';
import { at, json, send } from '../support/http.ts';
import type { Owner } from '../support/owner.ts';
import { type Person, richest } from '../support/people.ts';
import { hashOf, signTransaction } from '../support/running-node.ts';
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import type { ChildReport, ChildRequest, Memory } from './node-child.ts';

const childScript = fileURLToPath(new URL('./node-child.ts', import.meta.url));

export interface ChildOrder {
  readonly source?: Person;
  readonly nonce?: bigint;
  readonly operations: JsonValue;
  readonly feeLimit?: bigint;
}

export class ChildNode {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #nonces = new Map<string, bigint>();

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  static async start(owner: Owner, config: JsonObject = {}): Promise<ChildNode> {
    const folder = makeTempFolder();
    const child = fork(childScript, [folder, stringifyJson(config)], {
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    owner.after(async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      removeFolder(folder);
    });
    const serving = await nextReport(child, 'serving');
    return new ChildNode(child, serving.url);
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** A reply of the node, which never fails to give one and never blames itself. */
  async post(name: string, body: JsonValue): Promise<JsonObject> {
    const answer = await send(`${this.url}/${name}`, { method: 'POST', body: stringifyJson(body) });
    assert.equal(answer.status, 200, `${name}: ${answer.status} ${answer.text.slice(0, 500)}`);
    return json(answer);
  }

  async ask(name: string, query: string): Promise<JsonObject> {
    const answer = await send(`${this.url}/${name}?${query}`);
    assert.equal(answer.status, 200, `${name}: ${answer.status} ${answer.text.slice(0, 500)}`);
    return json(answer);
  }

  /** The source's next nonce is counted here: nothing else sends for it. */
  sign({ source = richest, nonce, operations, feeLimit = 10n ** 10n }: ChildOrder) {
    const next = nonce ?? (this.#nonces.get(source.address) ?? 0n) + 1n;
    this.#nonces.set(source.address, next);
    const terms = { nonce: next, fee_limit: feeLimit, gas_price: 1 };
    return signTransaction({ source_address: source.address, ...terms, operations }, [source]);
  }

  /** Submits; a refused transaction leaves its nonce free. */
  async submit(order: ChildOrder): Promise<{ code: number; description: string; hash: string }> {
    const { source = richest } = order;
    const item = this.sign(order);
    const reply = await this.post('submitTransaction', { items: [item] });
    const code = reply.error_code as number;
    const used = this.#nonces.get(source.address) ?? 0n;
    if (code !== 0 && order.nonce === undefined) this.#nonces.set(source.address, used - 1n);
    return { code, description: reply.error_desc as string, hash: hashOf(item) };
  }

  record(hash: string): Promise<JsonObject> {
    return until(`transaction ${hash} in history`, async () => {
      const reply = await this.ask('getTransactionHistory', `hash=${hash}`);
      return reply.error_code === 0 && (at(reply, 'result', 'transactions', 0) as JsonObject);
    });
  }

  async execute(order: ChildOrder): Promise<{ code: number; description: string; record: JsonObject }> {
    const { code, description, hash } = await this.submit(order);
    assert.equal(code, 0, description);
    const record = await this.record(hash);
    return { code: record.error_code as number, description: record.error_desc as string, record };
  }

  async memory(): Promise<Memory> {
    this.#tell({ kind: 'memory' });
    return (await nextReport(this.#child, 'memory')).memory;
  }

  /** Closes in good order and answers what the node has logged. */
  async close(): Promise<string> {
    this.#tell({ kind: 'close' });
    const { logged } = await nextReport(this.#child, 'closed');
    await once(this.#child, 'exit');
    assert.equal(this.#child.exitCode, 0);
    return logged;
  }

  #tell(request: ChildRequest): void {
    this.#child.send(request);
  }
}

async function nextReport<Kind extends ChildReport['kind']>(child: ChildProcess, kind: Kind) {
  for (;;) {
    const [report] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code, signal]) => {
        throw new Error(`the node ended with ${signal ?? code}`);
      }),
    ])) as [ChildReport];
    if (report.kind === kind) return report as Extract<ChildReport, { kind: Kind }>;
  }
}

export const createContract = (payload: string, balance = 0): JsonObject => ({
  type: 1,
  create_account: {
    contract: { payload },
    init_balance: balance,
    priv: { thresholds: { tx_threshold: 1 } },
  },
});

export const callOperation = (destination: string, input = '', amount = 0): JsonObject => ({
  type: 7,
  pay_coin: { dest_address: destination, amount, input },
});
