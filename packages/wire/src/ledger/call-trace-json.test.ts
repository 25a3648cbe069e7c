import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TracedCall } from '@symbolon/core/ledger/contracts/call-tracer';
import type { JsonValue } from '../json/json.ts';
import { readTrace, traceMember } from './call-trace-json.ts';

const outer: TracedCall = {
  contract: 'ZTX3a',
  entry: 'main',
  input: '{"method":"buy"}',
  operationIndex: 1,
  builtIn: 'Chain.delegateCall',
};
const inner: TracedCall = {
  ...outer,
  codeOf: 'ZTX3b',
  builtIn: 'Utils.assert',
  exception: 'no',
  line: 3,
  source: 'x();',
};

describe('the trace of a trial', () => {
  it('is read as it was written, inputs cut', () => {
    assert.deepEqual(readTrace(traceMember([outer, inner])), [outer, inner]);
    const [{ input } = outer] = readTrace(traceMember([{ ...outer, input: 'x'.repeat(1_000) }]));
    assert.equal(input.length, 256);
    assert.deepEqual(traceMember([]), {});
  });

  const good = { contract_address: 'a', entry: 'main', input: '', operation_index: 0 };
  const oddities: [string, JsonValue][] = [
    ['a text', 'x'],
    ['nothing', null],
    ['no objects', [1]],
    ['another entry', [{ ...good, entry: 'other' }]],
    ['no contract', [good, { ...good, contract_address: 7 }]],
    ['no index', [{ ...good, operation_index: '0' }]],
    ['more than contracts can be nested', Array.from({ length: 17 }, () => good)],
  ];
  for (const [name, trace] of oddities) {
    it(`is none when it is ${name}`, () => assert.deepEqual(readTrace({ trace }), []));
  }

  it('does without members that are of another kind', () => {
    const [call] = readTrace({ trace: [{ ...good, line: 'x', source: 1, function: null }] });
    assert.deepEqual(call, { contract: 'a', entry: 'main', input: '', operationIndex: 0 });
  });
});
