/** Events of the ledger as lines of `symbolon tail`, for people and as JSON. */
import { plainText } from '@symbolon/sdk/arguments/foreign-texts';
import type { LedgerEvent } from '@symbolon/sdk/ledger/ledger-event-frames';
import { describeTransaction } from '@symbolon/sdk/transactions/transaction-sentence';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { AccountNames } from '../../profile/account-names.ts';
import { sentenceLines, shortened } from '../../terminal/layout.ts';
import { type Terminal, toned } from '../../terminal/terminal.ts';
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

/** One line, or several where a sentence is longer than the screen is wide. */
export function eventLines(event: LedgerEvent, names: AccountNames, terminal: Terminal): readonly string[] {
  const told = (text: string): readonly string[] =>
    sentenceLines(terminal, `${belowTime}${text}`, belowTime.length + 2);
  switch (event.kind) {
    case 'block': {
      const time = timeOfMicros(event.closeTimeMicros).slice(11, 19);
      return [toned(terminal, 'quiet', `${time}  block ${event.seq}  ${shortened(event.hash)}`)];
    }
    case 'transaction': {
      const failed = toned(terminal, 'bad', `FAILED (${event.code})`);
      const sentence = describeTransaction(event.transaction, names);
      return told(`${shortened(event.hash)}  ${event.code === 0 ? sentence : `${failed} ${sentence}`}`);
    }
    case 'submission': {
      const refused = toned(terminal, 'bad', `REFUSED (${event.code})`);
      const who = event.sourceAddress === '' ? 'somebody' : names.nameOf(event.sourceAddress);
      return told(`${refused} a transaction of ${who}: ${plainText(event.description, refusalCharsMax)}`);
    }
    case 'gap':
      return [
        toned(terminal, 'bad', 'The node was away for a moment; what happened meanwhile is not shown here.'),
      ];
  }
}

const refusalCharsMax = 200;
/** As wide as a time and the gap behind it. */
const belowTime = ' '.repeat(10);
