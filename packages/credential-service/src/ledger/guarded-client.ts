/**
 * A client of the ledger that believes no node without the newest block that the service knows, gives nothing to one,
 * and lets nobody hear of an executed transaction before the service has remembered a block that comes after it.
 */
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { BlockGuard } from './at-block.ts';

/** What a node answers from its tables, however much else it has to do. */
const lookUps: readonly (keyof LedgerClient)[] = [
  'getLedger',
  'getAccountBase',
  'getAccountMetaData',
  'getTransactionHistory',
  'getTransactionCache',
];

export function guardClient(client: LedgerClient, chain: BlockGuard): LedgerClient {
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
    async getTransactionHistory(query) {
      const reply = await guarded.getTransactionHistory(query);
      const [first] = query?.hash === undefined ? [] : (reply.result?.transactions ?? []);
      const isNews = first !== undefined && (await chain.reach(BigInt(first.ledger_seq)));
      // The block that is remembered now may be another node's: it counts if that one has executed it as well.
      return isNews ? guarded.getTransactionHistory(query) : reply;
    },
  };
}
