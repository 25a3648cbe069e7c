/**
 * Callbacks of a hostile service, and of anybody who reaches the port: what is printed of them, and what is handed on.
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { type ListenWords, listen } from '@symbolon/cli/commands/listen/forwarding';
import type { Connection, PartyWords } from '@symbolon/cli/profile/connection';
import { createTerminal } from '@symbolon/cli/terminal/terminal';
import { hostileText, printedProblems } from '../support/hostile-server.ts';

/** As much of it as UTF-8 can say. */
const hostile = hostileText.toWellFormed();
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const { x } = publicKey.export({ format: 'jwk' });
/** The service's own key has a hostile name, too. */
const jwks = { keys: [{ kty: 'OKP', crv: 'Ed25519', kid: hostile, x }] };

function signedHeaders(text: string): Record<string, string> {
  const timestamp = new Date().toISOString();
  const header = JSON.stringify({ alg: 'EdDSA', kid: hostile, b64: false, crit: ['b64'] });
  const head = Buffer.from(header).toString('base64url');
  const signature = sign(null, Buffer.from(`${head}.${timestamp}.${text}`), privateKey).toString('base64url');
  const signed = { 'x-callback-timestamp': timestamp, 'x-result-signature': `${head}..${signature}` };
  return { 'content-type': 'application/json', ...signed };
}

const ownKeyId = 'abcdefg2';

interface Received {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

async function listening(context: TestContext, { json = false, hasColours = false } = {}) {
  const received: Received[] = [];
  const receiver = createServer(async (incoming, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { url = '', headers } = incoming;
    received.push({ url, headers, text: Buffer.concat(chunks).toString('utf8') });
    answer.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  context.after(() => receiver.close());
  const forwardTo = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook?a=1`;
  let printed = '';
  const keep = (text: string): void => {
    printed += text;
  };
  const terminal = createTerminal({ out: keep, err: keep, isWatched: hasColours, hasColours });
  const stop = new AbortController();
  const service = { getResultKeys: async () => jwks };
  const apiKey = `sym_${ownKeyId}_${'A'.repeat(43)}`;
  const connection = { service, serviceUrl: 'https://a.example/', apiKey } as unknown as Connection;
  const words = { profile: 'work', port: 0, forwardTo, json } as unknown as PartyWords & ListenWords;
  const ended = listen(connection, { words, terminal, signal: stop.signal });
  context.after(async () => {
    stop.abort();
    await ended;
  });
  while (!/http:\/\/127\.0\.0\.1:\d+\/(?!hook)/.test(printed))
    await new Promise((later) => setTimeout(later, 5));
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+\/(?!hook)/.exec(printed) ?? [];
  const post = (text: string, headers: Record<string, string>, path = '/') =>
    new Promise<number | undefined>((resolve, reject) => {
      const { hostname, port } = new URL(url);
      request({ hostname, port, path, method: 'POST', headers }, (answer) =>
        resolve(answer.resume().statusCode),
      )
        .on('error', reject)
        .end(text);
    });
  return { post, received, printed: () => printed };
}

const callback = JSON.stringify({
  presentation_id: hostile,
  state_id: hostile,
  status: hostile,
  verified: true,
  [hostile]: [hostile],
});

describe('a hostile callback', () => {
  for (const hasColours of [false, true])
    for (const json of [false, true])
      test(`is told as text (colours: ${hasColours}, JSON: ${json})`, async (context) => {
        const { post, printed } = await listening(context, { json, hasColours });
        assert.equal(await post(callback, signedHeaders(callback)), 204);
        assert.equal(await post(callback, {}), 400);
        assert.equal(await post(hostile, signedHeaders(hostile)), 400);
        const forged = { ...signedHeaders(callback), 'x-result-signature': 'FORGED\u009b31m..x' };
        assert.equal(await post(callback, forged), 400);
        assert.deepEqual(printedProblems(printed(), { isTerminal: hasColours }), []);
        assert.match(printed(), /nice\\/);
        assert.equal(printed().match(/refused|"isGood":false/g)?.length, 3);
      });

  test('is handed on as it came, where it was told to, with its own headers alone', async (context) => {
    const { post, received } = await listening(context);
    const more = {
      'x-forged': 'FORGED',
      cookie: 'a=b',
      authorization: 'Bearer x',
      'x-forwarded-for': '1.2.3.4',
    };
    const signed = signedHeaders(callback);
    assert.equal(await post(callback, { ...signed, ...more }, '/../admin?x=FORGED%0d%0a'), 204);
    assert.equal(await post(callback, more), 400, 'what nobody signed goes no further');
    assert.equal(received.length, 1);
    const [{ url, headers, text }] = received as [Received];
    assert.deepEqual([url, text], ['/hook?a=1', callback]);
    for (const [name, value] of Object.entries(signed)) assert.equal(headers[name], value);
    for (const name of Object.keys(more)) assert.equal(headers[name], undefined, name);
  });

  test("of another key's webhook is not handed on, whatever name it has", async (context) => {
    const { post, received, printed } = await listening(context);
    const events = [{ id: '7', event: 'offer.locked', time: '2030-01-01T00:00:00Z', subject: 'offer_7' }];
    const postOf = (more: object) => JSON.stringify({ webhook: 'desk', ...more });
    for (const more of [
      { keyId: 'abcdefg3', events },
      { keyId: hostile, events },
      { keyId: [ownKeyId], events },
      { events },
      { keyId: 'abcdefg3', events: [] },
      { keyId: 'abcdefg3', events: 'none' },
    ])
      assert.equal(await post(postOf(more), signedHeaders(postOf(more))), 400, JSON.stringify(more));
    assert.equal(received.length, 0);
    assert.match(printed(), /✖ refused {2}It is of a webhook of another API key\. Nothing was handed on\.\n/);
    assert.doesNotMatch(printed(), /signed for you|offer\.locked/);
    const own = postOf({ keyId: ownKeyId, events });
    assert.equal(await post(own, signedHeaders(own)), 204);
    assert.match(printed(), /✔ signed for you {2}1 event of webhook desk/);
    assert.deepEqual(printedProblems(printed(), { isTerminal: false }), []);
  });
});
