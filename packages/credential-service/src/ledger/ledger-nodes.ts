/**
 * Several nodes of one ledger, one of which is asked: when it does not answer, or lacks a block that is known, the next
 * one is, until that fails in turn. What is asked is only read, or is a signed transaction, which the ledger executes
 * once however many nodes are given it; so what broke off at one node is given to the next as it was.
 */
import type { LedgerPassage } from '@symbolon/host/service/ledger-passage';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { createLedgerClient, type LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { httpTransport, type Transport } from '@symbolon/sdk/transport/transport';
import { ledgerNodeLimits as limits } from '../limits/service-limits.ts';
import { createNodePassage, leanFetch } from './node-client.ts';

/** Which node is asked: what a part needs that can tell whether its answers are good. */
export interface NodeChoice {
  /** The place of the node that is asked now. */
  readonly place: number;
  /** What the node of this place says is not to be believed now; without effect where another one is asked already. */
  turnAway(place: number): void;
  /** Of the nodes that are not asked now. */
  others(): readonly LedgerClient[];
}

export interface LedgerNodes extends NodeChoice {
  /** Asks the node whose turn it is. */
  readonly client: LedgerClient;
  readonly pass: LedgerPassage['pass'];
}

export interface LedgerNodesOptions {
  /** Told when another node is asked from now on. */
  readonly onMove?: (url: string) => void;
  readonly answerMs?: number;
}

export function createLedgerNodes(
  urls: readonly string[],
  { onMove, answerMs = limits.answerMs }: LedgerNodesOptions = {},
): LedgerNodes {
  let place = 0;
  // Who has nobody else to ask waits as long as any client does.
  const patience = urls.length > 1 ? { timeoutMs: answerMs } : {};
  const transports = urls.map((url) => httpTransport(url, { fetch: leanFetch, ...patience }));
  const clients = transports.map((transport) => createLedgerClient(transport));
  const passages = urls.map(createNodePassage);

  const moveTo = (next: number): void => {
    if (next === place) return;
    place = next;
    onMove?.(urls[next] as string);
  };
  const turnAway = (from: number): void => {
    if (from === place) moveTo((from + 1) % urls.length);
  };

  /** Asks one after the other, once each, beginning with the one whose turn it is. */
  async function inTurn<Way, Answer>(
    ways: readonly Way[],
    ask: (way: Way) => Promise<Answer>,
    isAway: (error: unknown) => boolean,
  ): Promise<Answer> {
    const first = place;
    for (let count = 1; ; count++) {
      const asked = (first + count - 1) % ways.length;
      try {
        return await ask(ways[asked] as Way);
      } catch (error) {
        if (!isAway(error)) throw error;
        turnAway(asked);
        if (count >= ways.length) throw error;
      }
    }
  }

  const transport: Transport = (method, path, body) =>
    inTurn(transports, (one) => one(method, path, body), isNoAnswer);

  return {
    get place() {
      return place;
    },
    turnAway,
    others: () => clients.filter((_, index) => index !== place),
    client: createLedgerClient(transport),
    pass: (request) =>
      inTurn(
        passages,
        (pass) => pass(request),
        () => !request.signal.aborted,
      ),
  };
}

/** Nothing, or something that no node says. */
const isNoAnswer = (error: unknown): boolean =>
  error instanceof SdkError && ['unreachable', 'timedOut', 'notJson', 'httpStatus'].includes(error.code);
