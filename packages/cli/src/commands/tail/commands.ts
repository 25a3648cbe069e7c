/**
 * `symbolon tail`: what happens on the ledger while it happens: blocks, transactions as sentences, refused
 * submissions. Ends with Ctrl-C; a node that was away for a moment is found again, and the gap is told.
 */

import { plainText } from '@symbolon/sdk/arguments/foreign-texts';
import type { LedgerEvent } from '@symbolon/sdk/ledger/ledger-event-frames';
import { watchLedger } from '@symbolon/sdk/ledger/ledger-events';
import { describeTransaction } from '@symbolon/sdk/transactions/transaction-sentence';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { Command } from 'commander';
import { type AccountNames, readAccountNames } from '../../profile/account-names.ts';
import { connect, type PartyWords } from '../../profile/connection.ts';
import { addLedgerOptions, countUpTo } from '../../profile/options.ts';
import { ifInterrupted } from '../../terminal/interruption.ts';
import { shortened } from '../../terminal/layout.ts';
import { cut, printJson, processTerminal, type Terminal, toned } from '../../terminal/terminal.ts';
import { timeOfMicros } from '../../transactions/sending.ts';

interface TailWords extends PartyWords {
  readonly account?: string[];
  readonly socket?: string;
  readonly count?: number;
}

export function addTailCommand(program: Command, terminal: Terminal = processTerminal): void {
  const tailing = program
    .command('tail')
    .description('print blocks and transactions as they happen, until Ctrl-C')
    .option('--account <account...>', 'only transactions that concern these')
    .option('--count <number>', 'end after so many lines', countUpTo(999_999))
    .option('--socket <address>', 'the WebSocket of the node, if the node does not know its own');
  addLedgerOptions(tailing).action((words: TailWords) => tail(words, terminal));
}

async function tail(words: TailWords, terminal: Terminal): Promise<void> {
  const names = await readAccountNames(words.profile);
  const addresses = words.account?.map(names.addressOf);
  const socketUrl = words.socket ?? (await socketOfNode(words, terminal));
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  // A reader that has seen enough (`| head`) closes the pipe.
  process.stdout.once('error', stop);
  ifInterrupted('Ended. What happened is on the ledger, watched or not: symbolon account history ACCOUNT');
  terminal.remark(`Watching ${socketUrl}. Ctrl-C ends.`);
  let shown = 0;
  try {
    const options = { signal: stopped.signal, ...(addresses && { addresses }) };
    for await (const event of watchLedger(socketUrl, options)) {
      if (!show(event, { names, json: words.json === true, terminal })) continue;
      shown += 1;
      if (shown === words.count) return;
    }
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
    process.stdout.off('error', stop);
  }
}

/** The node says its port; the machine is the one that its HTTP interface is reached at. */
async function socketOfNode(words: TailWords, terminal: Terminal): Promise<string> {
  const { ledger, ledgerUrl } = await connect(words, terminal);
  const { websocket_address: port } = await ledger.hello();
  const url = new URL(ledgerUrl);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.port = String(port);
  url.pathname = '/';
  return url.href;
}

interface Viewing {
  readonly names: AccountNames;
  readonly json: boolean;
  readonly terminal: Terminal;
}

/** Whether the event was worth a line: what the queue takes is told when it is executed. */
function show(event: LedgerEvent, { names, json, terminal }: Viewing): boolean {
  if (event.kind === 'submission' && event.isAccepted) return false;
  if (json) printJson(terminal, eventToJson(event, names));
  else terminal.print(cut(eventText(event, names, terminal), terminal.width ?? Number.POSITIVE_INFINITY));
  return true;
}

export function eventToJson(event: LedgerEvent, names: AccountNames): JsonObject {
  switch (event.kind) {
    case 'block': {
      const { seq: block, hash, closeTimeMicros, transactionCount } = event;
      return { event: 'block', block, hash, time: timeOfMicros(closeTimeMicros), transactionCount };
    }
    case 'transaction': {
      const { hash: transaction, ledgerSeq: block, code, description, actualFee: fee } = event;
      const sentence = describeTransaction(event.transaction, names);
      return { event: 'transaction', transaction, block, code, description, fee, sentence };
    }
    case 'submission': {
      const { hash: transaction, sourceAddress: source, nonce, code, description } = event;
      return { event: 'refused', transaction, source, nonce, code, description };
    }
    case 'gap':
      return { event: 'gap' };
  }
}

export function eventText(event: LedgerEvent, names: AccountNames, terminal: Terminal): string {
  switch (event.kind) {
    case 'block': {
      const time = timeOfMicros(event.closeTimeMicros).slice(11, 19);
      return toned(terminal, 'quiet', `${time}  block ${event.seq}  ${shortened(event.hash)}`);
    }
    case 'transaction': {
      const sentence = describeTransaction(event.transaction, names);
      const failed = toned(terminal, 'bad', `FAILED (${event.code})`);
      return `          ${shortened(event.hash)}  ${event.code === 0 ? sentence : `${failed} ${sentence}`}`;
    }
    case 'submission': {
      const refused = toned(terminal, 'bad', `REFUSED (${event.code})`);
      const who = event.sourceAddress === '' ? 'somebody' : names.nameOf(event.sourceAddress);
      return `          ${refused} a transaction of ${who}: ${plainText(event.description, 200)}`;
    }
    case 'gap':
      return toned(
        terminal,
        'bad',
        'The node was away for a moment; what happened meanwhile is not shown here.',
      );
  }
}
