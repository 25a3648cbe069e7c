import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { thisHost } from '@symbolon/ledger-node/chain/execution-host';
import { findingLines } from './finding.ts';
import { checkDiskSync, checkFreeDisk, checkHost, checkPort, nearestFolder } from './machine.ts';

function tempFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-doctor-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function busyPort(t: TestContext): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('the machine', () => {
  const onNode = (node: string) => checkHost({ ...thisHost(), node });
  for (const version of ['24.15.0', '24.21.0'])
    test(`Node ${version} is fine`, () => assert.equal(onNode(version).verdict, 'fine'));
  for (const version of ['20.20.2', '24.14.9', '25.0.0', '26.0.0', '', 'x.y'])
    test(`Node "${version}" executes no blocks`, () => {
      const { verdict, detail } = onNode(version);
      assert.equal(verdict, 'wrong');
      assert.match(detail, /24\.15 or newer, but older than 25/);
    });

  test('another engine or too little stack is told as the node tells it', () => {
    for (const unfit of [{ v8: '14.6.1' }, { stackBytes: 500_000 }]) {
      const { verdict, detail } = checkHost({ ...thisHost(), ...unfit });
      assert.equal(verdict, 'wrong');
      assert.match(detail, /V8 14\.6\.1|500000 bytes/);
    }
  });

  test('a disk is timed and left as it was', async (t) => {
    const folder = tempFolder(t);
    const { verdict, detail } = await checkDiskSync(folder);
    assert.notEqual(verdict, 'wrong');
    assert.match(detail, /takes [\d.]+ ms/);
    assert.deepEqual(readdirSync(folder), []);
    assert.match((await checkFreeDisk(folder)).detail, /GiB free/);
  });

  test('a folder that cannot be written is wrong, with advice', async (t) => {
    const { verdict, advice } = await checkDiskSync(path.join(tempFolder(t), 'missing'));
    assert.equal(verdict, 'wrong');
    assert.ok(advice);
  });

  test('a folder that is not made yet is looked for above', async (t) => {
    const folder = tempFolder(t);
    assert.equal(await nearestFolder(path.join(folder, 'a', 'b')), folder);
    assert.equal(await nearestFolder(folder), folder);
  });

  test('a port is ours, free, or taken by somebody who is named', async (t) => {
    const port = await busyPort(t);
    const order = { name: 'the node', port, option: '--port <number>' };
    assert.equal((await checkPort({ ...order, isOurs: true })).verdict, 'fine');
    assert.equal((await checkPort({ ...order, port: 0, isOurs: false })).verdict, 'fine');
    const taken = await checkPort({ ...order, isOurs: false });
    assert.equal(taken.verdict, 'notice');
    assert.match(taken.detail, /listens there/);
  });

  test('a finding is a line with a mark, and a line with what to do', () => {
    const terminal = { print: () => {}, remark: () => {}, isWatched: false, hasColours: false };
    const [fine = ''] = findingLines({ name: 'disk', verdict: 'fine', detail: 'ok' }, terminal);
    assert.match(fine, /^✔ disk +ok$/);
    const text = findingLines(
      { name: 'disk', verdict: 'wrong', detail: 'full', advice: 'Make room.' },
      terminal,
    );
    assert.match(text.join('\n'), /^✖ disk +full\n +→ Make room\.$/);
  });
});
