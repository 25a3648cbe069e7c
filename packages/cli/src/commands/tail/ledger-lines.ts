/** Events of the ledger as lines of `symbolon tail`, for people and as JSON. */
import { plainText } from '@symbolon/sdk/arguments/foreign-texts';
import type { LedgerEvent } from '@symbolon/sdk/ledger/ledger-event-frames';
import { describeTransaction } from '@symbolon/sdk/transactions/transaction-sentence';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { AccountNames } from '../../profile/account-names.ts';
import { shortened, type Terminal, toned } from '../../terminal/terminal.ts';
import { timeOfMicros } from '../../transactions/sending.ts';

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

/** One line, or several where a sentence is longer than 80 columns. */
export function eventLines(event: LedgerEvent, names: AccountNames, terminal: Terminal): readonly string[] {
  switch (event.kind) {
    case 'block': {
      const time = timeOfMicros(event.closeTimeMicros).slice(11, 19);
      return [toned(terminal, 'quiet', `${time}  block ${event.seq}  ${shortened(event.hash)}`)];
    }
    case 'transaction': {
      const said = folded([shortened(event.hash)], describeTransaction(event.transaction, names));
      if (event.code === 0) return said;
      return [`${indent}${toned(terminal, 'bad', `FAILED (${event.code})`)}`, ...said];
    }
    case 'submission': {
      const refused = toned(terminal, 'bad', `REFUSED (${event.code})`);
      const who = event.sourceAddress === '' ? 'somebody' : names.nameOf(event.sourceAddress);
      return [
        `${indent}${refused} a transaction of ${who}:`,
        ...folded([], plainText(event.description, refusalCharsMax)),
      ];
    }
    case 'gap':
      return [
        toned(terminal, 'bad', 'The node was away for a moment; what happened meanwhile is not shown here.'),
      ];
  }
}

const refusalCharsMax = 200;
const columnsMax = 80;
/** As wide as a time. */
const indent = ' '.repeat(10);

/** Words under a time, broken between them; the lines behind the first stand further in. */
function folded(before: readonly string[], sentence: string): readonly string[] {
  const lines: string[] = [];
  let line = indent + before.map((text) => `${text}  `).join('');
  let isEmpty = true;
  for (const word of sentence.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > columnsMax) {
      lines.push(line);
      line = `${indent}  `;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
