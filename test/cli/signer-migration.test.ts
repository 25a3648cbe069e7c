/** A validator's key on its way from CometBFT's home to a signer, by the commands of docs/operations.md: real CometBFT, real node. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { type JsonObject, parseJson } from '@symbolon/wire/json/json';
import { type CometNode, startCometNode } from '../support/comet-node.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { startSymbolon, symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

describe('a validator whose key goes from CometBFT to a signer', () => {
  const owner = ownerOfSuite();
  const place = tempFolder(owner);
  const data = path.join(place, 'signer');
  const connect = `unix://${path.join(place, 'privval.sock')}`;
  const signer = (...words: readonly string[]) => symbolon(owner, ['signer', ...words]);
  let network: CometNode;
  const inHome = (...parts: readonly string[]) => path.join(network.home, ...parts);
  const init = () => signer('init', '--data', data, '--connect', connect, '--from-home', network.home);
  const signed = async () => {
    const shown = await signer('show', '--data', data, '--json');
    return parseJson(shown.out) as JsonObject & { readonly last: { readonly height: number } };
  };

  before(async () => {
    network = await startCometNode(owner);
    await until('blocks', () => network.height() > 3n);
  });

  test('keeps it while CometBFT runs', async () => {
    const kept = readFileSync(inHome('config/config.toml'), 'utf8');
    const { code, err } = await init();
    assert.deepEqual([code, /A CometBFT runs on .*nothing was changed/.test(err)], [1, true], err);
    assert.ok(existsSync(inHome('config/priv_validator_key.json')));
    assert.equal(readFileSync(inHome('config/config.toml'), 'utf8'), kept);
    assert.ok(!existsSync(data));
    const height = network.height();
    await until('further blocks', () => network.height() > height + 1n);
  });

  test('has it moved, with memory and chain, and makes blocks by the signer', async () => {
    await network.stopComet('SIGKILL');
    const { code, err } = await init();
    assert.equal(code, 0, err);
    const left = [...readdirSync(inHome('config')), ...readdirSync(inHome('data'))];
    assert.deepEqual(
      left.filter((name) => name.startsWith('priv_validator')),
      [],
    );
    const { chainId, last } = await signed();
    assert.equal(chainId, network.chainId);
    assert.ok(last.height >= 3);
    const running = startSymbolon(owner, ['signer', 'start', '--data', data]);
    await running.printed(/(The signer is ready)/);
    const height = network.height();
    network.startComet();
    await until('blocks by the signer', () => network.height() > height + 2n);
    assert.ok((await signed()).last.height > last.height);
    const genesis = inHome('config/genesis.json');
    assert.equal((await signer('join', '--data', data, '--genesis', genesis)).code, 0);
  });

  test('has nothing more to take in its home', async () => {
    await network.stopComet('SIGKILL');
    const again = path.join(place, 'again');
    const { code, err } = await signer(
      'init',
      '--data',
      again,
      '--connect',
      connect,
      '--from-home',
      network.home,
    );
    assert.deepEqual([code, /has a signer already/.test(err)], [78, true], err);
    assert.ok(!existsSync(again));
  });
});
