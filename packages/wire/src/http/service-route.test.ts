import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { z } from 'zod';
import { allRoutes } from '../openapi/all-routes.ts';
import {
  defineServiceRoute,
  isTextReply,
  jsonPointer,
  malformed,
  readServiceRequest,
  type ServiceRoute,
} from './service-route.ts';

const route = defineServiceRoute({
  method: 'POST',
  path: '/things/:id',
  access: 'open',
  carries: 'plain',
  cost: 'light',
  group: 'things',
  summary: 'A thing',
  params: z.object({ id: z.string().max(3, 'is too long') }),
  query: z.object({ n: z.string().optional() }),
  body: z.object({ list: z.array(z.object({ 'a/b~c': z.number('must be a number') })) }),
  reply: z.object({}),
  faults: ['requestMalformed'],
  read: ({ params, query, body }) => ({ id: params.id, n: query.n, count: body.list.length }),
});

describe('a row of the table', () => {
  it('turns a request into what its handler is given', () => {
    const request = readServiceRequest(route, { params: { id: 'x' }, query: { n: '1' }, body: { list: [] } });
    assert.deepEqual(request, { id: 'x', n: '1', count: 0 });
  });

  it('names every complaint with its place', () => {
    const request = { params: { id: 'long' }, body: { list: [{ 'a/b~c': 'x' }] } };
    assert.throws(
      () => readServiceRequest(route, request),
      (error: Fault) => {
        assert.equal(error.code, 'requestMalformed');
        assert.deepEqual(error.errors, [
          { pointer: '/params/id', detail: 'is too long' },
          { pointer: '/list/0/a~1b~0c', detail: 'must be a number' },
        ]);
        assert.equal(error.message, '/params/id: is too long');
        return true;
      },
    );
  });

  it('of a protocol with extensions passes over what it does not know', () => {
    const lenient = { ...route, ignoresUnknown: true } as const;
    const known = { params: { id: 'x' }, body: { list: [] } };
    for (const query of [
      { n: '1', other: '2' },
      { n: '1', __proto__: 'x' },
      { n: '1', blank: '' },
    ])
      assert.equal(readServiceRequest(lenient, { ...known, query }).n, '1');
    assert.equal(readServiceRequest(lenient, { ...known, query: { n: '' } }).n, undefined);
    assert.throws(() => readServiceRequest(lenient, { ...known, body: {} }), /\/list/);
    assert.throws(() => readServiceRequest(route, { ...known, query: { other: '2' } }), /\/query\/other/);
  });

  it('of the service takes no parameter without a value', () => {
    const strictRows = (Object.entries(allRoutes) as [string, ServiceRoute][]).filter(
      ([, { ignoresUnknown }]) => !ignoresUnknown,
    );
    for (const [name, row] of strictRows)
      for (const parameter of Object.keys(row.query?.shape ?? {}))
        for (const text of ['', ' ', '\t\u00a0'])
          assert.throws(
            () => readServiceRequest(row, { query: { [parameter]: text } }),
            (error: Fault) => {
              assert.equal(error.message, `/query/${parameter}: must not be empty`, name);
              return true;
            },
            name,
          );
  });

  it('lets a fault of read pass as it is', () => {
    const refusing = {
      ...route,
      read: () => {
        throw new Fault('rangeInvalid');
      },
    };
    const request = { params: { id: 'x' }, body: { list: [] } };
    assert.throws(() => readServiceRequest(refusing, request), { code: 'rangeInvalid' });
  });

  it('does without parts that no schema names', () => {
    const { params: _, query: __, body: ___, ...bare } = route;
    const request = readServiceRequest({ ...bare, read: (input: object) => input }, { body: 'anything' });
    assert.deepEqual(request, { params: undefined, query: undefined, body: undefined });
  });
});

describe('complaints and replies', () => {
  it('point at the body itself by name', () => {
    assert.equal(malformed([{ pointer: '', detail: 'is missing' }]).message, 'body: is missing');
    assert.equal(jsonPointer([]), '');
  });

  it('tell a text from JSON', () => {
    assert.ok(isTextReply({ contentType: 'text/html', text: '' }));
    assert.ok(!isTextReply({ contentType: 'text/html' }));
    assert.ok(!isTextReply({ text: 'x', contentType: 7 }));
  });
});
