/** The words of commands that sign for what a transaction may cost. What becomes of them is `fee-caps.ts`. */
import { type Command, Option } from 'commander';
import { amount, feeLimitOption } from '../profile/options.ts';

/** What commands that sign transactions are told of costs. */
export interface FeeWords {
  readonly feeLimit?: bigint;
  readonly feeLimitMax?: bigint;
  readonly gasPriceMax?: bigint;
}

export const addCapOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--fee-limit-max <number>',
        'the most that a node may evaluate; a small one, if left out',
      ).argParser(amount),
    )
    .addOption(
      new Option('--gas-price-max <number>', 'the most that a unit of work may cost').argParser(amount),
    );

export const addFeeOptions = (command: Command): Command =>
  addCapOptions(command.addOption(feeLimitOption()));
