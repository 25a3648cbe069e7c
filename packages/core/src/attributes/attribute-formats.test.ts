import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { attributeTypeCodes } from '../documents/model.ts';
import {
  attributeTypeOfFormat,
  isComplaint,
  isFormatOf,
  readDeclaredType,
  readTypeAndFormat,
} from './attribute-formats.ts';

describe('attribute formats', () => {
  test('every format goes with the code of its type', () => {
    for (const [format, type] of Object.entries(attributeTypeOfFormat)) {
      assert.deepEqual(readTypeAndFormat(attributeTypeCodes[type], format), { type, format });
      assert.deepEqual(readTypeAndFormat(undefined, format), { type, format });
      assert.ok(isFormatOf(type, format));
    }
  });

  test('what older clients say', () => {
    assert.deepEqual(readTypeAndFormat('USER', 'STRING'), { type: 'text', format: 'string' });
    assert.deepEqual(readTypeAndFormat('APPLICATION', 'NUMBER'), { type: 'decimal', format: 'decimal' });
    assert.deepEqual(readTypeAndFormat(3, 'number'), { type: 'integer', format: 'integer' });
    assert.deepEqual(readTypeAndFormat('FIXED', 'date'), { type: 'date', format: 'date' });
    assert.deepEqual(readTypeAndFormat('2', 'image/jpg'), { type: 'image', format: 'image/jpeg' });
  });

  test('a text may have the form of a date and stays text', () => {
    assert.deepEqual(readTypeAndFormat(1, 'date'), { type: 'text', format: 'date' });
  });

  test('decimals have up to nine digits', () => {
    assert.deepEqual(readTypeAndFormat(undefined, 'decimal(9)'), { type: 'decimal', format: 'decimal(9)' });
    for (const format of ['decimal(10)', 'decimal(-1)', 'decimal()', 'decimal(2', 'decimal (2)'])
      assert.ok(isComplaint(readTypeAndFormat(4, format)), format);
  });

  test('what is not listed is refused', () => {
    const bad: [unknown, unknown][] = [
      [0, 'string'],
      [8, 'string'],
      [1.5, 'string'],
      ['7x', 'boolean'],
      [[1], 'string'],
      [{}, 'string'],
      [true, 'string'],
      ['constructor', 'string'],
      [1, 'constructor'],
      [undefined, 'toString'],
      [undefined, '__proto__'],
      [2, 'image/svg+xml'],
      [2, 'string'],
      [1, 'integer'],
      [1, undefined],
      [1, ['string']],
      [undefined, ''],
    ];
    for (const [type, format] of bad)
      assert.ok(isComplaint(readTypeAndFormat(type, format)), `${type} ${format}`);
  });
});

describe('a type that is declared for a new attribute', () => {
  test('is that of the format where a text would have no order', () => {
    for (const type of [1, '1', 'text'])
      assert.deepEqual(
        ['date', 'datetime', 'integer', 'decimal(3)', 'boolean', 'email'].map((format) =>
          readDeclaredType(type, format),
        ),
        [
          { type: 'date', format: 'date' },
          { type: 'dateTime', format: 'date-time' },
          { type: 'integer', format: 'integer' },
          { type: 'decimal', format: 'decimal(3)' },
          { type: 'boolean', format: 'boolean' },
          { type: 'text', format: 'email' },
        ],
      );
    assert.ok('complaint' in readDeclaredType(1, 'image/png'));
    assert.ok('complaint' in readDeclaredType(3, 'date'));
    const registered = readTypeAndFormat(1, 'date');
    assert.deepEqual(registered, { type: 'text', format: 'date' }, 'what is registered is read as it stands');
  });
});
