/**
 * The six mistakes that strangers make, on the demo as they meet it: wrong port, busy port, wrong key, wrong network,
 * expired credential, missing template. Each ends with what happened, why, and what to do. Finer cases are in
 * `credential-mistakes.test.ts` and `ledger-mistakes.test.ts`.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Owner, ownerOfSuite } from '../support/owner.ts';
import {
  type Ended,
  type Environment,
  type RunningSymbolon,
  startSymbolon,
} from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Somebody else's program on a port; where the port is taken by a third one, that one will do. */
async function occupy(owner: Owner, port: number): Promise<number> {
  const server: Server = createServer((socket) => socket.destroy());
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return port;
  }
  owner.after(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return (server.address() as { port: number }).port;
}

/** What happened, why, what to do: three lines at least, without a stack, a key or the name of a variable. */
function assertSaid(text: string, ...parts: readonly RegExp[]): void {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  assert.ok(lines.length >= 3, text);
  for (const part of parts) assert.match(text, part);
  assert.doesNotMatch(text, /\n\s+at |undefined|\[object|priv[A-Za-z0-9]{20}|sym_/);
}

describe('a stranger with the demo', () => {
  const owner = ownerOfSuite();
  const folder = tempFolder(owner);
  let demo: RunningSymbolon;
  let serviceUrl = '';
  let ledgerUrl = '';

  const run = (args: readonly string[], env?: Environment): Promise<Ended> =>
    startSymbolon(owner, args, env, { cwd: folder }).ended;
  const runWell = async (...args: string[]): Promise<Ended> => {
    const ended = await run(args);
    assert.equal(ended.code, 0, `${args.join(' ')}: ${ended.err}`);
    return ended;
  };

  before(async () => {
    await occupy(owner, 8080);
    demo = startSymbolon(owner, ['dev', '--no-open'], {}, { cwd: folder });
    serviceUrl = await demo.printed(/Credentials\s+(http\S+)/);
    ledgerUrl = await demo.printed(/Ledger node\s+(http:\/\/[^/\s]+)/);
    await demo.printed(/(Ctrl-C stops)/);
  });

  test('on a busy default port gets the next free one, and is told', () => {
    assert.notEqual(new URL(serviceUrl).port, '8080');
    const note =
      demo
        .out()
        .split('\n')
        .find((line) => line.includes('8080')) ?? '';
    assert.match(note, /port 8080 is in use.*takes \d+/);
  });

  test('who asks for a busy port is told who has it', async () => {
    const port = await occupy(owner, 0);
    for (const option of ['--ledger-port', '--service-port']) {
      const others = ['--ledger-port', '--service-port'].filter((name) => name !== option);
      const words = [
        'dev',
        '--data',
        'second',
        option,
        String(port),
        ...others.flatMap((name) => [name, '0']),
      ];
      const { code, err } = await run(words);
      assert.equal(code, 1, err);
      assertSaid(
        err,
        new RegExp(`Port ${port} is in use`),
        new RegExp(`Process ${process.pid} `),
        /another port/,
      );
    }
  });

  test('at a wrong port is told that nobody, or somebody else, is there', async () => {
    const nobody = 'http://127.0.0.1:9';
    for (const words of [
      ['template', 'list', '--service', nobody],
      ['account', 'balance', 'issuer', '--ledger', nobody],
    ]) {
      const { code, err } = await run(words);
      assert.equal(code, 69, err);
      assertSaid(err, /127\.0\.0\.1:9/, /Nothing listens there/, /npm start.*--service/);
    }
    for (const words of [
      ['template', 'list', '--service', ledgerUrl],
      ['account', 'balance', 'issuer', '--ledger', serviceUrl],
    ]) {
      const { code, err } = await run(words);
      assert.equal(code, 69, err);
      assertSaid(err, /Something else seems to answer/, /right address/);
    }
  });

  test('with a wrong key is told which kind of wrong it is', async () => {
    const apiKey = `sym_${'a'.repeat(8)}_${'a'.repeat(43)}`;
    const unknown = await run(['vc', 'list', '--profile', 'dev'], { SYMBOLON_API_KEY: apiKey });
    assert.equal(unknown.code, 1);
    assertSaid(
      unknown.err,
      /API key is not valid/,
      /unknown here, revoked or expired/,
      /SYMBOLON_API_KEY|profile/,
    );
    const other = await run(['vc', 'list', '--as', 'holder']);
    assert.equal(other.code, 1);
    assertSaid(other.err, /lacks the scope/, /--as/, /docs\/errors\.md#notallowed/);
    const file = path.join(folder, 'issuer.json');
    const { verifier: _, ...others } = JSON.parse(
      readFileSync(path.join(folder, '.symbolon/dev/demo.json'), 'utf8'),
    );
    writeFileSync(file, JSON.stringify(others), { mode: 0o600 });
    const nobody = await run(['request', '--ask', 'degree', '--profile', file]);
    assert.equal(nobody.code, 1);
    assertSaid(nobody.err, /API key is needed/, /--as issuer or --as holder/);
    await runWell('keys', 'new', '--out', 'other.key');
    const signed = await run(['tx', 'pay', 'holder', '1', '--key', 'other.key']);
    assert.notEqual(signed.code, 0);
    assertSaid(signed.err, /account|exist/i);
  });

  test('on a wrong network is told so', async () => {
    const foreign = await run(['tx', 'pay', 'buQdBdkvmAhnRrhLp4dmeCc2ft7RNE51c9EK', '1', '--as', 'issuer']);
    assert.equal(foreign.code, 2);
    assertSaid(foreign.err, /another network/);
    await runWell('node', 'init', '--data', 'own');
    const node = startSymbolon(
      owner,
      ['node', 'start', '--data', 'own', '--port', '0', '--socket-port', '0'],
      {},
      { cwd: folder },
    );
    const url = await node.printed(/(http:\/\/127\.0\.0\.1:\d+)/);
    const elsewhere = await run(['tx', 'pay', 'holder', '1', '--as', 'issuer', '--ledger', url]);
    assert.notEqual(elsewhere.code, 0);
    assertSaid(elsewhere.err, /network|chain/);
    await node.stop();
  });

  test('with an expired credential: the holder is warned, the verifier refuses', async () => {
    const soon = new Date(Date.now() + 15_000).toISOString().replace(/\.\d+/, '');
    const values = [
      'name=Mira',
      'birthDate=2001-02-03',
      'studentNumber=S-1',
      'degree=BSc',
      'faculty=Science',
    ];
    const more = [...values, 'grade=1', 'graduatedOn=2024-07-01'].flatMap((value) => ['--set', value]);
    const applied = await runWell('vc', 'apply', 'University degree', ...more, '--as', 'holder2', '--json');
    const { vcId } = JSON.parse(applied.out) as { vcId: string };
    await runWell('vc', 'issue', vcId, '--valid-until', soon);
    await runWell('vc', 'download', vcId, '--as', 'holder2', '--out', 'short.json');
    await delay(Math.max(0, Date.parse(soon) - Date.now() + 1_000));
    const show = ['vp', 'create', 'short.json', '--reveal', 'degree', '--as', 'holder2', '--out', 'vp.json'];
    assert.match((await runWell(...show)).err, /expired/);
    const { code, out } = await run(['verify', 'vp.json']);
    assert.equal(code, 3);
    assertSaid(out, /NOT VERIFIED/, /expired/, /issue a new one/);
  });

  test('who names no template that exists is told which ones do', async () => {
    const { code, err } = await run(['vc', 'apply', 'Degree', '--set', 'name=x']);
    assert.equal(code, 4);
    assertSaid(err, /no template called Degree/, /"University degree"/, /symbolon template list/);
  });

  test('who looks a code up finds it', async () => {
    const { err } = await run(['vc', 'status', `did:zid:${'00'.repeat(32)}`]);
    const anchor = /docs\/errors\.md#([\w-]+)/.exec(err)?.[1];
    assert.ok(anchor, err);
    const page = await (await fetch(`${serviceUrl}/docs/errors`)).text();
    assert.ok(page.includes(`id="${anchor}"`), anchor);
  });
});
