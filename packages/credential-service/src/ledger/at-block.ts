/**
 * Asking the ledger as it is at a block or later. The block is asked for in the same request as the question, so an
 * answer of a node that lacks it is known for one and dropped. A node that is only a little behind gets the time to
 * catch up, and one beside it the chance to answer. What is only looked up shares a request with all that is looked up
 * in the same turn of the event loop: most of what a request costs is the request.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '@symbolon/core/faults/faults';
import { SdkError, unexpectedReply, unlessNotFound } from '@symbolon/sdk/errors/errors';
import { createLedgerClient, type LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { JsonValue } from '@symbolon/wire/json/json';
import { ownChainLimits as limits } from '../limits/service-limits.ts';
import type { NodeChoice } from './ledger-nodes.ts';
import type { KnownBlock } from './own-chain-rows.ts';

/** Asked of one node, which is believed if it has this block. */
export type Question<Answer> = (one: LedgerClient, known: KnownBlock) => Promise<Answer>;

/** A newer block of a node, and the known one that it showed in the same answer. */
export interface BlockRise {
  readonly from: KnownBlock;
  readonly to: KnownBlock;
}

/** What of a chain is asked, and given, through a client that is guarded by it. */
export interface BlockGuard {
  /** What a node says that has the newest block that is known: an answer of any other is dropped, whatever it says. */
  ask<Answer>(question: Question<Answer>): Promise<Answer>;
  /** The same for what a node need only look up: others of the same moment are asked in the same request. */
  lookUp<Answer>(question: Question<Answer>): Promise<Answer>;
  /**
   * Whether a block of this number at least is remembered, and one that the node has which showed the rise: the known
   * one, or its newer one, which is remembered then. False if another than `from` is known by now, or neither reaches.
   */
  confirm(rise: BlockRise, seq: bigint): Promise<boolean>;
  /** Remembers a block of this number at least, before anybody is told of what stands in it. */
  reach(seq: bigint): Promise<void>;
}

/** Both answer nothing when no node that has the block has answered. */
export interface BlockQuestions {
  ask<Answer>(question: Question<Answer>): Promise<{ readonly answer: Answer } | undefined>;
  lookUp<Answer>(question: Question<Answer>): Promise<{ readonly answer: Answer } | undefined>;
}

/** Outcomes of several questions in their order; nothing where the node that answered lacks the block. */
type Outcomes = readonly PromiseSettledResult<unknown>[] | undefined;

/** Which block it is, is read for every request, after all of its questions were asked. */
export function createBlockQuestions(
  client: Pick<LedgerClient, 'multiQuery'>,
  readBlock: () => Promise<KnownBlock>,
  nodes?: NodeChoice,
): BlockQuestions {
  const askOnce = async (questions: readonly Question<unknown>[]): Promise<Outcomes> => {
    const known = await readBlock();
    const place = nodes?.place ?? 0;
    const [block, ...outcomes] = await inOneRequest(client, (one) =>
      Promise.allSettled([hashAt(one, known.seq), ...questions.map((question) => question(one, known))]),
    );
    if (block.status === 'rejected') throw block.reason;
    if (block.value === known.hash) return outcomes;
    nodes?.turnAway(place);
    return undefined;
  };

  let gathering:
    | { readonly questions: Question<unknown>[]; readonly outcomes: Promise<Outcomes> }
    | undefined;
  const gather = (): NonNullable<typeof gathering> => {
    const questions: Question<unknown>[] = [];
    const outcomes = nextTurn().then(() => {
      if (gathering === gathered) gathering = undefined;
      return askOnce(questions);
    });
    const gathered = { questions, outcomes };
    return gathered;
  };
  const askWithOthers = async (question: Question<unknown>): Promise<Outcomes> => {
    const hasRoom = gathering && gathering.questions.length < limits.lookUpsTogetherMax;
    gathering = hasRoom ? gathering : gather();
    const { questions, outcomes } = gathering as NonNullable<typeof gathering>;
    const place = questions.push(question) - 1;
    return (await outcomes)?.slice(place, place + 1);
  };

  const patiently = async <Answer>(
    attempt: () => Promise<Outcomes>,
  ): Promise<{ readonly answer: Answer } | undefined> => {
    for (let tries = 1; tries <= limits.looksMax; tries++) {
      if (tries > 1) await sleep(limits.lookPauseMs);
      const [outcome] = (await attempt()) ?? [];
      if (outcome?.status === 'rejected') throw outcome.reason;
      if (outcome) return { answer: outcome.value as Answer };
    }
    return undefined;
  };

  return {
    ask: (question) => patiently(() => askOnce([question])),
    lookUp: (question) => patiently(() => askWithOthers(question)),
  };
}

