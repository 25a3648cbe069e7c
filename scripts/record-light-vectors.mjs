/**
 * `node scripts/record-light-vectors.mjs`: the vectors of `packages/core/vectors/light.json` made anew. Four validators
 * of a real CometBFT with its own key-value application run on this machine; one is away for some blocks, then the set
 * of validators changes until a jump over the changes has too little power in common. Every header is recorded with its
 * commit and its validators, as the RPC tells them. SYMBOLON_COMETBFT says where the program is, else PATH is searched.
 */
import { spawn, spawnSync } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from './lib/node.mjs';
import { Complaint, main, say } from './lib/say.mjs';

const program = process.env.SYMBOLON_COMETBFT ?? 'cometbft';
const file = path.join(root, 'packages/core/vectors/light.json');
/** As in a network of ours: the genesis is the first block of the ledger, so the first of CometBFT is the second. */
const initialHeight = 2;
const validators = 4;
const waitMsMax = 180_000;

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function run(args) {
  const { status, stdout, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Complaint(`${program} ${args[0]} did not work: ${error ?? status}`);
  return stdout.trim();
}

async function prepare(folder) {
  run(['testnet', '--v', String(validators), '--o', folder, '--initial-height', String(initialHeight)]);
  const nodes = [];
  for (let index = 0; index < validators; index += 1) {
    const home = path.join(folder, `node${index}`);
    const id = run(['show-node-id', '--home', home]);
    nodes.push({ home, id, p2p: await freePort(), rpc: await freePort() });
  }
  const peers = nodes.map(({ id, p2p }) => `${id}@127.0.0.1:${p2p}`).join(',');
  for (const { home, p2p, rpc } of nodes) {
    const config = path.join(home, 'config/config.toml');
    const set = (text, name, value) => text.replace(new RegExp(`^${name} = .*$`, 'm'), `${name} = ${value}`);
    let text = readFileSync(config, 'utf8');
    text = set(text, 'timeout_commit', '"200ms"');
    text = set(text, 'persistent_peers', `"${peers}"`);
    text = text.replace('tcp://127.0.0.1:26657', `tcp://127.0.0.1:${rpc}`);
    text = text.replace('tcp://0.0.0.0:26656', `tcp://127.0.0.1:${p2p}`);
    writeFileSync(config, text);
  }
  return nodes;
}

function start(node) {
  const log = openSync(path.join(node.home, 'log'), 'a');
  const args = ['start', '--home', node.home, '--proxy_app', 'kvstore'];
  node.process = spawn(program, args, { stdio: ['ignore', log, log] });
}

async function stop(node) {
  const child = node.process;
  if (!child || child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

async function ask(node, question) {
  const reply = await fetch(`http://127.0.0.1:${node.rpc}/${question}`);
  const { result, error } = await reply.json();
  if (error) throw new Complaint(`CometBFT refuses ${question}: ${JSON.stringify(error)}`);
  return result;
}

async function heightOf(node) {
  const status = await ask(node, 'status').catch(() => undefined);
  return Number(status?.sync_info.latest_block_height ?? 0);
}

async function untilHeight(node, height) {
  const end = Date.now() + waitMsMax;
  while ((await heightOf(node)) < height) {
    if (Date.now() > end) throw new Complaint(`there is no block ${height} after ${waitMsMax} ms`);
    await wait(100);
  }
}

const later = async (node, blocks) => untilHeight(node, (await heightOf(node)) + blocks);

/** A transaction by which the application gives a validator another power. */
async function setPower(node, of, power) {
  const { pub_key: key } = JSON.parse(
    readFileSync(path.join(of.home, 'config/priv_validator_key.json'), 'utf8'),
  );
  const tx = `val=ed25519!${key.value}!${power}`;
  await ask(node, `broadcast_tx_sync?tx=${encodeURIComponent(JSON.stringify(tx))}`);
}

async function tellStory(nodes) {
  const [first, second, third, last] = nodes;
  nodes.forEach(start);
  await untilHeight(last, initialHeight + 3);
  await stop(first);
  await later(last, 3);
  start(first);
  await later(last, 2);
  await setPower(last, last, 100);
  await later(last, 4);
  for (const node of [first, second, third]) await setPower(last, node, 0);
  await later(last, 4);
  await setPower(last, first, 50);
  await later(last, 5);
}

async function record(node) {
  const newest = (await heightOf(node)) - 1;
  const blocks = [];
  for (let height = initialHeight; height <= newest; height += 1) {
    const { signed_header } = await ask(node, `commit?height=${height}`);
    const { validators: set } = await ask(node, `validators?height=${height}&per_page=100`);
    blocks.push({ signed_header, validators: set });
  }
  return blocks;
}

await main(async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'light-vectors-'));
  const nodes = await prepare(folder);
  try {
    await tellStory(nodes);
    const blocks = await record(nodes.at(-1));
    const madeBy = `CometBFT ${run(['version'])}, key-value application`;
    const rows = blocks.map((block) => `    ${JSON.stringify(block)}`).join(',\n');
    writeFileSync(file, `{\n  "madeBy": ${JSON.stringify(madeBy)},\n  "blocks": [\n${rows}\n  ]\n}\n`);
    say(`  ✔ ${blocks.length} blocks are in packages/core/vectors/light.json`);
  } finally {
    for (const node of nodes) await stop(node);
    await rm(folder, { recursive: true });
  }
});
