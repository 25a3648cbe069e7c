/** The examples of docs/cli.md, "Ledger", run as they stand there, from top to bottom, beside a demo that runs. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import { runIn, startIn } from './ledger-world.ts';

const manual = readFileSync(path.resolve(import.meta.dirname, '../../docs/cli.md'), 'utf8');

interface Example {
  readonly command: string;
  readonly words: readonly string[];
}

const examples = [...manual.matchAll(/^\| `([^`]+)` \| [^|]+ \| `symbolon ([^`]+)` \|$/gm)].map(
  ([, command = '', words = '']): Example => ({
    command,
    words: [...words.matchAll(/<[^>]+>|\S+/g)].map(([word]) => word),
  }),
);

test('every command of the table has an example that works', { timeout: 240_000 }, async (context) => {
  assert.ok(examples.length >= 21);
  for (const { command, words } of examples) assert.ok(words.join(' ').startsWith(command), command);
  const folder = tempFolder(context);
  const demo = startIn(folder, context, ['dev', '--ledger-port', '0', '--service-port', '0', '--no-open']);
  // The time limit of the test is the patience here: a busy machine takes half a minute for a first start.
  while (!demo.printed.out.includes('is up')) await delay(100);
  const run = runIn(folder, context);
  const seen = new Map<string, string>();
  for (const { command, words } of examples) {
    const filled = words.map((word) => seen.get(word) ?? word);
    if (command === 'reset') {
      demo.stop();
      await demo.ended;
    }
    if (command === 'tail') {
      const tail = startIn(folder, context, filled);
      await until('tail to watch', () => tail.printed.err.includes('Watching'));
      tail.stop();
      assert.equal((await tail.ended).code, 0);
      continue;
    }
    // In the place of a person who types one.
    const env = { SYMBOLON_KEY_PASSWORD: 'correct horse battery' };
    const { code, out, err } = await run(filled, { env });
    assert.equal(code, 0, `symbolon ${filled.join(' ')}\n${out}${err}`);
    for (const name of ['address', 'public key', 'transaction']) {
      const value = new RegExp(`^ +${name} +(\\w+)$`, 'm').exec(out)?.[1];
      // The account of the story is the one whose key was made first.
      if (value !== undefined && (name === 'transaction' || !seen.has(`<${name}>`)))
        seen.set(`<${name}>`, value);
    }
  }
  assert.ok(!existsSync(path.join(folder, '.symbolon', 'dev')));
});
