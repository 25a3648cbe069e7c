import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { createLog } from '@symbolon/host/telemetry/log';
import { createTerminal } from '../terminal/terminal.ts';
import { logStreamOf } from './server-log.ts';

function screen(isWatched: boolean) {
  let text = '';
  const terminal = createTerminal({
    out: () => assert.fail('a log is no result'),
    err: (part) => {
      text += part;
    },
    isWatched,
    hasColours: false,
  });
  return { terminal, text: () => text };
}

describe('the log of a server', () => {
  test('is JSON on standard error for programs, as ever', () => {
    assert.equal(logStreamOf({ file: undefined, level: 'info' }, screen(false).terminal), undefined);
  });

  test('is words for a person, and of what needs attention alone', () => {
    const { terminal, text } = screen(true);
    const stream = logStreamOf({ file: undefined, level: 'info' }, terminal);
    assert.ok(stream);
    const log = createLog({ level: 'info', name: 'ledger', stream });
    log.info('a request');
    log.warn({ err: new Error('the disk is slow\u001b[2J') }, 'a block waits');
    log.error('the chain stops');
    assert.match(
      text(),
      /^\d\d:\d\d:\d\d {2}ledger {3}warning: a block waits \(the disk is slow\\u001b\[2J\)\n\d\d:\d\d:\d\d {2}ledger {3}error: the chain stops\n$/,
    );
  });

  test('is whole for whoever asks for another level', () => {
    const { terminal, text } = screen(true);
    const stream = logStreamOf({ file: undefined, level: 'debug' }, terminal);
    assert.ok(stream);
    createLog({ level: 'debug', name: 'service', stream }).debug('a detail');
    assert.match(text(), /service {2}debug: a detail\n$/);
  });

  test('is JSON in a file for its owner alone', (context) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-log-'));
    context.after(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'server.log');
    const { terminal, text } = screen(true);
    const stream = logStreamOf({ file, level: 'info' }, terminal);
    assert.ok(stream);
    createLog({ level: 'info', name: 'ledger', stream }).info('a request');
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).msg, 'a request');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(text(), '');
  });
});
