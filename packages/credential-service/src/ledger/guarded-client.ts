/**
 * A client of the ledger that asks nothing of a chain that is not the service's own, gives it nothing, and lets nobody
 * hear of an executed transaction before the service has remembered a block that comes after it.
 */
import type { LedgerClient } from '@symbolon/sdk/ledger-client';
import type { OwnChain } from './own-chain.ts';

type Guard = Pick<OwnChain, 'assertOurs' | 'confirm' | 'reach'>;

export function guardClient(client: LedgerClient, chain: Guard): LedgerClient {
  const guarded = Object.entries(client).map(([name, call]) => [
    name,
    async (argument: never) => {
      chain.assertOurs();
      return (call as (argument: never) => Promise<unknown>)(argument);
    },
  ]);
  return {
    ...(Object.fromEntries(guarded) as LedgerClient),
    async submitTransaction(body) {
      await chain.confirm();
      return client.submitTransaction(body);
    },
    async testTransaction(body) {
      chain.assertOurs();
      const reply = await client.testTransaction(body);
      // What was tried out is given to somebody to sign.
      await chain.confirm();
      return reply;
    },
    async getTransactionHistory(query) {
      chain.assertOurs();
      const reply = await client.getTransactionHistory(query);
      const [first] = query?.hash === undefined ? [] : (reply.result?.transactions ?? []);
      if (first) await chain.reach(BigInt(first.ledger_seq));
      return reply;
    },
  };
}
