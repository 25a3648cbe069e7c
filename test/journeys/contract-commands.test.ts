/**
 * `symbolon contract …` as an author of contracts meets it: processes, words, exit codes, and a real node to deploy to.
 * The commands and the example of docs/contracts.md are run as they stand there.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { person, richest } from '../support/people.ts';
import { type NodeOrder, operations, type RunningNode, startNode } from '../support/running-node.ts';
import { type Ended, symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');
const counter = path.join(root, 'contracts/counter.js');
const registry = path.join(root, 'contracts/registry.js');
const manual = readFileSync(path.join(root, 'docs/contracts.md'), 'utf8');
const exitCodes = { failed: 1, usage: 2, unreachable: 69, config: 78 };

function writeFile(folder: string, name: string, text: string, mode = 0o600): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

interface Desk {
  readonly node: RunningNode;
  readonly key: string;
  readonly folder: string;
  /** `symbolon contract <words> --url <node>`. */
  run(...words: string[]): Promise<Ended>;
  /** The same with `--json`, which must succeed. */
  json(...words: string[]): Promise<Record<string, unknown>>;
}

async function openDesk(context: TestContext, order: NodeOrder = {}): Promise<Desk> {
  const node = await startNode(context, order);
  const folder = tempFolder(context);
  const key = writeFile(folder, 'owner.key', `${richest.privateKey}\n`);
  const run = (...words: string[]) => symbolon(context, ['contract', ...words, '--url', node.url]);
  const json = async (...words: string[]) => {
    const { code, out, err } = await run(...words, '--json');
    assert.equal(code, 0, err);
    return JSON.parse(out);
  };
  return { node, key, folder, run, json };
}

const assertWords = ({ code, out, err }: Ended, expected: number, words: RegExp): void => {
  assert.equal(code, expected, out + err);
  assert.match(out + err, words);
  assert.doesNotMatch(err, /\n\s+at /, 'no stack for a mistake of the user');
};

describe('docs/contracts.md', () => {
  /** The words of a command as a shell splits them. */
  const wordsOf = (line: string): string[] =>
    [...line.matchAll(/'([^']*)'|(<[^>]+>|\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

  test('shows commands that work', async (context) => {
    const { key, folder, run } = await openDesk(context);
    const commands = [...manual.matchAll(/^ {4}npm run symbolon -- contract (.*)$/gm)].map(
      ([, words]) => words,
    );
    assert.deepEqual(
      commands.map((words) => words?.split(' ')[0]),
      ['new', 'check', 'test', 'deploy', 'call', 'call', 'upgrade'],
    );
    let [address, out] = ['', ''];
    for (const command of commands) {
      const words = wordsOf(command ?? '').map((word) => {
        if (word === '<address>') return address;
        if (word.startsWith('contracts')) return path.join(root, word);
        if (word === 'notice-board') return path.join(folder, word);
        if (word === '<your address>') return richest.address;
        return word.endsWith('genesis-account.key') ? key : word;
      });
      const isLocal = ['new', 'check', 'test'].includes(words[0] ?? '');
      const ended = await (isLocal ? symbolon(context, ['contract', ...words]) : run(...words));
      assert.equal(ended.code, 0, `${command}: ${ended.out}${ended.err}`);
      if (words.includes('--query')) out = ended.out;
      address = /address +(\w+)/.exec(ended.out)?.[1] ?? address;
    }
    assert.equal(out, '{"count":"1"}\n');
  });

  test('shows a test that passes', async (context) => {
    const [block] =
      /(?:^ {4}.*\n|^\n)+/gm[Symbol.match](manual)?.filter((it) => it.includes('createTestChain(')) ?? [];
    const folder = tempFolder(context);
    copyFileSync(counter, path.join(folder, 'counter.js'));
    const file = writeFile(folder, 'counter.test.ts', (block ?? '').replaceAll(/^ {4}/gm, ''));
    const { code, out } = await symbolon(context, ['contract', 'test', file, '--json']);
    assert.equal(code, 0, out);
    assert.equal(JSON.parse(out).passed, 1);
  });
});

