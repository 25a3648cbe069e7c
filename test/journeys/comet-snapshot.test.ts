/** A node that joins a real network with a snapshot of it: CometBFT's state sync, killed in the middle, and what it then says. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { before, describe, type TestContext, test } from 'node:test';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { findBase, readHeader } from '@symbolon/ledger-node/chain/chain-reader';
import { isUnfinished } from '@symbolon/ledger-node/chain/restoration';
import { snapshotsPath, storePath } from '@symbolon/ledger-node/node/node-folder';
import { LevelStore } from '@symbolon/ledger-node/store/level-store';
import type { SdkError } from '@symbolon/sdk/errors/errors';
import { createLightClient } from '@symbolon/sdk/light/light-client';
import { LightBlockRefused } from '@symbolon/sdk/light/light-errors';
import { httpTransport } from '@symbolon/sdk/transport/transport';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { type CometNode, prepareCometNode, startCometNode } from '../support/comet-node.ts';
import { at } from '../support/http.ts';
import { startLyingNode } from '../support/lying-node.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person, richest } from '../support/people.ts';
import { operations } from '../support/running-node.ts';
import { symbolon } from '../support/symbolon-process.ts';
import { until } from '../support/until.ts';

const bob = person('bob');
/** Slow enough for one that catches up, and so many that a snapshot is kept until it is fetched. */
const everyBlocks = 15;
/** So large that the state takes two chunks. */
const large = 'x'.repeat(250_000);
const contract = `'use strict'; function init(input) { Chain.store('begun', input); return true; } function main(input) { Chain.store('called', input); return input; } function query() { return Chain.load('called'); }`;

const rpcResult = async (network: CometNode, method: string, params: JsonObject = {}) =>
  until(`${method} of CometBFT`, async () => {
    const answer = await network.rpc(method, params);
    return answer.result as JsonObject | undefined;
  });

