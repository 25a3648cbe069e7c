/**
 * The chain that this service has recorded to, known again by the newest block that it has seen. A ledger that was
 * restored from an old copy, was exchanged for another or has lost its chain answers like any other; what it says of
 * records then is wrong in both directions. So nothing is handed in, and nothing is concluded from what was read,
 * unless the ledger has that block still.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '@symbolon/core/faults';
import { ownChainLimits as limits } from '@symbolon/core/limits';
import type { Clock } from '@symbolon/host/clock';
import { type LedgerClient, unlessNotFound } from '@symbolon/sdk/ledger-client';
import {
  adoptChain,
  type KnownBlock,
  type KnownChain,
  raiseKnownBlock,
  readKnownChain,
} from '../store/own-chain.ts';
import type { Queries } from '../store/schema.ts';
import { withFaults } from './ledger-faults.ts';

/** How a ledger is not the one it was. */
export type ChainChange = 'replaced' | 'emptied' | 'rolledBack' | 'forked';

/** What a ledger shows of its chain now. */
export interface SeenChain {
  readonly genesis: string | undefined;
  readonly head: KnownBlock;
  /** The hash of the block that the service knows, where there is one of its number. */
  readonly hashAtKnown: string | undefined;
}

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
  'Nothing is recorded or verified on it. Bring the right ledger back, or see what is lost with: symbolon service reconcile';

const leftText = 'This service was told to go on with another chain: restart it';

export interface OwnChain {
  /** What is wrong with the ledger, in words for operators; nothing if it is the one that is known. */
  readonly problem: string | undefined;
  /** How often it was not the one: what was remembered of the ledger before is good no longer. */
  readonly changes: number;
  /** Looks at the newest block and remembers it, or why it is none of ours. Rejects when the ledger does not answer. */
  look(): Promise<void>;
  /** Throws `ledgerChanged` while the ledger is known not to be the one. */
  assertOurs(): void;
  /** The same by asking the ledger now: to be called after facts were read from it, and before it is given anything. */
  confirm(): Promise<void>;
  /** The same with what a ledger throws as faults. */
  confirmFacts(): Promise<void>;
  /** Remembers a block of this number at least, before anybody is told of what stands in it. */
  reach(seq: bigint): Promise<void>;
}

export interface OwnChainOptions {
  readonly client: Pick<LedgerClient, 'getLedger'>;
  readonly queries: Queries;
  readonly clock: Clock;
  /** Told when the ledger turns out not to be the one, and when it is again. */
  readonly onChange?: (problem: string | undefined) => void;
}

export function createOwnChain({ client, queries, clock, onChange }: OwnChainOptions): OwnChain {
  let problem: string | undefined;
  let changes = 0;
  /** When the chain began to be the service's, as this process found it. */
  let since: number | undefined;
  /** As far as this process knows; others may know more. */
  let knownSeq = 0;
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

  const lookOnce = async (): Promise<void> => {
    const known = await readKnownChain(queries);
    const now = clock.nowMs();
    if (!known) {
      const { genesis, head } = await readChain(client);
      await adoptChain(queries, { genesis: genesis ?? head.hash, block: head, now });
      return;
    }
    if (isLeft(known)) return say(leftText);
    const head = await readHead(client);
    const seen = await seenFrom(client, known, head);
    const change = changeOf(known, seen);
    if (change) return say(`${changeText(change, known, head)}. ${wayOut}`);
    if (head.seq > known.seq) await raiseKnownBlock(queries, { from: known, to: head, now });
    knownSeq = Math.max(knownSeq, head.seq);
    say(undefined);
  };
  /** One at a time, except that nobody waits for one that stalls. */
  const look = (): Promise<void> => {
    const since = performance.now();
    if (looking && since - looking.since < limits.lookMs) return looking.done;
    const own = {
      since,
      done: lookOnce().finally(() => {
        if (looking === own) looking = undefined;
      }),
    };
    looking = own;
    return own.done;
  };
  const assertOurs = (): void => {
    if (problem !== undefined) throw new Fault('ledgerChanged', { detail: problem });
  };
  const confirm = async (): Promise<void> => {
    assertOurs();
    const known = await readKnownChain(queries);
    if (!known || (!isLeft(known) && (await hashAt(client, known.seq)) === known.hash)) return;
    await look();
    assertOurs();
  };

  return {
    get problem() {
      return problem;
    },
    get changes() {
      return changes;
    },
    look,
    assertOurs,
    confirm,
    confirmFacts: () => withFaults(confirm),
    async reach(seq) {
      for (let attempt = 0; BigInt(knownSeq) < seq; attempt++) {
        if (attempt >= limits.looksMax) throw new Fault('ledgerUnconfirmed', { retryAfterSeconds: 1 });
        if (attempt > 0) await sleep(limits.lookPauseMs);
        await look();
        assertOurs();
      }
    },
  };
}

/** First and newest block. */
export async function readChain(
  client: Pick<LedgerClient, 'getLedger'>,
): Promise<Pick<SeenChain, 'genesis' | 'head'>> {
  const head = await readHead(client);
  return { genesis: await hashAt(client, 1), head };
}

async function readHead(client: Pick<LedgerClient, 'getLedger'>): Promise<KnownBlock> {
  const { result } = await client.getLedger({});
  return { seq: Number(result?.header.seq ?? 0), hash: result?.header.hash ?? '' };
}

/** A chain with the known block has the known first one; only of another is that asked for. */
export async function seenFrom(
  client: Pick<LedgerClient, 'getLedger'>,
  known: KnownChain,
  head: KnownBlock,
): Promise<SeenChain> {
  const hashAtKnown = head.seq === known.seq ? head.hash : await hashAt(client, known.seq);
  const genesis = hashAtKnown === known.hash ? known.genesis : await hashAt(client, 1);
  return { genesis, head, hashAtKnown };
}

async function hashAt(client: Pick<LedgerClient, 'getLedger'>, seq: number): Promise<string | undefined> {
  const reply = await unlessNotFound(client.getLedger({ seq }));
  return reply?.result?.header.hash;
}
