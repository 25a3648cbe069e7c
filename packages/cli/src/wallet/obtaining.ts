/**
 * Getting credentials: a template is applied for with values that the agent gives; what is free comes at once, what
 * costs money is paid within the caps, and what an issuer decides on by hand waits for the issuer. Whatever was issued
 * and did not arrive is fetched again (`fetchWaiting`), so an answer that was lost loses no credential.
 */

import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { applyForCredential } from '@symbolon/sdk/flows/holder-flows';
import { signPaidApplication } from '@symbolon/sdk/flows/purchase';
import { findReceipt } from '@symbolon/sdk/ledger/receipts';
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import { holderHeaders, paymentHeaders } from '@symbolon/sdk/transport/call-headers';
import { PaymentRequired } from '@symbolon/sdk/transport/payment-required';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { walletLimits } from '../limits/command-limits.ts';
import { usageFailure } from '../terminal/failure.ts';
import type { TellStep } from './handing-in.ts';
import { keepBought, keepGenuine, notKept, type WalletRefusal } from './keeping.ts';
import { shownPayment, withPayment } from './paid-request.ts';
import { learnOutcomes, signWithinCaps } from './payments.ts';
import type { SpendingEntry } from './spending.ts';
import { quoted, type ToolValue } from './tool-results.ts';
import type { Wallet } from './wallet.ts';

export interface WalletApplication {
  readonly templateId: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly amountMax?: bigint;
}

export async function obtainCredential(
  wallet: Wallet,
  application: WalletApplication,
  tell: TellStep = () => undefined,
): Promise<Obtained> {
  const { signer, service } = wallet;
  tell('Applying for the credential');
  const { templateId, attributes } = application;
  const data = stringifyJson([{ templateId, metadata: { ...attributes } }]);
  try {
    const body = await signPaidApplication(signer, service, data);
    return await keptFrom(wallet, { issued: await service.applyForPaidCredential(body), application });
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'autoIssueRefused')
      return applyAndWait(wallet, application);
    if (!(error instanceof PaymentRequired)) throw error;
    return wallet.inTurn(() => payFor(wallet, { data, offer: error, application, tell }));
  }
}

/** What became of an application. */
export type Obtained =
  | {
      readonly state: 'issued';
      readonly credentialId: string;
      readonly paymentId: string;
      readonly paid: ReturnType<typeof shownPayment> | null;
    }
  | { readonly state: 'waiting'; readonly credentialId: string; readonly status: string };

interface Purchase {
  readonly tell: TellStep;
  readonly data: string;
  readonly offer: PaymentRequired;
  readonly application: WalletApplication;
}

async function payFor(wallet: Wallet, { data, offer, application, tell }: Purchase): Promise<Obtained> {
  const { demand } = offer;
  const heldBefore = new Set(wallet.credentials.all().map(({ document }) => document.id));
  const paymentId = readPaymentId(offer.paymentId);
  tell('Signing the payment');
  const { payload, payment } = await signWithinCaps(wallet, demand, application.amountMax);
  const body = await signPaidApplication(wallet.signer, wallet.service, data);
  const order = { ...body, ...(paymentId !== undefined && { paymentId }) };
  const headers = paymentHeaders(demand, payload);
  tell('Paying, and waiting for the credential');
  try {
    const issued = await wallet.service.applyForPaidCredential(order, { headers });
    await learnOutcomes(wallet).catch(() => undefined);
    return await keptFrom(wallet, { issued, application, payment, heldBefore });
  } catch (error) {
    throw withPayment(error, payment, paymentId);
  }
}

interface Delivery {
  readonly issued: CredentialReply<'applyForPaidCredential'>;
  readonly application: WalletApplication;
  readonly payment?: SpendingEntry;
  readonly heldBefore?: ReadonlySet<unknown>;
}

/** What was issued, if it is what was applied for. */
async function keptFrom(wallet: Wallet, delivery: Delivery): Promise<Obtained> {
  const { issued, application, payment, heldBefore = new Set() } = delivery;
  const { vcId, paymentId, verifiableCredential } = issued;
  const { templateId, attributes } = application;
  const terms = { vcId, templateId: templateId.toLowerCase(), attributes, heldBefore };
  const kept = await keepBought(wallet, verifiableCredential as JsonObject, terms);
  if ('refusal' in kept) throw notKept(kept.refusal);
  return {
    state: 'issued',
    credentialId: quoted(vcId, 128),
    paymentId: quoted(paymentId, 128),
    paid: payment ? shownPayment(payment) : null,
  };
}

