/**
 * Sending from the command line: the node is asked for nonce, fee and chain id, the balance is looked at before
 * anything is signed (a transaction that fails costs its whole fee limit), and what became of it is told in words.
 */
import { encodeHex } from '@symbolon/core/basics/bytes';
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import { unlessNotFound } from '@symbolon/sdk/errors/errors';
import {
  type LedgerClient,
  type OperationOrder,
  type Receipt,
  type Signer,
  settleTransaction,
  signTransaction,
} from '@symbolon/sdk/index';
import { coinText } from '@symbolon/sdk/transactions/transaction-sentence';
import { accountCreationOrder } from '@symbolon/sdk/transactions/transactions';
import type { JsonObject } from '@symbolon/wire/json/json';
import { CommandFailure } from '../terminal/failure.ts';
import { ifInterrupted } from '../terminal/interruption.ts';
import { buildWithinCaps, type Paying } from './fee-caps.ts';
import { explained } from './refusals.ts';

export async function chainFacts(client: LedgerClient) {
  const { result } = await client.getLedger({ with_fee: true });
  const { header, fees } = result ?? {};
  return {
    chainId: BigInt(header?.chain_id ?? 0),
    /** What an account must keep. */
    baseReserve: BigInt(fees?.base_reserve ?? 0),
    gasPrice: BigInt(fees?.gas_price ?? 0),
    height: BigInt(header?.seq ?? 0),
    closeTimeMs: Number(BigInt(header?.close_time ?? 0) / 1_000n),
  };
}

/** The balance of an account; undefined where the chain has no such account. */
export async function balanceOf(client: LedgerClient, address: string): Promise<bigint | undefined> {
  const reply = await unlessNotFound(client.getAccountBase({ address }));
  return reply && BigInt(reply.result?.balance ?? 0);
}

export interface CoinPayment {
  readonly destAddress: string;
  readonly amount: bigint;
  /** What a contract that is paid gets. */
  readonly input?: string;
}

/** A payment; an address without account gets one, which costs no more and can be evaluated by every node. */
export async function paymentOf(
  client: LedgerClient,
  { destAddress, amount, input = '' }: CoinPayment,
): Promise<{ operation: OperationOrder; isNew: boolean }> {
  if ((await balanceOf(client, destAddress)) !== undefined)
    return { operation: { payCoin: { destAddress, amount, input } }, isNew: false };
  if (input !== '')
    throw new CommandFailure(
      `There is no contract at ${destAddress}; nothing was sent.\nAn input is for contracts, and the address has no account at all.\nCheck the address, or leave --input out.`,
    );
  const { baseReserve } = await chainFacts(client);
  if (amount >= baseReserve) return { operation: accountCreationOrder(destAddress, amount), isNew: true };
  throw new CommandFailure(
    `The account does not exist yet, and ${amount} is too little to make one; nothing was sent.
An account must keep ${baseReserve} (${coinText(baseReserve)}) on this chain.
Pay at least that much.`,
  );
}

export interface SendingOrder extends Paying {
  readonly client: LedgerClient;
  readonly signer: Signer;
  readonly operations: readonly OperationOrder[];
  /** What leaves the account besides the fee. */
  readonly spends: bigint;
}

export async function sendOperations(order: SendingOrder): Promise<Receipt> {
  const { client, signer, operations } = order;
  ifInterrupted('Interrupted. Nothing was signed and nothing was sent.');
  return explained('The ledger refuses this; nothing has changed.', async () => {
    const { baseReserve } = await chainFacts(client);
    const balance = await balanceOf(client, signer.address);
    if (balance === undefined) throw noAccount(signer.address);
    const transaction = await buildWithinCaps(client, { source: signer.address, operations }, order);
    assertFunds(balance, { ...order, baseReserve, transaction });
    return settleNoted(client, await signTransaction(transaction, [signer]));
  });
}

/** Hands a transaction in and waits; whoever does not want to wait is told where it can be found. */
export function settleNoted(client: LedgerClient, signed: SignedTransaction): Promise<Receipt> {
  const hash = encodeHex(signed.hash);
  ifInterrupted([
    'Interrupted. The transaction was signed; it may have been handed in, and is executed then.',
    `See what became of it: symbolon tx wait ${hash}`,
  ]);
  return settleTransaction(client, signed);
}

function assertFunds(
  balance: bigint,
  {
    signer,
    spends,
    baseReserve,
    transaction,
  }: SendingOrder & { baseReserve: bigint; transaction: Transaction },
): void {
  const needed = spends + transaction.feeLimit + baseReserve;
  if (balance >= needed) return;
  const parts = `${spends} to spend, ${transaction.feeLimit} for the fee, ${baseReserve} that an account must keep`;
  throw new CommandFailure(
    `The account ${signer.address} has too little; nothing was sent.
It has ${balance} (${coinText(balance)}) and this takes ${needed} (${coinText(needed)}): ${parts}.
Send less, or pay something in first: symbolon tx pay ${signer.address} ${needed - balance}`,
  );
}

const noAccount = (address: string): CommandFailure =>
  new CommandFailure(
    `The account ${address} is not on this chain; nothing was sent.
Either it was never paid into, or this is another chain or another key than you think.
Look at the node with "symbolon node status"; an account begins with: symbolon tx pay ${address} <amount>`,
  );

export const receiptFacts = ({ hash, ledgerSeq, actualFee }: Receipt): JsonObject => ({
  transaction: hash,
  block: ledgerSeq,
  fee: actualFee,
});

/** For people: amounts in Gas as well. */
export const receiptFields = ({ hash, ledgerSeq, actualFee }: Receipt) => ({
  transaction: hash,
  block: ledgerSeq,
  fee: bothUnits(actualFee),
});

export const bothUnits = (amount: bigint): string => `${amount} (${coinText(amount)})`;

/** Close times are microseconds since 1970; what no calendar has is shown as it came. */
export function timeOfMicros(micros: number | bigint): string {
  const time = new Date(Number(BigInt(micros) / 1_000n));
  return Number.isNaN(time.getTime()) ? String(micros) : time.toISOString();
}
