import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LedgerEvent } from '@symbolon/sdk/ledger/ledger-event-frames';
import { isReadError } from '@symbolon/wire/json/message-json';
import { transactionFromJson } from '@symbolon/wire/ledger/transaction-json';
import { eventLines, eventToJson } from './ledger-lines.ts';

const terminal = { print: () => {}, remark: () => {}, isWatched: false, hasColours: false };
const names = { addressOf: (word: string) => word, nameOf: (address: string) => address.toUpperCase() };

const transaction = transactionFromJson({
  source_address: 'ada',
  operations: [{ type: 7, pay_coin: { dest_address: 'bob', amount: 2_000_000 } }],
});
assert.ok(!isReadError(transaction));

const executed: LedgerEvent = {
  kind: 'transaction',
  hash: 'a'.repeat(64),
  code: 0,
  description: '',
  ledgerSeq: 2n ** 60n,
  closeTimeMicros: 0n,
  actualFee: 7n,
  transaction,
};
const refused: LedgerEvent = {
  kind: 'submission',
  isAccepted: false,
  hash: '',
  sourceAddress: '',
  nonce: 0n,
  code: 2,
  description: '\u001b[2J not a transaction',
};

const eventText = (event: LedgerEvent): string => eventLines(event, names, terminal).join('\n');

describe('a line of tail', () => {
  test('is a block, quietly', () => {
    const block: LedgerEvent = {
      kind: 'block',
      seq: 12n,
      hash: 'b'.repeat(64),
      previousHash: '',
      closeTimeMicros: 1_700_000_000_000_000n,
      transactionCount: 3n,
    };
    assert.equal(eventText(block), '22:13:20  block 12  bbbbbbbb…bbbbbb');
    assert.equal(eventToJson(block, names).time, '2023-11-14T22:13:20.000Z');
    assert.equal(
      eventToJson({ ...block, closeTimeMicros: 2n ** 63n - 1n }, names).time,
      String(2n ** 63n - 1n),
    );
  });

  test('is a transaction as a sentence, its failure before it', () => {
    assert.match(eventText(executed), /aaaaaaaa…aaaaaa {2}ADA pays 2 Gas to BOB\.$/);
    assert.match(eventText({ ...executed, code: 100 }), /FAILED \(100\) ADA pays/);
    assert.equal(eventToJson(executed, names).block, 2n ** 60n);
  });

  test('is a refusal without what could steer the terminal, or a gap', () => {
    assert.match(eventText(refused), /REFUSED \(2\) a transaction of somebody: .\[2J not/u);
    assert.ok(!eventText(refused).includes('\u001b'));
    assert.match(eventText({ kind: 'gap' }), /away for a moment/);
    assert.deepEqual(eventToJson({ kind: 'gap' }, names), { event: 'gap' });
  });

  test('that is long goes on under itself, and no line is wider than 80', () => {
    const long = { ...names, nameOf: (address: string) => `${address} (${'x'.repeat(30)})` };
    const lines = eventLines(executed, long, { ...terminal, width: 80 });
    assert.ok(lines.length > 1 && lines.every(({ length }) => length <= 80), lines.join('\n'));
    assert.match(lines.map((line) => line.trim()).join(' '), /ada \(x+\) pays 2 Gas to bob \(x+\)\.$/);
  });
});
