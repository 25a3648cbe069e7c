import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Command } from 'commander';
import { helpExamples } from './help-examples.ts';
import { createProgram, withoutValues } from './program.ts';

interface Named {
  readonly words: string;
  readonly command: Command;
}

const below = (command: Command, words: string): readonly Named[] => [
  { words, command },
  ...command.commands.flatMap((child) => below(child, `${words} ${child.name()}`)),
];

const program = await createProgram();
const all = program.commands.flatMap((command) => below(command, command.name()));
const runnable = all.filter(({ words, command }) => command.commands.length === 0 || words === 'verify');

/** The words of an example as a shell would split them. */
const split = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain,
  );

describe('the help', () => {
  test('of every command can be printed, in lower case, with an example', () => {
    assert.ok(runnable.length > 60);
    for (const { words, command } of all) {
      assert.match(command.helpInformation(), /^Usage: symbolon /, words);
      assert.match(command.description(), /^[a-z]/, words);
    }
    assert.deepEqual(runnable.map(({ words }) => words).toSorted(), Object.keys(helpExamples).toSorted());
  });

  test('lists the commands as they are, without any of them', async () => {
    const listed = await createProgram(['--help']);
    assert.equal(listed.helpInformation(), program.helpInformation());
    assert.ok(listed.commands.every(({ commands }) => commands.length === 0));
  });

  test('has examples with words that the commands take', () => {
    for (const { words, command } of runnable)
      for (const line of helpExamples[words] ?? []) {
        const [, ...given] = split(line.slice(words.length - 1));
        assert.ok(line.startsWith(words), line);
        const known = new Set(command.options.map(({ long }) => long));
        for (const option of given.filter((word) => word.startsWith('--')))
          assert.ok(known.has(option), line);
        for (const { long, mandatory } of command.options)
          assert.ok(!mandatory || given.includes(long ?? ''), `${line} lacks ${long}`);
      }
  });

  test('calls the same thing the same everywhere', () => {
    const meaning = new Map<string, string>();
    const shared = ['--profile', '--ledger', '--service', '--json', '--fee-limit'];
    for (const { words, command } of runnable)
      for (const { long, flags, hidden } of command.options) {
        if (hidden || !long || !shared.includes(long)) continue;
        assert.equal(flags, meaning.get(long) ?? flags, words);
        meaning.set(long, flags);
      }
    assert.equal(meaning.size, shared.length);
  });
});

describe('a mistake in the words', () => {
  test('is told without the value, which may be a key', () => {
    const secret = 'privbsSecretKey';
    for (const text of [
      `error: command-argument value '${secret}' is invalid for argument 'hash'. It must be hex.`,
      `error: option '--port <number>' argument '${secret}' is invalid. A port is 0 to 65535.`,
      `error: option '--ledger <address>' value '${secret}' from env 'X' is invalid. No.`,
      `error: too many arguments for 'show'. Expected 1 argument but got 2: a, ${secret}.\n`,
    ])
      assert.ok(!withoutValues(text).includes(secret), withoutValues(text));
    assert.equal(
      withoutValues(`error: command-argument value 'x' is invalid for argument 'hash'. It must be hex.`),
      "error: 'hash' does not fit. It must be hex.",
    );
  });
});

describe('an option that is given twice', () => {
  const parse = async (words: readonly string[]) => {
    const fresh = await createProgram(words);
    fresh.configureOutput({ writeErr: () => undefined });
    return fresh.parseAsync(['node', 'symbolon', ...words]);
  };

  test('is refused by name, unless its help says that it is repeatable', async () => {
    const verify = ['verify', 'no-such-file.json'];
    const twice: readonly (readonly string[])[] = [
      [...verify, '--challenge', 'a', '--challenge', 'b'],
      [...verify, '--domain=a', '--domain', 'a'],
      ['request', '--template', 'a', '--template', 'b'],
      ['trust', 'list', 'show', 'a', '--profile', 'a', '--profile', 'b'],
    ];
    for (const words of twice) {
      const name = words.findLast((word) => word.startsWith('--')) ?? '';
      await assert.rejects(parse(words), (error: Error) => {
        assert.match(error.message, new RegExp(`'${name} <.*>' is given twice`));
        return true;
      });
    }
    const repeated = [...verify, '--ask', 'a', '--ask', 'b', '--template', 'a', '--template', 'b'];
    await assert.rejects(parse(repeated), /no-such-file/);
  });

  test('is taken where it adds up, which its help says', () => {
    for (const { words, command } of all)
      for (const { long, description, parseArg, variadic } of command.options)
        if (/\bbefore\b/.test(String(parseArg)) && !variadic)
          assert.match(description, /\brepeatable\b/, `${words} ${long}`);
  });
});
