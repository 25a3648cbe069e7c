import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { request } from 'node:http';
import { describe, type TestContext, test } from 'node:test';
import { type CaughtCallback, startCatcher } from './catcher.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const { x } = publicKey.export({ format: 'jwk' });
const jwks = { keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'k1', x }] };

/** Headers as the service sends them. */
function signed(text: string, secret?: string): Record<string, string> {
  const timestamp = new Date().toISOString();
  const payload = `${timestamp}.${text}`;
  const head = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid: 'k1', b64: false, crit: ['b64'] })).toString(
    'base64url',
  );
  const signature = sign(null, Buffer.from(`${head}.${payload}`), privateKey).toString('base64url');
  return {
    'content-type': 'application/json',
    'x-callback-timestamp': timestamp,
    'x-result-signature': `${head}..${signature}`,
    ...(secret !== undefined && {
      'x-callback-signature': createHmac('sha256', secret).update(payload).digest('base64'),
    }),
  };
}

async function catching(context: TestContext, secret?: string) {
  const caught: CaughtCallback[] = [];
  const catcher = await startCatcher({
    port: 0,
    secret,
    fetchKeys: async () => jwks,
    onCallback: async (callback) => {
      caught.push(callback);
      return callback.problem === undefined ? 204 : 400;
    },
  });
  context.after(() => catcher.close());
  const post = async (body: string, headers: Record<string, string>) =>
    (await fetch(catcher.url, { method: 'POST', body, headers })).status;
  return { caught, post, url: catcher.url };
}

describe('a catcher', () => {
  test('takes what the service signed, with its headers', async (context) => {
    const { caught, post } = await catching(context);
    const text = '{"presentation_id":"p1","verified":true}';
    const headers = signed(text);
    assert.equal(await post(text, { ...headers, 'x-other': 'kept here' }), 204);
    assert.deepEqual(caught, [{ content: { presentation_id: 'p1', verified: true }, text, headers }]);
  });

  test('hears nothing from web pages, not even from one whose name was bound to this machine', async (context) => {
    const { caught, url } = await catching(context);
    const statusOf = (headers: Record<string, string>) =>
      new Promise((resolve, reject) => {
        const text = '{"verified":true}';
        const all = { ...signed(text), ...headers };
        request(url, { method: 'POST', headers: all }, (answer) => resolve(answer.resume().statusCode))
          .on('error', reject)
          .end(text);
      });
    assert.equal(await statusOf({ origin: 'https://evil.example' }), 403);
    assert.equal(await statusOf({ 'sec-fetch-site': 'cross-site' }), 403);
    assert.equal(await statusOf({ host: 'evil.test' }), 421);
    assert.deepEqual(caught, []);
    assert.equal(await statusOf({}), 204);
  });

  test('says what is wrong with anything else', async (context) => {
    const { caught, post } = await catching(context);
    const text = '{"verified":true}';
    const old = { ...signed(text), 'x-callback-timestamp': '2020-01-01T00:00:00Z' };
    for (const [body, headers] of [
      [text, {}],
      ['{"verified":false}', signed(text)],
      [text, old],
      ['no JSON', signed('no JSON')],
      ['[]', signed('[]')],
    ] as const)
      assert.equal(await post(body, headers), 400);
    const problems = caught.map(({ problem }) => problem);
    assert.deepEqual(problems, [
      'It is not signed.',
      'Refused: the signature does not fit the text.',
      'Refused: the signature does not fit the text.',
      'It is not JSON.',
      'It is not JSON.',
    ]);
  });

  test('wants the shared signature where there is a secret', async (context) => {
    const { caught, post } = await catching(context, 'secret');
    const text = '{}';
    assert.equal(await post(text, signed(text, 'secret')), 204);
    assert.equal(await post(text, signed(text, 'other')), 400);
    assert.equal(await post(text, signed(text)), 400);
    assert.match(caught[1]?.problem ?? '', /not by the shared secret/);
    assert.match(caught[2]?.problem ?? '', /not signed with a shared secret/);
  });

  test('takes nothing that is too large or is not posted', async (context) => {
    const { caught, post, url } = await catching(context);
    assert.equal((await fetch(url)).status, 405);
    const large = `"${'x'.repeat(4 * 1024 * 1024)}"`;
    const status = await post(large, signed(large)).catch(() => 413);
    assert.equal(status, 413);
    assert.deepEqual(caught, []);
  });
});
