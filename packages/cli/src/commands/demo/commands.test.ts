import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { Command } from 'commander';
import { createTerminal } from '../../terminal/terminal.ts';
import { addDemoCommand } from './commands.ts';

/** The program that is printed for a profile. */
async function printed(form: string, profile: string): Promise<string> {
  let text = '';
  const out = (more: string): void => {
    text += more;
  };
  const program = new Command('symbolon').exitOverride();
  addDemoCommand(program, createTerminal({ out, err: () => undefined, isWatched: false, hasColours: false }));
  await program.parseAsync(['demo', '--as', form, '--profile', profile], { from: 'user' });
  return text;
}

test('the name of a profile is a name in the programs that are printed, and runs nothing', async (context) => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'symbolon-demo-'));
  context.after(() => rmSync(root, { recursive: true, force: true }));
  for (const name of [
    '$(touch pwned)',
    "'; touch pwned; '",
    '"}; touch pwned #',
    '`touch pwned`\\',
    'a\nb\u001b',
  ]) {
    const file = path.join(root, name, 'demo.json');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '{}', { mode: 0o600 });
    const script = await printed('curl', file);
    const [line] = /^demo=.*$/m.exec(script) ?? assert.fail('the script names its file');
    const told = execFileSync('bash', ['-c', `${line}\nprintf %s "$demo"`], { cwd: root, encoding: 'utf8' });
    assert.equal(told, file);
    execFileSync('bash', ['-n'], { input: script });
    const program = stripTypeScriptTypes(await printed('ts', file));
    const [, text = ''] = /process\.argv\[2\] \?\? ("(?:[^"\\]|\\.)*")/.exec(program) ?? [];
    assert.equal(JSON.parse(text), file);
  }
  assert.equal(existsSync(path.join(root, 'pwned')), false);
});
