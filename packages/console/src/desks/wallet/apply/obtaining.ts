/**
 * Applying for a credential. What is given away comes at once, what costs something asks for the price first, and what an
 * issuer decides on by hand waits.
 */
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { applyForCredential } from '@symbolon/sdk/flows/holder-flows';
import { buyCredential, signPaidApplication } from '@symbolon/sdk/flows/purchase';
import { PaymentRequired } from '@symbolon/sdk/transport/payment-required';
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { workerEngine } from '../../../proofs/worker-engine.ts';
import { type AssetPrice, assetPrice } from '../../../text/price.ts';
import { keepIfGenuine } from '../cards/card-intake.ts';
import type { OpenWallet } from '../frame/wallet-context.ts';
import { endPurchase, forgetPurchase, type OpenPurchase, rememberPurchase } from './purchases.ts';

export interface Wish {
  readonly template: Pick<TemplateReply, 'templateId' | 'templateName' | 'price'>;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

/** What is asked for it, and to whom it goes. */
export interface Quote extends AssetPrice {
  readonly payTo: string;
}

export type ApplyOutcome =
  | { readonly kind: 'issued'; readonly vcId: string; readonly txHash: string | null }
  | { readonly kind: 'waiting'; readonly vcId: string }
  | { readonly kind: 'price'; readonly quote: Quote }
  /** The payment went out, and nobody has said what became of it. */
  | { readonly kind: 'unsettled'; readonly purchase: OpenPurchase };

/** What has a price, be it zero, is issued at once to whom the issuer wants; everything else it decides on. */
export async function obtain(wallet: OpenWallet, wish: Wish): Promise<ApplyOutcome> {
  const atOnce = wish.template.price && (await obtainAtOnce(wallet, wish));
  if (atOnce) return atOnce;
  const { templateId } = wish.template;
  const order = { signer: wallet.vault.signer, templateId, attributes: wish.attributes };
  const { vcId } = await applyForCredential(wallet.client, order);
  return { kind: 'waiting', vcId };
}

/** Undefined where the issuer wants to decide about this holder. */
async function obtainAtOnce(
  wallet: OpenWallet,
  { template, attributes }: Wish,
): Promise<ApplyOutcome | undefined> {
  const { client, vault } = wallet;
  const { templateId } = template;
  const data = stringifyJson([{ templateId, metadata: { ...attributes } }]);
  try {
    const issued = await client.applyForPaidCredential(await signPaidApplication(vault.signer, client, data));
    const { vcId, txHash, verifiableCredential } = issued;
    await keepIfGenuine(wallet, verifiableCredential as JsonObject, { vcId, templateId, attributes });
    return { kind: 'issued', vcId, txHash };
  } catch (error) {
    if (error instanceof PaymentRequired) return { kind: 'price', quote: quoteOf(error, template) };
    if (error instanceof ServiceError && error.code === 'autoIssueRefused') return undefined;
    throw error;
  }
}

function quoteOf({ demand }: PaymentRequired, { price }: Wish['template']): Quote {
  const { asset, payTo } = demand;
  const amount = demand.amount ?? demand.maxAmountRequired ?? '';
  return { ...assetPrice({ asset, amount: /^\d{1,30}$/.test(amount) ? amount : '0' }, price), payTo };
}

/** Pays what was agreed to and not a unit more, and keeps what comes for it. */
export async function buy(wallet: OpenWallet, wish: Wish, quote: Quote): Promise<ApplyOutcome> {
  const { client, vault, ledger, pins } = wallet;
  const { templateId, templateName } = wish.template;
  const { attributes } = wish;
  const { payTo: _, ...price } = quote;
  let purchase: OpenPurchase | undefined;
  const remembering = {
    ...client,
    applyForPaidCredential: async (...call: Parameters<typeof client.applyForPaidCredential>) => {
      const [{ paymentId }] = call;
      if (typeof paymentId === 'string') {
        purchase = { paymentId, templateId, templateName, price, at: Date.now() };
        await rememberPurchase(vault, purchase);
      }
      return client.applyForPaidCredential(...call);
    },
  };
  try {
    const { vcId, txHash, verifiableCredential } = await buyCredential(remembering, {
      signer: vault.signer,
      templateId,
      attributes,
      payer: { client: ledger, amountsMax: { [quote.asset]: BigInt(quote.amount) } },
      ledger,
      engine: workerEngine,
      ...(pins && { pins }),
    });
    await keepIfGenuine(wallet, verifiableCredential as JsonObject, { vcId, templateId, attributes });
    if (purchase) await endPurchase(wallet, purchase, txHash);
    return { kind: 'issued', vcId, txHash };
  } catch (error) {
    // What went wrong after it was sent is found out by asking what became of it.
    if (purchase && !isRefused(error)) return { kind: 'unsettled', purchase };
    if (purchase) await forgetPurchase(vault, purchase);
    throw error;
  }
}

/** The service has said no. Silence, and a settlement that is not known, are no no. */
const isRefused = (error: unknown): boolean =>
  error instanceof ServiceError && error.status < 500 && error.code !== 'settlementUnknown';
