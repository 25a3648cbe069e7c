import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '@symbolon/host/telemetry/log';
import { type Chore, startBackgroundWork } from './background-work.ts';

function watched() {
  const lines: string[] = [];
  const log = createLog({ level: 'error', stream: { write: (line) => void lines.push(line) } });
  return { log, lines };
}

const never = 1_000_000;

describe('background work', () => {
  test('runs each chore again and again, whatever becomes of a run', async () => {
    const { log, lines } = watched();
    const { promise, resolve } = Promise.withResolvers<void>();
    let runs = 0;
    const failing: Chore = {
      name: 'failing',
      everyMs: 1,
      async work() {
        runs += 1;
        if (runs === 3) resolve();
        throw new Error(`run ${runs}`);
      },
    };
    const background = startBackgroundWork([failing], log);
    // The timers alone keep no process alive, a test's no more than a service's.
    await Promise.race([promise, sleep(5_000)]);
    await background.stop();
    assert.ok(runs >= 3);
    assert.ok(lines.some((line) => line.includes('"chore":"failing"') && line.includes('run 1')));
  });

  test('starts eager chores at once and others after their time', async () => {
    const ran: string[] = [];
    const chore = (name: string, isEager: boolean): Chore => ({
      name,
      everyMs: never,
      isEager,
      work: async () => void ran.push(name),
    });
    const background = startBackgroundWork([chore('eager', true), chore('patient', false)], watched().log);
    await sleep(20);
    await background.stop();
    assert.deepEqual(ran, ['eager']);
  });

  test('never runs a chore twice at the same time, and ends with what is under way', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let runs = 0;
    const slow: Chore = {
      name: 'slow',
      everyMs: never,
      async work() {
        runs += 1;
        await promise;
      },
    };
    const background = startBackgroundWork([slow], watched().log);
    const both = Promise.all([background.run('slow'), background.run('slow')]);
    let isStopped = false;
    const stopping = background.stop().then(() => {
      isStopped = true;
    });
    await sleep(5);
    assert.equal(isStopped, false);
    resolve();
    await Promise.all([both, stopping]);
    assert.equal(runs, 1);
    await assert.rejects(background.run('unheard of'), /no chore/);
  });
});
