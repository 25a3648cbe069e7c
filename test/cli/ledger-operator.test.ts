/** `symbolon tail`, `doctor`, `config` and `reset`: what an operator asks, on real folders with real processes. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { initServiceFolder } from '@symbolon/credential-service/wiring/service-folder';
import { initNodeFolder } from '@symbolon/ledger-node/node/node-folder';
import { richest } from '../support/people.ts';
import { operations } from '../support/running-node.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import { assertWords, openLedgerWorld, runIn, startIn } from './ledger-world.ts';

/** The folder that the demo makes, without starting it. */
async function makeDemoFolder(context: TestContext): Promise<string> {
  const folder = tempFolder(context);
  const dev = path.join(folder, '.symbolon', 'dev');
  await initNodeFolder(path.join(dev, 'ledger'), { genesisSeed: richest.seed });
  await initServiceFolder(path.join(dev, 'service'), { nodeUrl: 'http://127.0.0.1:1', port: 0 });
  // Whoever else runs on this machine is not asked.
  const nobody = 'http://127.0.0.1:1';
  writeFileSync(path.join(dev, 'demo.json'), JSON.stringify({ ledger: nobody, service: nobody }), {
    mode: 0o600,
  });
  return folder;
}

describe('symbolon tail', () => {
  test('tells blocks and transactions as they happen, and ends with Ctrl-C', async (context) => {
    const { node, folder, poor } = await openLedgerWorld(context);
    const [text, json] = [['tail'], ['tail', '--json', '--account', 'holder']].map((words) =>
      startIn(folder, context, words),
    );
    await until('both to be watching', () =>
      [text, json].every(({ printed }) => printed.err.includes('Watching')),
    );
    await until('something to be told to both', async () => {
      await node.execute({ operations: [operations.payCoin(poor.address, 3_000_000)] });
      return text.printed.out.includes('pays') && json.printed.out.includes('"transaction"');
    });
    await node.submit({ operations: [operations.payCoin(poor.address, 1)], fields: { fee_limit: 1 } });
    await until('the refusal', () => text.printed.out.includes('REFUSED'));
    for (const each of [text, json]) each.stop('SIGINT');
    const [textEnd, jsonEnd] = await Promise.all([text.ended, json.ended]);
    assert.equal(textEnd.code, 0, textEnd.err);
    assert.equal(jsonEnd.code, 0, jsonEnd.err);
    assert.match(textEnd.out, /block \d+ {2}[\s\S]*issuer \(\S+\) pays 3 Gas to holder\s+\(\S+\)\./);
    const events = jsonEnd.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.ok(events.some(({ event, sentence }) => event === 'transaction' && /pays 3 Gas/.test(sentence)));
  });
});

describe('symbolon config', () => {
  test('names every setting and its place, hides secrets, and tells all mistakes at once', async (context) => {
    const folder = await makeDemoFolder(context);
    const run = runIn(folder, context);
    const env = { SYMBOLON_MASTER_KEY_VALUE: 'very-secret-text', SYMBOLON_PORT: '8099' };
    const bad = {
      SYMBOLON_PORTT: '1',
      SYMBOLON_LEDGER_PORT: '70000',
      SYMBOLON_LEDGER_URL: 'http://127.0.0.1:1',
    };
    const [fine, printed, wrong, json, nothing] = await Promise.all([
      run(['config', 'check']),
      run(['config', 'print'], { env }),
      run(['config', 'check'], { env: bad }),
      run(['config', 'print', '--data', '.symbolon/dev/service', '--json'], { env }),
      run(['config', 'check', '--data', 'elsewhere']),
    ]);
    assert.equal(fine.code, 0, fine.err);
    assert.match(fine.out, /settings of this node are fine[\s\S]*settings of this service are fine/);
    assert.match(printed.out, /\* port +8099 +SYMBOLON_PORT [\s\S]*masterKey\.value +\(secret\)/);
    assert.match(printed.out, /\* nodeUrl +http:\/\/127\.0\.0\.1:1 +file /);
    assert.doesNotMatch(printed.out + json.out, /very-secret/);
    const [{ kind, settings }] = JSON.parse(json.out).folders;
    assert.equal(kind, 'service');
    assert.ok(
      settings.some(({ setting, secret }: Record<string, unknown>) => setting === 'database' && secret),
    );
    assertWords(
      wrong,
      78,
      /2 mistakes[\s\S]*SYMBOLON_LEDGER_PORT: must be at most 65535[\s\S]*did you mean SYMBOLON_PORT/,
    );
    assertWords(nothing, 78, /neither a node nor a service/);
  });
});

