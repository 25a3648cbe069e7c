import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { openNodeFolder } from '@symbolon/ledger-node/node/node-folder';
import { makeNetwork } from './make-network.ts';
import { councilKeyFile, genesisKeyFile, readNetwork } from './network-file.ts';

describe('the folder of a network', () => {
  const place = mkdtempSync(path.join(os.tmpdir(), 'symbolon-network-'));
  after(() => rmSync(place, { recursive: true, force: true }));
  const inPlace = (name: string): string => path.join(place, name);

  test('has a home for each node, the same genesis everywhere, and secrets in files of their owner alone', async () => {
    const folder = inPlace('whole');
    mkdirSync(folder);
    const made = await makeNetwork(folder, { validators: 3, commitMs: 500, snapshotEvery: 100 });
    const network = await readNetwork(folder);
    assert.deepEqual({ ...network }, { folder, ...made });
    const ports = network.nodes.flatMap((node) => Object.values(node.ports));
    assert.equal(new Set(ports).size, 15);

    const files = network.nodes.map(
      ({ name }) =>
        (file: string) =>
          path.join(folder, name, file),
    );
    for (const common of ['ledger/genesis.json', 'cometbft/config/genesis.json'])
      assert.equal(new Set(files.map((file) => readFileSync(file(common), 'utf8'))).size, 1, common);
    for (const [index, file] of files.entries()) {
      const { rules, validator } = await openNodeFolder(file('ledger'));
      assert.equal(validator, undefined);
      assert.equal(rules.parameters.network?.council, network.council);
      const settings = readFileSync(file('cometbft/config/config.toml'), 'utf8');
      const [, peers = ''] = /persistent_peers = "(.*)"/.exec(settings) ?? [];
      const others = network.nodes.filter((_, at) => at !== index);
      assert.deepEqual(
        peers.split(',').sort(),
        others.map(({ peerId, ports: { p2p } }) => `${peerId}@127.0.0.1:${p2p}`).sort(),
      );
      for (const key of ['node_key', 'priv_validator_key']) {
        const name = file(`cometbft/config/${key}.json`);
        assert.equal(statSync(name).mode & 0o777, 0o600);
        const secret = JSON.parse(readFileSync(name, 'utf8')).priv_key.value;
        assert.ok(!readFileSync(path.join(folder, 'network.json'), 'utf8').includes(secret));
      }
      assert.equal(statSync(file('payee.key')).mode & 0o777, 0o600);
    }
    for (const file of [councilKeyFile(folder), genesisKeyFile(folder)])
      assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  test('is not made where something is', async () => {
    const folder = inPlace('taken');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'mine'), '');
    await assert.rejects(
      makeNetwork(folder, { validators: 1, commitMs: 500, snapshotEvery: 100 }),
      /not an empty folder/,
    );
    assert.deepEqual(readdirSync(folder), ['mine']);
  });

  test('is there whole or not at all', async () => {
    const folder = inPlace('half');
    const order = { validators: 4, commitMs: 500, snapshotEvery: 100, portsFrom: 65_530 };
    await assert.rejects(makeNetwork(folder, order), /not 20 free ports from 65530/);
    assert.ok(!existsSync(folder));
    assert.deepEqual(
      readdirSync(place).filter((name) => name.startsWith('half')),
      [],
    );
  });

  test('of a folder without a network says how one is made', async () => {
    await assert.rejects(readNetwork(place), /symbolon network init --dir/);
  });
});
