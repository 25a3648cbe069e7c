/**
 * `symbolon node …` and `symbolon dev` as a person at a terminal meets them: processes, exit codes, words, files.
 * What a running node answers is in the other journeys.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { AccountSchema, BlockRecordSchema } from '@symbolon/core/proto/ledger_pb';
import { blockRow, stateRow } from '@symbolon/ledger-node/chain/rows';
import { storePath } from '@symbolon/ledger-node/node/node-folder';
import { filesOf, overwrite } from '@symbolon/ledger-node/store/damage-fixture';
import { LevelStore } from '@symbolon/ledger-node/store/level-store';
import type { Row } from '@symbolon/ledger-node/store/store';
import { parseJson } from '@symbolon/wire/json/json';
import { ask, at, json, post, send } from '../support/http.ts';
import { keyFormat, person, personOf, richest } from '../support/people.ts';
import { makeChain, operations, serveFolder, signTransaction } from '../support/running-node.ts';
import { type RunningSymbolon, startSymbolon, symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const exitCodes = { usage: 2, damaged: 65, unreachable: 69, config: 78 };
const anyPorts = ['--port', '0', '--socket-port', '0'];

/** A folder with a chain that has never been started. */
async function newChain(context: TestContext): Promise<string> {
  const folder = path.join(tempFolder(context), 'node');
  await makeChain(folder);
  return folder;
}

const start = (context: TestContext, folder: string, env = {}): RunningSymbolon =>
  startSymbolon(context, ['node', 'start', '--data', folder, ...anyPorts], env);

const bob = person('bob');

const payment = (nonce: number) =>
  signTransaction(
    {
      source_address: richest.address,
      nonce,
      fee_limit: 1_000_000,
      gas_price: 1,
      operations: [operations.payCoin(bob.address, 1)],
    },
    [richest],
  );

const urlOf = (node: RunningSymbolon): Promise<string> => node.printed(/Ledger node +(http:\S+)/);

describe('symbolon', () => {
  test('explains itself and guesses what was meant', async (context) => {
    const [help, wrong, wrongInside, missing, badPort] = await Promise.all([
      symbolon(context, ['--help']),
      symbolon(context, ['nod']),
      symbolon(context, ['node', 'strat']),
      symbolon(context, ['node', 'init']),
      symbolon(context, ['node', 'start', '--data', 'x', '--port', '65536']),
    ]);
    assert.equal(help.code, 0);
    assert.match(help.out, /node +run and examine a ledger node/);
    assert.equal(wrong.code, exitCodes.usage);
    assert.match(wrong.err, /unknown command 'nod'[\s\S]*Did you mean node\?/);
    assert.equal(wrongInside.code, exitCodes.usage);
    assert.match(wrongInside.err, /Did you mean start\?/);
    assert.equal(missing.code, exitCodes.usage);
    assert.match(missing.err, /--data <folder>/);
    assert.equal(badPort.code, exitCodes.usage);
    assert.match(badPort.err, /A port is 0 to 65535/);
  });
});

