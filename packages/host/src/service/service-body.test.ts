import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { stringifyJson } from '@symbolon/wire/json/json';
import fc from 'fast-check';
import { serviceHttpLimits } from '../limits/server-limits.ts';
import { parseStrictJson } from './service-body.ts';

const refused = (text: string | undefined, detail: RegExp) =>
  assert.throws(
    () => parseStrictJson(text),
    (error) => error instanceof Fault && error.code === 'requestMalformed' && detail.test(error.message),
    text,
  );

describe('strict JSON', () => {
  it('is read like any JSON, large integers without loss', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5, noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        if (/__proto__|\\u/.test(text)) return;
        assert.equal(stringifyJson(parseStrictJson(text)), text);
      }),
    );
    assert.deepEqual(parseStrictJson('{"a":9007199254740993}'), { a: 9007199254740993n });
    assert.deepEqual(parseStrictJson('{"a":{"b":1},"b":[{"b":2},{"b":"b"}],"":""}'), {
      a: { b: 1 },
      b: [{ b: 2 }, { b: 'b' }],
      '': '',
    });
    assert.equal(parseStrictJson('"\\u00e9\\ud83d\\ude00"'), 'é😀');
  });

  it('has no member twice, however it is written', () => {
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":1,"\\u0061":2}',
      '[{"x":{"a":[],"b":"}","a":{}}}]',
      '{ "a" : "\\"", "b":[1,2], "a" : 3 }',
      '{"":1,"":2}',
    ])
      refused(text, /twice/);
  });

  it('has no name that changes objects, no zero byte and no half characters', () => {
    refused('{"__proto__":1}', /__proto__/);
    refused('[{"a":{"\\u005f_proto__":1}}]', /__proto__/);
    for (const text of ['"\\u0000"', '{"a\\u0000":1}', '["\\ud800"]', '"\\udc00\\ud800"'])
      refused(text, /zero byte \(U\+0000\) or half a character/);
  });

  it('is bounded and not empty', () => {
    for (const text of [undefined, '', ' \n']) refused(text, /empty/);
    for (const text of ['x', '{', '{"a":1}}', "{'a':1}", '[1,]', '\ufeff{}', '"\u0000"', '['.repeat(65)])
      refused(text, /not JSON/);
    refused(`[${'1,'.repeat(serviceHttpLimits.jsonMembersMax + 1)}1]`, /too many/);
  });
});
