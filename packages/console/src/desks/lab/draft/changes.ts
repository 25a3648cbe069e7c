/**
 * What a transaction that was tried out would change, as far as its operations and those that contracts would trigger
 * say: coins that move, accounts that come to be, metadata and assets. What contracts store is not among it: a trial does
 * not tell. Pure.
 */
import type { Transaction } from '@symbolon/core/proto/ledger_pb';

export type TrialChange =
  | { readonly kind: 'coins'; readonly address: string; readonly change: bigint }
  | {
      readonly kind: 'metadata';
      readonly address: string;
      readonly key: string;
      /** Undefined where it is taken away. */
      readonly value: string | undefined;
    }
  | { readonly kind: 'assets'; readonly address: string; readonly code: string; readonly change: bigint }
  | { readonly kind: 'signers'; readonly address: string };

/** The signed transaction first, then those that it would trigger. */
export function trialChanges(transactions: readonly Transaction[], fee: bigint): readonly TrialChange[] {
  const coins = new Map<string, bigint>();
  const assets = new Map<string, { address: string; code: string; change: bigint }>();
  const others: TrialChange[] = [];
  const pay = (address: string, change: bigint): void =>
    void coins.set(address, (coins.get(address) ?? 0n) + change);
  const give = (address: string, code: string, change: bigint): void => {
    const key = `${address} ${code}`;
    assets.set(key, { address, code, change: (assets.get(key)?.change ?? 0n) + change });
  };
  const [first] = transactions;
  if (first) pay(first.sourceAddress, -fee);
  for (const { sourceAddress, operations } of transactions)
    for (const operation of operations) {
      const source = operation.sourceAddress || sourceAddress;
      const { payCoin, createAccount, payAsset, issueAsset, setMetadata } = operation;
      if (payCoin) {
        pay(source, -payCoin.amount);
        pay(payCoin.destAddress, payCoin.amount);
      }
      if (createAccount) {
        pay(source, -createAccount.initBalance);
        // The address of a contract is derived when it is made.
        if (createAccount.destAddress !== '') pay(createAccount.destAddress, createAccount.initBalance);
      }
      if (payAsset?.asset) {
        const code = payAsset.asset.key?.code ?? '';
        give(source, code, -payAsset.asset.amount);
        give(payAsset.destAddress, code, payAsset.asset.amount);
      }
      if (issueAsset) give(source, issueAsset.code, issueAsset.amount);
      if (setMetadata) {
        const { key, value, deleteFlag } = setMetadata;
        others.push({ kind: 'metadata', address: source, key, value: deleteFlag ? undefined : value });
      }
      // Of several orders only what they come to together counts.
      const isTold = others.some((one) => one.kind === 'signers' && one.address === source);
      if (operation.setPrivilege && !isTold) others.push({ kind: 'signers', address: source });
    }
  return [
    ...[...coins]
      .filter(([, change]) => change !== 0n)
      .map(([address, change]) => ({ kind: 'coins', address, change }) as const),
    ...[...assets.values()]
      .filter(({ change }) => change !== 0n)
      .map((one) => ({ kind: 'assets', ...one }) as const),
    ...others,
  ];
}
