import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tableLines } from '../terminal/layout.ts';
import { createTerminal } from '../terminal/terminal.ts';
import { type Network, type NetworkNode, nodeName } from './network-file.ts';
import { conclusions, dueLines, lookJson, tableRows } from './network-table.ts';
import { hasQuorum, type NetworkLook, type NodeLook } from './observing.ts';

const nothing = () => undefined;
const screen = createTerminal({ out: nothing, err: nothing, isWatched: true, hasColours: false, width: 80 });

const nodeAt = (index: number): NetworkNode => ({
  name: nodeName(index),
  publicKey: '0'.repeat(64),
  peerId: '0'.repeat(40),
  payTo: 'ZTX',
  ports: { http: 65_535, socket: 2, abci: 3, rpc: 4, p2p: 5 },
});

const lookAt = (index: number, changes: Partial<NodeLook> = {}): NodeLook => ({
  node: nodeAt(index),
  state: 'catching up',
  running: ['ledger', 'cometbft'],
  height: 100_000_000,
  block: 100_000_000,
  first: 2,
  lag: 1_000_000,
  peers: 99,
  appHash: 'ab'.repeat(32),
  power: 1_000_000_000_000,
  isThere: true,
  due: undefined,
  ...changes,
});

const networkOf = (nodes: readonly NodeLook[]): Network => ({
  folder: 'somewhere',
  chainId: 'symbolon-0',
  council: 'ZTX',
  genesisAddress: 'ZTX',
  commitMs: 1_000,
  snapshotEvery: 100,
  nodes: nodes.map(({ node }) => node),
});

const lookOf = (nodes: readonly NodeLook[], more: Partial<NetworkLook> = {}): NetworkLook => ({
  nodes,
  agreement: undefined,
  power: undefined,
  ...more,
});

describe('the table of a network', () => {
  test('fits on 80 columns, whatever the numbers are', () => {
    const nodes = Array.from({ length: 100 }, (_, index) => lookAt(index + 1));
    const lines = tableLines(screen, tableRows(lookOf(nodes), screen));
    assert.equal(lines.length, 101);
    for (const line of lines) assert.ok(line.length <= 80, line);
  });

  test('says from which block on a node has them that began with a snapshot', () => {
    const nodes = [lookAt(1), lookAt(2, { first: 30 }), lookAt(3, { first: undefined })];
    assert.deepEqual(
      conclusions(networkOf(nodes), lookOf(nodes)).filter((line) => line.includes('snapshot')),
      ['node-2 began with a snapshot, and has the blocks from 30 on.'],
    );
  });

  test('says of another block on one node that there is one', () => {
    const nodes = [lookAt(1), lookAt(2)];
    const told = nodes.map(({ node: { name } }, index) => ({
      name,
      hash: `a${index}`,
      appHash: `b${index}`,
    }));
    const look = lookOf(nodes, { agreement: { height: 7, isSame: false, nodes: told } });
    assert.deepEqual(conclusions(networkOf(nodes), look), [
      'BLOCK 7 IS NOT THE SAME EVERYWHERE: node-1 b0, node-2 b1.',
    ]);
    assert.deepEqual((lookJson(networkOf(nodes), look).agreement as { same: boolean }).same, false);
  });

  test('needs more than two thirds of the power, and not just as much', () => {
    const withPower = (present: number, whole: number) => lookOf([], { power: { present, whole } });
    assert.deepEqual([withPower(30, 40), withPower(20, 30), withPower(20, 40), lookOf([])].map(hasQuorum), [
      true,
      false,
      false,
      false,
    ]);
  });

  test('names who is away where blocks wait, and not who signs and is slow to answer', () => {
    const nodes = [
      lookAt(1, { state: 'runs', power: 10 }),
      lookAt(2, { state: 'slow', power: 10 }),
      lookAt(3, { state: 'stopped', running: [], power: 10, isThere: false }),
      lookAt(4, { state: 'slow', power: 10, isThere: false }),
      lookAt(5, { state: 'stopped', running: [], power: 0, isThere: false }),
    ];
    const look = lookOf(nodes, { power: { present: 20, whole: 40 } });
    assert.ok(
      conclusions(networkOf(nodes), look).includes(
        'Validators with 20 of 40 of the power are there: blocks need more than two thirds, and wait. node-3 is stopped. node-4 runs, and does not answer in time.',
      ),
    );
  });

  test('says for which upgrade the nodes have stopped, and what to run', () => {
    const due = { after: 40, version: '9.0.0', block: 40 };
    const nodes = [lookAt(1, { state: 'stopped', running: [], due, isThere: false })];
    const [what, why, next] = dueLines(networkOf(nodes), lookOf(nodes));
    assert.equal(conclusions(networkOf(nodes), lookOf(nodes))[0], what);
    assert.equal(what, 'The network stopped at block 40 for the planned upgrade to 9.0.0.');
    assert.match(String(why), /makes no further block/);
    assert.match(
      String(next),
      /Install 9\.0\.0 or a newer one, then run: symbolon network up --dir somewhere/,
    );
    assert.deepEqual(
      (lookJson(networkOf(nodes), lookOf(nodes)).nodes as { upgrade: unknown }[]).map(
        ({ upgrade }) => upgrade,
      ),
      [due],
    );
  });

  test('names the log of what has ended', () => {
    const nodes = [
      lookAt(1, { running: ['ledger'], state: 'half down' }),
      lookAt(2, { running: [], state: 'stopped' }),
    ];
    assert.deepEqual(conclusions(networkOf(nodes), lookOf(nodes)), [
      'No node answers.',
      'node-1: its log says why it ended: somewhere/node-1/cometbft.log',
    ]);
  });
});
