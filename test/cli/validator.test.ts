/**
 * `symbolon validator` and `symbolon signer`: a network whose validators belong to different operators, each with folders of
 * their own, from keys to blocks; and the units with which systemd runs them.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { findComet } from '@symbolon/cli/network/comet-program';
import { type JsonObject, parseJson } from '@symbolon/wire/json/json';
import { mustRun } from '../support/debian-packages.ts';
import { freePorts } from '../support/free-ports.ts';
import { at } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { startSymbolon, symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const analyze = await run('systemd-analyze', ['--version']).then(
  () => true,
  () => false,
);

describe('a network of two operators', () => {
  const owner = ownerOfSuite();
  const place = tempFolder(owner);
  const inPlace = (...parts: readonly string[]) => path.join(place, ...parts);
  const say = (...words: readonly string[]) => symbolon(owner, [...words]);
  const done = async (...words: readonly string[]): Promise<JsonObject> => {
    const { code, out, err } = await say(...words, '--json');
    assert.equal(code, 0, err);
    return parseJson(out) as JsonObject;
  };
  const refused = async (said: RegExp, ...words: readonly string[]) => {
    const { code, err } = await say(...words);
    assert.deepEqual([code, said.test(err)], [2, true], err);
  };
  const founding = inPlace('founding.json');
  const council = ['--council', person('council of two').address];
  const genesisAccount = ['--genesis-account', person('treasury of two').address];
  const members = ['--member', ...['alice', 'bob'].map((name) => inPlace(name, 'member.json'))];
  const socket = inPlace('privval.sock');

  test('each makes keys of their own, one of them in a signer', async () => {
    await refused(
      /encryption of its own, which is not spoken here/,
      ...['signer', 'init', '--data', inPlace('signer'), '--connect', 'tcp://127.0.0.1:26659'],
    );
    const { publicKey } = await done(
      'signer',
      'init',
      '--data',
      inPlace('signer'),
      '--connect',
      `unix://${socket}`,
    );
    for (const [name, ...more] of [['alice'], ['bob', '--signer', inPlace('signer')]] as const) {
      const [port = ''] = await freePorts(1);
      await done(
        ...['validator', 'init', '--data', inPlace(name), '--name', name, '--at', '127.0.0.1'],
        ...['--ports-from', port, ...more],
      );
    }
    const bob = JSON.parse(readFileSync(inPlace('bob', 'member.json'), 'utf8')) as JsonObject;
    assert.equal(bob.publicKey, publicKey);
    assert.ok(!existsSync(inPlace('bob', 'cometbft/config/priv_validator_key.json')));
    await refused(
      /not an empty folder/,
      'validator',
      'init',
      '--data',
      inPlace('bob'),
      '--name',
      'b',
      '--at',
      'h',
    );
    for (const [name, host] of [
      ['Bob', 'h'],
      ['b"', 'h'],
      ['b', 'h:0'],
    ] as const)
      await refused(
        /--(name|at) must/,
        'validator',
        'init',
        '--data',
        inPlace('no'),
        '--name',
        name,
        '--at',
        host,
      );
    assert.ok(!existsSync(inPlace('no')));
  });

  test('put it together of what they tell of themselves', async () => {
    await refused(
      /Two members have the same name/,
      ...['validator', 'genesis', ...members, inPlace('alice', 'member.json'), ...council, ...genesisAccount],
      ...['--out', founding],
    );
    const changed = inPlace('changed-member.json');
    const alice = readFileSync(inPlace('alice', 'member.json'), 'utf8');
    writeFileSync(changed, alice.replace('"power": 10', '"power": 10, "extra": 1'));
    await refused(
      /is not what "symbolon validator init" says/,
      ...['validator', 'genesis', '--member', changed, ...council, ...genesisAccount, '--out', founding],
    );
    assert.ok(!existsSync(founding));
    await done(
      'validator',
      'genesis',
      ...members,
      ...council,
      ...genesisAccount,
      '--block-ms',
      '200',
      '--out',
      founding,
    );
    await refused(
      /is there already/,
      'validator',
      'genesis',
      ...members,
      ...council,
      ...genesisAccount,
      '--out',
      founding,
    );
  });

  test('join it, and nothing that was changed on the way', async () => {
    const text = readFileSync(founding, 'utf8');
    const changed = inPlace('changed.json');
    for (const [from, to] of [
      ['"power": 10', '"power": 90'],
      ['"council": "', '"council": "Z'],
      [/"time": "20/, '"time": "21'],
      [/"chainId": "symbolon-./, '"chainId": "symbolon-x'],
    ] as const) {
      writeFileSync(changed, text.replace(from, to));
      const { code } = await say('validator', 'join', '--data', inPlace('alice'), '--founding', changed);
      assert.equal(code, 2, String(from));
      assert.ok(!existsSync(inPlace('alice', 'ledger')));
    }
    const early = await say('validator', 'units', '--data', inPlace('alice'));
    assert.match(early.err, /is in no network yet/);
    const chains = [];
    for (const name of ['alice', 'bob'])
      chains.push((await done('validator', 'join', '--data', inPlace(name), '--founding', founding)).chainId);
    assert.equal(new Set(chains).size, 1);
    const genesis = inPlace('bob', 'cometbft/config/genesis.json');
    assert.equal(
      readFileSync(genesis, 'utf8'),
      readFileSync(inPlace('alice', 'cometbft/config/genesis.json'), 'utf8'),
    );
    await refused(
      /in a network already/,
      'validator',
      'join',
      '--data',
      inPlace('bob'),
      '--founding',
      founding,
    );
    await done('signer', 'join', '--data', inPlace('signer'), '--genesis', genesis);
  });

  test('makes blocks with both of them', async () => {
    const comet = await findComet();
    const processes: ChildProcess[] = [];
    owner.after(async () => {
      for (const child of processes) child.kill('SIGKILL');
    });
    const nodes = ['alice', 'bob'].map((name) =>
      startSymbolon(owner, ['node', 'start', '--data', inPlace(name, 'ledger')]),
    );
    startSymbolon(owner, ['signer', 'start', '--data', inPlace('signer')]);
    const urls = await Promise.all(nodes.map((node) => node.printed(/Ledger node +(\S+)/)));
    for (const name of ['alice', 'bob'])
      processes.push(spawn(comet, ['start', '--home', inPlace(name, 'cometbft')], { stdio: 'ignore' }));
    const blockOf = async (url: string) => {
      const answer = parseJson(await (await fetch(`${url}/getLedger`)).text()) as JsonObject;
      return Number(at(answer, 'result', 'header', 'seq'));
    };
    for (const url of urls) await until('blocks', async () => (await blockOf(url)) > 4);
    const shown = await done('signer', 'show', '--data', inPlace('signer'));
    assert.ok(Number(at(shown, 'last', 'height')) > 3);
  });

  test('is run by systemd with units that it understands', {
    skip: !analyze && !mustRun && 'no systemd',
  }, async () => {
    await refused(/has a signer/, 'validator', 'units', '--data', inPlace('bob'));
    await refused(
      /has no signer/,
      'validator',
      'units',
      '--data',
      inPlace('alice'),
      '--signer',
      inPlace('signer'),
    );
    const out = inPlace('units with spaces');
    mkdirSync(out);
    const programs = ['--symbolon', process.execPath, '--cometbft', await findComet()];
    const words = ['units', '--data', inPlace('bob'), '--signer', inPlace('signer'), ...programs];
    const written = await say('validator', ...words, '--out', out, '--user', 'root', '--signer-user', 'root');
    assert.equal(written.code, 0, written.err);
    const files = readdirSync(out).map((file) => path.join(out, file));
    assert.equal(files.length, 3);
    // What is said of units that the system has itself does not count.
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', ...files], {
      env: { ...process.env, SYSTEMD_UNIT_PATH: `${out}:` },
    }).catch((error: { stdout: string; stderr: string }) => error);
    const said = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('symbolon'));
    assert.deepEqual(said, []);
    assert.match(written.err, /privval\.sock is in no folder below \/run/);
    const printed = await say('validator', ...words);
    assert.match(printed.out, /^# symbolon-signer\.service$/m);
  });
});
