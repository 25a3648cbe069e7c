import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { isRefusal } from '../http/envelope.ts';
import type { BoundRoute } from '../http/ledger-route.ts';
import type { JsonObject, JsonValue } from '../json/json.ts';
import { answerMultiQuery, multiQueryRefused, readMultiQuery } from './multi-query.ts';

const routes = new Map<string, BoundRoute>([
  ['echo', (call) => JSON.stringify(call)],
  ['slow', async () => '{"error_code":3,"slow":true}'],
  ['late', () => '{"hash":"x","error_code":5}'],
  [
    'broken',
    () => {
      throw new Error('a secret of the inside');
    },
  ],
]);

async function ask(body: JsonObject): Promise<{ results: unknown[]; failures: string[]; turns: number }> {
  const request = readMultiQuery({}, body);
  assert.ok(!isRefusal(request));
  const failures: string[] = [];
  let turns = 0;
  const text = await answerMultiQuery(request, {
    routes,
    onFailure: (name) => failures.push(name),
    nextTurn: async () => void turns++,
  });
  const reply = JSON.parse(text) as { error_code: number; results: unknown[] };
  assert.equal(reply.error_code, 0);
  return { results: reply.results, failures, turns };
}

describe('multiQuery', () => {
  it('answers each item in order, with its query and body', async () => {
    const { results } = await ask({
      items: [
        { url: 'echo?a=1', method: 'GET', jsonData: '' },
        { url: '/v1/x/echo', jsonData: { n: 1 } },
        { url: 'slow' },
      ],
    });
    const bare = { error_code: 0, error_desc: '' };
    assert.deepEqual(results, [
      { ...bare, query: 'a=1', bodyText: '' },
      { ...bare, query: '', body: { n: 1 } },
      { error_code: 3, slow: true },
    ]);
    assert.deepEqual((await ask({ items: [{ url: 'late' }] })).results, [{ hash: 'x', error_code: 5 }]);
  });

  it('does not answer for another server', async () => {
    const urls = ['http://other.example/slow', 'HTTPS://other.example/v1/x/slow?a=1', '//other.example/slow'];
    urls.push('other.example:80/slow', '\\\\other.example\\slow');
    const { results } = await ask({ items: [...urls, '/slow?to=http://x/y'].map((url) => ({ url })) });
    const refusal = { error_code: 2, error_desc: 'url: must name a query of this node', result: null };
    assert.deepEqual(results, [...urls.map(() => refusal), { error_code: 3, slow: true }]);
  });

  it('refuses what is no query, each for itself, and goes on after a failure', async () => {
    const unprintable = { toString: 1 };
    const bad: JsonValue[] = [{}, 5, null, { url: 5 }, { url: '' }, { url: 'slow', methd: 'GET' }];
    bad.push({ url: 'slow', method: unprintable }, { url: 'slow', method: [unprintable] });
    const { results, failures } = await ask({
      items: [{ url: 'nothing' }, ...bad, { url: 'slow', method: 'PUT' }, { url: 'broken' }, { url: 'slow' }],
    });
    assert.deepEqual(
      (results as { error_code: number }[]).map((it) => it.error_code),
      [
        codes.notFound,
        ...bad.map(() => codes.invalidParameter),
        codes.invalidParameter,
        codes.internalError,
        3,
      ],
    );
    assert.ok(!JSON.stringify(results).includes('secret'));
    assert.deepEqual(failures, ['broken']);
  });

  it('gives way to others after every item', async () => {
    const { turns } = await ask({ items: Array.from({ length: 100 }, () => ({ url: 'echo' })) });
    assert.equal(turns, 100);
  });

  it('refuses to nest', async () => {
    const { results } = await ask({
      items: [{ url: 'multiQuery', jsonData: { items: [] } }, { url: '/v1/node/multiQuery' }],
    });
    for (const result of results)
      assert.equal((result as { error_code: number }).error_code, codes.invalidParameter);
  });

  it('refuses lists that are none or too long', () => {
    const many = Array.from({ length: 101 }, () => ({ url: 'echo' }));
    for (const items of [undefined, null, {}, 'x', many] as JsonObject[]) {
      const refusal = readMultiQuery({}, { items });
      assert.ok(isRefusal(refusal));
      assert.deepEqual(multiQueryRefused(refusal), {
        error_code: 2,
        error_desc: refusal.description,
        results: null,
      });
    }
    assert.deepEqual(readMultiQuery({}, { items: [] }), { items: [] });
  });
});
