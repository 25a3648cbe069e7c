/** A council that several sign for changes who validates, by the commands of docs/operations.md as they stand there. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { findComet } from '@symbolon/cli/network/comet-program';
import { type JsonObject, parseJson } from '@symbolon/wire/json/json';
import { freePorts } from '../support/free-ports.ts';
import { ask, at } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { startSymbolon, symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const manual = readFileSync(path.resolve(import.meta.dirname, '../../docs/operations.md'), 'utf8');
const section = /### Changing validators together\n(.*?)\n### /s.exec(manual)?.[1] ?? '';
const commands = [...section.matchAll(/^ {4}symbolon (.+?)(?: +#.*)?$/gm)].map(([, words = '']) => words);

describe('a council of three', () => {
  const owner = ownerOfSuite();
  const place = tempFolder(owner);
  const addresses = new Map<string, string>();
  let url = '';
  let chain: ChildProcess | undefined;
  owner.after(async () => void chain?.kill('SIGKILL'));

  const say = (words: readonly string[]) => symbolon(owner, words, {}, { cwd: place });
  const done = async (...words: readonly string[]): Promise<string> => {
    const { code, out, err } = await say(words);
    assert.equal(code, 0, `symbolon ${words.join(' ')}\n${out}${err}`);
    return out;
  };
  const addressOf = (name: string) => addresses.get(name) as string;
  const validators = async () => {
    const reply = await ask(url, 'getAccountMetaData', { address: addressOf('council'), key: 'validators' });
    return JSON.parse(String(at(reply, 'result', 'validators', 'value'))) as JsonObject[];
  };
  const member = async (name: string, port: string) =>
    done(
      ...['validator', 'init', '--data', name, '--name', name, '--at', '127.0.0.1'],
      ...['--ports-from', port, '--power', '1'],
    );

  test('is there from the beginning, in a network of one validator', async () => {
    for (const name of ['council', 'treasury', 'ann', 'bob', 'eve']) {
      const made = parseJson(await done('keys', 'new', '--out', `${name}.key`, '--json')) as JsonObject;
      addresses.set(name, String(made.address));
    }
    const [port = '', other = ''] = await freePorts(2);
    await member('validator', port);
    await member('erin', other);
    renameSync(path.join(place, 'erin', 'member.json'), path.join(place, 'erin.json'));
    await done(
      ...[
        'validator',
        'genesis',
        '--member',
        path.join('validator', 'member.json'),
        '--out',
        'founding.json',
      ],
      ...['--council', addressOf('council'), '--genesis-account', addressOf('treasury'), '--block-ms', '100'],
    );
    await done('validator', 'join', '--data', 'validator', '--founding', 'founding.json');
    const words = ['node', 'start', '--data', path.join(place, 'validator', 'ledger')];
    url = await startSymbolon(owner, words).printed(/Ledger node +(\S+)/);
    const home = path.join(place, 'validator', 'cometbft');
    chain = spawn(await findComet(), ['start', '--home', home], { stdio: 'ignore' });
    await until(
      'a block',
      async () => Number(at(await ask(url, 'getLedger'), 'result', 'header', 'seq')) > 2,
    );
    await done('tx', 'pay', addressOf('council'), '10gas', '--key', 'treasury.key', '--ledger', url);
    const example = /```json\n(.*?)```/s.exec(section)?.[1] ?? '';
    const text = example.replace(/ZTX…(\w+)/g, (_, name: string) => addressOf(name));
    writeFileSync(path.join(place, 'council.json'), text);
    const from = ['--source', addressOf('council'), '--operations', 'council.json'];
    await done('tx', 'build', ...from, '--ledger', url, '--out', 'council.tx');
    await done('tx', 'sign', 'council.tx', '--key', 'council.key');
    await done('tx', 'submit', 'council.tx', '--ledger', url);
  });

  test('names another validator when two of them sign', async () => {
    assert.equal(commands.length, 6);
    for (const command of commands) {
      const words = command.replace('ZTX…', addressOf('council')).replace('http://127.0.0.1:36002', url);
      await done(...words.split(/ +/));
    }
    const { publicKey } = JSON.parse(readFileSync(path.join(place, 'erin.json'), 'utf8')) as JsonObject;
    assert.ok((await validators()).some((one) => one.publicKey === publicKey));
  });

  test('writes down no change that is none, or leaves nobody', async () => {
    for (const [words, said] of [
      [[], /Say what changes/],
      [['--add', 'erin.json'], /erin validates already, with this power/],
      [['--pardon', 'erin.json'], /is not jailed/],
      [['--remove', '0'.repeat(64)], /is no validator.*There are: [0-9a-f]{64}, [0-9a-f]{64}/s],
      [['--remove', 'erin.json', 'validator/member.json'], /Nobody would validate/],
    ] as const) {
      const { code, err } = await say([
        ...['validator', 'change', '--data', 'validator', '--out', 'other.json'],
        ...words,
      ]);
      assert.deepEqual([code, said.test(err)], [2, true], err);
    }
  });
});
