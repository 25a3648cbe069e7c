/**
 * What is known of the CometBFT beside this node: whether it answers, how far it is, its peers, what waits in it, and
 * which validator it is. Looked at every two seconds; nothing is decided by it.
 */
import { isJsonObject, type JsonObject } from '@symbolon/wire/json/json';
import { cometLimits } from '../../limits/node-limits.ts';
import { CometAway, type CometRpc, type RpcAnswer } from './comet-rpc.ts';

export interface CometFacts {
  readonly height: bigint;
  readonly isCatchingUp: boolean;
  readonly peers: number;
  readonly waiting: number;
  /** The raw key with which it signs, if its own is known here; also of a node that validates nothing. */
  readonly publicKey: Uint8Array | undefined;
}

export class CometWatch {
  readonly #rpc: Pick<CometRpc, 'callAll'>;
  readonly #onFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #facts: CometFacts | undefined;

  constructor(rpc: Pick<CometRpc, 'callAll'>, onFailure: (error: unknown) => void) {
    this.#rpc = rpc;
    this.#onFailure = onFailure;
  }

  /** As of the last look; undefined while it does not answer. */
  get facts(): CometFacts | undefined {
    return this.#facts;
  }

  start(): void {
    this.#look()
      .catch((error) => this.#onFailure(error))
      .finally(() => {
        if (!this.#closed) this.#timer = setTimeout(() => this.start(), cometLimits.lookMs).unref();
      });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    try {
      const calls = ['status', 'net_info', 'num_unconfirmed_txs'].map((method) => ({ method, params: {} }));
      const [status, network, unconfirmed] = (await this.#rpc.callAll(calls)).map(resultOf);
      this.#facts = status && readFacts(status, network, unconfirmed);
    } catch (error) {
      if (!(error instanceof CometAway)) throw error;
      this.#facts = undefined;
    }
  }
}

const resultOf = (answer: RpcAnswer): JsonObject | undefined =>
  'result' in answer ? answer.result : undefined;

const member = (value: JsonObject | undefined, name: string): JsonObject =>
  isJsonObject(value?.[name]) ? value[name] : {};

const numberOf = (value: unknown): number => (/^\d{1,15}$/.test(String(value)) ? Number(value) : 0);

function readFacts(
  status: JsonObject,
  network: JsonObject | undefined,
  unconfirmed: JsonObject | undefined,
): CometFacts {
  const sync = member(status, 'sync_info');
  const key = member(member(status, 'validator_info'), 'pub_key').value;
  return {
    height: BigInt(numberOf(sync.latest_block_height)),
    isCatchingUp: sync.catching_up === true,
    peers: numberOf(network?.n_peers),
    waiting: numberOf(unconfirmed?.n_txs),
    publicKey: typeof key === 'string' ? Buffer.from(key, 'base64') : undefined,
  };
}