describe('symbolon doctor', () => {
  test('sees what is missing, damaged, open to all or unreachable, and makes nothing', async (context) => {
    const folder = await makeDemoFolder(context);
    const run = runIn(folder, context);
    const service = path.join(folder, '.symbolon', 'dev', 'service');
    rmSync(path.join(service, 'master.key'));
    mkdirSync(path.join(folder, '.symbolon', 'dev', 'ledger', 'chain'));
    writeFileSync(path.join(folder, '.symbolon', 'dev', 'ledger', 'chain', '000005.ldb'), 'damage');
    const env = {
      SYMBOLON_LEDGER_HOST: '0.0.0.0',
      SYMBOLON_CUSTODY_HSM_MODULE: '/nonexistent/module.so',
      SYMBOLON_CUSTODY_HSM_TOKEN_LABEL: 'token',
      SYMBOLON_CUSTODY_HSM_PIN: 'a-secret-pin',
      SYMBOLON_LEDGER_URL: 'http://127.0.0.1:1',
    };
    const ended = await run(['doctor', '--json'], { env });
    assert.equal(ended.code, 1, ended.err);
    const { healthy, checks } = JSON.parse(ended.out);
    const verdicts = Object.fromEntries(
      checks.map(({ check, verdict }: Record<string, string>) => [check, verdict]),
    );
    assert.equal(healthy, false);
    const expected = {
      Node: 'fine',
      'node settings': 'fine',
      'chain store': 'wrong',
      'chain keys': 'wrong',
      'service settings': 'fine',
      'master key': 'wrong',
      'custody module': 'wrong',
      node: 'wrong',
      service: 'wrong',
    };
    for (const [check, verdict] of Object.entries(expected)) assert.equal(verdicts[check], verdict, check);
    assert.doesNotMatch(ended.out + ended.err, /a-secret-pin/);
    assert.ok(checks.every(({ verdict, advice }: Record<string, string>) => verdict === 'fine' || advice));
    assert.deepEqual(readdirSync(service), ['service.json'], 'no key and no database was made');
  });

  test('says where to begin when nothing is there, and finds nothing wrong with that', async (context) => {
    const run = runIn(tempFolder(context), context);
    const { code, out, err } = await run(['doctor']);
    assert.equal(code, 0, out + err);
    assert.match(out, /✔ Node[\s\S]*! profile[\s\S]*npm start/);
    assert.doesNotMatch(out, /✖/);
  });

  test('looks at what it is told to look at and nothing else', async (context) => {
    const nobody = 'http://127.0.0.1:1';
    const folder = await makeDemoFolder(context);
    const run = runIn(folder, context);
    const checks = async (...words: string[]) => {
      const { out } = await run(['doctor', '--json', ...words]);
      const found = JSON.parse(out).checks as readonly { readonly check: string }[];
      return found
        .map(({ check }) => check)
        .filter((check) => !/^(Node|disk sync|free disk|port )/.test(check));
    };
    assert.deepEqual(await checks('--ledger', nobody), ['node']);
    assert.deepEqual(await checks('--service', nobody), ['service']);
    assert.deepEqual(await checks('--ledger', nobody, '--service', nobody), ['node', 'service']);
    const mine = path.join(folder, 'mine.json');
    writeFileSync(mine, JSON.stringify({ ledger: nobody, service: nobody }));
    assert.deepEqual(await checks('--profile', mine), ['node', 'service']);
    const service = path.join(folder, '.symbolon', 'dev', 'service');
    const ofService = ['service settings', 'proof engine', 'database', 'master key', 'service'];
    assert.deepEqual(await checks('--data', service), ofService);
    const node = ['node settings', 'chain store', 'chain keys'];
    assert.deepEqual(await checks('--data', path.join(folder, '.symbolon', 'dev', 'ledger')), [
      ...node,
      'node',
    ]);
    assert.deepEqual(await checks(), [...node, ...ofService.slice(0, -1), 'node', 'service']);
  });
});

