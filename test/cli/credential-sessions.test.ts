/** A verifier asks by command, a wallet answers, a receiver hears of it through `symbolon listen`. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, describe, test } from 'node:test';
import { derivePresentation, issuerKeysOf } from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { postService } from '../support/service-http.ts';
import { until } from '../support/until.ts';
import { fetchDefinition, postSubmission } from '../support/x401.ts';
import {
  assertPlain,
  type CommandWorld,
  degree,
  issueDegree,
  onlyJson,
  registerDegree,
  startCommandWorld,
} from './credential-world.ts';

/** The wallet of the demo's holder: fetches what is asked for and answers with a presentation. */
async function answer(world: CommandWorld, id: string, revealed: readonly string[]): Promise<void> {
  const { service } = world;
  const { holder, issuer } = service;
  const { signer } = holder;
  const signed = Buffer.from(await signer.sign(Buffer.from(signer.address))).toString('hex');
  const wallet = {
    baseUrl: service.url,
    headers: { 'X-Wallet-Public-Key': signer.publicKey, 'X-Wallet-Signed-Data': signed },
  };
  const definition = await fetchDefinition(wallet, id);
  const { didDocument } = await service.stranger.resolveDid({ did: issuer.did });
  const vpToken = await derivePresentation({
    signer,
    vc: JSON.parse(readFileSync(world.file('credential.json'), 'utf8')) as JsonObject,
    issuerKeys: issuerKeysOf(didDocument as JsonObject),
    revealAttributes: [...revealed],
    rangeProof: [{ attribute: 'points', min: 100 }],
    challenge: definition.nonce,
    now: Date.now(),
  });
  const answered = await postSubmission(wallet, definition, { vpToken: vpToken as unknown as JsonObject });
  assert.equal(answered.status, 200, answered.text);
}