describe('symbolon contract new', () => {
  test('makes a contract that passes its tests, the check and an editor, and overwrites nothing', async (context) => {
    const folder = tempFolder(context);
    const place = path.join(folder, 'deeper', 'notice-board');
    const made = await symbolon(context, ['contract', 'new', place, '--json']);
    assert.equal(made.code, 0, made.err);
    const { name, files } = JSON.parse(made.out);
    assert.equal(name, 'notice-board');
    assert.deepEqual(files.toSorted(), readdirSync(place).toSorted());
    const code = path.join(place, 'notice-board.js');
    const [tested, checked, typed] = await Promise.all([
      symbolon(context, ['contract', 'test', place, '--json']),
      symbolon(context, ['contract', 'check', code]),
      promisify(execFile)(process.execPath, [
        path.join(root, 'node_modules/typescript/bin/tsc'),
        '-p',
        `${place}/jsconfig.json`,
      ]),
    ]);
    assert.equal(tested.code, 0, tested.out);
    assert.equal(JSON.parse(tested.out).passed, 3);
    assert.equal(checked.code, 0, checked.out);
    assert.equal(typed.stdout, '');
    writeFileSync(code, 'mine');
    const again = await symbolon(context, ['contract', 'new', place]);
    assertWords(again, exitCodes.usage, /is there already; nothing was written/);
    assert.equal(readFileSync(code, 'utf8'), 'mine');
    for (const odd of ['Upper', '9lives', 'a b', '/'])
      assertWords(
        await symbolon(context, ['contract', 'new', odd]),
        exitCodes.usage,
        /no name for a contract/,
      );
  });

  test('says what its contract does on a chain, and what its README says works', async (context) => {
    const { key, folder, run, json } = await openDesk(context);
    const place = path.join(folder, 'notice-board');
    await symbolon(context, ['contract', 'new', place]);
    const code = path.join(place, 'notice-board.js');
    const signed = ['--key', key];
    const { address } = await json('deploy', code, ...signed, '--input', 'Open.', '--owner', richest.address);
    const put = '{"method":"put","params":{"text":"Closed."}}';
    const called = await json('call', address as string, ...signed, '--input', put);
    assert.equal(called.returned, true);
    assert.deepEqual(called.events, [
      { contract: address, topic: 'put', values: [richest.address, 'Closed.'] },
    ]);
    const text = await run('call', address as string, ...signed, '--input', put);
    assertWords(
      text,
      0,
      /returned +true .*\n +event +put {2}ZTX3\w+ {2}Closed\.\n +did .*metadata "notice".*\n[\s\S]*fee +\d+ \(0\.0+\d+ Gas\)/,
    );
    const louder = writeFile(
      folder,
      'louder.js',
      readFileSync(code, 'utf8').replace('A notice is a text.', 'Louder!'),
    );
    const upgraded = await run('upgrade', address as string, louder, ...signed);
    assertWords(upgraded, 0, /has its new code\. What it had stored is there/);
    const refused = await run(
      'call',
      address as string,
      ...signed,
      '--input',
      '{"method":"put","params":{"text":""}}',
    );
    assertWords(refused, exitCodes.failed, /\(151\): Louder!/);
    const { result } = await json('call', address as string, '--query', '--input', '{"method":"read"}');
    assert.equal(JSON.parse(result as string).text, 'Closed.');
  });
});

describe('symbolon contract upgrade', () => {
  test('is for the owner, who is told before anything is spent', async (context) => {
    const { node, key, folder, run, json } = await openDesk(context);
    const other = person('another owner');
    await node.execute({ operations: [operations.payCoin(other.address, 10n ** 9n)] });
    const otherKey = writeFile(folder, 'other.key', other.privateKey);
    const { address: fixed } = await json('deploy', counter, '--key', key);
    const { address: owned } = await json('deploy', counter, '--key', key, '--owner', richest.address);
    const before = await node.balance(richest.address);
    const upgrade = (address: unknown, ...words: string[]) =>
      run('upgrade', address as string, registry, ...words);
    assertWords(await upgrade(fixed, '--key', key), 1, /Nobody can upgrade this contract; nothing was sent/);
    assertWords(
      await upgrade(owned, '--key', otherKey),
      1,
      /by another account; nothing was sent\.\nIts owner is/,
    );
    assertWords(await upgrade(richest.address, '--key', key), 1, /is not a contract/);
    const bad = writeFile(folder, 'bad.js', 'function main(input) { console.log(input); }');
    assertWords(
      await run('upgrade', owned as string, bad, '--key', key),
      1,
      /console\.log is there in tests alone/,
    );
    assert.equal(await node.balance(richest.address), before);
    assertWords(await upgrade(owned, '--key', key, '--owner', other.address), 0, /owner +ZTX3/);
    assertWords(await upgrade(owned, '--key', key), 1, /by another account/);
    assertWords(await upgrade(owned, '--key', otherKey), 0, /has its new code/);
  });
});

describe('symbolon contract check', () => {
  test('names every finding by file, line and column', async (context) => {
    const folder = tempFolder(context);
    const bad = writeFile(
      folder,
      'bad.js',
      `'use strict';\nfunction main(input) {\n  return input == 1;\n}\n`,
    );
    const [fine, text, json] = await Promise.all([
      symbolon(context, ['contract', 'check', counter, registry]),
      symbolon(context, ['contract', 'check', counter, bad]),
      symbolon(context, ['contract', 'check', counter, bad, '--json']),
    ]);
    assert.equal(fine.code, 0, fine.out);
    assertWords(text, exitCodes.failed, /bad\.js:3:10: .*===.* \(expected_a_b\)\n1 finding\./);
    assert.equal(json.code, exitCodes.failed);
    const [first, second] = JSON.parse(json.out).files;
    assert.deepEqual(first, { file: counter, findings: [] });
    const { message, ...place } = second.findings[0];
    assert.deepEqual(place, { line: 3, column: 10, code: 'expected_a_b' });
    assert.match(message, /===/);
  });
});

