import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { send } from '../http/ledger-server-fixture.ts';
import type { AnsweredCall } from './service-server.ts';
import { apiKeys, makeSeal, startService } from './service-server-fixture.ts';

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const post = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers,
});

describe('calls with an API key', () => {
  const [issuing, signing] = ['key-issuer', 'key-bbs'];
  const idOf = (key: string) => apiKeys.get(key)?.keyId;

  it('are told by key and route with how they ended, wherever the key stands, and with nothing that was in them', async (test) => {
    const calls: AnsweredCall[] = [];
    const { port } = await startService(test, { onCall: (call) => calls.push(call) });
    await send(port, '/v1/own', post({ secret: 'hidden' }, bearer(issuing)));
    await send(port, '/v1/sign', post({ authorization: signing, data: 'hidden' }));
    await send(port, '/v1/own', post({ secret: 'hidden' }, bearer('unknown')));
    await send(port, '/v1/thing', post({ name: 'hidden' }));
    assert.deepEqual(
      calls.map(({ keyId, route, method, status, code }) => [keyId, route, method, status, code]),
      [
        [idOf(issuing), 'own', 'POST', 200, 'ok'],
        [idOf(signing), 'sign', 'POST', 200, 'ok'],
      ],
    );
    for (const { seconds, requestId } of calls) assert.ok(seconds > 0 && seconds < 60 && requestId !== '');
    assert.ok(!JSON.stringify(calls).includes('hidden'));
  });

  it('are told, too, that lack the scope, are too many, or are sealed', async (test) => {
    const calls: AnsweredCall[] = [];
    const { seal, sealer } = await makeSeal();
    const { port } = await startService(test, {
      seal,
      onCall: (call) => calls.push(call),
      rates: { light: { perMinute: 6_000 }, heavy: { perMinute: 2, burst: 2 } },
    });
    await send(port, '/v1/own', post({}, bearer(signing)));
    const { body, headers } = sealer('/v1/enc/own', '{}');
    await send(port, '/v1/enc/own', { method: 'POST', body, headers: { ...headers, ...bearer(signing) } });
    await send(port, '/v1/own', post({}, bearer(signing)));
    assert.deepEqual(
      calls.map(({ keyId, status, code }) => [keyId, status, code]),
      [
        [idOf(signing), 401, 'notAllowed'],
        [idOf(signing), 401, 'notAllowed'],
        [idOf(signing), 429, 'tooManyRequests'],
      ],
    );
  });
});
