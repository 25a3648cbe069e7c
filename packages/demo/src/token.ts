/**
 * The demo's token: the sample contract, put on the ledger by the first transaction of an account of its own; the
 * second gives units of it away. The address of a contract follows from who made it with which transaction, so the
 * token is found again without having been written down, at the same address on every machine.
 */
import type { AllParts } from '@symbolon/credential-service/wiring/all-parts';
import { type LedgerClient, type OperationOrder, sendTransaction } from '@symbolon/sdk/index';
import { demoToken } from './content.ts';
import { demoLimits } from './limits.ts';
import { demoTokenOwner } from './people.ts';

export interface TokenOrder {
  readonly client: LedgerClient;
  readonly keys: AllParts['keys'];
  /** The code of the contract. */
  readonly source: string;
  /** Who gets units of it. */
  readonly grants: readonly { readonly address: string; readonly value: string }[];
}

/** Makes the token unless it is there, and answers its address. Its owner's account must have money. */
export async function ensureToken({ client, keys, source, grants }: TokenOrder): Promise<string> {
  const owner = await demoTokenOwner(keys);
  const address = keys.addressOfText(`${owner.address}-1-0`);
  const { result } = await client.getAccountBase({ address: owner.address });
  const done = BigInt(result?.nonce ?? 0);
  // A contract can be called from the block after its own on, so this takes two transactions.
  for (const nonce of [1n, 2n].filter((number) => number > done)) {
    const operations = nonce === 1n ? [contractOf(source)] : grants.map((grant) => grantOf(address, grant));
    const { pollIntervalMs } = demoLimits;
    await sendTransaction(client, { signers: [owner], operations, nonce }, { pollIntervalMs });
  }
  return address;
}

function contractOf(payload: string): OperationOrder {
  const { name, symbol, decimals, supply } = demoToken;
  return {
    createAccount: {
      contract: { payload },
      initBalance: demoLimits.contractFunds,
      priv: { masterWeight: 0n, thresholds: { txThreshold: 1n } },
      initInput: JSON.stringify({ params: { name, symbol, decimals, supply } }),
    },
  };
}

const grantOf = (
  destAddress: string,
  { address: to, value }: TokenOrder['grants'][number],
): OperationOrder => ({
  payCoin: { destAddress, input: JSON.stringify({ method: 'assign', params: { to, value } }) },
});
