/** What the custody routes reply inside their envelopes, in the members that wallets of the family read. */
import { encodeHex } from '@symbolon/core/basics/bytes';
import type { CustodyPolicy, CustodyUse } from '@symbolon/core/custody/custody-policy';
import * as z from 'zod';

export const custodyAccountReply = z.object({
  zetrixAddress: z.string(),
  publicKeyHex: z
    .string()
    .describe('Ed25519 public key of the account: hex with prefix and checksum, 76 digits'),
  activated: z.boolean().describe('Whether the ledger has the account yet'),
  activationTxHash: z.string().nullable(),
});

export const signatureReply = z.object({
  signBlob: z.string().describe('The Ed25519 signature, lower-case hex'),
  publicKey: z
    .string()
    .describe('Ed25519 public key of the account: hex with prefix and checksum, 76 digits'),
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

export interface MadeAccount {
  readonly address: string;
  /** Encoded. */
  readonly publicKey: string;
  readonly isActivated: boolean;
  readonly activationTx: string | null;
}

export const renderAccount = (account: MadeAccount): z.input<typeof custodyAccountReply> => ({
  zetrixAddress: account.address,
  publicKeyHex: account.publicKey,
  activated: account.isActivated,
  activationTxHash: account.activationTx,
});

export interface MadeSignature {
  readonly signature: Uint8Array;
  /** Encoded. */
  readonly publicKey: string;
}

export const renderSignature = ({ signature, publicKey }: MadeSignature): z.input<typeof signatureReply> => ({
  signBlob: encodeHex(signature),
  publicKey,
});

const amountTexts = (amounts: Readonly<Record<string, bigint>>): Record<string, string> =>
  Object.fromEntries(Object.entries(amounts).map(([asset, amount]) => [asset, String(amount)]));

export interface PolicyInUse {
  readonly policy: CustodyPolicy;
  readonly today: CustodyUse;
}

export const renderPolicy = (
  address: string,
  { policy, today }: PolicyInUse,
): z.input<typeof policyReply> => ({
  address,
  operations: [...policy.operations],
  messages: policy.messages,
  dailyAmountMax: policy.dailyAmountMax === null ? null : String(policy.dailyAmountMax),
  dailyAssetMax: policy.dailyAssetMax && amountTexts(policy.dailyAssetMax),
  dailyCountMax: policy.dailyCountMax,
  until: policy.until === null ? null : new Date(policy.until).toISOString(),
  today: { ...today, amount: String(today.amount), assets: amountTexts(today.assets) },
});
