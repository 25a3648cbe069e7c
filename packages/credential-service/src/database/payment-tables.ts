/**
 * What payments keep beyond their first tables: who brings them to their end, the accounts that pay fees for others, and
 * whom a settlement is still to be told.
 */
import type { ColumnTypes } from '@symbolon/host/database/common/values';

/** An account from which fees of others are paid. */
export interface SponsorAccountsTable {
  address: string;
  /** The prepared payment that it is held for. */
  blobId: string | null;
  heldUntil: number;
  /** Counts up with every payment that is prepared with it. */
  uses: number;
  /** Whose payment was prepared with it last, and by whom, as a hash: nothing more is asked of it than whether it is the same. */
  payer: string | null;
  caller: string | null;
}

export const paymentTables = ({ text, integer, strict }: ColumnTypes): string[] => [
  `alter table "payments" add column "worker" ${text}`,
  `alter table "settlements" add column "worker" ${text}`,
  `create table "sponsorAccounts" (
    "address" ${text} primary key,
    "blobId" ${text},
    "heldUntil" ${integer} not null,
    "uses" ${integer} not null) ${strict}`,
];

/** For whom the accounts of the sponsor are held. */
export const sponsorHolders = ({ text }: ColumnTypes): string[] =>
  ['payer', 'caller'].map((name) => `alter table "sponsorAccounts" add column "${name}" ${text}`);

/** Who is told that a settlement is executed; of those that have ended before, whoever was not asked to come again was. */
export const toldSettlements = ({ text, integer }: ColumnTypes): string[] => [
  `alter table "settlements" add column "teller" ${text}`,
  `alter table "settlements" add column "toldAt" ${integer}`,
  `update "settlements" set "toldAt" = "updatedAt" where "leftAt" is null and "state" <> 'pending'`,
  `alter table "settlements" drop column "leftAt"`,
];

/** Settlements whose caller was asked to come again. */
export const leftSettlements = ({ integer }: ColumnTypes): string[] => [
  `alter table "settlements" add column "leftAt" ${integer}`,
];
