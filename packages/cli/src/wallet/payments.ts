/**
 * Paying: the one place where the wallet signs a transaction. What is asked for is counted at the very moment of the
 * signature, by the bytes that are signed, so there is no way from a demand to a signature around the caps. What became
 * of earlier payments is asked of the ledger, never of whoever was paid; and no node's word frees a cap, only what a
 * validator has signed that the owner has pinned.
 */
import { encodeHex } from '@symbolon/core/basics/bytes';
import { parseAmount } from '@symbolon/core/basics/plain-values';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { decodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import { paymentScheme } from '@symbolon/core/payments/payment-terms';
import { sha256 } from '@symbolon/host/work/sha256';
import { signPayment } from '@symbolon/sdk/flows/payment-scheme';
import type { Signer } from '@symbolon/sdk/keys/signer';
import { type ProvenTransaction, provenTransactions } from '@symbolon/sdk/ledger/block-proofs';
import { findReceipt, type Receipt } from '@symbolon/sdk/ledger/receipts';
import { pinsOf } from '@symbolon/sdk/transactions/transaction-caps';
import type { PaymentDemand } from '@symbolon/sdk/transport/payment-required';
import { keyFormat } from '../profile/key-format.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { chainMeant } from '../transactions/fee-caps.ts';
import {
  assertAffordable,
  nativeAsset,
  reservePayment,
  rivalsOf,
  type SpendingEntry,
  setPaymentState,
  unfinishedPayments,
} from './spending.ts';
import { quoted } from './tool-results.ts';
import type { Wallet } from './wallet.ts';

/**
 * Signs what is demanded, if the caps allow it. Nothing has left the wallet when this throws, and nothing is counted.
 */
export async function signWithinCaps(wallet: Wallet, demand: PaymentDemand, amountMax: bigint | undefined) {
  const { asset, payTo } = demand;
  const amount = readAmount(demand, amountMax);
  const { caps } = wallet.policy;
  assertAffordable(wallet.database, { asset, amount }, { caps, nowMs: Date.now() });
  await learnOutcomes(wallet);
  let counted: SpendingEntry | undefined;
  let isNew = false;
  const signer: Signer = {
    ...wallet.signer,
    sign: (blob) => {
      const { nonce, feeLimit, chainId } = decodeTransaction(blob) ?? notAPayment();
      const hash = encodeHex(sha256(blob));
      const payment = { hash, chain: String(chainId), nonce, asset, amount, fee: feeLimit, payee: payTo };
      isNew = reservePayment(wallet.database, payment, { caps, nowMs: Date.now() });
      counted = payment;
      return wallet.signer.sign(blob);
    },
  };
  try {
    const payload = await signPayment(demand, {
      ...pinsOf(wallet.pins),
      chainId: await chainMeant(wallet.ledger, wallet.pins),
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
 * Finds out about payments whose outcome is open. That one was made is the node's word: it frees nothing. That one has
 * failed, or can never be executed, must be proven; until then it stays open.
 */
export async function learnOutcomes(wallet: Wallet): Promise<void> {
  const { database, ledger } = wallet;
  for (const payment of unfinishedPayments(database)) {
    const receipt = await findReceipt(ledger, payment.hash);
    const state = receipt?.code === 0 ? 'spent' : await provenEnd(wallet, payment, receipt);
    if (state) setPaymentState(database, payment.hash, state);
  }
}

/** Failed in its block, or void because another transaction of this account has used its nonce in one. */
async function provenEnd(
  { database, ledger, signer, pins }: Wallet,
  payment: SpendingEntry,
  receipt: Receipt | undefined,
): Promise<'failed' | 'void' | undefined> {
  const { validators = [] } = pins;
  if (validators.length === 0 || payment.chain === '') return undefined;
  const prove = (seq: bigint) =>
    provenTransactions(ledger, seq, { validators, chainId: BigInt(payment.chain) });
  if (receipt) {
    const executed = (await prove(receipt.ledgerSeq))?.find(({ hash }) => hash === payment.hash);
    return executed?.hasFailed ? 'failed' : undefined;
  }
  for (const { hash } of rivalsOf(database, payment)) {
    const rival = await findReceipt(ledger, hash);
    const block = rival && (await prove(rival.ledgerSeq));
    const usesNonce = ({ sourceAddress, nonce }: ProvenTransaction) =>
      sourceAddress === signer.address && nonce === payment.nonce;
    if (block?.some((it) => usesNonce(it) && it.hash !== payment.hash)) return 'void';
  }
  return undefined;
}
