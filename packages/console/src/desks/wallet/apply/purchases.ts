/**
 * Payments that went out. Each is remembered in the vault before it does, until it is known what became of it, so that
 * nobody pays twice because an answer was lost.
 */
import { holderHeaders } from '@symbolon/sdk/transport/call-headers';
import { isJsonObject, type JsonObject, type JsonValue } from '@symbolon/wire/json/json';
import type { AssetPrice } from '../../../text/price.ts';
import type { OpenedVault } from '../../../vault/vaults.ts';
import { recordPaid } from '../activity/activity-log.ts';
import { keepIfGenuine, saysNotGenuine } from '../cards/card-intake.ts';
import type { OpenWallet } from '../frame/wallet-context.ts';
import { type PaymentStanding, readPaymentStanding } from './settlement.ts';

export interface OpenPurchase {
  readonly paymentId: string;
  readonly templateId: string;
  readonly templateName: string;
  readonly price: AssetPrice;
  /** When it was sent, milliseconds since 1970. */
  readonly at: number;
}

const prefix = 'purchases/';

export const rememberPurchase = (vault: OpenedVault, purchase: OpenPurchase): Promise<void> =>
  vault.write(`${prefix}${purchase.paymentId}`, { ...purchase, price: { ...purchase.price } });

export const forgetPurchase = (vault: OpenedVault, { paymentId }: OpenPurchase): Promise<void> =>
  vault.remove(`${prefix}${paymentId}`);

export const openPurchases = async ({ vault }: OpenWallet): Promise<readonly OpenPurchase[]> =>
  (await vault.list(prefix)).flatMap(({ value }) => readPurchase(value) ?? []);

/** The vault seals what it holds, so that what is read is what this console wrote. */
function readPurchase(value: JsonValue): OpenPurchase | undefined {
  const isPurchase =
    isJsonObject(value) && typeof value.paymentId === 'string' && isJsonObject(value.price as JsonValue);
  return isPurchase ? (value as unknown as OpenPurchase) : undefined;
}

/** A card that was paid for, and is kept. */
export async function endPurchase(
  { vault }: OpenWallet,
  purchase: OpenPurchase,
  txHash: string | null,
): Promise<void> {
  const { paymentId, templateName: template, price } = purchase;
  await recordPaid(vault, { paymentId, template, price, ...(txHash !== null && { txHash }) });
  await forgetPurchase(vault, purchase);
}

export type PurchaseOutcome = PaymentStanding | { readonly kind: 'notGenuine'; readonly reason: string };

/** What became of a payment, and the credential for it where it has come. */
export async function settlePurchase(wallet: OpenWallet, purchase: OpenPurchase): Promise<PurchaseOutcome> {
  const { client, vault } = wallet;
  const { paymentId, templateId, at } = purchase;
  const headers = await holderHeaders(vault.signer, client, { purpose: 'payment-status', paymentId });
  const told = await client.getPaymentStatus({ paymentId }, { headers });
  const settlement = readPaymentStanding(told, at, Date.now());
  if (settlement.kind === 'failed') await forgetPurchase(vault, purchase);
  if (settlement.kind !== 'issued') return settlement;
  const { vcId, txHash } = settlement;
  const document = told.verifiableCredential as JsonObject | undefined;
  const wrong = document && (await keptOrWrong(wallet, document, { vcId, templateId }));
  await endPurchase(wallet, purchase, txHash);
  return wrong ? { kind: 'notGenuine', reason: wrong.message } : settlement;
}

/** What is wrong with the document, where it was not kept for that. */
async function keptOrWrong(...given: Parameters<typeof keepIfGenuine>): Promise<Error | undefined> {
  try {
    await keepIfGenuine(...given);
    return undefined;
  } catch (error) {
    if (error instanceof Error && saysNotGenuine(error)) return error;
    throw error;
  }
}
