/**
 * A client of the ledger that believes no node without the newest block that the service knows, gives nothing to one,
 * and lets nobody hear of an executed transaction before the service has remembered a block that comes after it.
 */
import { Fault } from '@symbolon/core/faults/faults';
import { LedgerError, unexpectedReply } from '@symbolon/sdk/errors/errors';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { ownChainLimits as limits } from '../limits/service-limits.ts';
import { type BlockGuard, readNewestBlock } from './at-block.ts';
import type { NodeChoice } from './ledger-nodes.ts';

/** What a node answers from its tables, however much else it has to do. */
const lookUps: readonly (keyof LedgerClient)[] = [
  'getLedger',
  'getAccountBase',
  'getAccountMetaData',
  'getTransactionHistory',
  'getTransactionCache',
];

export function guardClient(client: LedgerClient, chain: BlockGuard, nodes?: NodeChoice): LedgerClient {
  const names = Object.keys(client) as (keyof LedgerClient)[];
  const guarded = Object.fromEntries(
    names.map((name) => {
      const kind = lookUps.includes(name) ? 'lookUp' : 'ask';
      return [
        name,
        (argument: never) =>
          chain[kind]((one) => (one[name] as (argument: never) => Promise<unknown>)(argument)),
      ];
    }),
  ) as LedgerClient;
  return {
    ...guarded,
    async submitTransaction(body) {
      await chain.lookUp(async () => undefined);
      return client.submitTransaction(body);
    },
    async getTransactionCache(query) {
      try {
        return await guarded.getTransactionCache(query);
      } catch (error) {
        if (!(error instanceof LedgerError) || !nodes) throw error;
        // What waits, waits at the node that it was handed to, which may be another one than is asked now.
        const asked = nodes.others().map((node) => node.getTransactionCache(query));
        return Promise.any(asked).catch(() => Promise.reject(error));
      }
    },
    async getTransactionHistory(query) {
      if (query?.hash === undefined) return guarded.getTransactionHistory(query);
      for (let attempt = 0; attempt < limits.looksMax; attempt++) {
        const { reply, ...rise } = await chain.lookUp(async (one, from) => {
          const [reply, to] = await Promise.all([one.getTransactionHistory(query), readNewestBlock(one)]);
          return { reply, from, to };
        });
        const [executed] = reply.result?.transactions ?? [];
        if (!executed) return reply;
        const seq = blockOf(executed);
        if (await chain.confirm(rise, seq)) return reply;
        // The block that is remembered then may be another node's: it counts if that one has executed it as well.
        await chain.reach(seq);
      }
      throw new Fault('ledgerUnconfirmed', { retryAfterSeconds: 1 });
    },
  };
}

function blockOf({ ledger_seq: seq }: { readonly ledger_seq: number | bigint }): bigint {
  if (typeof seq !== 'bigint' && !Number.isSafeInteger(seq))
    throw unexpectedReply('getTransactionHistory', ['ledger_seq']);
  return BigInt(seq);
}
