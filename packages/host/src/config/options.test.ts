import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OptionError, parseOptions } from './options.ts';

const parse = (...args: string[]) =>
  parseOptions({
    args,
    allowPositionals: true,
    allowNegative: true,
    options: { count: { type: 'string', default: '1' }, peer: { type: 'boolean', default: true } },
  });

test('options are read, their negations too', () => {
  const { values, positionals } = parse('what', '--count', '3', '--no-peer');
  assert.deepEqual([{ ...values }, positionals], [{ count: '3', peer: false }, ['what']]);
});

test('what is not known is refused with the nearest name, and help is told apart', () => {
  const refused =
    (message: RegExp, isHelp = false) =>
    (error: unknown) =>
      error instanceof OptionError && message.test(error.message) && error.isHelp === isHelp;
  assert.throws(
    () => parse('--cuont', '3'),
    refused(/^"--cuont" is not known here; did you mean "--count"\?$/),
  );
  assert.throws(() => parse('--count'), refused(/--count/));
  assert.throws(() => parse('--cuont', '--help', '3'), refused(/did you mean "--count"/));
  assert.throws(() => parse('--help'), refused(/^$/, true));
});
