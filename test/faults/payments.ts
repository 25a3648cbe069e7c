/**
 * Payments all the time, at whichever node answers. A payment counts as acknowledged when some node shows that it was
 * executed; until then its sender hands in the very same one again, at another node. Each sender has one under way.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ask, at, post } from '../support/http.ts';
import { type Person, person } from '../support/people.ts';
import { hashOf, operations, type SignedItem, signTransaction } from '../support/running-node.ts';

export interface AcknowledgedPayment {
  readonly sender: string;
  readonly nonce: number;
  readonly hash: string;
}

export const payer = (index: number): Person => person(`payer ${index} of the network`);
export const payee = person('payee of all payments');

const patienceMs = 120_000;
const pauseMs = 50;
/** After so long it is handed in again. */
const againMs = 3_000;
const terms = { fee_limit: 10_000_000n, gas_price: 1 };

export class Payments {
  readonly acknowledged: AcknowledgedPayment[] = [];
  readonly #urls: () => Promise<readonly string[]>;
  readonly #senders: readonly Person[];
  readonly #nonces: number[];
  #running: Promise<unknown> | undefined;
  #isEnding = false;

  constructor(urls: () => Promise<readonly string[]>, senders: readonly Person[]) {
    this.#urls = urls;
    this.#senders = senders;
    this.#nonces = senders.map(() => 0);
  }

  start(): void {
    this.#isEnding = false;
    this.#running = Promise.all(this.#senders.map((sender, index) => this.#pay(sender, index)));
    // Whoever ends it hears of it.
    this.#running.catch(() => undefined);
  }

  /** Waits for what is under way. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#running;
  }

  async #pay(sender: Person, index: number): Promise<void> {
    while (!this.#isEnding) {
      const nonce = (this.#nonces[index] ?? 0) + 1;
      const own = [operations.payCoin(payee.address, nonce)];
      const item = signTransaction({ source_address: sender.address, nonce, ...terms, operations: own }, [
        sender,
      ]);
      await this.#settle(item, index);
      this.#nonces[index] = nonce;
      this.acknowledged.push({ sender: sender.address, nonce, hash: hashOf(item) });
    }
  }

  async #settle(item: SignedItem, index: number): Promise<void> {
    const hash = hashOf(item);
    const deadline = performance.now() + patienceMs;
    for (let turn = index; performance.now() < deadline; turn += 1) {
      const urls = await this.#urls();
      const url = urls[turn % urls.length] as string;
      await answered(post(url, 'submitTransaction', { items: [item] }));
      const again = performance.now() + againMs;
      while (performance.now() < again) {
        const record = at(
          (await answered(ask(url, 'getTransactionHistory', { hash }))) ?? {},
          'result',
          'transactions',
          0,
        );
        if (record) return assertPaid(record as JsonObject);
        await delay(pauseMs);
      }
    }
    throw new Error(`payment ${hash} waited in vain`);
  }
}

function assertPaid({ error_code: code, error_desc: description }: JsonObject): void {
  if (code !== 0) throw new Error(`a payment failed with ${code}: ${description}`);
}

/** A node that hangs is as good as one that is away. */
const answered = (reply: Promise<JsonObject>): Promise<JsonObject | undefined> =>
  Promise.race([reply, delay(againMs)]).catch(() => undefined) as Promise<JsonObject | undefined>;
