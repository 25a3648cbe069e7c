import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refuse } from '@symbolon/core/ledger/terms/codes';
import { z } from 'zod';
import { isRefusal } from './envelope.ts';
import { bindRoutes, defineRoute, type Handlers, splitUrl } from './ledger-route.ts';
import { textQuery } from './parameters.ts';

const routes = {
  look: defineRoute({
    group: 'thing',
    summary: 'Looks',
    aliases: ['peek'],
    query: { name: textQuery('A name') },
    reply: z.looseObject({}),
    codes: ['notFound'],
    read: ({ name }) => (name === undefined ? refuse('notFound', 'no name') : { name }),
  }),
  put: defineRoute({
    group: 'thing',
    summary: 'Puts',
    query: {},
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
    assert.equal(await call('peek', { query: '', bodyText: '{"name":"x"}' }), '{"seen":"x"}');
    assert.equal(await call('look', { query: '', body: { name: 'x' } }), '{"seen":"x"}');
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

  it('refuse a body that says one thing twice, by name', async () => {
    const twice = /"error_code":2,"error_desc":"the member \\"name\\" stands twice"/;
    assert.match(await call('look', { query: '', bodyText: '{"name":"x","name":"y"}' }), twice);
    assert.match(await call('look', { query: '', bodyText: '{"name":"x","n\\u0061me":"x"}' }), twice);
    assert.equal(await call('put', { query: '', bodyText: '{"a":{"b":1,"b":2}}' }), '{"malformed":2}');
  });

  it('need no body where it could only hold parameters', async () => {
    for (const bodyText of [undefined, '', ' \n', '{}', '{"name":null}'])
      assert.equal(await call('look', { query: 'name=x', bodyText }), '{"seen":"x"}');
    assert.equal(await call('look', { query: 'name=x', body: null }), '{"seen":"x"}');
    for (const bodyText of ['not json', 'name=x', '[]', '"x"', '{', 'null', ' null '])
      assert.match(await call('look', { query: 'name=x', bodyText }), /^\{"error_code":2,.*json format/);
  });

  it('refuse parameters that they do not know', async () => {
    const unknown = /"error_code":2,"error_desc":"\\"nam\\" is not known here; did you mean \\"name\\"\?"/;
    assert.match(await call('look', { query: 'nam=x' }), unknown);
    assert.match(await call('look', { query: 'name=x', bodyText: '{"nam":"x"}' }), unknown);
    assert.equal(await call('put', { query: 'a=1', bodyText: '{}' }), '{"refused":2}');
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