describe('verification sessions by command', () => {
  const owner = ownerOfSuite();
  let world: CommandWorld;
  before(async () => {
    world = await startCommandWorld(owner);
    await registerDegree(world);
    await issueDegree(world, world.file('credential.json'));
  });

  const asked = () => ['--template', degree.name, '--ask', 'degree', '--range', 'points:100..'];

  test('a link, and the same as a QR code', async () => {
    const { code, out, err } = await world.run(
      'request',
      ...asked(),
      '--trust',
      world.service.issuer.did,
      '--qr',
    );
    assert.equal(code, 0, err);
    assert.match(out, /█▀▄|▄▄▄▄▄/);
    assert.match(out, /link +zetrix:\/\/\?request_uri=http:\S+\/v1\/presentation\/\S+/);
    assertPlain(out + err);
    const session = await world.json('request', ...asked());
    const definition = await fetchDefinition({ baseUrl: world.service.url }, String(session.presentationId));
    assert.equal(definition.nonce, session.nonce);
  });

  test('waiting ends with what the wallet showed', async () => {
    const waiting = world.start('request', ...asked(), '--wait');
    const id = await waiting.printed(/session +(\S+)/);
    await until('the command to wait', () => waiting.err().includes('Waiting for a wallet'));
    await answer(world, id, ['degree']);
    const { code, out, err } = await waiting.ended;
    assert.equal(code, 0, err);
    assert.match(out, /VERIFIED {3}saw: .*degree = "BSc Mathematics"/);
    assert.match(out, new RegExp(`issued by ${world.service.issuer.did}`));
  });

  test('waiting ends with 3 for an answer that shows more, and for one that never comes', async () => {
    const waiting = world.start('request', ...asked(), '--wait', '--json');
    const id = await waiting.printed(/"presentationId":"([^"]+)"/);
    await answer(world, id, ['degree', 'name']);
    const { code, out } = await waiting.ended;
    assert.equal(code, 3);
    const [, result = ''] = out.trimEnd().split('\n');
    assert.match(result, /"verified":false.*disclosure: /);

    const declined = world.start('request', ...asked(), '--wait');
    const other = await declined.printed(/session +(\S+)/);
    const { state } = await world.service.stranger.fetchDefinition({ id: other });
    const body = { presentation_id: other, state };
    assert.equal((await postService(world.service.url, '/v1/presentation/abort', body)).status, 200);
    const ended = await declined.ended;
    assert.equal(ended.code, 3);
    assert.match(ended.out, /NOT VERIFIED {3}It was ended without an answer/);
  });

  test('callbacks are checked, told and handed on', async (context) => {
    const received: { headers: IncomingHttpHeaders; text: string }[] = [];
    const receiver = createServer(async (incoming, reply) => {
      let text = '';
      for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
      received.push({ headers: incoming.headers, text });
      reply.writeHead(204).end();
    }).listen(0, '127.0.0.1');
    context.after(() => receiver.close());
    await until('the receiver to listen', () => receiver.address() !== null);
    const { port } = receiver.address() as AddressInfo;
    const secret = await postService(world.service.url, '/v1/client/callback-secret', '', {
      apiKey: world.service.verifier.apiKey,
    });
    const { callbackSecretKey } = secret.body.object as { callbackSecretKey: string };
    const secretFile = world.file('secret');
    writeFileSync(secretFile, callbackSecretKey, { mode: 0o600 });

    const forwardTo = `http://127.0.0.1:${port}/callback`;
    const listening = world.start('listen', '--forward-to', forwardTo, '--secret-file', secretFile);
    const address = await listening.printed(/Callback address: (\S+)/);
    const session = await world.json('request', ...asked(), '--callback', address);
    await answer(world, String(session.presentationId), ['degree']);
    const line = await listening.printed(/(\d\d:\d\d:\d\d {2}✔ signed for you .*)/);
    assert.match(line, new RegExp(`VERIFIED {2}session ${session.presentationId} .* → 204 in \\d+ ms`));
    const [callback] = received;
    assert.equal(onlyJson(`${callback?.text}\n`).presentation_id, session.presentationId);
    assert.ok(callback?.headers['x-result-signature']);

    const forged = await fetch(address, { method: 'POST', body: '{"verified":true}' });
    assert.equal(forged.status, 400);
    await listening.printed(/(✖ refused {2}It is not signed)/);
    assert.equal(received.length, 1, 'what is not signed goes no further');
    const ended = await listening.stop('SIGINT');
    assert.equal(ended.code, 0);
    assert.ok(!(ended.out + ended.err).includes(callbackSecretKey));
    assertPlain(ended.out + ended.err);
  });

  test('without the secret a callback is not known to be yours', async () => {
    const listening = world.start('listen');
    const address = await listening.printed(/Callback address: (\S+)/);
    const session = await world.json('request', ...asked(), '--callback', address);
    await answer(world, String(session.presentationId), ['degree']);
    await listening.printed(/(✔ signed, not known to be yours {2}VERIFIED)/);
    assert.equal((await listening.stop('SIGINT')).code, 0);
  });

  test('with --events the events of the service come too, and the webhook goes with the command', async () => {
    const { client } = world.service.verifier;
    const listening = world.start('listen', '--events');
    await listening.printed(/Callback address: (\S+)/);
    const [webhook] = (await client.listWebhooks()).webhooks;
    const { presentationId } = await world.json('request', ...asked());
    const line = await listening.printed(/(✔ signed for you {2}1 event of webhook .*)/);
    assert.ok(line.includes(webhook?.name ?? ''), line);
    const told = await listening.printed(/( {10}\d+ {2}verification\.requested {2}\S+)/);
    assert.ok(told.endsWith(String(presentationId).slice(-6)), told);
    assert.equal((await listening.stop('SIGINT')).code, 0);
    assert.deepEqual((await client.listWebhooks()).webhooks, []);
  });

  test('a receiver that is away makes the service try again', async () => {
    const listening = world.start('listen', '--forward-to', 'http://127.0.0.1:9/', '--json');
    const address = await listening.printed(/"listening":"([^"]+)"/);
    const session = await world.json('request', ...asked(), '--callback', address);
    await answer(world, String(session.presentationId), ['degree']);
    const repeat = await listening.printed(/(\{.*"isRepeat":true.*\})/);
    assert.match(repeat, /"forwarded":\{"status":502,.*nobody listens there/);
    assert.equal((await listening.stop()).code, 0);
  });

  test('a callback that the service does not take is explained', async () => {
    const { code, err } = await world.run(
      'request',
      ...asked(),
      '--callback',
      'http://user:word@127.0.0.1:1/',
    );
    assert.equal(code, 1);
    assert.match(err, /callbacks\.allowLoopback/);
  });
});
