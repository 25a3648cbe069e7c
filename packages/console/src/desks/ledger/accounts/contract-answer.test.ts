import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf, methodsIn } from './contract-answer.ts';

const stat = { apply_time: 1, memory_usage: 1, stack_usage: 1, step: 7 };

test('an answer is its value, or why there is none', () => {
  const answered = {
    logs: null,
    txs: null,
    stat,
    query_rets: [{ result: { type: 'string', value: '{"a":1}' } }],
  };
  assert.deepEqual(answerOf({ result: answered }), { value: '{"a":1}', steps: 7 });
  const refused = { logs: null, txs: null, stat, query_rets: [{ error: { data: { exception: 'no' } } }] };
  assert.deepEqual(answerOf({ result: refused }), { problem: '{"data":{"exception":"no"}}' });
});

test('methods of the query are found, and those of main are not', () => {
  const code = `function main(input) { if (x.method === 'pay') {} }
function query(input) { switch (asked.method) { case 'balanceOf': case "total": } }`;
  assert.deepEqual(methodsIn(code), ['balanceOf', 'total']);
});
