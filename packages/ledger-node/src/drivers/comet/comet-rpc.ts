/**
 * What the node asks of its own CometBFT, over CometBFT's RPC (JSON-RPC 2.0 over HTTP): to take transactions, and what it
 * knows of blocks, validators and peers. Answers are checked by whoever asks; here only that they are answers.
 */
import { isJsonObject, type JsonObject, parseJsonOrNothing, stringifyJson } from '@symbolon/wire/json/json';
import { cometLimits } from '../../limits/node-limits.ts';

/** CometBFT does not answer: it is not there, or not yet. */
export class CometAway extends Error {
  override name = 'CometAway';
}

export interface RpcCall {
  readonly method: string;
  readonly params: JsonObject;
}

/** The result of a call, or what CometBFT has against it. */
export type RpcAnswer = { readonly result: JsonObject } | { readonly refused: string };

export class CometRpc {
  readonly #url: string;
  readonly #closing = new AbortController();

  constructor(url: string) {
    this.#url = url;
  }

  async call(method: string, params: JsonObject = {}): Promise<RpcAnswer> {
    const [answer] = await this.callAll([{ method, params }]);
    return answer as RpcAnswer;
  }

  /** Several calls in one request, answered in their order. */
  async callAll(calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
    const requests = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
    const body = stringifyJson(requests.length === 1 ? (requests[0] as JsonObject) : requests);
    const answered = parseJsonOrNothing(await this.#post(body));
    const answers = Array.isArray(answered) ? answered : [answered];
    return calls.map((_, id) => {
      const answer = answers.find((it) => isJsonObject(it) && it.id === id);
      if (!isJsonObject(answer)) throw new CometAway('CometBFT answers no JSON-RPC');
      if (isJsonObject(answer.result)) return { result: answer.result };
      return { refused: errorText(answer.error as JsonObject) };
    });
  }

  /** Gives up what is under way. */
  close(): void {
    this.#closing.abort();
  }

  async #post(body: string): Promise<string> {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(cometLimits.rpcMs)]);
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        redirect: 'error',
        signal,
      });
      return await readText(response);
    } catch (error) {
      if (error instanceof CometAway) throw error;
      throw new CometAway('CometBFT does not answer', { cause: error });
    }
  }
}

/** Refusals come with another status and are JSON all the same. */
async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > cometLimits.rpcBytesMax) throw new CometAway('CometBFT answers too much');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

const errorText = (error: JsonObject | undefined): string =>
  [error?.message, error?.data].filter((text) => typeof text === 'string' && text !== '').join(': ') ||
  'CometBFT refused without a reason';
