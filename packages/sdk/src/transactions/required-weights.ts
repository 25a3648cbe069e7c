/**
 * Who must sign a transaction: each account that acts in it, with the weight that is needed and the weight that
 * signatures have brought so far. The rules are core's; the accounts are those that a node shows.
 */
import { create } from '@bufbuild/protobuf';
import { thresholdOf, weightOf } from '@symbolon/core/ledger/terms/authorize';
import { type Account, AccountSchema, type Transaction } from '@symbolon/core/proto/ledger_pb';
import type { LedgerReply } from '../ledger/ledger-client.ts';

/** An account as `getAccountBase` replies it. */
export type ShownAccount = NonNullable<LedgerReply<'getAccountBase'>['result']>;

export interface RequiredWeight {
  readonly address: string;
  /** Whether the node knows the account: without one nobody can sign. */
  readonly exists: boolean;
  readonly needed: bigint;
  readonly given: bigint;
  /** Whose signatures count for it, heaviest first. */
  readonly signers: readonly {
    readonly address: string;
    readonly weight: bigint;
    readonly hasSigned: boolean;
  }[];
}

/** Addresses of the accounts that act in a transaction, its source first. */
export const actingAccounts = ({ sourceAddress, operations }: Transaction): readonly string[] => [
  ...new Set([sourceAddress, ...operations.map((operation) => operation.sourceAddress || sourceAddress)]),
];

export function requiredWeights(
  transaction: Transaction,
  accounts: ReadonlyMap<string, ShownAccount>,
  signedBy: ReadonlySet<string>,
): readonly RequiredWeight[] {
  return actingAccounts(transaction).map((address) => {
    const shown = accounts.get(address);
    if (!shown) return { address, exists: false, needed: 0n, given: 0n, signers: [] };
    const account = coreAccount(shown);
    const types = transaction.operations
      .filter((operation) => (operation.sourceAddress || transaction.sourceAddress) === address)
      .map(({ type }) => thresholdOf(account, type));
    const own = address === transaction.sourceAddress ? [thresholdOf(account)] : [];
    const all = [
      { address, weight: account.priv?.masterWeight ?? 0n },
      ...(account.priv?.signers ?? []).map((signer) => ({ address: signer.address, weight: signer.weight })),
    ];
    return {
      address,
      exists: true,
      needed: [...own, ...types].reduce((most, one) => (one > most ? one : most), 0n),
      given: weightOf(account, signedBy),
      signers: all
        .filter(({ weight }) => weight > 0n)
        .toSorted((left, right) => Number(right.weight - left.weight))
        .map((signer) => ({ ...signer, hasSigned: signedBy.has(signer.address) })),
    };
  });
}

/** Enough of every account. */
export const isSignedEnough = (required: readonly RequiredWeight[]): boolean =>
  required.length > 0 && required.every(({ exists, needed, given }) => exists && given >= needed);

const integer = (value: unknown): bigint =>
  typeof value === 'bigint' || typeof value === 'number' || typeof value === 'string' ? BigInt(value) : 0n;

/** As core knows it. */
export function coreAccount({ address, priv }: ShownAccount): Account {
  const thresholds = priv?.thresholds;
  return create(AccountSchema, {
    address,
    priv: {
      masterWeight: integer(priv?.master_weight),
      signers: (priv?.signers ?? []).map((signer) => ({
        address: signer?.address ?? '',
        weight: integer(signer?.weight),
      })),
      thresholds: {
        txThreshold: integer(thresholds?.tx_threshold),
        typeThresholds: (thresholds?.type_thresholds ?? []).map((entry) => ({
          type: Number(entry?.type ?? 0),
          threshold: integer(entry?.threshold),
        })),
      },
    },
  });
}
