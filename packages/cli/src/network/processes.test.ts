import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Network, NetworkNode } from './network-file.ts';
import { whileLocked } from './network-lock.ts';
import { beganAt, endNodeProcesses, pidOf } from './processes.ts';

const node: NetworkNode = {
  name: 'node-1',
  publicKey: '0'.repeat(64),
  peerId: '0'.repeat(40),
  payTo: '',
  ports: { http: 1, socket: 2, abci: 3, rpc: 4, p2p: 5 },
};

function networkIn(context: TestContext): Network {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-processes-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, node.name));
  return {
    folder,
    chainId: '',
    council: '',
    genesisAddress: '',
    commitMs: 1,
    snapshotEvery: 100,
    nodes: [node],
  };
}

async function sleeper(context: TestContext): Promise<ChildProcess & { pid: number }> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  context.after(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  return child as ChildProcess & { pid: number };
}

const note = ({ folder }: Network, ledger: object): void =>
  writeFileSync(path.join(folder, node.name, 'processes.json'), JSON.stringify({ ledger }));

test('a process is known by its beginning, which does not change and ends with it', async (context) => {
  const child = await sleeper(context);
  const began = await beganAt(child.pid);
  assert.ok(began);
  assert.equal(await beganAt(child.pid), began);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(await beganAt(child.pid), undefined);
});

test("a stranger's process of the same number is never signalled", async (context) => {
  const network = networkIn(context);
  const child = await sleeper(context);
  note(network, { pid: child.pid, began: 'another boot/1' });
  assert.equal(await pidOf(network, node, 'ledger'), undefined);
  assert.deepEqual(await endNodeProcesses(network, node, { signal: 'SIGKILL' }), []);
  assert.ok(await beganAt(child.pid));
});

for (const signal of ['SIGTERM', 'SIGKILL'] as const)
  test(`our own ends with ${signal}, also one that was stopped`, async (context) => {
    const network = networkIn(context);
    const child = await sleeper(context);
    note(network, { pid: child.pid, began: await beganAt(child.pid) });
    assert.equal(await pidOf(network, node, 'ledger'), child.pid);
    child.kill('SIGSTOP');
    assert.deepEqual(await endNodeProcesses(network, node, { signal }), ['ledger']);
    assert.equal(await beganAt(child.pid), undefined);
    assert.deepEqual(await endNodeProcesses(network, node, { signal }), []);
  });

test('one command at a time changes a network; one that is gone keeps nobody out', async (context) => {
  const { folder } = networkIn(context);
  await whileLocked(folder, async () => {
    await assert.rejects(
      whileLocked(folder, async () => {}),
      /Another command is changing this network: process/,
    );
  });
  writeFileSync(path.join(folder, 'network.lock'), '999999999 another boot/1');
  assert.equal(await whileLocked(folder, async () => 1), 1);
});
