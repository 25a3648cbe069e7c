/** What the custody routes reply inside their envelopes, in the members that wallets of the family read. */
import { encodeHex } from '@symbolon/core/basics/bytes';
import type { CustodyPolicy, CustodyUse } from '@symbolon/core/custody/custody-policy';
import * as z from 'zod';

export const accountReply = z.object({
  zetrixAddress: z.string(),
  publicKeyHex: z.string().describe('76 hex digits: prefix, key, checksum'),
  activated: z.boolean().describe('Whether the ledger has the account yet'),
  activationTxHash: z.string().nullable(),
});

export const signatureReply = z.object({
  signBlob: z.string().describe('The Ed25519 signature, lower-case hex'),
  publicKey: z.string().describe('76 hex digits'),
});

export const activationReply = z.object({ address: z.string(), activated: z.boolean() });

export const passwordReply = z.object({ address: z.string(), changed: z.boolean() });

export const policyReply = z.object({
  address: z.string(),
  operations: z.array(z.string()),
  messages: z.boolean(),
  dailyAmountMax: z
    .string()
    .nullable()
    .describe('In the smallest unit, fee limits included; null for no cap'),
  dailyAssetMax: z
    .record(z.string(), z.string())
    .nullable()
    .describe('By code:issuer or address of a contract; of others nothing leaves an account that has a cap'),
  dailyCountMax: z.number().nullable(),
  until: z.string().nullable().describe('RFC 3339, UTC; nothing is signed from then on'),
  today: z
    .object({ amount: z.string(), count: z.number(), assets: z.record(z.string(), z.string()) })
    .describe('What was signed on this day of UTC; of other assets since they have a cap'),
});

export interface AccountFacts {
  readonly address: string;
  /** Encoded. */
  readonly publicKey: string;
  readonly isActivated: boolean;
  readonly activationTx: string | null;
}

export const renderAccount = (account: AccountFacts): z.input<typeof accountReply> => ({
  zetrixAddress: account.address,
  publicKeyHex: account.publicKey,
  activated: account.isActivated,
  activationTxHash: account.activationTx,
});

export const renderSignature = (
  signature: Uint8Array,
  publicKey: string,
): z.input<typeof signatureReply> => ({
  signBlob: encodeHex(signature),
  publicKey,
});

const amountTexts = (amounts: Readonly<Record<string, bigint>>): Record<string, string> =>
  Object.fromEntries(Object.entries(amounts).map(([asset, amount]) => [asset, String(amount)]));

export const renderPolicy = (
  address: string,
  { operations, messages, dailyAmountMax, dailyAssetMax, dailyCountMax, until }: CustodyPolicy,
  { amount, count, assets }: CustodyUse,
): z.input<typeof policyReply> => ({
  address,
  operations: [...operations],
  messages,
  dailyAmountMax: dailyAmountMax === null ? null : String(dailyAmountMax),
  dailyAssetMax: dailyAssetMax && amountTexts(dailyAssetMax),
  dailyCountMax,
  until: until === null ? null : new Date(until).toISOString(),
  today: { amount: String(amount), count, assets: amountTexts(assets) },
});
