import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Log } from '../../proto/ledger_pb.ts';
import { codes } from '../terms/codes.ts';
import { createTestLedger, MemoryState, operation } from '../testing/test-ledger.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const { account, attempt, check } = createTestLedger({ sha256 });

const log = (fields: Partial<Pick<Log, 'topic' | 'datas'>>) =>
  operation('log', { topic: 'note', datas: ['one'], ...fields });

describe('log', () => {
  const refused = {
    'no topic': { topic: '' },
    'topic of 129 bytes': { topic: 'x'.repeat(129) },
    'topic of 43 characters and 129 bytes': { topic: '€'.repeat(43) },
    'topic of 33 characters and 132 bytes': { topic: '😀'.repeat(33) },
    'empty data': { datas: [''] },
    'empty data after good data': { datas: ['one', '', 'two'] },
    'data of 1025 bytes': { datas: ['x'.repeat(1025)] },
    'data of 342 characters and 1026 bytes': { datas: ['one', '€'.repeat(342)] },
  };
  for (const [name, fields] of Object.entries(refused)) {
    it(`${name}: ${codes.invalidParameter}, dropped without a trace`, () => {
      assert.equal(check(log(fields)), codes.invalidParameter);
      const before = new MemoryState([account('alice', 100_000_000n)]);
      const { verdict, effects } = attempt(before, { operations: [log(fields)] });
      assert.deepEqual([verdict, effects.size], ['dropped', 0]);
    });
  }

  it('a missing body is a parameter error', () => {
    assert.equal(check(operation('log', undefined)), codes.invalidParameter);
  });

  it('changes nothing but nonce and fee', () => {
    const allowed = [
      {},
      { datas: [] },
      { topic: 'x' },
      { topic: 'x'.repeat(128) },
      { topic: '😀'.repeat(32) },
      { datas: ['x'] },
      { datas: ['x'.repeat(1024), '😀'.repeat(256)] },
      { datas: Array.from({ length: 200 }, () => 'same') },
    ];
    for (const fields of allowed) {
      assert.equal(check(log(fields)), 0);
      const before = new MemoryState([account('alice', 100_000_000n)]);
      const { verdict, effects } = attempt(before, { operations: [log(fields)] });
      assert.deepEqual([verdict, effects.size], ['done', 0]);
    }
  });
});