describe('symbolon node init', () => {
  test('makes a folder with keys that only their owner can read', async (context) => {
    const folder = path.join(tempFolder(context), 'a', 'node');
    const args = ['--chain-id', '7', '--gas-price', '5', '--base-reserve', '0.0001gas', '--slogan', 'ours'];
    const made = await symbolon(context, ['node', 'init', '--data', folder, '--json', ...args]);
    assert.equal(made.code, 0, made.err);
    const { genesisAddress, validatorAddress, genesisKeyFile } = JSON.parse(made.out);
    const keyOf = (file: string) => readFileSync(file, 'utf8').trim();
    const seed = keyFormat.parsePrivateKey(keyOf(genesisKeyFile));
    assert.ok(seed && personOf(seed).address === genesisAddress);
    for (const name of ['genesis-account.key', 'validator.key']) {
      const file = path.join(folder, name);
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.ok(!made.out.includes(keyOf(file)));
    }
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    const document = parseJson(readFileSync(path.join(folder, 'genesis.json'), 'utf8'));
    assert.deepEqual(at(document, 'validators'), [validatorAddress]);
    assert.deepEqual(
      [at(document, 'chainId'), at(document, 'fees', 'gasPrice'), at(document, 'slogan')],
      [7, 5, 'ours'],
    );
    const again = await symbolon(context, ['node', 'init', '--data', folder]);
    assert.equal(again.code, exitCodes.config);
    assert.match(again.err, /is not empty/);
  });

  test('refuses numbers that are none and places that are no folder', async (context) => {
    const folder = tempFolder(context);
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    const [price, place] = await Promise.all([
      symbolon(context, ['node', 'init', '--data', path.join(folder, 'x'), '--gas-price', '-1']),
      symbolon(context, ['node', 'init', '--data', file]),
    ]);
    assert.equal(price.code, exitCodes.usage);
    assert.ok(!existsSync(path.join(folder, 'x')));
    assert.equal(place.code, 1);
    assert.match(place.err, /EEXIST/);
    assert.doesNotMatch(place.err, /\n\s+at /, 'no stack for a mistake of the user');
  });
});

describe('symbolon node start', () => {
  test('says what is wrong with the folder', async (context) => {
    const [wrongKey, noKey] = [await newChain(context), await newChain(context)];
    const other = person('somebody else');
    writeFileSync(path.join(wrongKey, 'validator.key'), other.privateKey);
    writeFileSync(path.join(noKey, 'validator.key'), 'not a key but secret');
    const expectations: [string, RegExp][] = [
      [path.join(wrongKey, 'nothing'), /genesis\.json cannot be read \(ENOENT\)[\s\S]*symbolon node init/],
      [wrongKey, new RegExp(`validator.key is ${other.address}, which genesis.json does not name`)],
      [noKey, /does not hold a private key/],
    ];
    const attempts = expectations.map(async ([folder, words]) => {
      const { code, err } = await start(context, folder).ended;
      assert.equal(code, exitCodes.config, err);
      assert.match(err, words);
      assert.doesNotMatch(err, /\n\s+at |but secret|priv[BC]/);
    });
    await Promise.all(attempts);
  });

  test('lists all mistakes of the configuration at once', async (context) => {
    const folder = await newChain(context);
    writeFileSync(
      path.join(folder, 'node.json'),
      JSON.stringify({ hots: 'x', queue: { transactionsMax: 0, lifetime: 1 }, logLevel: 'loud' }),
    );
    const env = { SYMBOLON_LEDGER_BLOCK_INTERVAL_MS: 'soon', SYMBOLON_LEDGER_POORT: '1' };
    const { code, err } = await start(context, folder, env).ended;
    assert.equal(code, exitCodes.config);
    const named = [
      'hots',
      'queue.transactionsMax',
      'queue.lifetime',
      'logLevel',
      'SYMBOLON_LEDGER_BLOCK_INTERVAL_MS',
      'SYMBOLON_LEDGER_POORT',
    ];
    for (const name of named) assert.ok(err.includes(name), `${name} in ${err}`);
    assert.match(err, /did you mean/i);
    assert.ok(!existsSync(path.join(folder, 'chain')), 'nothing was started');
  });

  test('does not take a port or a folder from another program', async (context) => {
    const other = createServer().listen(0, '127.0.0.1');
    context.after(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => newChain(context)));
    const running = start(context, first);
    await urlOf(running);
    const busyPort = `Port ${port} is in use by another program`;
    const attempts: [string[], string][] = [
      [['start', '--data', second, '--port', String(port), '--socket-port', '0'], busyPort],
      [['start', '--data', third, '--port', '0', '--socket-port', String(port)], busyPort],
      [['start', '--data', first, ...anyPorts], 'already open elsewhere'],
      [['verify', '--data', first], 'already open elsewhere'],
    ];
    await Promise.all(
      attempts.map(async ([args, words]) => {
        const { code, err } = await symbolon(context, ['node', ...args]);
        assert.equal(code, 1, err);
        assert.ok(err.includes(words), err);
        assert.doesNotMatch(err, /\n\s+at /);
      }),
    );
    assert.equal((await running.stop()).code, 0);
  });
});

