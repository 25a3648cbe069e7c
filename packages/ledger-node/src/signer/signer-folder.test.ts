import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { cometGenesis, writeCometHome } from '../node/comet-home.ts';
import { publicKeyOf } from '../signatures/ed25519.ts';
import { readCometSigning } from './comet-key-files.ts';
import { readSignedState, signedStatePath, stateUpTo, writeSignedState } from './signed-state.ts';
import {
  chainIdOfGenesis,
  makeSignerFolder,
  type NewSigner,
  openSignerFolder,
  readSignerFacts,
  setChain,
  signerKeyPath,
  signerSettingsPath,
  socketPathOf,
  socketProblem,
} from './signer-folder.ts';

const place = mkdtempSync(path.join(os.tmpdir(), 'symbolon-signer-'));
after(() => rmSync(place, { recursive: true, force: true }));
const seed = new Uint8Array(32).fill(7);
const chainId = 'symbolon-00112233445566778899aabbccddeeff';
const order: NewSigner = {
  connect: 'unix:///run/symbolon/privval.sock',
  chainId,
  publicKey: publicKeyOf(seed),
  key: { seed },
  last: stateUpTo(0n),
};
let made = 0;
async function newFolder(changes: Partial<NewSigner> = {}): Promise<string> {
  const folder = path.join(place, `signer-${++made}`);
  await makeSignerFolder(folder, { ...order, ...changes });
  return folder;
}

describe('the folder of a signer', () => {
  test('has its key for its owner alone, and is opened by one at a time', async () => {
    const folder = await newFolder();
    for (const file of [signerKeyPath(folder), signedStatePath(folder), signerSettingsPath(folder)])
      assert.equal(statSync(file).mode & 0o777, 0o600);
    const open = await openSignerFolder(folder, {});
    assert.deepEqual(open.key.publicKey, order.publicKey);
    assert.equal(open.socketPath, '/run/symbolon/privval.sock');
    await assert.rejects(openSignerFolder(folder, {}), /in use by another process/);
    await open.close();
    await (await openSignerFolder(folder, {})).close();
  });

  test('is not there where making it failed', async () => {
    const folder = path.join(place, 'none', 'deeper');
    const last = { height: 1n, round: 0, step: 1, said: 5 } as never;
    await assert.rejects(makeSignerFolder(folder, { ...order, last }));
    assert.ok(!existsSync(folder));
  });

  test('whose key is another, open to others, or none, signs nothing', async () => {
    const folder = await newFolder({ publicKey: publicKeyOf(new Uint8Array(32).fill(8)) });
    await assert.rejects(openSignerFolder(folder, {}), /not the one that .* names/);
    const closed = await newFolder();
    chmodSync(signerKeyPath(closed), 0o644);
    await assert.rejects(openSignerFolder(closed, {}), /others than its owner can reach it/);
    chmodSync(signerKeyPath(closed), 0o600);
    writeFileSync(signerKeyPath(closed), 'nonsense');
    await assert.rejects(openSignerFolder(closed, {}), /does not hold a private key/);
    // What failed holds no lock.
    rmSync(closed, { recursive: true });
    await assert.rejects(openSignerFolder(closed, {}), /symbolon signer init/);
  });

  test('with settings that are not understood signs nothing, and a PIN in them is for its owner alone', async () => {
    const folder = await newFolder();
    const settings = JSON.parse(readFileSync(signerSettingsPath(folder), 'utf8')) as object;
    const write = (changes: object) =>
      writeFileSync(signerSettingsPath(folder), JSON.stringify({ ...settings, ...changes }));
    for (const [changes, said] of [
      [{ conect: 'unix:///x' }, /conect .* is not a setting; did you mean connect/],
      [{ connect: 'tcp://127.0.0.1:26659' }, /encryption of its own, which is not spoken here/],
      [{ connect: 'unix://x' }, /must be unix:\/\/\/path/],
      [{ publicKey: 'ab' }, /publicKey/],
      [{ hsm: { module: '/m.so', tokenLabel: 'x', keyId: 'ab' } }, /SYMBOLON_SIGNER_HSM_PIN/],
    ] as const) {
      write(changes);
      await assert.rejects(openSignerFolder(folder, {}), said);
    }
    write({ hsm: { module: '/m.so', tokenLabel: 'x', keyId: 'ab', pin: 'a-pin' } });
    chmodSync(signerSettingsPath(folder), 0o640);
    await assert.rejects(openSignerFolder(folder, {}), (error: Error) => {
      assert.match(error.message, /holds the PIN of a hardware module/);
      return !error.message.includes('a-pin');
    });
  });

  test('is of one chain, for good', async () => {
    const folder = await newFolder({ chainId: undefined });
    await assert.rejects(openSignerFolder(folder, {}), /does not know its chain yet/);
    await setChain(folder, chainId);
    await setChain(folder, chainId);
    await assert.rejects(setChain(folder, 'another'), /A key signs for one chain/);
    await (await openSignerFolder(folder, {})).close();
  });
});

