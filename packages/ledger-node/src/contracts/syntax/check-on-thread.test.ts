import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { HostFault } from '@symbolon/core/basics/host-fault';
import { checkSyntaxOnThread, SyntaxThread } from './check-on-thread.ts';
import { checkContractSyntax } from './check-syntax.ts';

const nested = (levels: number) =>
  `'use strict'; function init(input) { return ${'('.repeat(levels)}input${')'.repeat(levels)}; }`;

describe('the syntax check on a thread', () => {
  test('says what the check says', () => {
    for (const code of ['', nested(1), nested(90), nested(5_000), 'let a = ;', '/(/', 'x'.repeat(300_000)]) {
      assert.deepEqual(checkSyntaxOnThread(code), checkContractSyntax(code));
    }
  });

  test('does not depend on the stack that is left to whoever asks', () => {
    const codes = Array.from({ length: 40 }, (_, index) => `${nested(90)}${' '.repeat(index)}let a = ;`);
    const expected = codes.map((code) => checkContractSyntax(code));
    const given: { index: number; findings: unknown }[] = [];
    let answers = 0;
    let cutShort = 0;
    /** Asks at every depth near the end of the stack; running out of it here is no verdict. */
    const dive = (): void => {
      try {
        dive();
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
      const index = (answers + cutShort) % codes.length;
      if (answers >= codes.length) return;
      try {
        const findings = checkSyntaxOnThread(codes[index]);
        given[answers] = { index, findings };
        answers += 1;
      } catch (error) {
        if (!(error instanceof RangeError || error instanceof HostFault)) throw error;
        cutShort += 1;
      }
    };
    dive();
    for (const { index, findings } of given) assert.deepEqual(findings, expected[index]);
    assert.ok(cutShort > 0 && answers >= codes.length, `${answers} answers, ${cutShort} cut short`);
  });

  test('is a fault of the node, not a verdict, when the thread has too little stack', () => {
    const thread = new SyntaxThread({ stackMb: 1 });
    assert.throws(() => thread.check(nested(1)), /HostFault.*the stack has \d+ bytes/);
    thread.end();
  });

  test('is a fault of the node when the thread dies, and the next question has a new one', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'syntax-'));
    const file = path.join(folder, 'thread.mjs');
    const dying = new SyntaxThread({ script: pathToFileURL(file), answerMsMax: 3_000 });
    writeFileSync(file, 'process.exit(1);');
    assert.throws(() => dying.check(nested(1)), HostFault);
    writeFileSync(
      file,
      `import { workerData } from 'node:worker_threads';
       workerData.port.on('message', ({ number }) => { workerData.port.postMessage({ number, findings: [] });
         Atomics.add(workerData.answered, 0, 1); Atomics.notify(workerData.answered, 0); });`,
    );
    assert.deepEqual(dying.check(nested(1)), []);
    dying.end();
    await rm(folder, { recursive: true });
  });

  test('keeps no process from ending', async () => {
    const worker = new Worker(
      `import { checkSyntaxOnThread } from ${JSON.stringify(new URL('./check-on-thread.ts', import.meta.url).href)};
       checkSyntaxOnThread('');`,
      { eval: true, execArgv: ['--input-type=module'] },
    );
    const [code] = await once(worker, 'exit');
    assert.equal(code, 0);
  });
});