describe('a node that is told to stop', () => {
  const payments = 40;

  /** Submits without a pause until the node is gone; answers what it said was executed. */
  async function submitUntilGone(url: string, node: RunningSymbolon): Promise<Set<string>> {
    const executed = new Set<string>();
    const note = async () => {
      const { result } = await ask(url, 'getTransactionHistory');
      for (const { hash } of at(result, 'transactions') as { hash: string }[]) executed.add(hash);
    };
    for (let nonce = 1; ; nonce++) {
      try {
        assert.equal((await post(url, 'submitTransaction', { items: [payment(nonce)] })).error_code, 0);
        if (nonce % 5 === 0) await note();
      } catch {
        return executed;
      }
      if (nonce === payments) process.kill(node.pid, 'SIGTERM');
    }
  }

  test('ends within seconds, loses nothing it has shown, and starts again', async (context) => {
    const folder = await newChain(context);
    const node = start(context, folder, { SYMBOLON_LEDGER_BLOCK_INTERVAL_MS: '20' });
    const executed = await submitUntilGone(await urlOf(node), node);
    const stoppedAt = performance.now();
    const { code, err } = await node.ended;
    assert.equal(code, 0, err);
    assert.ok(performance.now() - stoppedAt < 10_000);
    assert.ok(executed.size > 0);
    const next = start(context, folder);
    const url = await urlOf(next);
    for (const hash of executed) {
      assert.equal((await ask(url, 'getTransactionHistory', { hash })).error_code, 0, hash);
    }
    assert.equal((await next.stop('SIGINT')).code, 0);
    const verified = await symbolon(context, ['node', 'verify', '--data', folder, '--json']);
    assert.equal(verified.code, 0, verified.err);
    const { blocks, transactions, trustedBlocks, hash } = JSON.parse(verified.out);
    assert.ok(transactions >= executed.size);
    assert.equal(trustedBlocks, 0);
    const checkpoint = path.join(folder, 'checkpoint');
    const verify = (...words: string[]) => symbolon(context, ['node', 'verify', '--data', folder, ...words]);
    assert.match((await verify('--save', checkpoint)).out, /^Checkpoint of block \d+: /m);
    const [told, again] = [await verify('--from', checkpoint), await verify('--from', checkpoint, '--json')];
    assert.match(told.out, new RegExp(`^Blocks 2 to ${blocks} were hashed and not executed`, 'm'));
    assert.deepEqual(JSON.parse(again.out), { ...JSON.parse(verified.out), trustedBlocks: blocks, hash });
    const { code: refused, err: words } = await verify('--from', folder);
    assert.equal(refused, 78, words);
    const state = path.join(checkpoint, 'state');
    for (const name of await filesOf(state, /\.ldb$/))
      overwrite(path.join(state, name), 20, Uint8Array.of(9, 9));
    const damaged = await verify('--from', checkpoint);
    assert.equal(damaged.code, exitCodes.damaged, damaged.err);
    assert.match(damaged.err, new RegExp(`^The checkpoint ${checkpoint} is damaged: table \\d+\\.ldb `, 'm'));
    assert.doesNotMatch(damaged.err, /chain is damaged|backup|verify-/);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('verify-')),
      [],
    );
  });

  test('has told nobody a private key, whatever it was asked', async (context) => {
    const folder = await newChain(context);
    const node = start(context, folder, { SYMBOLON_LEDGER_LOG_LEVEL: 'trace' });
    const url = await urlOf(node);
    const asked = person('asked for by key');
    const transaction = { source_address: richest.address, nonce: 1, operations: [operations.log('t', 'd')] };
    await send(`${url}/getAddress?private_key=${asked.privateKey}`);
    await send(`${url}/nothing?private_key=${asked.privateKey}`);
    await send(`${url}/${asked.privateKey}`);
    await post(url, 'submitTransaction', {
      items: [{ transaction_json: transaction, private_keys: [asked.privateKey] }],
    });
    await post(url, 'submitTransaction', {
      items: [{ transaction_json: transaction, private_keys: ['privBroken'] }],
    });
    await send(`${url}/submitTransaction`, {
      method: 'POST',
      body: `{"private_keys":["${asked.privateKey}"`,
    });
    const made = await ask(url, 'createKeyPair');
    const { out, err } = await node.stop();
    const keys = ['genesis-account.key', 'validator.key'].map((name) =>
      readFileSync(path.join(folder, name), 'utf8').trim(),
    );
    for (const key of [...keys, asked.privateKey, at(made, 'result', 'private_key') as string]) {
      assert.ok(!out.includes(key) && !err.includes(key));
    }
    assert.match(err, /ledger node is up/, 'the log was on');
  });
});

