/** Accounts that begin: those that have too little are paid for, or it is said how. */
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { coinText } from '@symbolon/sdk/transactions/transaction-sentence';
import { issuerLimits } from '../limits/command-limits.ts';
import { readKeyFile } from '../profile/key-file.ts';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { shellWord } from '../terminal/quoting.ts';
import { balanceOf, chainFacts, paymentOf, sendOperations } from '../transactions/sending.ts';

export interface FundingOrder {
  readonly ledgerUrl: string;
  readonly ledger: LedgerClient;
  /** Whose key pays for accounts that have nothing. */
  readonly fundFrom?: string;
  /** The command that goes on where this one stops. */
  readonly again: string;
  /** Told of every step: what it is about, and what became of it. */
  readonly tell: (what: string, outcome: string) => void;
}

export interface FundedAccount {
  /** What people call it. */
  readonly what: string;
  readonly address: string;
}

export async function fundAccounts(order: FundingOrder, accounts: readonly FundedAccount[]): Promise<void> {
  const { ledger, tell } = order;
  const { baseReserve } = await chainFacts(ledger);
  const needed = baseReserve + issuerLimits.publishingUnits;
  for (const account of accounts) {
    const { what, address } = account;
    const balance = await balanceOf(ledger, address);
    const isEnough = balance !== undefined && balance >= needed;
    if (isEnough) tell(what, `there, with ${coinText(balance)}: ${address}`);
    else await pay(order, account, needed);
  }
}

async function pay(
  { ledger, ledgerUrl, fundFrom, again, tell }: FundingOrder,
  { what, address }: FundedAccount,
  needed: bigint,
): Promise<void> {
  const amount = issuerLimits.fundsUnits;
  if (fundFrom === undefined)
    throw new CommandFailure(
      `The account ${address} has too little to publish a key; it needs ${coinText(needed)}.\nHave it paid: symbolon tx pay ${address} ${amount} --ledger ${shellWord(ledgerUrl)} --key FILE-OF-WHO-PAYS\nThen go on: ${again}. On a chain of your own: ${again} --fund-from NODE-FOLDER/genesis-account.key`,
      exitCodes.failed,
      { code: 'fundsMissing' },
    );
  const funder = await readKeyFile(fundFrom);
  const { operation } = await paymentOf(ledger, { destAddress: address, amount });
  await sendOperations({ client: ledger, signer: funder, operations: [operation], spends: amount, pins: {} });
  tell(what, `funded with ${coinText(amount)}: ${address}`);
}
