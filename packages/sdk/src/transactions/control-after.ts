/**
 * Who rules an account, and who would after a transaction: what whoever signs a change of signers has to know first. The
 * rules are core's; the account is the one that a node shows.
 */
import { privilegeAfter } from '@symbolon/core/ledger/operations/set-privilege';
import type { AccountPrivilege, Transaction } from '@symbolon/core/proto/ledger_pb';
import { coreAccount, type ShownAccount } from './required-weights.ts';

export interface AccountControl {
  /** The weight that a transaction of the account needs. */
  readonly needed: bigint;
  /** The least weight with which anything can be done for the account, by a transaction of whomever. */
  readonly leastNeeded: bigint;
  /** The most that any operation of the account needs. */
  readonly mostNeeded: bigint;
  /** Whose signatures count, heaviest first; the account's own key among them. */
  readonly signers: readonly { readonly address: string; readonly weight: bigint }[];
}

export interface ControlChange {
  readonly before: AccountControl;
  readonly after: AccountControl;
}

/** Undefined where the transaction changes nothing about who may sign for the account. */
export function controlAfter(
  { sourceAddress, operations }: Pick<Transaction, 'sourceAddress' | 'operations'>,
  shown: ShownAccount,
): ControlChange | undefined {
  const { address, priv } = coreAccount(shown);
  const orders = operations.flatMap(({ sourceAddress: source, setPrivilege }) =>
    setPrivilege && (source || sourceAddress) === address ? [setPrivilege] : [],
  );
  if (orders.length === 0) return undefined;
  const after = orders.reduce<AccountPrivilege | undefined>(
    (told, order) => privilegeAfter(order, told),
    priv,
  );
  return { before: controlOf(address, priv), after: controlOf(address, after) };
}

function controlOf(address: string, priv: AccountPrivilege | undefined): AccountControl {
  const needed = priv?.thresholds?.txThreshold ?? 0n;
  const special = (priv?.thresholds?.typeThresholds ?? []).map(({ threshold }) => threshold);
  const all = [
    { address, weight: priv?.masterWeight ?? 0n },
    ...(priv?.signers ?? []).map((signer) => ({ address: signer.address, weight: signer.weight })),
  ];
  return {
    needed,
    leastNeeded: special.reduce((least, one) => (one > 0n && one < least ? one : least), needed),
    mostNeeded: special.reduce((most, one) => (one > most ? one : most), needed),
    signers: all
      .filter(({ weight }) => weight > 0n)
      .toSorted((left, right) => Number(right.weight - left.weight)),
  };
}
