/**
 * A validator whose key is not where CometBFT is: a real CometBFT, a real node, the signer as a process of its own, and its key
 * in a real hardware module in software (SoftHSM2).
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { AbciFrames } from '@symbolon/ledger-node/abci/frames';
import { type JsonObject, parseJson } from '@symbolon/wire/json/json';
import { type CometNode, prepareCometNode } from '../support/comet-node.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { findSoftHsm, softHsmTokens } from '../support/softhsm.ts';
import { type RunningSymbolon, startSymbolon, symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const softHsm = await findSoftHsm();
const skip = 'missing' in softHsm && softHsm.missing;
const pin = 'a-pin-that-is-nowhere';

/** A question to a signer as CometBFT would ask it: its frame in hex, the answer's field. */
const exchanges = JSON.parse(
  readFileSync(
    path.resolve(import.meta.dirname, '../../packages/ledger-node/src/signer/comet-exchanges.json'),
    'utf8',
  ),
) as { exchanges: { what: string; request: string }[] };

describe('a validator whose key is in a hardware module', { skip }, () => {
  const owner = ownerOfSuite();
  const place = tempFolder(owner);
  const data = path.join(place, 'signer');
  const socket = path.join(place, 'privval.sock');
  const address = `unix://${socket}`;
  let env: Record<string, string> = {};
  let network: CometNode;
  let signer: RunningSymbolon;
  const run = (words: readonly string[], more: Record<string, string> = {}) =>
    symbolon(owner, ['signer', ...words], { ...env, ...more });
  const start = async () => {
    signer = startSymbolon(owner, ['signer', 'start', '--data', data], env);
    await signer.printed(/(The signer is ready)/);
  };
  const state = () => JSON.parse(readFileSync(path.join(data, 'signed.json'), 'utf8')) as { height: string };

  before(async () => {
    assert.ok(!('missing' in softHsm));
    const tokens = softHsmTokens(owner, softHsm);
    await tokens.makeToken('validators', pin);
    env = {
      SOFTHSM2_CONF: process.env.SOFTHSM2_CONF as string,
      SYMBOLON_SIGNER_HSM_PIN: pin,
      ...(softHsm.libraryFolders.length > 0 && { LD_LIBRARY_PATH: softHsm.libraryFolders.join(':') }),
    };
    const words = ['init', '--data', data, '--connect', address, '--json'];
    const made = await run([...words, '--hsm-module', tokens.module, '--hsm-token', 'validators']);
    assert.equal(made.code, 0, made.err);
    const { publicKey } = parseJson(made.out) as { publicKey: string };
    network = await prepareCometNode(owner, { signer: { publicKey, address } });
  });

  test('does not start without a chain, and takes that of a genesis document', async () => {
    const early = await run(['start', '--data', data]);
    assert.deepEqual([early.code, /does not know its chain yet/.test(early.err)], [78, true], early.err);
    const genesis = path.join(network.home, 'config/genesis.json');
    assert.equal((await run(['join', '--data', data, '--genesis', genesis])).code, 0);
    const shown = await run(['show', '--data', data, '--json']);
    assert.equal((parseJson(shown.out) as JsonObject).chainId, network.chainId);
  });

  test('makes blocks', async () => {
    await start();
    await network.startNode();
    network.startComet();
    await until('blocks', () => network.height() > 3n);
    assert.ok(Number(state().height) >= 3);
  });

  test('has one process that signs', async () => {
    const second = await run(['start', '--data', data]);
    assert.equal(second.code, 1);
    assert.match(second.err, /is in use by another process/);
  });

  test('halts when that one is killed, and goes on when it is back', async () => {
    await signer.stop('SIGKILL');
    await delay(500);
    const halted = network.height();
    await delay(3_000);
    assert.equal(network.height(), halted);
    await start();
    await until('blocks after the signer is back', () => network.height() > halted + 2n);
  });

  test('goes on after a crash of CometBFT in the middle of a height', async () => {
    for (let times = 0; times < 2; times++) {
      await network.stopComet('SIGKILL');
      // A socket of a process that was killed stays, and nobody can listen there.
      rmSync(socket, { force: true });
      await network.stopNode();
      await network.startNode();
      const height = network.height();
      network.startComet();
      await until('blocks after the crash', () => network.height() > height + 1n);
    }
  });

  test('has neither its key nor its PIN on the disk or in a log', async () => {
    const names = readdirSync(data);
    assert.ok(!names.includes('validator.key'));
    for (const name of names.filter((file) => !file.endsWith('-lock'))) {
      const text = readFileSync(path.join(data, name), 'utf8');
      assert.ok(!text.includes(pin), name);
    }
    const own = (parseJson((await run(['show', '--data', data, '--json'])).out) as { publicKey: string })
      .publicKey;
    // CometBFT makes a key of its own where there is none, and signs nothing with it.
    const unused = path.join(network.home, 'config/priv_validator_key.json');
    if (existsSync(unused)) {
      const { pub_key: key } = JSON.parse(readFileSync(unused, 'utf8')) as { pub_key: { value: string } };
      assert.notEqual(Buffer.from(key.value, 'base64').toString('hex'), own);
    }
    assert.doesNotMatch(signer.err() + signer.out() + network.cometLog(), new RegExp(pin));
  });

  test('signs nothing that contradicts what it has signed, whoever asks', async () => {
    await network.stopComet('SIGKILL');
    rmSync(socket, { force: true });
    const { listener, ask } = await askAsComet(socket);
    try {
      // All of these are of height 5 and 6, which are over, and of another chain.
      for (const { what, request } of exchanges.exchanges.filter(({ what }) =>
        /vote|precommit|proposal/.test(what),
      )) {
        const answer = await ask(Buffer.from(request, 'hex'));
        assert.match(Buffer.from(answer).toString('latin1'), /it asks for the chain/, what);
      }
      const before = state();
      const mine = replaceChain(vote('a prevote of the next height'), network.chainId);
      const answer = await ask(mine);
      assert.match(Buffer.from(answer).toString('latin1'), /is over: the last signature is of height/);
      assert.deepEqual(state(), before);
    } finally {
      listener.close();
    }
  });

  test('signs nothing when what it has signed is lost, or was changed', async () => {
    await signer.stop();
    const file = path.join(data, 'signed.json');
    const kept = readFileSync(file, 'utf8');
    rmSync(file);
    const lost = await run(['start', '--data', data]);
    assert.deepEqual([lost.code, /what this key has signed/.test(lost.err)], [78, true], lost.err);
    for (const changed of ['', '{}', kept.slice(0, -20), kept.replace(/"bytes":"../, '"bytes":"00')]) {
      writeFileSync(file, changed, { mode: 0o600 });
      const damaged = await run(['start', '--data', data]);
      assert.equal(damaged.code, 65, damaged.err);
    }
    writeFileSync(file, kept, { mode: 0o600 });
    const words = ['init', '--data', path.join(place, 'another'), '--connect', address];
    const { module } = softHsm as { module: string };
    const token = ['--hsm-module', module, '--hsm-token', 'validators'];
    const blind = await run([...words, ...token]);
    assert.deepEqual([blind.code, /what it has signed is not known/.test(blind.err)], [2, true], blind.err);
    const wrong = await run([...words, ...token, '--hsm-key', 'new'], { SYMBOLON_SIGNER_HSM_PIN: 'wrong' });
    assert.deepEqual([wrong.code, /CKR_PIN_INCORRECT/.test(wrong.err)], [78, true], wrong.err);
    assert.equal((await run([...words, ...token, '--after', '1000000'])).code, 0);
    const shown = await run(['show', '--data', path.join(place, 'another'), '--json']);
    assert.deepEqual((parseJson(shown.out) as JsonObject).last, {
      height: 1_000_000,
      round: 2 ** 31 - 1,
      step: 3,
    });
  });
});

const vote = (what: string): Buffer => {
  const found = exchanges.exchanges.find((exchange) => exchange.what === what);
  assert.ok(found);
  return Buffer.from(found.request, 'hex');
};

/** The names of chains have the same length, so nothing else of the message changes. */
function replaceChain(message: Buffer, chainId: string): Buffer {
  const recorded = Buffer.from('symbolon-00112233445566778899aabbccddeeff');
  const at = message.indexOf(recorded);
  assert.ok(at > 0 && chainId.length === recorded.length);
  return Buffer.concat([
    message.subarray(0, at),
    Buffer.from(chainId),
    message.subarray(at + recorded.length),
  ]);
}

/** Listens where CometBFT did, and asks whoever calls. */
async function askAsComet(
  socket: string,
): Promise<{ readonly listener: Server; readonly ask: (message: Buffer) => Promise<Uint8Array> }> {
  const listener = createServer().listen(socket);
  const [caller] = (await once(listener, 'connection')) as [Socket];
  const reader = new AbciFrames(10_240);
  const waiting: ((answer: Uint8Array) => void)[] = [];
  caller.on('data', (bytes) => {
    for (const frame of reader.read(bytes)) waiting.shift()?.(Uint8Array.from(frame));
  });
  const ask = (message: Buffer): Promise<Uint8Array> => {
    const { promise, resolve } = Promise.withResolvers<Uint8Array>();
    waiting.push(resolve);
    caller.write(message);
    return promise;
  };
  return { listener, ask };
}