/** The issuer gives nothing away and sells nothing, so a person decides. */
async function applyAndWait({ service, signer }: Wallet, application: WalletApplication): Promise<Obtained> {
  const { templateId, attributes } = application;
  const { vcId, status } = await applyForCredential(service, { signer, templateId, attributes });
  return {
    state: 'waiting',
    credentialId: quoted(vcId, 128),
    status: quoted(status, 32),
  };
}

export interface Fetched {
  /** Those that are new. */
  readonly added: readonly JsonObject[];
  /** What was not kept, and why. */
  readonly refused: readonly WalletRefusal[];
}

/** Fetches what the service has for the holder. One that is not genuine does not keep the others away. */
export async function fetchWaiting(wallet: Wallet, tell: TellStep = () => undefined): Promise<Fetched> {
  const { service, signer } = wallet;
  tell('Fetching what waits at the service');
  const headers = await holderHeaders(signer, service, { purpose: 'download-all' });
  const { data } = await service.downloadExtended({ address: signer.address }, { headers });
  const added: JsonObject[] = [];
  const refused: WalletRefusal[] = [];
  const waiting = data.slice(0, walletLimits.credentialsMax);
  for (const [place, { vc }] of waiting.entries()) {
    tell(`Verifying credential ${place + 1} of ${waiting.length}`);
    const kept = await keepGenuine(wallet, vc);
    if ('refusal' in kept) refused.push(kept.refusal);
    else if (kept.isNew) added.push(vc);
  }
  return { added, refused: refused.slice(0, refusedShownMax) };
}

const refusedShownMax = 20;

/** Only what can be nothing but an id is ever signed. */
function readPaymentId(text: string | undefined): string | undefined {
  if (text === undefined || /^[0-9a-f]{32}$/.test(text)) return text;
  throw usageFailure(
    'The payment was not looked at.\nAn id of a payment has 32 hex digits.\nGive the paymentId of an earlier answer.',
  );
}

/** What the service says of a purchase. A credential that did not arrive is kept now. */
export async function purchaseStatus(wallet: Wallet, given: string): Promise<ToolValue> {
  const paymentId = readPaymentId(given) as string;
  const about = { purpose: 'payment-status', paymentId } as const;
  const headers = await holderHeaders(wallet.signer, wallet.service, about);
  const found = await wallet.service.getPaymentStatus({ paymentId }, { headers });
  const { status, outcome, txHash, vcId, reason, verifiableCredential } = found;
  const kept =
    verifiableCredential && (await keepGenuine(wallet, verifiableCredential as JsonObject, { vcId }));
  return {
    summary: `The service says of this payment: ${quoted(status, 32)}.`,
    paymentId,
    status,
    outcome,
    ...(txHash !== undefined && { transactionHash: quoted(txHash, 64) }),
    ...(vcId !== undefined && { credentialId: quoted(vcId, 128) }),
    ...(reason !== undefined && { reason: quoted(reason) }),
    ...(kept && 'refusal' in kept && { notKept: kept.refusal }),
  };
}

/** What the ledger says of a transaction. */
export async function transactionStatus(wallet: Wallet, hash: string): Promise<ToolValue> {
  await learnOutcomes(wallet);
  const receipt = await findReceipt(wallet.ledger, hash);
  if (!receipt)
    return {
      summary: 'The ledger has not executed this payment.',
      transactionHash: hash,
      state: 'notExecuted',
      whatToDo: 'Ask again: it may be executed later.',
    };
  const { code, description, ledgerSeq, actualFee } = receipt;
  return {
    summary: `The ledger ${code === 0 ? 'executed' : 'refused'} this payment in block ${ledgerSeq}.`,
    transactionHash: hash,
    state: code === 0 ? 'executed' : 'failed',
    block: ledgerSeq,
    fee: actualFee,
    ...(code !== 0 && { code, reason: quoted(description) }),
  };
}