describe('a node that joins with a snapshot', () => {
  const owner = ownerOfSuite();
  let first: CometNode;
  let contractAddress: string;
  let paidFirst = '';

  before(async () => {
    const config = { cometbft: { snapshotEvery: everyBlocks } };
    first = await startCometNode(owner, { config, timeoutCommitMs: 600 });
    const { node } = first;
    for (let count = 0; count < 3; count++) {
      const { hash } = await node.execute({ operations: [operations.payCoin(bob.address, 1_000_000)] });
      paidFirst ||= String(hash);
    }
    const created = await node.execute({
      operations: [
        {
          type: 1,
          create_account: {
            init_balance: 0,
            init_input: 'first',
            contract: { payload: contract },
            priv: { master_weight: 0, thresholds: { tx_threshold: 1 } },
          },
        },
      ],
    });
    assert.equal(created.error_code, 0);
    const [{ contract_address: address }] = JSON.parse(String(at(created, 'error_desc')));
    contractAddress = address;
    await node.execute({ operations: [operations.payCoin(contractAddress, 0, {})] });
    const hashes = [];
    const nonce = Number(
      at(await node.ask('getAccountBase', { address: richest.address }), 'result', 'nonce'),
    );
    for (let index = 1; index <= 20; index++) {
      const order = { nonce: nonce + index, operations: [operations.setMetadata(`large${index}`, large)] };
      hashes.push(at(await node.submit(order), 'result', 'hash') as string);
    }
    for (const hash of hashes) assert.equal((await node.record(hash)).error_code, 0);
  });

  /** A snapshot that has all of that, and a block to trust before it. */
  async function prepareJoining(context: TestContext): Promise<CometNode> {
    const seq = first.height();
    await until('a snapshot', () => first.height() >= seq + BigInt(everyBlocks) + 3n);
    const { signed_header: header } = await rpcResult(first, 'commit', { height: '3' });
    const hash = String(at(header as JsonObject, 'commit', 'block_id', 'hash'));
    return prepareCometNode(context, { joins: { network: first, trust: { height: '3', hash } } });
  }

  const caughtUp = (network: CometNode) =>
    until('the end of catching up', () => network.height() > 1n && network.height() + 5n >= first.height());

  test('has the state, goes on with the blocks, proves accounts, takes transactions, tells what it has not', async (context) => {
    const network = await prepareJoining(context);
    await network.startNode();
    network.startComet();
    await caughtUp(network);
    const { node } = network;
    const { head, rows } = node.served.node.chain;
    const same = readHeader(first.node.served.node.chain.rows, head.seq);
    assert.equal(encodeHex(same.hash), encodeHex(head.hash));

    assert.equal(await node.balance(bob.address), 3_000_000n);
    await node.execute({ operations: [operations.payCoin(bob.address, 1)] });
    assert.equal(await first.node.balance(bob.address), 3_000_001n);
    assert.equal(
      (await node.execute({ operations: [operations.payCoin(contractAddress, 0)] })).error_code,
      0,
    );
    await provesToLightClients(context, network);

    const base = findBase(rows)?.seq as bigint;
    await tellsWhatIsMissing(node, base);
    await network.stopComet();
    await network.stopNode();
    const { code, err } = await symbolon(context, ['node', 'verify', '--data', network.folder]);
    assert.equal(code, 78, err);
    assert.match(err, new RegExp(`begins with a snapshot of block ${base} `));

    // Both start again, and go on.
    await network.startNode();
    const { seq } = network.node.served.node.chain.head;
    network.startComet();
    await until('further blocks', () => network.height() > seq + 2n);
    await tellsWhatIsMissing(network.node, base);
  });

  /** With the signatures of the validators, from a block that the light client knows; a lying node is refused. */
  async function provesToLightClients(context: TestContext, { node, chainId }: CometNode): Promise<void> {
    const start = await until('a light block', async () => {
      const reply = await node.ask('getLightBlock');
      return reply.error_code === 0 && reply;
    });
    const header = at(start, 'result', 'signed_header', 'header') as JsonObject;
    const hash = String(at(start, 'result', 'signed_header', 'commit', 'block_id', 'hash'));
    const anchor = { chainId, seq: BigInt(String(header.height)), hash };
    const clientOf = (url: string) =>
      createLightClient({ nodes: [httpTransport(url)], anchor, trustingPeriodMs: 3_600_000, waitMs: 20_000 });
    const proven = await clientOf(node.url).account(bob.address);
    assert.equal(proven.entry?.balance, 3_000_001n);
    assert.ok(proven.header.anchor.seq > anchor.seq);
    const absent = await clientOf(node.url).metadata(bob.address, 'nothing');
    assert.equal(absent.entry, undefined);

    const richer = await startLyingNode(context, node.url, {
      getStateProof: (answer) => {
        const { header } = answer.result as { header: JsonObject };
        header.account_tree_hash = '00'.repeat(32);
      },
    });
    await assert.rejects(
      clientOf(richer.url).account(bob.address),
      (error: SdkError) => error.code === 'proofInvalid',
    );
    const forger = await startLyingNode(context, node.url, {
      getLightBlock: (answer) => {
        if (answer.error_code !== 0) return;
        const { signatures } = at(answer, 'result', 'signed_header', 'commit') as {
          signatures: JsonObject[];
        };
        const [vote] = signatures as [JsonObject];
        const bytes = Buffer.from(String(vote.signature), 'base64');
        bytes[3] = (bytes[3] as number) ^ 1;
        vote.signature = bytes.toString('base64');
      },
    });
    await assert.rejects(clientOf(forger.url).account(bob.address), LightBlockRefused);
  }

  /** Never something else in its place. */
  async function tellsWhatIsMissing(node: CometNode['node'], base: bigint): Promise<void> {
    const words = new RegExp(`begins with a snapshot of block ${base}|with whose snapshot this node begins`);
    const notFound = 4;
    const asked: [route: string, query: Parameters<typeof node.ask>[1]][] = [
      ['getLedger', { seq: base }],
      ['getLedger', { seq: base - 1n, with_consvalue: true }],
      ['getLedgerValidators', { seq: base - 1n }],
      ['getTransactionHistory', { ledger_seq: base }],
      ['getTransactionHistory', { hash: paidFirst }],
      ['getTransactions', {}],
      ['getAccountTransactions', { address: bob.address }],
      ['searchLedger', { q: bob.address }],
    ];
    for (const [route, query] of asked) {
      const reply = await node.ask(route, query);
      assert.equal(reply.error_code, notFound, `${route}: ${stringifyJson(reply)}`);
      assert.match(String(reply.error_desc), words, route);
    }
    assert.equal((await node.ask('getLightBlock', { seq: base })).error_code, notFound);
    assert.equal((await node.ask('getLedger', { seq: 1 })).error_code, 0);
    assert.equal((await node.ask('getLedger')).error_code, 0);
    const overview = await node.ask('getExplorerOverview');
    assert.equal(overview.error_code, 0);
    const latest = await node.ask('getTransactionHistory');
    const listed = at(latest, 'result', 'transactions') as JsonObject[];
    assert.equal(at(latest, 'result', 'total_count'), listed.length);
    for (const { ledger_seq: seq } of listed) assert.ok(BigInt(String(seq)) > base);
  }

  test('begins anew when it was killed in the middle, and joins', async (context) => {
    const network = await prepareJoining(context);
    // The first block, the mark of beginning, the emptying, one of two chunks: then the fifth.
    const writes = '4';
    const child = spawn(
      process.execPath,
      [
        path.resolve(import.meta.dirname, '../support/killed-node.ts'),
        network.folder,
        stringifyJson({ ...network.config, port: 0, socketPort: 0 }),
        writes,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    context.after(() => child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    network.startComet();
    const [, signal] = await ended;
    assert.equal(signal, 'SIGKILL');
    await network.stopComet();
    const store = await LevelStore.open(storePath(network.folder));
    assert.ok(isUnfinished(store));
    await store.close();

    await network.startNode();
    assert.equal(network.height(), 1n);
    assert.match(network.node.logged(), /is not whole: it begins again without/);
    network.startComet();
    await caughtUp(network);
    assert.equal(await network.node.balance(bob.address), 3_000_001n);
    assert.ok(findBase(network.node.served.node.chain.rows));
  });

  test('was given one of the two newest snapshots', () => {
    const kept = readdirSync(snapshotsPath(first.folder));
    assert.equal(kept.length, 2, kept.join());
    for (const name of kept) assert.equal(BigInt(name) % BigInt(everyBlocks), 0n);
  });
});
