/**
 * What a transaction may cost, for commands that sign: caps from their words, then the profile's pins, then the SDK's
 * own. A node or a file that wants more is asked about at a terminal, and refused everywhere else.
 */
import { given } from '@symbolon/core/basics/plain-values';
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { Pins } from '@symbolon/sdk/ledger/pins';
import { FeeTooHigh, pinsOf, type TransactionPins } from '@symbolon/sdk/transactions/transaction-caps';
import { coinText } from '@symbolon/sdk/transactions/transaction-sentence';
import { buildTransaction, chainIdOf, type TransactionOrder } from '@symbolon/sdk/transactions/transactions';
import type { FeeWords } from '../profile/options.ts';
import { type AskYes, askYesAtTerminal } from '../terminal/ask-yes.ts';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';

const capsOf = ({ feeLimitMax, gasPriceMax }: FeeWords): FeeWords => pinsOf({ feeLimitMax, gasPriceMax });

/** Whoever signs: what the profile knows, and what the command was told. */
export interface Paying {
  readonly pins: Pins;
  /** Left out by callers that have no words for it: the profile alone says then. */
  readonly words?: FeeWords;
  /**
   * Who wants to be paid so much: another node may be asked, a service that prepares what is signed is to be doubted.
   */
  readonly preparedBy?: 'service';
}

/**
 * Does what signs a transaction, within the caps. Where they are too low somebody is asked, and a yes raises them to
 * what was shown and no further. Nothing is signed before this is settled.
 */
export async function withinCaps<Done>(
  { pins, words, preparedBy }: Paying,
  act: (pins: TransactionPins) => Promise<Done>,
  asking: () => AskYes = askYesAtTerminal,
): Promise<Done> {
  const caps = { ...pinsOf(pins), ...(words && capsOf(words)) };
  try {
    return await act(caps);
  } catch (error) {
    if (!(error instanceof FeeTooHigh)) throw error;
    const { feeLimit, gasPrice } = error.cost;
    const ask = asking();
    if (!ask) throw tooHigh(error, { words, preparedBy });
    const cost = `${coinText(feeLimit)} (${feeLimit}), at a gas price of ${gasPrice}`;
    if (!(await ask(`${whyTooHigh(error)} It may cost up to ${cost}. Sign it all the same?`)))
      throw tooHigh(error, { words, preparedBy });
    return act({ ...caps, feeLimitMax: feeLimit, gasPriceMax: gasPrice });
  }
}

/** A transaction that costs no more than its sender allows, with room in its fee for the block that it gets into. */
export const buildWithinCaps = (
  client: LedgerClient,
  order: TransactionOrder,
  { pins, words }: Paying,
): Promise<Transaction> =>
  withinCaps({ pins, ...(words && { words }) }, async (caps) => {
    const chainId = order.chainId ?? (await chainMeant(client, pins));
    const limit = given({ feeLimit: words?.feeLimit });
    return buildTransaction(client, { ...caps, ...limit, ...order, chainId, withRoom: true });
  });

/** The chain of the profile's pins; what is not pinned is the node's word. */
export const chainMeant = async (client: LedgerClient, { chainId }: Pins): Promise<bigint> =>
  chainId ?? (await chainIdOf(client));

const whyTooHigh = ({ message }: FeeTooHigh): string => `The transaction costs too much: ${message}.`;

const tooHigh = (error: FeeTooHigh, { words, preparedBy }: Omit<Paying, 'pins'>): CommandFailure => {
  const { feeLimit, gasPrice } = error.cost;
  const pins = `put feeLimitMax ${feeLimit} and gasPriceMax ${gasPrice} into the "pins" of the profile`;
  const said = words ? `say --fee-limit-max ${feeLimit} --gas-price-max ${gasPrice}, or ${pins}` : pins;
  const otherwise =
    preparedBy === 'service'
      ? 'do not use this service before you know why'
      : 'ask another node with --ledger <address>';
  const advice = `If that is right, ${said}. If not, ${otherwise}.`;
  return new CommandFailure(
    `${whyTooHigh(error)}
It may cost up to ${coinText(feeLimit)}; nothing was signed.
${advice}
(feeTooHigh; docs/errors.md#sdk-feetoohigh)`,
    exitCodes.failed,
    { code: 'feeTooHigh' },
  );
};
