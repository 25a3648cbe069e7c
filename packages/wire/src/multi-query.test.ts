import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codes } from '@symbolon/core/ledger/codes';
import { isRefusal } from './envelope.ts';
import type { JsonObject } from './json.ts';
import { answerMultiQuery, multiQueryRefused, readMultiQuery } from './multi-query.ts';
import type { BoundRoute } from './route.ts';

const routes = new Map<string, BoundRoute>([
  ['echo', (call) => JSON.stringify(call)],
  ['slow', async () => '"slow"'],
  [
    'broken',
    () => {
      throw new Error('a secret of the inside');
    },
  ],
]);

async function ask(body: JsonObject): Promise<{ results: unknown[]; failures: string[] }> {
  const request = readMultiQuery({}, body);
  assert.ok(!isRefusal(request));
  const failures: string[] = [];
  const text = await answerMultiQuery(request, { routes, onFailure: (name) => failures.push(name) });
  const reply = JSON.parse(text) as { error_code: number; results: unknown[] };
  assert.equal(reply.error_code, 0);
  return { results: reply.results, failures };
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
    assert.deepEqual(results, [{ query: 'a=1', bodyText: '' }, { query: '', body: { n: 1 } }, 'slow']);
  });

  it('answers null to what it does not know, and goes on after a failure', async () => {
    const { results, failures } = await ask({
      items: [{ url: 'nothing' }, {}, 5, null, { url: 5 }, { url: '' }, { url: 'broken' }, { url: 'slow' }],
    });
    assert.deepEqual(results.slice(0, 6), [null, null, null, null, null, null]);
    assert.equal((results[6] as { error_code: number }).error_code, codes.internalError);
    assert.ok(!JSON.stringify(results).includes('secret'));
    assert.equal(results[7], 'slow');
    assert.deepEqual(failures, ['broken']);
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