describe('what a signer takes over', () => {
  const home = path.join(place, 'home');
  const genesis = JSON.stringify(cometGenesis(chainId, [], new Date(0)));
  const write = (height: string, rest: object = {}) =>
    writeFileSync(
      path.join(home, 'data/priv_validator_state.json'),
      JSON.stringify({ height, round: 0, step: 0, ...rest }),
    );
  // As CometBFT 0.38.25 wrote it after a prevote of height 5 with the key of the recorded exchanges.
  const recorded = JSON.parse(
    readFileSync(new URL('comet-exchanges.json', import.meta.url), 'utf8'),
  ) as Recorded;

  test('is the key of a CometBFT with what that has signed', async () => {
    const own = Uint8Array.from(Buffer.from(recorded.seed, 'hex'));
    await writeCometHome(home, {
      name: 'one',
      abci: 'unix:///a',
      rpcPort: 1,
      p2pPort: 2,
      peers: [],
      genesis,
      validatorSeed: own,
      peerSeed: seed,
      commitMs: 1_000,
    });
    assert.deepEqual(await readCometSigning(home), { seed: own, last: { height: 0n, round: 0, step: 1 } });
    const { bytes, signature } = recorded.filePv;
    write('5', { step: 2, signbytes: bytes.toUpperCase(), signature });
    const { last } = await readCometSigning(home);
    assert.deepEqual([last.height, last.round, last.step], [5n, 0, 2]);
    assert.deepEqual(last.said?.time, { seconds: 1_700_000_001n, nanos: 0 });
    const folder = await newFolder({ publicKey: publicKeyOf(own), key: { seed: own }, last });
    assert.deepEqual(await readSignedState(folder, publicKeyOf(own)), last);
    // A signer that was made without a chain takes the one that its key has signed for, and no other.
    const without = { publicKey: publicKeyOf(own), key: { seed: own }, last, chainId: undefined };
    const nameless = await newFolder(without);
    await assert.rejects(
      setChain(nameless, 'another'),
      new RegExp(`of the chain ${recorded.chain}; nothing`),
    );
    await setChain(nameless, recorded.chain);
    assert.equal((await readSignerFacts(nameless)).chainId, recorded.chain);
    assert.equal(await chainIdOfGenesis(path.join(home, 'config/genesis.json')), chainId);
    await assert.rejects(chainIdOfGenesis(path.join(home, 'config/config.toml')), /no genesis document/);
  });

  test('is nothing where that is not known', async () => {
    for (const [height, rest] of [
      ['5', { step: 2 }],
      ['-5', {}],
      ['5', { step: 4 }],
      ['5', { unknown: 1 }],
    ] as const) {
      write(height, rest);
      await assert.rejects(readCometSigning(home), /priv_validator_state\.json/);
    }
    rmSync(path.join(home, 'data/priv_validator_state.json'));
    await assert.rejects(readCometSigning(home), /what this key has signed/);
  });
});

interface Recorded {
  readonly seed: string;
  readonly chain: string;
  readonly filePv: { readonly bytes: string; readonly signature: string };
}

describe('what was signed', () => {
  test('is damaged when it is of another key, and missing when it is not there', async () => {
    const folder = await newFolder();
    const said = { time: { seconds: 1n, nanos: 2 }, bytes: Uint8Array.of(1), signature: new Uint8Array(64) };
    await writeSignedState(folder, { height: 3n, round: 1, step: 2, said });
    await assert.rejects(readSignedState(folder, order.publicKey), /not of this key/);
    rmSync(signedStatePath(folder));
    await assert.rejects(readSignedState(folder, order.publicKey), /might sign against itself/);
  });

  test('is written over what a crash left of it', async () => {
    const folder = await newFolder();
    writeFileSync(`${signedStatePath(folder)}.new`, '{"half');
    await writeSignedState(folder, stateUpTo(9n));
    assert.equal((await readSignedState(folder, order.publicKey)).height, 9n);
  });

  test('at an address that is no socket of this machine is not asked for', () => {
    assert.equal(socketPathOf('unix:///run/x.sock'), '/run/x.sock');
    for (const other of ['tcp://127.0.0.1:26659', 'unix://x', '/run/x.sock', `unix:///${'x'.repeat(200)}`])
      assert.equal(socketPathOf(other), undefined, other);
    assert.match(socketProblem('tcp://127.0.0.1:1'), /ssh forwards/);
  });
});
