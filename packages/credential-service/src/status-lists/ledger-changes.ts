/**
 * Which credentials the ledger has changed the status of since a block, found by looking through the blocks for calls of
 * the registries. One look serves all lists, and only blocks that were not looked through before are read.
 */
import { parseObject } from '@symbolon/core/basics/plain-values';
import { type StatusChange, statusChanges } from '@symbolon/core/credential/registry-calls';
import { Turns } from '@symbolon/host/work/turns';
import { unexpectedReply } from '@symbolon/sdk/errors/errors';
import type { LedgerClient, LedgerReply } from '@symbolon/sdk/ledger/ledger-client';
import { withFaults } from '../ledger/ledger-faults.ts';
import { statusListWorkLimits as limits } from '../limits/service-limits.ts';

export interface LedgerChanges {
  /**
   * Looks through the blocks up to the newest one, and answers which that is. Rejects when the ledger does not answer.
   */
  look(): Promise<LookedAt>;
}

export interface LookedAt {
  readonly seq: number;
  /** Credentials of an account that were changed in a later block than this; nothing where that is not known. */
  changedSince(seq: number, address: string): readonly string[] | undefined;
}

type Reader = Pick<LedgerClient, 'getLedger' | 'getTransactionHistory'>;

interface SeenChanges {
  /** Changes in later blocks than this are known. */
  readonly from: number;
  readonly seq: number;
  /** The last block of a change, by account and credential. */
  readonly blocks: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

export interface LedgerChangesOptions {
  readonly client: Reader;
  /** Addresses of the registries of credentials. */
  readonly registries: readonly string[];
  /** How often the ledger was not the one it was. */
  readonly chainChanges: () => number;
  /** Has later answers come from nodes that have this block. */
  readonly reach: (seq: bigint) => Promise<unknown>;
}

export function createLedgerChanges({
  client,
  registries,
  chainChanges,
  reach,
}: LedgerChangesOptions): LedgerChanges {
  let seen: (SeenChanges & { readonly chain: number }) | undefined;
  let looking: Promise<LookedAt> | undefined;
  const turns = new Turns(limits.questionsAtOnce);

  const lookOnce = async (): Promise<LookedAt> => {
    const chain = chainChanges();
    const seq = await newestBlock(client);
    await reach(BigInt(seq));
    const known = seen?.chain === chain ? seen : undefined;
    const isNear = known && seq >= known.seq && seq - known.seq <= limits.blocksMax;
    const next = isNear ? await lookThrough(known, seq) : { from: seq, seq, blocks: new Map() };
    seen = { ...next, chain };
    return lookedAt(next);
  };
  const lookThrough = async (known: SeenChanges, seq: number): Promise<SeenChanges> => {
    const behind = Array.from({ length: seq - known.seq }, (_, index) => known.seq + 1 + index);
    const found = await Promise.all(
      behind.map((at) => turns.run(async () => ({ at, calls: await callsIn(client, registries, at) }))),
    );
    const blocks = new Map([...known.blocks].map(([address, ones]) => [address, new Map(ones)]));
    for (const { at, calls } of found)
      for (const { address, credentials } of calls) {
        const ones = blocks.get(address) ?? new Map<string, number>();
        for (const credential of credentials) ones.set(credential, at);
        blocks.set(address, ones);
      }
    const count = [...blocks.values()].reduce((sum, ones) => sum + ones.size, 0);
    return count > limits.changesMax
      ? { from: seq, seq, blocks: new Map() }
      : { from: known.from, seq, blocks };
  };
  return {
    // Whoever comes while blocks are read gets what is found: nobody makes them be read twice.
    look() {
      looking ??= withFaults(lookOnce).finally(() => {
        looking = undefined;
      });
      return looking;
    },
  };
}

const lookedAt = ({ from, seq, blocks }: SeenChanges): LookedAt => ({
  seq,
  changedSince(since, address) {
    if (since < from || since > seq) return undefined;
    return [...(blocks.get(address) ?? [])].filter(([, at]) => at > since).map(([credential]) => credential);
  },
});

async function newestBlock(client: Reader): Promise<number> {
  const { result } = await client.getLedger({});
  const seq = Number(result?.header.seq);
  if (!Number.isSafeInteger(seq)) throw unexpectedReply('getLedger', ['header']);
  return seq;
}

interface StatusCall {
  readonly address: string;
  readonly credentials: readonly string[];
}

/** Calls that were executed in a block. */
async function callsIn(client: Reader, registries: readonly string[], seq: number): Promise<StatusCall[]> {
  const calls: StatusCall[] = [];
  let start = 0;
  for (;;) {
    const query = { ledger_seq: seq, start, limit: limits.blockTransactionsMax };
    // A node that lacks the block says so, and is not taken to say that nothing happened in it.
    const reply = await client.getTransactionHistory(query);
    const transactions = reply.result?.transactions ?? [];
    for (const one of transactions) calls.push(...callsOf(one, registries));
    start += transactions.length;
    if (transactions.length === 0 || start >= Number(reply.result?.total_count ?? 0)) return calls;
  }
}

type Executed = NonNullable<LedgerReply<'getTransactionHistory'>['result']>['transactions'][number];

function callsOf({ transaction, error_code: code }: Executed, registries: readonly string[]): StatusCall[] {
  if (Number(code) !== 0) return [];
  const { source_address: source = '', operations = [] } = transaction;
  return operations.flatMap(({ source_address: own, pay_coin: coin, pay_asset: asset }) => {
    const call = coin ?? asset;
    if (!call?.input || !registries.includes(call.dest_address ?? '')) return [];
    const { method, params } = parseObject(call.input) ?? {};
    const credentials = (params as { readonly credentials?: unknown } | null | undefined)?.credentials;
    if (!statusChanges.includes(method as StatusChange) || !Array.isArray(credentials)) return [];
    const named = credentials.filter((one) => typeof one === 'string');
    return [{ address: own || source, credentials: named }];
  });
}
