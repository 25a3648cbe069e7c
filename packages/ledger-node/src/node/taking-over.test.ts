import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { lockFile } from '@symbolon/host/work/file-lock';
import { cometGenesis, cometSettingsPath, writeCometHome } from './comet-home.ts';
import { CometRuns, takeCometSigning } from './taking-over.ts';

const place = mkdtempSync(path.join(os.tmpdir(), 'symbolon-taking-'));
after(() => rmSync(place, { recursive: true, force: true }));
const seed = new Uint8Array(32).fill(7);
const chainId = 'symbolon-00112233445566778899aabbccddeeff';
const address = 'unix:///run/symbolon/privval.sock';
let home: string;
let made = 0;
beforeEach(async () => {
  home = path.join(place, `home-${++made}`);
  const genesis = JSON.stringify(cometGenesis(chainId, [], new Date(0)));
  const places = { abci: 'unix:///a', rpcPort: 1, p2pPort: 2, peers: [], commitMs: 1_000 };
  await writeCometHome(home, { name: 'one', ...places, genesis, validatorSeed: seed, peerSeed: seed });
});
const keyFile = () => path.join(home, 'config/priv_validator_key.json');
const settings = () => readFileSync(cometSettingsPath(home), 'utf8');
const kept = async () => 'kept';

describe('the key of a CometBFT', () => {
  test('is taken with chain and memory, and what is left waits for the signer', async () => {
    assert.equal(
      await takeCometSigning(home, address, async (taken) => {
        assert.deepEqual(taken, { seed, last: { height: 0n, round: 0, step: 1 }, chainId });
        assert.ok(!existsSync(keyFile()));
        return 'kept';
      }),
      'kept',
    );
    for (const name of ['config/priv_validator_key.json', 'data/priv_validator_state.json'])
      for (const ending of ['', '.taken']) assert.ok(!existsSync(path.join(home, `${name}${ending}`)), name);
    assert.match(settings(), /^priv_validator_laddr = "unix:\/\/\/run\/symbolon\/privval\.sock"$/m);
    await assert.rejects(takeCometSigning(home, address, kept), /has a signer already/);
  });

  test('stays where a CometBFT has its store open', async () => {
    const store = path.join(home, 'data/blockstore.db');
    mkdirSync(store);
    const letGo = await lockFile(path.join(store, 'LOCK'));
    const before = settings();
    await assert.rejects(takeCometSigning(home, address, kept), CometRuns);
    assert.equal(settings(), before);
    assert.ok(existsSync(keyFile()));
    await letGo?.();
  });

  test('is put back where it is not kept', async () => {
    const before = settings();
    const full = () => Promise.reject(new Error('the disk is full'));
    await assert.rejects(takeCometSigning(home, address, full), /disk is full/);
    assert.equal(settings(), before);
    assert.equal(await takeCometSigning(home, address, kept), 'kept');
  });

  test('that was being taken is not taken again before somebody has looked', async () => {
    renameSync(keyFile(), `${keyFile()}.taken`);
    await assert.rejects(takeCometSigning(home, address, kept), /cut short.*it has the key/s);
  });

  test('is not taken from places that the settings move elsewhere', async () => {
    writeFileSync(cometSettingsPath(home), `db_dir = "/elsewhere"\n${settings()}`);
    await assert.rejects(takeCometSigning(home, address, kept), /db_dir = "\/elsewhere"/);
  });
});