describe('symbolon doctor on a node that listens elsewhere than its settings say', () => {
  test('looks where it listens, while it runs', async (context) => {
    const folder = tempFolder(context);
    const run = runIn(folder, context);
    await initNodeFolder(path.join(folder, 'chain'), { settings: { port: 36_902, socketPort: 36_903 } });
    const start = ['node', 'start', '--data', 'chain', '--port', '0', '--socket-port', '0'];
    const node = startIn(folder, context, start);
    await until('the node to be ready', () => node.printed.out.includes('is ready'));
    const [, http = ''] = /Ledger node +http:\/\/127\.0\.0\.1:(\d+)/.exec(node.printed.out) ?? [];
    const [, socket = ''] = /WebSocket +ws:\/\/127\.0\.0\.1:(\d+)/.exec(node.printed.out) ?? [];
    const running = await run(['doctor', '--data', 'chain']);
    assert.equal(running.code, 0, running.out);
    for (const port of [http, socket])
      assert.match(running.out, new RegExp(`port ${port} +the node listens`));
    assert.match(running.out, new RegExp(`node +ready at http://127.0.0.1:${http}`));
    assert.doesNotMatch(running.out, /3690[23]/);
    node.stop('SIGKILL');
    await node.ended;
    const killed = await run(['doctor', '--data', 'chain']);
    assert.match(killed.out, /port 36902 +free for the node[\s\S]*chain does not run/);
  });

  test('looks where the demo has put node and service', async (context) => {
    const folder = await makeDemoFolder(context);
    const demo = { ledger: 'http://127.0.0.1:36904', service: 'http://127.0.0.1:36905' };
    writeFileSync(path.join(folder, '.symbolon', 'dev', 'demo.json'), JSON.stringify(demo));
    const { out } = await runIn(folder, context)(['doctor']);
    assert.match(out, /port 36904 +free for the node\n.*port 36905 +free for the service/);
    assert.doesNotMatch(out, /36002/);
  });
});

describe('symbolon reset', () => {
  test('removes the demo when nothing runs on it', async (context) => {
    const folder = await makeDemoFolder(context);
    const run = runIn(folder, context);
    const data = path.join(folder, '.symbolon', 'dev');
    assertWords(await run(['reset']), 2, /Nothing was removed\.\nSay --yes/);
    const node = startIn(folder, context, [
      'node',
      'start',
      '--data',
      path.join(data, 'ledger'),
      '--port',
      '0',
      '--socket-port',
      '0',
    ]);
    await until('the node', () => node.printed.out.includes('Ledger node'));
    assertWords(await run(['reset', '--yes']), 1, /runs on \.symbolon\/dev; nothing was removed/);
    node.stop();
    assert.equal((await node.ended).code, 0);
    const service = startIn(folder, context, [
      'service',
      'start',
      '--data',
      path.join(data, 'service'),
      '--port',
      '0',
    ]);
    await until('the service', () => service.printed.out.includes('Credential service'));
    assertWords(await run(['reset', '--yes']), 1, /runs on \.symbolon\/dev; nothing was removed/);
    service.stop();
    await service.ended;
    const done = await run(['reset', '--yes', '--json']);
    assert.deepEqual(JSON.parse(done.out), { data: '.symbolon/dev', removed: true });
    assert.deepEqual(readdirSync(path.join(folder, '.symbolon')), []);
    assert.equal((await run(['reset', '--yes'])).code, 0, 'what is gone is gone');
  });

  test('touches no other folder: not a chain of one’s own, not somebody’s files', async (context) => {
    const folder = await makeDemoFolder(context);
    const run = runIn(folder, context);
    await initNodeFolder(path.join(folder, 'own', 'ledger'));
    mkdirSync(path.join(folder, 'empty'));
    writeFileSync(path.join(folder, '.symbolon', 'dev', 'notes.txt'), 'mine');
    const [own, empty, mixed, file] = await Promise.all(
      ['own', 'empty', '.symbolon/dev', '.symbolon/dev/notes.txt'].map((data) =>
        run(['reset', '--yes', '--data', data]),
      ),
    );
    assertWords(own, 2, /has a genesis account of its own/);
    assertWords(empty, 2, /It is empty/);
    assertWords(mixed, 2, /holds notes\.txt/);
    assertWords(file, 2, /not a folder that the demo made/);
    for (const kept of ['own/ledger/genesis.json', '.symbolon/dev/ledger/genesis.json', 'empty'])
      assert.ok(existsSync(path.join(folder, kept)), kept);
  });
});
