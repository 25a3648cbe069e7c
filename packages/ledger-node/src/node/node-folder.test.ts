import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { keyFormat, person, richest, validatorPerson } from '../testing/people.ts';
import { validatorEntry } from '../testing/test-network.ts';
import {
  initNodeFolder,
  isNodeFolder,
  NodeFolderError,
  openNodeFolder,
  readGenesis,
  settingsPath,
  soloValidator,
  storePath,
} from './node-folder.ts';

function tempFolder(context: TestContext): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-folder-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, 'node');
}

const seeds = { genesisSeed: richest.seed, validatorSeed: validatorPerson.seed };

describe('making a folder', () => {
  test('gives a chain that opens with the keys it was made with', async (context) => {
    const folder = tempFolder(context);
    assert.equal(await isNodeFolder(folder), false);
    const made = await initNodeFolder(folder, {
      ...seeds,
      chainId: 7n,
      gasPrice: 3n,
      baseReserve: 4n,
      slogan: 's',
    });
    assert.deepEqual(
      [made.genesisAddress, made.validatorAddress],
      [richest.address, validatorPerson.address],
    );
    assert.equal(readFileSync(made.genesisKeyFile, 'utf8'), `${richest.privateKey}\n`);
    assert.equal(await isNodeFolder(folder), true);
    const { rules, validator } = await openNodeFolder(folder);
    const { parameters } = rules;
    assert.deepEqual(
      [parameters.chainId, parameters.fees.gasPrice, parameters.fees.baseReserve],
      [7n, 3n, 4n],
    );
    assert(validator);
    assert.equal(validator.address, validatorPerson.address);
    assert.deepEqual(validator.sign(Uint8Array.of(1)), validatorPerson.sign(Uint8Array.of(1)));
    assert.deepEqual(readdirSync(folder).sort(), [
      'genesis-account.key',
      'genesis.json',
      'node.json',
      'validator.key',
    ]);
    assert.equal(settingsPath(folder), path.join(folder, 'node.json'));
    assert.equal(storePath(folder), path.join(folder, 'chain'));
  });

  test('keeps keys to their owner', async (context) => {
    const folder = tempFolder(context);
    await initNodeFolder(folder);
    for (const name of ['genesis-account.key', 'validator.key']) {
      assert.equal(statSync(path.join(folder, name)).mode & 0o777, 0o600);
    }
    assert.equal(statSync(folder).mode & 0o777, 0o700);
  });

  test('takes fresh keys when it is given none', async (context) => {
    const [one, other] = [tempFolder(context), tempFolder(context)];
    const [first, second] = [await initNodeFolder(one), await initNodeFolder(other)];
    const addresses = [
      first.genesisAddress,
      first.validatorAddress,
      second.genesisAddress,
      second.validatorAddress,
    ];
    assert.equal(new Set(addresses).size, 4);
    assert.ok(addresses.every(keyFormat.isAddress));
  });

  test('touches nothing that is there already', async (context) => {
    const folder = tempFolder(context);
    await initNodeFolder(folder, seeds);
    const before = readFileSync(path.join(folder, 'validator.key'), 'utf8');
    await assert.rejects(initNodeFolder(folder), NodeFolderError);
    assert.equal(readFileSync(path.join(folder, 'validator.key'), 'utf8'), before);
    rmSync(path.join(folder, 'genesis.json'));
    await assert.rejects(initNodeFolder(folder), /is not empty/);
  });
});

describe('opening a folder', () => {
  const genesis = (change: object) => ({
    file: 'genesis.json',
    text: JSON.stringify({
      profile: 'zetrix',
      genesisAddress: richest.address,
      validators: [validatorPerson.address],
      ...change,
    }),
  });
  const mistakes: Record<string, { file: string; text: string | undefined; words: RegExp }> = {
    'no genesis document': {
      file: 'genesis.json',
      text: undefined,
      words: /genesis\.json cannot be read \(ENOENT\)/,
    },
    'a genesis document that is no JSON': { file: 'genesis.json', text: '{', words: /is not JSON/ },
    'a genesis document for nothing': { file: 'genesis.json', text: '[]', words: /genesis\.json:\n/ },
    'an unknown network': { ...genesis({ profile: 'x' }), words: /profile/ },
    'an unknown setting': { ...genesis({ speed: 1 }), words: /speed/ },
    'addresses that are none': {
      ...genesis({ genesisAddress: 'x', validators: ['y'] }),
      words: /genesisAddress is not a valid address; validators\[0\] is not a valid address/,
    },
    'a network beside validators of one node': {
      ...genesis({ network: { council: richest.address, validators: [validatorEntry('ann', 1)] } }),
      words: /needs either validators, .* or network/,
    },
    'a network without a valid council': {
      ...genesis({
        validators: undefined,
        network: { council: 'x', validators: [validatorEntry('ann', 1)] },
      }),
      words: /network\.council is not a valid address/,
    },
    'no validator key': { file: 'validator.key', text: undefined, words: /validator\.key cannot be read/ },
    'a validator key that is none': {
      file: 'validator.key',
      text: 'top secret',
      words: /does not hold a private key/,
    },
    'the key of somebody else': {
      file: 'validator.key',
      text: person('somebody').privateKey,
      words: /which genesis\.json does not name/,
    },
  };
  for (const [name, { file, text, words }] of Object.entries(mistakes)) {
    test(`says that there is ${name}, and repeats no key`, async (context) => {
      const folder = tempFolder(context);
      await initNodeFolder(folder, seeds);
      const place = path.join(folder, file);
      if (text === undefined) rmSync(place);
      else writeFileSync(place, text);
      await assert.rejects(openNodeFolder(folder), (error) => {
        assert.ok(error instanceof NodeFolderError);
        assert.match(error.message, words);
        assert.doesNotMatch(error.message, /secret|priv[BC]/);
        return true;
      });
    });
  }

  test('of a network needs no key, and has nobody who makes blocks alone', async (context) => {
    const folder = tempFolder(context);
    await initNodeFolder(folder, seeds);
    rmSync(path.join(folder, 'validator.key'));
    const validators = [validatorEntry('ann', 1)];
    const { file, text } = genesis({
      validators: undefined,
      network: { council: richest.address, validators },
    });
    writeFileSync(path.join(folder, file), text);
    const opened = await openNodeFolder(folder);
    assert.equal(opened.validator, undefined);
    assert.deepEqual(opened.rules.parameters.network, { council: richest.address });
    assert.throws(() => soloValidator(opened), /is of a network: its blocks come from CometBFT/);
  });

  test('needs no key where only the rules are asked for', async (context) => {
    const folder = tempFolder(context);
    await initNodeFolder(folder, seeds);
    rmSync(path.join(folder, 'validator.key'));
    assert.equal((await readGenesis(folder)).parameters.genesisAddress, richest.address);
  });
});
