import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codes } from '@symbolon/core/ledger/terms/codes';
import fc from 'fast-check';
import type { JsonObject } from '../json/json.ts';
import { isRefusal } from './envelope.ts';
import { flag, integer, readParameters, textQuery } from './parameters.ts';

const table = { name: textQuery('A text'), seq: integer('A number'), full: flag('A truth value') };
const read = (query: string, body: JsonObject = {}) => readParameters(table, query, body);

function refused(result: unknown, words: RegExp): void {
  assert.ok(isRefusal(result), 'should have been refused');
  assert.equal(result.code, codes.invalidParameter);
  assert.match(result.description, words);
}

describe('parameters', () => {
  it('are read alike from the address and from a body', () => {
    const expected = { name: 'x y', seq: 7n, full: true };
    assert.deepEqual({ ...read('name=x%20y&seq=7&full=true') }, expected);
    assert.deepEqual({ ...read('', { name: 'x y', seq: 7, full: true }) }, expected);
    assert.deepEqual({ ...read('', { name: 'x y', seq: '7', full: 'true' }) }, expected);
    assert.deepEqual({ ...read('name=x+y&seq=7', { full: 1 }) }, expected);
    assert.deepEqual({ ...read('', { seq: 9223372036854775807n }) }, { seq: 9223372036854775807n });
  });

  it('count as absent when they are blank', () => {
    assert.deepEqual({ ...read('name=&seq&full=&&=') }, {});
    assert.deepEqual({ ...read('', { name: '', seq: null }) }, {});
  });

  it('may stand in an address twice alike, and are refused where they differ', () => {
    assert.deepEqual(
      { ...read('name=a&seq=7&name=a&full=1&seq=07&full=true') },
      {
        name: 'a',
        seq: 7n,
        full: true,
      },
    );
    assert.deepEqual({ ...read('name=&name') }, {});
    for (const query of ['name=a&name=b', 'name=a&seq=1&n%61me=A', 'name=a&name=', 'name&name=a'])
      refused(read(query), /^name: is given twice, differently$/);
    refused(read('seq=1&seq=2&seq=1'), /^seq: is given twice, differently$/);
    refused(read('full=true&full=0'), /^full: is given twice, differently$/);
    refused(read('name=a&name=b', { name: 'b' }), /^name: is given twice, differently$/);
  });

  it('are refused by name where they are not known, also when they are blank', () => {
    for (const query of ['nme=x', 'nme=', 'name=x&nme']) refused(read(query), /^"nme".*did you mean "name"/);
    refused(read('', { nme: null }), /^"nme"/);
    for (const name of ['__proto__', 'toString', 'constructor'])
      refused(read(`${name}=x`), new RegExp(`^"${name}" is not known here`));
    refused(read('', JSON.parse('{"__proto__":1}')), /^"__proto__"/);
  });

  it('are refused where the type is another', () => {
    for (const bad of ['x', '1.5', '1e3', '0x1', '--1'])
      refused(read(`seq=${bad}`), /^seq: must be an integer/);
    for (const bad of ['9223372036854775808', '-9223372036854775809', '9'.repeat(50)])
      refused(read(`seq=${bad}`), /^seq: (is beyond 64 bits|must)/);
    for (const bad of ['banana', 'yes', '2', 'nul'])
      refused(read(`full=${bad}`), /^full: must be true or false/);
    const wrong: JsonObject[] = [{ seq: 1.5 }, { seq: true }, { seq: [] }, { full: {} }, { full: [true] }];
    for (const body of wrong) refused(read('', body), /^(seq|full): must/);
    for (const value of [5, true, {}, ['x'], '\ud800'])
      refused(read('', { name: value }), /^name: (must be a string|is not Unicode)/);
  });

  it('are refused where address and body contradict each other', () => {
    assert.deepEqual({ ...read('seq=7', { seq: '07' }) }, { seq: 7n });
    refused(read('seq=7', { seq: 8 }), /^seq: the address and the body/);
  });

  it('keep malformed percent signs and give odd names no power', () => {
    for (const [query, name] of [
      ['name=%zz', '%zz'],
      ['name=100%', '100%'],
      ['name=a=b', 'a=b'],
    ])
      assert.deepEqual({ ...read(query) }, { name });
    assert.equal(Object.getPrototypeOf(read('name=x')), null);
    assert.equal(Object.getPrototypeOf(read('')), null);
  });

  it('give back what any client encodes', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (value) => {
        for (const query of [
          `name=${encodeURIComponent(value)}`,
          new URLSearchParams({ name: value }).toString(),
        ])
          assert.deepEqual({ ...read(query) }, { name: value });
      }),
    );
  });
});
