/**
 * Paying: the one place where the wallet signs a transaction. What is asked for is counted at the very moment of the
 * signature, by the bytes that are signed, so there is no way from a demand to a signature around the caps. What
 * became of earlier payments is asked of the ledger, never of whoever was paid.
 */
import { encodeHex } from '@symbolon/core/bytes';
import { decodeTransaction } from '@symbolon/core/ledger/transaction';
import { parseAmount, paymentScheme } from '@symbolon/core/payments/payment-rules';
import { zetrixProfile } from '@symbolon/core/profile';
import { unlessNotFound } from '@symbolon/sdk/ledger-client';
import type { PaymentDemand } from '@symbolon/sdk/payment-required';
import { type SignedPayment, signPayment } from '@symbolon/sdk/payment-scheme';
import { findReceipt } from '@symbolon/sdk/receipts';
import type { Signer } from '@symbolon/sdk/signer';
import { CommandFailure } from '../failure.ts';
import { keyFormat, sha256 } from '../key-format.ts';
import {
  assertAffordable,
  nativeAsset,
  openPayments,
  type Payment,
  reservePayment,
  setPaymentState,
} from './spending.ts';
import { quoted } from './tool-results.ts';
import type { Wallet } from './wallet.ts';

export interface CountedSignature {
  readonly payload: SignedPayment;
  readonly payment: Payment;
}

/** Signs what is demanded, if the caps allow it. Nothing has left the wallet when this throws, and nothing is counted. */
export async function signWithinCaps(
  wallet: Wallet,
  demand: PaymentDemand,
  amountMax: bigint | undefined,
): Promise<CountedSignature> {
  const { asset, payTo } = demand;
  const amount = readAmount(demand, amountMax);
  const { caps } = wallet.policy;
  assertAffordable(wallet.database, { asset, amount }, { caps, nowMs: Date.now() });
  await learnOutcomes(wallet);
  let counted: Payment | undefined;
  let isNew = false;
  const signer: Signer = {
    ...wallet.signer,
    sign: (blob) => {
      const { nonce, feeLimit } = decodeTransaction(blob) ?? notAPayment();
      const hash = encodeHex(sha256(blob));
      const payment = { hash, nonce, asset, amount, fee: feeLimit, payee: payTo };
      isNew = reservePayment(wallet.database, payment, { caps, nowMs: Date.now() });
      counted = payment;
      return wallet.signer.sign(blob);
    },
  };
  try {
    const payload = await signPayment(demand, {
      client: wallet.ledger,
      signer,
      amountsMax: { [asset]: amount },
    });
    return { payload, payment: counted ?? notAPayment() };
  } catch (error) {
    if (counted && isNew) setPaymentState(wallet.database, counted.hash, 'void');
    throw error;
  }
}

/** Also what else the demand says must be what it is taken for: the agent hears of it in the wallet's own words. */
function readAmount(
  { scheme, network, amount, maxAmountRequired, asset, payTo }: PaymentDemand,
  amountMax?: bigint,
): bigint {
  const read = parseAmount(amount ?? maxAmountRequired ?? '');
  const refuse = (why: string) =>
    new CommandFailure(`The wallet did not pay.\nThe reason: ${why}\nNothing was signed.`);
  if (scheme !== paymentScheme || network !== zetrixProfile.networkId)
    throw refuse(`it is asked to pay by ${quoted(scheme, 32)} on ${quoted(network, 32)}, which it cannot.`);
  if ((asset !== nativeAsset && !keyFormat.isAddress(asset)) || !keyFormat.isAddress(payTo))
    throw refuse('what is to be paid, or who, is not of this network.');
  if (read === undefined || read === 0n) throw refuse('the price is not a whole number above 0.');
  if (amountMax !== undefined && read > amountMax)
    throw refuse(`the price is ${read}, more than the ${amountMax} of this call.`);
  return read;
}

function notAPayment(): never {
  throw new Error('what was to be signed is not a payment');
}

/**
 * Finds out about payments whose outcome is open. The nonce is read first: if it was used by then and the transaction
 * is not found after that, another one has used it, and this one can never be executed.
 */
export async function learnOutcomes({ database, ledger, signer }: Wallet): Promise<void> {
  const open = openPayments(database);
  if (open.length === 0) return;
  const account = await unlessNotFound(ledger.getAccountBase({ address: signer.address }));
  const usedNonce = BigInt(account?.result?.nonce ?? 0);
  for (const { hash, nonce } of open) {
    const receipt = await findReceipt(ledger, hash);
    if (receipt) setPaymentState(database, hash, receipt.code === 0 ? 'spent' : 'failed');
    else if (nonce <= usedNonce) setPaymentState(database, hash, 'void');
  }
}