describe('symbolon contract test', () => {
  test('passes the sample contracts', async (context) => {
    const { code, out } = await symbolon(context, [
      'contract',
      'test',
      path.join(root, 'contracts'),
      '--json',
    ]);
    const { passed, failed, skipped, tests } = JSON.parse(out);
    const troubles = tests.filter(({ outcome }: { outcome: string }) => outcome !== 'passed');
    assert.deepEqual({ code, failed, skipped, troubles }, { code: 0, failed: 0, skipped: 0, troubles: [] });
    assert.ok(passed > 50);
  });

  test('runs tests of any folder, and tells what failed', async (context) => {
    const folder = tempFolder(context);
    mkdirSync(path.join(folder, 'inside'));
    const body = `
      import { test, describe } from 'node:test';
      import { createTestChain } from '@symbolon/contract-kit/test-chain';
      describe('suite', () => {
        test('good', () => { createTestChain(); console.log('said by a test'); });
        test('bad', () => { createTestChain().deploy('x'); });
        test('later', { skip: true }, () => {});
      });`;
    writeFile(path.join(folder, 'inside'), 'some.test.js', body);
    writeFile(folder, 'broken.test.ts', 'import "nowhere-to-be-found";');
    const args = ['contract', 'test', folder];
    const [json, text] = await Promise.all([symbolon(context, [...args, '--json']), symbolon(context, args)]);
    assert.equal(json.code, exitCodes.failed);
    const { passed, failed, skipped, tests, output } = JSON.parse(json.out);
    assert.deepEqual({ passed, failed, skipped }, { passed: 1, failed: 2, skipped: 1 });
    assert.deepEqual(
      output.map(({ text }: { text: string }) => text),
      ['said by a test\n'],
    );
    const errorOf = (name: string) =>
      tests.find((it: { name: string }) => it.name.endsWith(name))?.error as string;
    assert.match(errorOf('suite › bad'), /ContractFailure: ERRCODE_CONTRACT_SYNTAX_ERROR \(152\)/);
    assert.match(errorOf('broken.test.ts'), /nowhere-to-be-found/);
    assert.equal(text.code, exitCodes.failed);
    assert.match(text.out, /✔ good[\s\S]*✖ bad/);
  });

  test('shows what a contract says, and who had called whom when it failed', async (context) => {
    const folder = tempFolder(context);
    const body = `
      import { test } from 'node:test';
      import { createTestChain } from '@symbolon/contract-kit/test-chain';
      const code = '"use strict";\\nfunction init() { return true; }\\nfunction main(input) {\\n  console.log("got", input);\\n  throw new Error("no");\\n}';
      test('speaks', () => { createTestChain({ contracts: { speaker: code } }).call('speaker', { method: 'go' }); });`;
    writeFile(folder, 'speaker.test.mjs', body);
    const { code, out } = await symbolon(context, ['contract', 'test', folder]);
    assert.equal(code, exitCodes.failed);
    assert.match(out, /\[speaker\] got \{"method":"go"\}/);
    assert.match(
      out,
      /Operation 1 ran main of speaker, method go\.\s+speaker failed, line 5:\s+5 \| throw new Error/,
    );
  });

  test('wants files with tests in them', async (context) => {
    const folder = tempFolder(context);
    const nowhere = path.join(folder, 'nowhere');
    assertWords(
      await symbolon(context, ['contract', 'test', folder]),
      exitCodes.usage,
      /holds no file named/,
    );
    assertWords(await symbolon(context, ['contract', 'test', nowhere]), exitCodes.usage, /does not exist/);
  });
});

