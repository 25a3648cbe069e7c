/**
 * A reporter for node:test that tells another process what happened: one JSON object a line on file
 * descriptor 3, which `npm test` reads (test-process.mjs). Suites and tests with subtests are folders, not
 * results: only what they hold is counted, unless the folder itself failed (a hook threw, say).
 */
import { writeSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';

const errorCharactersMax = 20_000;

/** Stack lines of Node itself: they say how a test is run, not what went wrong. */
const ownFrame = /\n\s+at [^\n]*\(?node:(internal|async_hooks)[^\n{]*(?=\n|$| \{)/g;

function pathOf(file) {
  if (!file) return undefined;
  return path.relative(process.cwd(), file.startsWith('file:') ? fileURLToPath(file) : file);
}

/** The error as the test threw it: node:test wraps it and keeps the original as the cause. */
function describe(error) {
  const original = error?.code === 'ERR_TEST_FAILURE' && error.cause !== undefined ? error.cause : error;
  const whole = typeof original === 'string' ? original : inspect(original, { depth: 6 });
  const text = whole.replaceAll(ownFrame, '');
  return text.length > errorCharactersMax ? `${text.slice(0, errorCharactersMax)}\n… (cut)` : text;
}

function outcomeOf(type, { skip, todo }) {
  if (skip !== undefined || todo !== undefined) return 'skipped';
  return type === 'test:pass' ? 'passed' : 'failed';
}

/** Turns node:test's events into our own: open, begin, close, result, note, end. */
export async function* translate(events) {
  const names = [];
  const children = [];
  for await (const { type, data } of events) {
    const { nesting, name } = data;
    if (type === 'test:enqueue') yield { kind: 'open' };
    else if (type === 'test:dequeue') yield { kind: 'begin', nesting, name };
    else if (type === 'test:complete') yield { kind: 'close', nesting, name };
    else if (type === 'test:start') names[nesting] = name;
    else if (type === 'test:pass' || type === 'test:fail') {
      const { details } = data;
      const isFolder = details.type === 'suite' || children[nesting + 1] > 0;
      children[nesting + 1] = 0;
      children[nesting] = (children[nesting] ?? 0) + 1;
      const outcome = outcomeOf(type, data);
      const ownFailure = outcome === 'failed' && details.error?.failureType !== 'subtestsFailed';
      if (isFolder && !ownFailure && outcome !== 'skipped') continue;
      const reason = [data.skip, data.todo].find((text) => typeof text === 'string' && text !== '');
      yield {
        kind: 'result',
        outcome,
        name: [...names.slice(0, nesting), name],
        file: pathOf(data.file),
        line: data.line,
        column: data.column,
        seconds: details.duration_ms / 1000,
        ...(outcome === 'failed' ? { error: describe(details.error) } : {}),
        ...(outcome === 'skipped' ? { reason: reason ?? 'no reason given' } : {}),
      };
    } else if (type === 'test:diagnostic' && (data.level === 'error' || data.level === 'warn')) {
      yield { kind: 'note', text: data.message };
    } else if (type === 'test:summary' && data.file === undefined) yield { kind: 'end' };
  }
}

// biome-ignore lint/correctness/useYield: node:test wants a generator, and nothing goes to its own stream
export default async function* report(events) {
  for await (const event of translate(events)) writeSync(3, `${JSON.stringify(event)}\n`);
}
