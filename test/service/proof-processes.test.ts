/** What proof processes have of the process that started them, where that one has a ledger's files open as well. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { test } from 'node:test';
import { startService } from '../support/running-service.ts';
import { until } from '../support/until.ts';

/** Which of the ledger's files a process has open. */
const ledgerFilesOf = (pid: number | string): string[] =>
  readdirSync(`/proc/${pid}/fd`)
    .flatMap((name) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${name}`)];
      } catch {
        return [];
      }
    })
    .filter((file) => /\/(LOCK|LOG|MANIFEST-\d+|\d+\.(log|ldb))$/.test(file));

const proofProcesses = (): string[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter((pid) => pid !== '' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('process-program'));

test('they have none of its files', async (context) => {
  await startService(context);
  assert.ok(ledgerFilesOf(process.pid).length > 0, 'the ledger is in this process');
  const pids = await until('proof processes are there', () => {
    const found = proofProcesses();
    return found.length > 0 && found;
  });
  for (const pid of pids) await until('it has closed them', () => ledgerFilesOf(pid).length === 0);
});
