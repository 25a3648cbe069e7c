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
  readonly what: 'account' | 'registrar';
  readonly address: string;
  /** Gas that it must be able to pay for, where that is known; else as much as publishing a key may cost. */
  readonly gas?: bigint;
}

/** Why an account needs something. */
const purposes: Readonly<Record<FundedAccount['what'], string>> = {
  account: 'The issuer, to publish its key',
  registrar: 'The registrar, to pay for what the service records',
};

/** All that lack something are told at once: who pays one by one stops as often. */
export async function fundAccounts(order: FundingOrder, accounts: readonly FundedAccount[]): Promise<void> {
  const { ledger, fundFrom, tell } = order;
  const { baseReserve, gasPrice } = await chainFacts(ledger);
  const lacking: LackingAccount[] = [];
  for (const account of accounts) {
    const { what, address, gas } = account;
    const needed = baseReserve + (gas === undefined ? issuerLimits.publishingUnits : gas * gasPrice);
    const balance = await balanceOf(ledger, address);
    if (balance !== undefined && balance >= needed)
      tell(what, `there, with ${coinText(balance)}: ${address}`);
    else if (fundFrom === undefined) lacking.push({ ...account, needed });
    else await pay(order, account, fundFrom);
  }
  if (lacking.length > 0) throw fundsMissing(order, lacking);
}

interface LackingAccount extends FundedAccount {
  readonly needed: bigint;
}

async function pay(
  { ledger, tell }: FundingOrder,
  { what, address }: FundedAccount,
  fundFrom: string,
): Promise<void> {
  const amount = issuerLimits.fundsUnits;
  const funder = await readKeyFile(fundFrom);
  const { operation } = await paymentOf(ledger, { destAddress: address, amount });
  await sendOperations({ client: ledger, signer: funder, operations: [operation], spends: amount, pins: {} });
  tell(what, `funded with ${coinText(amount)}: ${address}`);
}

/** The command that pays an account what it is given here. */
export const payingWords = (address: string, ledgerUrl: string, keyFile = whoPays): string =>
  `symbolon tx pay ${address} ${issuerLimits.fundsWord} --ledger ${shellWord(ledgerUrl)} --key ${keyFile}`;

const whoPays = 'FILE-OF-WHO-PAYS';

function fundsMissing(
  { ledgerUrl, again }: FundingOrder,
  lacking: readonly LackingAccount[],
): CommandFailure {
  const title =
    lacking.length === 1
      ? 'An account has too little, and is to be paid.'
      : 'Accounts have too little, and are to be paid.';
  return new CommandFailure(
    [
      title,
      ...lacking.flatMap(({ what, address, needed }) => [
        `${purposes[what]}, needs ${coinText(needed)}:`,
        `  ${payingWords(address, ledgerUrl)}`,
      ]),
      `Then go on: ${again}`,
      `On a chain of your own, instead of all that: ${again} --fund-from NODE-FOLDER/genesis-account.key`,
    ].join('\n'),
    exitCodes.failed,
    { code: 'fundsMissing' },
  );
}
