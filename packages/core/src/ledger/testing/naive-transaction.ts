/** Transactions as plain objects: what the model test makes up, the naive ledger reads and a blob is built from. */
import type { NaiveAccount } from './naive-ledger.ts';

/** A condition whose verdicts are known: 0, 20 or 21 before and during execution. */
export interface NaiveCondition {
  readonly text: string;
  readonly atSubmit: number;
  readonly atExecution: (accounts: ReadonlyMap<string, NaiveAccount>) => number;
}

export interface NaivePrivilege {
  readonly masterWeight: bigint;
  readonly signers: readonly { readonly address: string; readonly weight: bigint }[];
  readonly txThreshold: bigint;
  readonly typeThresholds: readonly { readonly type: number; readonly threshold: bigint }[];
}

export type NaiveOperation = { readonly source: string; readonly condition?: NaiveCondition } & (
  | {
      readonly kind: 'createAccount';
      readonly dest: string;
      readonly code: string;
      readonly priv: NaivePrivilege | undefined;
      readonly initBalance: bigint;
      readonly metadatas: readonly {
        readonly key: string;
        readonly value: string;
        readonly version: bigint;
      }[];
    }
  | { readonly kind: 'issueAsset'; readonly code: string; readonly amount: bigint }
  | {
      readonly kind: 'payAsset';
      readonly dest: string;
      readonly asset: { readonly issuer: string; readonly code: string; readonly amount: bigint } | undefined;
    }
  | {
      readonly kind: 'setMetadata';
      readonly key: string;
      readonly value: string;
      readonly version: bigint;
      readonly isDelete: boolean;
    }
  | { readonly kind: 'payCoin'; readonly dest: string; readonly amount: bigint }
  | { readonly kind: 'log'; readonly topic: string; readonly datas: readonly string[] }
  | ({ readonly kind: 'setPrivilege'; readonly masterWeight: string; readonly txThreshold: string } & Pick<
      NaivePrivilege,
      'signers' | 'typeThresholds'
    >)
  | { readonly kind: 'unknown'; readonly type: number }
);

export interface NaiveTransaction {
  readonly source: string;
  readonly nonce: bigint;
  readonly chainId: bigint;
  readonly ceilLedgerSeq: bigint;
  readonly feeLimit: bigint;
  readonly gasPrice: bigint;
  readonly condition?: NaiveCondition;
  readonly operations: readonly NaiveOperation[];
  /** Addresses with a valid signature. */
  readonly signers: ReadonlySet<string>;
  readonly envelopeBytes: number;
}
