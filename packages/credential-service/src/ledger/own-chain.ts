/**
 * The chain that this service has recorded to, known again by the newest block that it has seen. A ledger that was
 * restored from an old copy, was exchanged for another or has lost its chain answers like any other; what it says of
 * records then is wrong in both directions. So nothing is handed in, and nothing is concluded from what was read,
 * unless the ledger has that block still.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@symbolon/core/basics/assert';
import { Fault } from '@symbolon/core/faults/faults';
import type { Clock } from '@symbolon/host/work/clock';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { Queries } from '../database/schema.ts';
import { ownChainLimits as limits } from '../limits/service-limits.ts';
import {
  type BlockGuard,
  type BlockQuestions,
  createBlockQuestions,
  inOneRequest,
  reachBlock,
  readChain,
  type SeenChain,
} from './at-block.ts';
import type { NodeChoice } from './ledger-nodes.ts';
import {
  adoptChain,
  type KnownBlock,
  type KnownChain,
  raiseKnownBlock,
  readKnownChain,
} from './own-chain-rows.ts';

/** How a ledger is not the one it was. */
export type ChainChange = 'replaced' | 'emptied' | 'rolledBack' | 'forked';

/** Undefined for the chain that is known. */
export function changeOf(
  known: KnownChain,
  { genesis, head, hashAtKnown }: SeenChain,
): ChainChange | undefined {
  if (hashAtKnown === known.hash) return undefined;
  if (genesis !== known.genesis) return 'replaced';
  if (hashAtKnown !== undefined) return 'forked';
  return head.seq <= 1 ? 'emptied' : 'rolledBack';
}

const changeWords: Readonly<Record<ChainChange, (known: KnownBlock, head: KnownBlock) => string>> = {
  replaced: ({ seq }) =>
    `The ledger node answers for another chain than the one that this service has seen up to block ${seq}`,
  emptied: ({ seq }) => `The ledger has lost its chain: it is at its first block, and was at block ${seq}`,
  rolledBack: ({ seq }, head) =>
    `The ledger was rolled back: it is at block ${head.seq}, and was at block ${seq}`,
  forked: ({ seq }) =>
    `The ledger was rolled back and went on otherwise: block ${seq} is not the one that this service has seen`,
};

export const changeText = (change: ChainChange, known: KnownBlock, head: KnownBlock): string =>
  changeWords[change](known, head);

const wayOut =
  'Nothing is recorded or verified on it. Bring the right ledger back, or see what is lost with: symbolon service reconcile --data <folder>';

const leftText = 'This service was told to go on with another chain: restart it';

const differText = (seq: number): string =>
  `The nodes at the ledger's address differ: one that answered does not have block ${seq}, another does. Nothing that the one says counts`;

/**
 * Throws `ledgerChanged` where no node of the chain answers. What is known is in the database, shared by all processes.
 */
export interface OwnChain extends BlockGuard {
  /** What is wrong with the ledger, in words for operators; nothing if it is the one that is known. */
  readonly problem: string | undefined;
  /** How often it was not the one: what was remembered of the ledger before is good no longer. */
  readonly changes: number;
  /** Looks at the newest block and remembers it, or why it is none of ours. Rejects when the ledger does not answer. */
  look(): Promise<void>;
}

export interface OwnChainOptions {
  readonly client: Pick<LedgerClient, 'multiQuery'>;
  readonly queries: Queries;
  readonly clock: Clock;
  /** Where there are several nodes: those that are not of the chain, or behind, are turned away. */
  readonly nodes?: NodeChoice | undefined;
  /** Told when the ledger turns out not to be the one, and when it is again. */
  readonly onChange?: (problem: string | undefined) => void;
}

export function createOwnChain({ client, queries, clock, nodes, onChange }: OwnChainOptions): OwnChain {
  let problem: string | undefined;
  let changes = 0;
  /** When the chain began to be the service's, as this process found it. */
  let since: number | undefined;
  let looking: { readonly done: Promise<void>; readonly since: number } | undefined;

  const say = (next: string | undefined): void => {
    const isNews = next !== problem;
    if (isNews && next !== undefined) changes += 1;
    problem = next;
    if (isNews) onChange?.(next);
  };

  /** Registries and all else that this process has opened are those of the chain that it found. */
  const isLeft = (known: KnownChain): boolean => {
    since ??= known.since;
    return known.since !== since;
  };

  /** What is wrong; nothing where the newest block is remembered. */
  const lookOnce = async (): Promise<string | undefined> => {
    const known = await readKnownChain(queries);
    const now = clock.nowMs();
    if (known && isLeft(known)) return leftText;
    const place = nodes?.place ?? 0;
    const seen = await inOneRequest(client, (one) => readChain(one, known));
    const { genesis, head } = seen;
    if (!known) {
      await adoptChain(queries, { genesis: genesis ?? head.hash, block: head, now });
      return undefined;
    }
    const change = changeOf(known, seen);
    if (change) {
      nodes?.turnAway(place);
      return `${changeText(change, known, head)}. ${wayOut}`;
    }
    if (head.seq > known.seq) await raiseKnownBlock(queries, { from: known, to: head, now });
    return undefined;
  };
  /** As patiently as a question is asked. */
  const lookPatiently = async (): Promise<void> => {
    let found = await lookOnce();
    for (let attempt = 1; found && !problem && attempt < limits.looksMax; attempt++) {
      await sleep(limits.lookPauseMs);
      found = await lookOnce();
    }
    say(found);
  };
  /** One at a time, except that nobody waits for one that stalls. */
  const look = (): Promise<void> => {
    const since = performance.now();
    if (looking && since - looking.since < limits.lookMs) return looking.done;
    const own = {
      since,
      done: lookPatiently().finally(() => {
        if (looking === own) looking = undefined;
      }),
    };
    looking = own;
    return own.done;
  };
  const assertOurs = (): void => {
    if (problem !== undefined) throw new Fault('ledgerChanged', { detail: problem });
  };
  const readKnown = async (): Promise<KnownChain> => {
    assertOurs();
    const known = await readKnownChain(queries);
    assert(known, 'a chain is known before anything is asked of it');
    if (isLeft(known)) say(leftText);
    assertOurs();
    return known;
  };
  const questions = createBlockQuestions(client, readKnown, nodes);
  const guarded =
    (kind: keyof BlockQuestions): OwnChain['ask'] =>
    async (question) => {
      const found = await questions[kind](question);
      if (found) return found.answer;
      await look();
      const { seq } = await readKnown();
      throw new Fault('ledgerChanged', { detail: differText(seq), retryAfterSeconds: 1 });
    };

  return {
    get problem() {
      return problem;
    },
    get changes() {
      return changes;
    },
    look,
    ask: guarded('ask'),
    lookUp: guarded('lookUp'),
    async confirm({ from, to }, seq) {
      if (seq > BigInt(from.seq))
        return seq <= BigInt(to.seq) && raiseKnownBlock(queries, { from, to, now: clock.nowMs() });
      const { hash } = await readKnown();
      return hash === from.hash;
    },
    reach: (seq) => reachBlock(seq, readKnown, look),
  };
}