describe('symbolon contract deploy and call', () => {
  const release = '{"method":"release","params":{"name":"a"}}';
  const register = '{"method":"register","params":{"name":"a","value":"b"}}';
  const resolve = '{"method":"resolve","params":{"name":"a"}}';

  test('put a contract on the chain, pay it and ask it', async (context) => {
    const { node, key, json, run } = await openDesk(context, { chain: { chainId: 7n } });
    const input = '{"params":{"deposit":"100"}}';
    const deployed = await json('deploy', registry, '--key', key, '--input', input, '--balance', '5');
    const address = deployed.address as string;
    assert.equal(await node.balance(address), 5n);
    const called = await json('call', address, '--input', register, '--coin', '100', '--key', key);
    assert.equal((called.triggered as string[]).length, 4);
    assert.equal(await node.balance(address), 105n);
    const { result } = await json('call', address, '--input', resolve, '--query');
    assert.deepEqual(JSON.parse(result as string), { owner: richest.address, value: 'b' });
    const before = await node.balance(richest.address);
    const { fee } = await json('call', address, '--input', release, '--key', key);
    assert.equal(await node.balance(richest.address), before + 100n - BigInt(fee as number));
    const text = await run('call', address, '--input', resolve, '--query');
    assertWords(text, exitCodes.failed, /gives no answer\.\n.*\(151\): Nobody owns this name\. \(line \d+\)/);
  });

  test('say why the ledger refuses, before anything is spent', async (context) => {
    const { node, key, folder, run } = await openDesk(context);
    const stranger = writeFile(folder, 'stranger.key', person('a stranger').privateKey);
    const plain = person('somebody with coins');
    await node.execute({ operations: [operations.payCoin(plain.address, 10)] });
    const { address } = JSON.parse((await run('deploy', counter, '--key', key, '--json')).out);
    const before = await node.balance(richest.address);
    const increment = ['--input', '{"method":"increment"}'];
    const cases: [string[], number, RegExp][] = [
      [['deploy', counter, '--key', key, '--input', '-1'], 1, /\(151\): The start must not be negative/],
      [['deploy', counter, '--key', stranger], 1, /\(4\)|\(103\)/],
      [
        ['call', address, '--key', key, '--input', '{"method":"x"}'],
        1,
        /no such method[\s\S]*ran main of ZTX3\w+, method x\.\n.*Utils\.assert, line 41:\n {2}41 \| Utils/,
      ],
      [['call', address, '--key', key, '--input', 'x'], 1, /\(151\): SyntaxError/],
      [['call', address, '--key', key, ...increment, '--fee-limit', '1'], 1, /\(111\)/],
      [['call', plain.address, '--key', key, '--coin', '1'], 1, /is not a contract/],
      [['call', person('nobody').address, '--key', key], 1, /\(4\)/],
      [['call', plain.address, '--query'], 1, /there is no contract at/],
    ];
    await Promise.all(
      cases.map(async ([words, exitCode, said]) => assertWords(await run(...words), exitCode, said)),
    );
    assert.equal(await node.balance(richest.address), before);
    assert.equal(await node.balance(plain.address), 10n);
  });

  test('say what a transaction cost that failed after all', async (context) => {
    const { node, key, run, json } = await openDesk(context);
    const { address } = await json('deploy', counter, '--key', key);
    const words = ['call', address as string, '--key', key, '--input', '{"method":"increment"}'];
    const { fee } = await json(...words);
    const tooLow = String(Number(fee) - 20);
    const before = await node.balance(richest.address);
    const failed = await run(...words, '--fee-limit', tooLow, '--json');
    assertWords(
      failed,
      exitCodes.failed,
      new RegExp(`The transaction failed\\.[\\s\\S]*cost ${tooLow} \\(0\\.0+${tooLow} Gas\\);`),
    );
    assert.equal(JSON.parse(failed.out).error.ledgerCode, 111);
    assert.equal(await node.balance(richest.address), before - BigInt(tooLow));
    assert.deepEqual(await json('call', address as string, '--query', '--input', '{"method":"count"}'), {
      result: '{"count":"1"}',
    });
  });

  test('keep keys to themselves', async (context) => {
    const { folder, run } = await openDesk(context);
    const open = writeFile(folder, 'open.key', richest.privateKey, 0o644);
    const odd = writeFile(folder, 'odd.key', `${richest.privateKey}1`);
    const deployed = await run('deploy', counter, '--key', open);
    assertWords(deployed, exitCodes.config, /others than its owner can reach it[\s\S]*chmod 600/);
    const asText = await run('deploy', counter, '--key', richest.privateKey);
    assertWords(asText, exitCodes.usage, /is a key, and not a file/);
    const broken = await run('deploy', counter, '--key', odd);
    assertWords(broken, exitCodes.usage, /does not hold a private key/);
    for (const { out, err } of [deployed, asText, broken]) {
      assert.ok(!(out + err).includes(richest.privateKey.slice(0, 30)));
    }
  });

  test('say that no node answers', async (context) => {
    const key = writeFile(tempFolder(context), 'a.key', richest.privateKey);
    const nowhere = ['--url', 'http://127.0.0.1:1'];
    const [asked, deployed] = await Promise.all([
      symbolon(context, ['contract', 'call', richest.address, '--query', ...nowhere]),
      symbolon(context, ['contract', 'deploy', counter, '--key', key, ...nowhere]),
    ]);
    for (const ended of [asked, deployed]) {
      assertWords(
        ended,
        exitCodes.unreachable,
        /No connection with http:\/\/127\.0\.0\.1:1\.[\s\S]*Nothing listens there/,
      );
    }
  });
});