describe('symbolon node status and export', () => {
  test('tell about a running node and a stopped one', async (context) => {
    const folder = await newChain(context);
    const node = start(context, folder);
    const url = await urlOf(node);
    const [status, asJson] = await Promise.all([
      symbolon(context, ['node', 'status', '--url', url]),
      symbolon(context, ['node', 'status', '--url', url, '--json']),
    ]);
    assert.match(status.out, /^block +1\ntransactions +0\naccounts +1\nwaiting +0\n$/);
    assert.equal(JSON.parse(asJson.out).ledger_manager.ledger_sequence, 1);
    await node.stop();
    const [gone, noUrl, blocks, nothing] = await Promise.all([
      symbolon(context, ['node', 'status', '--url', url]),
      symbolon(context, ['node', 'status', '--url', 'nowhere']),
      symbolon(context, ['node', 'export', '--data', folder]),
      symbolon(context, ['node', 'export', '--data', path.join(folder, 'nothing')]),
    ]);
    assert.equal(gone.code, exitCodes.unreachable);
    assert.match(gone.err, /No node answers at/);
    assert.equal(noUrl.code, exitCodes.usage);
    assert.equal(blocks.code, 0, blocks.err);
    assert.equal(at(parseJson(blocks.out), 'header', 'seq'), 1);
    assert.equal(nothing.code, exitCodes.config);
  });

  test('tell one that hangs from one that does not run', async (context) => {
    const hanging = createServer(() => {}).listen(0, '127.0.0.1');
    await once(hanging, 'listening');
    context.after(() => {
      hanging.closeAllConnections();
      hanging.close();
    });
    const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    for (const peer of ['node', 'service']) {
      const { code, err } = await symbolon(context, [peer, 'status', '--url', url]);
      assert.equal(code, exitCodes.unreachable);
      assert.match(err, /takes the connection, but does not answer/);
      assert.doesNotMatch(err, /Is it running/);
    }
  });

  test('do not take another server for a node, nor a folder for a chain', async (context) => {
    const other = createServer((_request, response) => response.end('{"status":"ok"}')).listen(
      0,
      '127.0.0.1',
    );
    context.after(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const folder = await newChain(context);
    const [foreign, unstarted] = await Promise.all([
      symbolon(context, ['node', 'status', '--url', `http://127.0.0.1:${port}`]),
      symbolon(context, ['node', 'verify', '--data', folder]),
    ]);
    assert.equal(foreign.code, exitCodes.unreachable);
    assert.match(foreign.err, /is not a ledger node/);
    assert.equal(unstarted.code, 1);
    assert.match(unstarted.err, /has never been started/);
    assert.ok(!existsSync(path.join(folder, 'chain')), 'asking makes nothing');
  });
});

describe('symbolon node verify', () => {
  test('names what somebody has changed in the store', async (context) => {
    const folder = await newChain(context);
    const { served } = await serveFolder(folder);
    for (const nonce of [1, 2, 3]) {
      await post(served.httpUrl, 'submitTransaction', { items: [payment(nonce)] });
      await until('the payment is executed', () => served.node.chain.head.txCount === BigInt(nonce));
    }
    await served.close();

    const change = async (change: (store: LevelStore) => Row) => {
      const copy = path.join(tempFolder(context), 'node');
      cpSync(folder, copy, { recursive: true });
      const store = await LevelStore.open(storePath(copy));
      await store.write([change(store)]);
      await store.close();
      return copy;
    };
    const richer = await change((store) => {
      const key = stateRow(`account/${bob.address}`);
      const account = fromBinary(AccountSchema, store.get(key) as Uint8Array);
      return [key, toBinary(AccountSchema, { ...account, balance: account.balance + 1n })];
    });
    const earlier = await change((store) => {
      const record = fromBinary(BlockRecordSchema, store.get(blockRow(3n)) as Uint8Array);
      if (record.header) record.header.closeTime -= 1n;
      return [blockRow(3n), toBinary(BlockRecordSchema, record)];
    });
    const expectations: [string, number, RegExp][] = [
      [
        folder,
        0,
        /^The chain holds: 4 blocks, 3 transactions, \d+ state rows\.\nHead: block 4 [0-9a-f]{64}\n$/,
      ],
      [
        richer,
        exitCodes.damaged,
        new RegExp(`state row "saccount/${bob.address}" is not what the blocks lead to`),
      ],
      [earlier, exitCodes.damaged, /The chain is damaged: block 3 \(/],
    ];
    await Promise.all(
      expectations.map(async ([data, expected, words]) => {
        const { code, out, err } = await symbolon(context, ['node', 'verify', '--data', data]);
        assert.equal(code, expected, err);
        assert.match(expected === 0 ? out : err, words);
        assert.doesNotMatch(err, /\n\s+at /);
      }),
    );
  });
});

describe('symbolon dev, which is npm start', () => {
  const dev = (context: TestContext, data: string, servicePort = '0') =>
    startSymbolon(context, [
      'dev',
      ...['--data', data, '--ledger-port', '0', '--service-port', servicePort, '--no-open'],
    ]);

  test('prints where everything is, and keeps its data', async (context) => {
    const data = path.join(tempFolder(context), 'data');
    const first = dev(context, data);
    const service = await first.printed(/Credentials +(http:\S+)/);
    const ledger = await first.printed(/Ledger node +(http:\/\/[\d.:]+)/);
    await first.printed(/(Ctrl-C stops)/);
    assert.match(first.out(), /PUBLICLY KNOWN/);
    assert.equal((await send(`${service}/readyz`)).status, 200);
    assert.equal(json(await send(`${service}/`)).ledger, ledger);
    assert.equal((await send(`${service}/nothing`)).status, 404);
    const genesis = await ask(ledger, 'v1/account/getGenesisAccount');
    assert.equal(at(genesis, 'result', 'address'), richest.address);
    const used = at(await ask(ledger, 'getAccountBase', { address: richest.address }), 'result', 'nonce');
    await post(ledger, 'submitTransaction', { items: [payment(Number(used) + 1)] });
    const balance = async (url: string) =>
      at(await ask(url, 'getAccountBase', { address: bob.address }), 'result', 'balance');
    await until('the payment', async () => (await balance(ledger)) === 1);
    assert.equal((await first.stop()).code, 0);

    const second = dev(context, data);
    const again = await second.printed(/Ledger node +(http:\/\/[\d.:]+)/);
    assert.equal(await balance(again), 1);
    assert.equal((await second.stop('SIGINT')).code, 0);
  });

  test('ends when it cannot have the port it was told to take', async (context) => {
    const other = createServer().listen(0, '127.0.0.1');
    context.after(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const data = path.join(tempFolder(context), 'data');
    const { code, err } = await dev(context, data, String(port)).ended;
    assert.equal(code, 1);
    assert.match(err, new RegExp(`Port ${port} is in use`));
  });
});
