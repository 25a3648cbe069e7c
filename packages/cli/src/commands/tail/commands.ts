/**
 * `symbolon tail`: what happens while it happens: blocks, transactions as sentences and refused submissions of the ledger,
 * and the events of the service for whoever of the profile has an API key. Ends with Ctrl-C. A node that was away for a
 * moment is found again, and the gap is told; the service tells what happened meanwhile.
 */
import { type Command, Option } from 'commander';
import type { PartyWords } from '../../profile/connection.ts';
import { addLedgerOptions, countUpTo, serviceOption } from '../../profile/options.ts';
import { processTerminal, type Terminal } from '../../terminal/terminal.ts';

export interface TailWords extends PartyWords {
  readonly account?: string[];
  readonly socket?: string;
  readonly count?: number;
  readonly only?: 'ledger' | 'service';
}

export function addTailCommand(program: Command, terminal: Terminal = processTerminal): void {
  const tailing = program
    .command('tail')
    .description('print blocks, transactions and events of the service as they happen, until Ctrl-C')
    .addOption(
      new Option('--only <source>', 'nothing but what this one tells').choices(['ledger', 'service']),
    )
    .option('--as <person>', 'whose events of the service; of all with an API key, if left out')
    .option('--account <account...>', 'only transactions that concern these')
    .option('--count <number>', 'end after so many lines', countUpTo(999_999))
    .option('--socket <address>', 'the WebSocket of the node, if the node does not know its own')
    .addOption(serviceOption());
  addLedgerOptions(tailing).action(async (words: TailWords) =>
    (await import('./tailing.ts')).tail(words, terminal),
  );
}
