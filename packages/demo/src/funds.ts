/** Money for accounts of the demo, from one that has plenty. What has enough is left alone. */
import { findLedgerAccount } from '@symbolon/credential-service/ledger/chain-terms';
import { type LedgerClient, type OperationOrder, type Signer, sendTransaction } from '@symbolon/sdk/index';
import { accountCreationOrder } from '@symbolon/sdk/transactions/transactions';
import { demoLimits } from './limits.ts';

/** Fills up, in one transaction, every account that has less than a tenth of its grant. */
export async function grantFunds(
  client: LedgerClient,
  funder: Signer,
  grants: readonly { readonly address: string; readonly amount: bigint }[],
): Promise<void> {
  const accounts = await Promise.all(grants.map(({ address }) => findLedgerAccount(client, address)));
  const operations = grants.flatMap(({ address, amount }, index): OperationOrder[] => {
    const balance = accounts[index]?.balance;
    if (balance === undefined) return [accountCreationOrder(address, amount)];
    return balance < amount / 10n ? [{ payCoin: { destAddress: address, amount } }] : [];
  });
  if (operations.length === 0) return;
  const { pollIntervalMs } = demoLimits;
  await sendTransaction(client, { signers: [funder], operations }, { pollIntervalMs });
}
