/** The commands of docs/cli-credentials.md, run in order as they stand there against a real service. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { processTerminal } from '@symbolon/cli/terminal/terminal';
import { assertPlain, type CommandWorld, credentialProgram, startCommandWorld } from './credential-world.ts';

const root = path.resolve(import.meta.dirname, '../..');
const manual = readFileSync(path.join(root, 'docs/cli-credentials.md'), 'utf8');
const lines = [...manual.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
);

/** Of this run: each line of the document starts a process. */
const { NODE_COMPILE_CACHE } = process.env;
const compileCache = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

interface Shell {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A line as a shell runs it, with `symbolon` as a function. What does not end by itself is told to, once it is ready. */
function shell({ env, file }: CommandWorld, line: string, id: string): Promise<Shell> {
  const main = path.join(root, 'packages/cli/src/main.ts');
  const command = `symbolon() { "${process.execPath}" "${main}" "$@"; }
${line}`;
  const child = spawn('bash', ['-c', command], {
    cwd: path.dirname(file('x')),
    env: { PATH: process.env.PATH ?? '', ...compileCache, ...env, ID: id },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const printed = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.out += text;
    if (printed.out.includes('Ready.')) process.kill(-(child.pid as number), 'SIGINT');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.err += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...printed }));
  });
}

test('every command of the document does what stands there', async (context) => {
  assert.ok(lines.length > 20, 'the document has commands');
  const world = await startCommandWorld(context);
  let id = '';
  for (const line of lines) {
    const { code, out, err } = await shell(world, line, id);
    const expected = Number(/# .*exit code (\d+)$/.exec(line)?.[1] ?? 0);
    // A shell that is interrupted with its command ends by the signal.
    const isListening = line.startsWith('symbolon listen');
    assert.ok(code === expected || (isListening && /^Ready\. /.test(out)), `${line}\n${code}\n${out}${err}`);
    assertPlain(out + err);
    id = /You applied for [\s\S]*?(did:zid:[0-9a-f]{64})/.exec(out)?.[1] ?? id;
    if (line.includes('symbolon wallet answer')) assert.match(out, /^VERIFIED/m);
    if (line.includes('symbolon verify presentation.json'))
      assert.match(
        out,
        expected === 0 ? /^VERIFIED {3}saw: name = "Aroha Ngata"/m : /^NOT VERIFIED {3}credential revoked/m,
      );
  }
});

test('the table has every command', () => {
  const program = credentialProgram(processTerminal);
  const names = program.commands.flatMap((command) =>
    command.commands.length === 0
      ? [command.name()]
      : command.commands.map((inner) => `${command.name()} ${inner.name()}`),
  );
  assert.ok(names.length > 15);
  for (const name of names) assert.match(manual, new RegExp(`\`${name}[ \`]`), `${name} stands in the table`);
});
