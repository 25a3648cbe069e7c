/**
 * Paying as x402 clients do it: the scheme `exact` for this ledger, to be registered with a client of that protocol,
 * and the payload alone for whoever speaks it without one. What is signed is one transaction that pays exactly what is
 * asked for; it is handed in by whoever receives it.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { parseAmount } from '@symbolon/core/basics/plain-values';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import { paymentLimits } from '@symbolon/core/limits/payments';
import { paymentScheme } from '@symbolon/core/payments/payment-terms';
import { assertGiven, assertMembers, type MembersOf } from '../arguments/exact-arguments.ts';
import { plainText } from '../arguments/foreign-texts.ts';
import { SdkError } from '../errors/errors.ts';
import type { Signer } from '../keys/signer.ts';
import type { LedgerClient } from '../ledger/ledger-client.ts';
import { assertPinForms } from '../ledger/pins.ts';
import { pinsOf, type TransactionPins, transactionPinMembers } from '../transactions/transaction-caps.ts';
import { buildTransaction, signTransaction } from '../transactions/transactions.ts';
import type { PaymentDemand } from '../transport/payment-required.ts';

/** The caps on fee and price are those of any transaction, if left out. */
export interface PayerOptions extends TransactionPins {
  readonly client: LedgerClient;
  readonly signer: Signer;
  /** The most that is paid at once in each asset; without an entry nothing is. */
  readonly amountsMax: Readonly<Record<string, bigint>>;
  readonly profile?: NetworkProfile;
  /** How long the payment may be handed in. */
  readonly validSeconds?: number;
}

const payerMembers: MembersOf<PayerOptions> = {
  ...transactionPinMembers,
  client: true,
  signer: true,
  amountsMax: true,
  profile: true,
  validSeconds: true,
};

/** Throws `invalidArgument` for what is misspelt, missing, or cannot be read. */
export function assertPayer(options: Omit<PayerOptions, 'signer'>): void {
  assertMembers<Omit<PayerOptions, 'signer'>>(options, payerMembers, 'options of a payer');
  assertGiven(options, ['client', 'amountsMax'], 'options of a payer');
  assertPinForms(options, 'options of a payer');
}

export type { PaymentDemand } from '../transport/payment-required.ts';

/** `payload` of a payment. */
export interface SignedPayment extends Record<string, unknown> {
  readonly type: 'signed_transaction';
  /** Hex. */
  readonly transactionBlob: string;
  readonly signatures: readonly { readonly sign_data: string; readonly public_key: string }[];
  /** Seconds since 1970. */
  readonly validBefore: number;
}

/** The part of an x402 client that knows how this ledger is paid on. */
export interface ExactScheme {
  readonly scheme: typeof paymentScheme;
  createPaymentPayload(
    x402Version: number,
    demand: PaymentDemand,
  ): Promise<{ readonly x402Version: number; readonly payload: SignedPayment }>;
}

/**
 * To be registered with a client of x402, which must be told to pay in this ledger's assets; else it pays nothing:
 * `new x402Client().register(network, createExactScheme(…)).setSpendControls({ allowedAssets: [{ network, asset }] })`.
 */
export function createExactScheme(options: PayerOptions): ExactScheme {
  assertPayer(options);
  return {
    scheme: paymentScheme,
    createPaymentPayload: async (x402Version, demand) => ({
      x402Version,
      payload: await signPayment(demand, options),
    }),
  };
}

/** Signs a payment that answers a demand, within the limits that the payer gives. */
export async function signPayment(demand: PaymentDemand, options: PayerOptions): Promise<SignedPayment> {
  assertPayer(options);
  assertGiven(options, ['signer'], 'options of a payer');
  assertGiven(demand, ['scheme', 'network', 'payTo', 'asset'], 'what is to be paid');
  const { client, signer, profile = zetrixProfile, validSeconds = paymentLimits.offerSeconds } = options;
  const amount = readDemand(demand, options, profile);
  const { payTo, asset } = demand;
  const input = JSON.stringify({ method: 'transfer', params: { to: payTo, value: amount.toString() } });
  const payCoin =
    asset === profile.nativeAsset.code
      ? { destAddress: payTo, amount }
      : { destAddress: asset, amount: 0n, input };
  const transaction = await buildTransaction(client, {
    ...pinsOf(options),
    source: signer.address,
    operations: [{ payCoin }],
    withRoom: true,
  });
  const signed = await signTransaction(transaction, [signer]);
  return {
    type: 'signed_transaction',
    transactionBlob: encodeHex(signed.blob),
    signatures: signed.signatures.map(({ publicKey, signData }) => ({
      sign_data: encodeHex(signData),
      public_key: publicKey,
    })),
    validBefore: Math.floor(Date.now() / 1_000) + validSeconds,
  };
}

function readDemand(demand: PaymentDemand, { amountsMax }: PayerOptions, profile: NetworkProfile): bigint {
  const { scheme, network, asset, payTo } = demand;
  if (scheme !== paymentScheme) throw invalid(`the scheme ${plainText(scheme)} is not known`, 'scheme');
  if (network !== profile.networkId)
    throw invalid(`the payment is for the network ${plainText(network)}`, 'network');
  if (!createKeyFormat(profile, sha256).isAddress(payTo))
    throw invalid('the payment is to no address of this network', 'payTo');
  const amountMember = demand.amount === undefined ? 'maxAmountRequired' : 'amount';
  const amount = parseAmount(demand[amountMember] ?? '');
  if (amount === undefined || amount === 0n)
    throw invalid('the amount is not a whole number above 0', amountMember);
  const most = Object.hasOwn(amountsMax, asset) ? amountsMax[asset] : 0n;
  if (amount > most) {
    const message = `${amount} of ${plainText(asset)} is more than the ${most} that may be paid at once`;
    throw invalid(message, amountMember, 'asset');
  }
  return amount;
}

const invalid = (message: string, ...members: readonly string[]): SdkError =>
  new SdkError('invalidArgument', message, { hint: 'Nothing was signed. Check what is asked for.', members });
