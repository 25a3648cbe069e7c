/**
 * Commands with `--sealed`, through somebody on the way who writes everything down: the results are those of the same
 * commands without it, and no value of an attribute is on the way in clear. What cannot be sealed is not sent.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, describe, test } from 'node:test';
import { type Owner, ownerOfSuite } from '../support/owner.ts';
import {
  type CommandWorld,
  degree,
  onlyJson,
  registerDegree,
  startCommandWorld,
} from './credential-world.ts';

/** Hands everything on, both ways, and remembers it. */
async function startRecorder(owner: Owner, target: () => string) {
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk as Buffer);
    seen.push(`${request.method} ${request.url}`, Buffer.concat(body).toString());
    const { method, headers } = request;
    const far = send(new URL(request.url ?? '/', target()), { method, headers }, async (answer) => {
      const parts: Buffer[] = [];
      for await (const chunk of answer) parts.push(chunk as Buffer);
      seen.push(Buffer.concat(parts).toString());
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.end(Buffer.concat(parts));
    });
    far.on('error', () => request.socket.destroy());
    far.end(Buffer.concat(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  owner.after(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, seen: () => seen.splice(0).join('\n') };
}

describe('with --sealed', () => {
  const owner = ownerOfSuite();
  let world: CommandWorld;
  let way: Awaited<ReturnType<typeof startRecorder>>;
  let profile: string;
  /** By whoever is on the way, which the profile takes for the service. */
  const json = async (...words: string[]) => {
    const { code, out, err } = await world.here(...words, '--profile', profile, '--json');
    assert.equal(code, 0, err);
    return onlyJson(out);
  };
  const values = degree.values.flatMap((value) => ['--set', value]);

  before(async () => {
    way = await startRecorder(owner, () => world.service.url);
    // Wallets sign for the address that they know.
    world = await startCommandWorld(owner, { publicUrl: way.url });
    profile = world.file('on-the-way.json');
    const own = JSON.parse(readFileSync(String(world.env.SYMBOLON_PROFILE), 'utf8'));
    writeFileSync(profile, JSON.stringify({ ...own, service: way.url }), { mode: 0o600 });
    await registerDegree(world);
  });

  const isInClear = (text: string): boolean => /Aroha|Mathematics|1990-05-17/.test(text);

  test('nothing that somebody wrote is on the way in clear, and all is as without it', async () => {
    const applied = await json('vc', 'apply', degree.name, ...values);
    assert.ok(isInClear(way.seen()), 'the recorder sees what is not sealed');
    await json('vc', 'issue', String(applied.vcId));
    const plain = await json('vc', 'download', String(applied.vcId), '--out', world.file('plain.json'));
    const held = await json('vc', 'held');
    assert.ok(isInClear(way.seen()));

    const copy = ['--out', world.file('sealed.json'), '--sealed'];
    const sealed = await json('vc', 'download', String(applied.vcId), ...copy);
    assert.deepEqual({ ...sealed, file: '' }, { ...plain, file: '' });
    assert.equal(
      readFileSync(world.file('sealed.json'), 'utf8'),
      readFileSync(world.file('plain.json'), 'utf8'),
    );
    assert.deepEqual(await json('vc', 'held', '--sealed'), held);
    const again = await json('vc', 'apply', degree.name, ...values, '--as', 'holder2', '--sealed');
    assert.equal(again.status, applied.status);
    await json('vc', 'show', String(again.vcId), '--sealed');
    await json('vc', 'issue', String(again.vcId), '--sealed');
    const carried = way.seen();
    assert.match(carried, /\/cred\/v1\/vc\/enc\/apply/);
    assert.match(carried, /\/cred\/v1\/vc\/applications\/enc\/show/);
    assert.ok(!isInClear(carried), 'sealed');
  });

  test('what is not served sealed is refused, and nothing of it is sent', async () => {
    const { code, out, err } = await world.here('vc', 'list', '--profile', profile, '--json', '--sealed');
    assert.equal(code, 1);
    assert.equal((onlyJson(out).error as { code: string }).code, 'notProtected');
    assert.match(err, /Nothing was sent/);
    assert.match(err, /--no-sealed/);
    assert.ok(!way.seen().includes('applications'));
  });

  test('nobody is asked by who cannot be told the answer', async () => {
    const words = ['request', '--ask', 'degree', '--wait', '--profile', profile, '--sealed'];
    const { code, err } = await world.here(...words);
    assert.equal(code, 2);
    assert.match(err, /Nobody was asked/);
    assert.ok(!way.seen().includes('verification'));
  });

  test('a profile can say so for all of its commands, and one command can say otherwise', async () => {
    const sealing = world.file('sealing.json');
    const own = JSON.parse(readFileSync(profile, 'utf8'));
    writeFileSync(sealing, JSON.stringify({ ...own, sealed: true }), { mode: 0o600 });
    const list = (...words: string[]) => world.here('vc', 'list', ...words, '--profile', sealing);
    assert.match((await list()).err, /Nothing was sent/);
    assert.equal((await list('--no-sealed')).code, 0);
  });
});
