import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refuse } from '@symbolon/core/ledger/codes';
import fc from 'fast-check';
import { z } from 'zod';
import { isRefusal } from './envelope.ts';
import { bindRoutes, defineRoute, type Handlers, parseQuery, splitUrl } from './route.ts';

const routes = {
  look: defineRoute({
    group: 'thing',
    summary: 'Looks',
    aliases: ['peek'],
    query: z.object({ name: z.string().optional() }),
    reply: z.looseObject({}),
    codes: ['notFound'],
    read: ({ name }) => (name === undefined ? refuse('notFound', 'no name') : { name }),
  }),
  put: defineRoute({
    group: 'thing',
    summary: 'Puts',
    query: z.object({}),
    body: z.looseObject({}),
    reply: z.looseObject({}),
    codes: [],
    read: (_query, body) => ({ size: Object.keys(body).length }),
    refused: ({ code }) => ({ refused: code }),
    malformed: ({ code }) => ({ malformed: code }),
  }),
};

const handlers: Handlers<typeof routes> = {
  look: ({ name }) => (name === 'ghost' ? refuse('notFound', 'a ghost') : { seen: name }),
  put: async ({ size }) => (size === 0 ? refuse('invalidParameter') : `{"rendered":${size}}`),
};

const bound = bindRoutes(routes, handlers);
const call = async (name: string, request: Parameters<NonNullable<ReturnType<typeof bound.get>>>[0]) => {
  const route = bound.get(name);
  assert.ok(route);
  return await route(request);
};

describe('bound routes', () => {
  it('answer under name and alias, from parameters and body', async () => {
    assert.equal(await call('look', { query: 'name=x' }), '{"seen":"x"}');
    assert.equal(await call('peek', { query: 'name=x&other=1' }), '{"seen":"x"}');
    assert.equal(await call('put', { query: '', bodyText: '{"a":1}' }), '{"rendered":1}');
    assert.equal(await call('put', { query: '', body: { a: 1, b: 2 } }), '{"rendered":2}');
    assert.deepEqual([...bound.keys()], ['look', 'peek', 'put']);
  });

  it('render refusals of reader and handler alike', async () => {
    assert.equal(await call('look', { query: '' }), '{"error_code":4,"error_desc":"no name","result":null}');
    assert.equal(
      await call('look', { query: 'name=ghost' }),
      '{"error_code":4,"error_desc":"a ghost","result":null}',
    );
    assert.equal(await call('put', { query: '', bodyText: '{}' }), '{"refused":2}');
  });

  it('answer a body that is no JSON object in the route’s own way', async () => {
    const bad = [
      undefined,
      '',
      'x',
      '[]',
      '5',
      'null',
      '"x"',
      '{',
      `${'['.repeat(1_000)}${']'.repeat(1_000)}`,
    ];
    for (const bodyText of bad) assert.equal(await call('put', { query: '', bodyText }), '{"malformed":2}');
    for (const body of [undefined, null, [], 5, 'x'])
      assert.equal(await call('put', { query: '', body }), '{"malformed":2}');
  });

  it('ignore a body where none is read', async () => {
    assert.equal(await call('look', { query: 'name=x', bodyText: 'not json' }), '{"seen":"x"}');
  });

  it('take a body that looks like a refusal for what it is: a body', async () => {
    assert.equal(
      await call('put', { query: '', bodyText: '{"code":3,"description":"x"}' }),
      '{"rendered":2}',
    );
  });

  it('let a throwing handler throw', async () => {
    const broken = bindRoutes(routes, {
      ...handlers,
      look: () => {
        throw new Error('broken');
      },
      put: () => Promise.reject(new Error('broken')),
    });
    assert.throws(() => broken.get('look')?.({ query: 'name=x' }), /broken/);
    await assert.rejects(async () => broken.get('put')?.({ query: '', bodyText: '{}' }), /broken/);
  });

  it('do not compile without their handlers', () => {
    // @ts-expect-error a handler is missing
    const missing: Handlers<typeof routes> = { look: handlers.look };
    // @ts-expect-error a handler asks for what its route does not read
    const wrong: Handlers<typeof routes> = { ...handlers, look: ({ size }: { size: number }) => ({ size }) };
    // @ts-expect-error a handler answers what is not a reply
    const mute: Handlers<typeof routes> = { ...handlers, look: () => undefined };
    assert.ok(missing && wrong && mute);
  });
});

describe('query text', () => {
  it('is split, decoded, and the last duplicate wins', () => {
    assert.deepEqual(
      { ...parseQuery('a=1&b=x%20y&a=2&c=p+q&d=1=2') },
      { a: '2', b: 'x y', c: 'p q', d: '1=2' },
    );
  });

  it('takes a blank value as absent, also as the last duplicate', () => {
    assert.deepEqual({ ...parseQuery('a=&b&c=1&c=&&=') }, {});
  });

  it('keeps malformed percent signs and gives odd names no power', () => {
    assert.deepEqual({ ...parseQuery('a=%zz&b=%E0%A4&c=100%') }, { a: '%zz', b: '%E0%A4', c: '100%' });
    const values = parseQuery('__proto__=x&toString=y');
    assert.equal(Object.getPrototypeOf(values), null);
    assert.equal(parseQuery('a=1').toString, undefined);
  });

  it('gives back what any client encodes', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (value) => {
        assert.equal(parseQuery(`k=${encodeURIComponent(value)}`).k, value);
        assert.equal(parseQuery(new URLSearchParams({ k: value }).toString()).k, value);
      }),
    );
  });
});

describe('a URL', () => {
  it('names its route by the last segment', () => {
    for (const url of [
      'getAccount?a=1',
      '/getAccount?a=1',
      '/v1/account/getAccount?a=1',
      '/v1/x/getAccount?a=1',
    ])
      assert.deepEqual(splitUrl(url), { name: 'getAccount', query: 'a=1' });
    assert.deepEqual(splitUrl('hello'), { name: 'hello', query: '' });
    assert.deepEqual(splitUrl('hello?x=/y?z'), { name: 'hello', query: 'x=/y?z' });
    assert.deepEqual(splitUrl(''), { name: '', query: '' });
  });
});

describe('isRefusal', () => {
  it('tells refusals from everything else', () => {
    assert.ok(isRefusal(refuse('notFound')));
    for (const value of [
      undefined,
      null,
      5,
      {},
      { code: 'x', description: 'y' },
      { code: 1 },
      new Uint8Array(2),
    ])
      assert.ok(!isRefusal(value));
  });
});