/** Looks until a block of this number is known. */
export async function reachBlock(
  seq: bigint,
  readBlock: () => Promise<KnownBlock>,
  look: () => Promise<void>,
): Promise<void> {
  for (let attempt = 0; BigInt((await readBlock()).seq) < seq; attempt++) {
    if (attempt >= limits.looksMax) throw new Fault('ledgerUnconfirmed', { retryAfterSeconds: 1 });
    if (attempt > 0) await sleep(limits.lookPauseMs);
    await look();
  }
}

/** What a ledger shows of its chain now. */
export interface SeenChain {
  readonly genesis: string | undefined;
  readonly head: KnownBlock;
  /** The hash of the block that is known, where there is one of its number. */
  readonly hashAtKnown: string | undefined;
}

/** First, newest and known block; asked in one request, those of one node. */
export async function readChain(one: LedgerClient, known?: KnownBlock): Promise<SeenChain> {
  const [head, genesis, hashAtKnown] = await Promise.all([
    readNewestBlock(one),
    hashAt(one, 1),
    known && hashAt(one, known.seq),
  ]);
  return { genesis, head, hashAtKnown };
}

export async function readNewestBlock(one: LedgerClient): Promise<KnownBlock> {
  const { header } = (await one.getLedger({})).result ?? {};
  const [seq, hash] = [Number(header?.seq), header?.hash];
  // What is no block is not remembered for one: no node would ever have it.
  if (!hash || !Number.isSafeInteger(seq) || seq < 1) throw unexpectedReply('getLedger', ['header']);
  return { seq, hash };
}

async function hashAt(one: LedgerClient, seq: number): Promise<string | undefined> {
  const reply = await unlessNotFound(one.getLedger({ seq }));
  return reply?.result?.header.hash;
}

type Batch = Parameters<LedgerClient['multiQuery']>[0];

/**
 * Several questions in one request: whatever stands behind the ledger's address, one node answers a request, so what its
 * answers say of one another holds. The client that is given asks together whatever is asked of it before
 * `ask` waits for any of it, and once what is asked several times. Nothing is submitted so.
 */
export async function inOneRequest<Answer>(
  client: Pick<LedgerClient, 'multiQuery'>,
  ask: (one: LedgerClient) => Promise<Answer>,
): Promise<Answer> {
  const items: Batch['items'] = [];
  const { promise: replies, resolve, reject } = Promise.withResolvers<readonly JsonValue[]>();
  const one = createLedgerClient(async (method, url, jsonData) => {
    const same = items.findIndex((item) => item.method === 'GET' && method === 'GET' && item.url === url);
    const place =
      same >= 0 ? same : items.push({ url, method, ...(jsonData !== undefined && { jsonData }) }) - 1;
    return (await replies)[place] ?? null;
  });
  // Somebody who did not get as far as asking waits for no reply.
  replies.catch(() => undefined);
  const answer = ask(one);
  send(client, { items }).then(resolve, reject);
  return answer;
}

/** A broken connection is tried once more, as for any question. */
async function send(client: Pick<LedgerClient, 'multiQuery'>, batch: Batch): Promise<readonly JsonValue[]> {
  const attempt = async (): Promise<readonly JsonValue[]> => {
    const { results } = await client.multiQuery(batch);
    if (results?.length !== batch.items.length) throw unexpectedReply('multiQuery', ['results']);
    return results as readonly JsonValue[];
  };
  return attempt().catch((error) => {
    if (error instanceof SdkError && error.code === 'unreachable') return attempt();
    throw error;
  });
}
