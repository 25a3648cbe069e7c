import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ProofEngineError } from '@symbolon/core/proofs/proof-engine';
import { addNames, addToken } from '../commands/mcp/commands.ts';
import { walletLimits } from '../limits/command-limits.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { readRequestId } from './open-requests.ts';
import { failureText, othersNotice, quoted, toolResult } from './tool-results.ts';

describe('texts by others', () => {
  test('are short and plain', () => {
    assert.equal(quoted('a city'), 'a city');
    assert.equal(quoted('a\u0000\u001b[31m\nb\u202ec\u200bd'), 'a [31m b c d');
    assert.equal(quoted('x'.repeat(10_000)).length, walletLimits.quotedCharsMax + 1);
    assert.equal(quoted(undefined), 'undefined');
  });

  test('numbers keep every digit', () => {
    const { content, structuredContent } = toolResult({ amount: 9_223_372_036_854_775_807n });
    const told = { notice: othersNotice, amount: '9223372036854775807' };
    assert.deepEqual(structuredContent, told);
    assert.deepEqual(content, [{ type: 'text', text: JSON.stringify(told) }]);
  });
});

describe('failures', () => {
  test('that are expected say their words; a defect is told to the owner alone', () => {
    const told: string[] = [];
    const text = (error: unknown) => failureText(error, (lines) => told.push(...[lines].flat()));
    assert.equal(text(new CommandFailure('What.\nWhy.\nDo.')), `What.\nWhy.\nDo.\n${othersNotice}`);
    assert.match(text(new ProofEngineError('timedOut', 'secret value')), /^The proof was not made/);
    assert.deepEqual(told, []);
    assert.ok(!text(new Error('key priv123')).includes('priv123'));
    assert.match(told.join(), /priv123/);
  });
});

describe('a request that is to be answered', () => {
  const origin = 'https://service.example';
  test('is named by its id or by a link to the service', () => {
    const link = `${origin}/v1/presentation/pres_1_ab`;
    for (const text of [
      'pres_1_ab',
      ` ${link}\n`,
      `${origin}/api/v1/presentation/pres_1_ab`,
      `zetrix://?request_uri=${link}`,
      `zetrix://?request_uri=${encodeURIComponent(link)}`,
    ])
      assert.equal(readRequestId(text, origin), 'pres_1_ab');
  });

  for (const text of [
    '',
    'https://evil.example/v1/presentation/pres_1_ab',
    'https://service.example.evil/v1/presentation/pres_1_ab',
    'https://service.example@evil.example/v1/presentation/pres_1_ab',
    'http://service.example/v1/presentation/pres_1_ab',
    `${origin}/v1/presentation/../../admin`,
    `${origin}/v1/presentation/a%2Fb`,
    `${origin}/v1/presentation/`,
    'zetrix://?request_uri=',
    'zetrix://?request_uri=%',
    'javascript:alert(1)',
  ])
    test(`${JSON.stringify(text)} is none`, () =>
      assert.throws(() => readRequestId(text, origin), /was not looked at/));
});

describe("the owner's words", () => {
  const token = 'ZTX3SaMw164VpkvH5EGvbJ5Kit9jFWd6GjLjy';
  test('name tokens and attributes, one after the other', () => {
    assert.deepEqual(addToken(`${token}=5`, new Map()), new Map([[token, { perPayment: 5n, perDay: 5n }]]));
    assert.deepEqual(addToken(`${token}=5:9`, new Map()), new Map([[token, { perPayment: 5n, perDay: 9n }]]));
    assert.deepEqual(addNames('a, b', addNames('c', new Set())), new Set(['c', 'a', 'b']));
  });

  test('that say nothing clear are refused', () => {
    for (const text of ['', token, `${token}=`, `${token}=-1`, `${token}=1:2:3`, `${token}=1=2`, 'x=1', '=1'])
      assert.throws(() => addToken(text, new Map()));
    for (const text of ['', ',', 'a,,b', 'x'.repeat(65)]) assert.throws(() => addNames(text, new Set()));
    const many = Array.from({ length: walletLimits.policyEntriesMax + 1 }, (_, index) => `a${index}`).join(
      ',',
    );
    assert.throws(() => addNames(many, new Set()), /at most/);
  });
});
