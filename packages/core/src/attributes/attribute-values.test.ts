import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { sha256, smallPng } from '../credential/testing/sample-credentials.ts';
import type { AttributeType, SignedAttribute } from '../documents/model.ts';
import { isComplaint } from './attribute-formats.ts';
import {
  attributeInteger,
  attributeMessage,
  integerMax,
  integerMin,
  isNormalValue,
  readAttributeValue,
} from './attribute-values.ts';

const imageValue = (format: string, bytes: Uint8Array): string =>
  `data:${format};base64,${Buffer.from(bytes).toString('base64')}`;

const of = (type: AttributeType, format: string): SignedAttribute => ({ key: 'a', type, format });
const text = of('text', 'string');
const integer = of('integer', 'integer');
const decimal = of('decimal', 'decimal');
const date = of('date', 'date');
const dateTime = of('dateTime', 'date-time');
const boolean = of('boolean', 'boolean');
const png = of('image', 'image/png');

function accepts(attribute: SignedAttribute, cases: readonly [unknown, unknown][]): void {
  for (const [arrived, value] of cases)
    assert.deepEqual(readAttributeValue(attribute, arrived), { value }, String(arrived));
}

function refuses(attribute: SignedAttribute, cases: readonly unknown[]): void {
  for (const arrived of cases) {
    assert.ok(isComplaint(readAttributeValue(attribute, arrived)), `${attribute.format}: ${String(arrived)}`);
    assert.equal(isNormalValue(attribute, arrived), false);
  }
}

const notValues = [undefined, null, {}, [], ['1'], [1], { value: 1 }, Number.NaN, Number.POSITIVE_INFINITY];

describe('values as they arrive', () => {
  test('text', () => {
    accepts(text, [
      ['plain', 'plain'],
      ['e\u0301', '\u00e9'],
      ['a\r\nb\tc', 'a\nb\tc'],
      [' kept ', ' kept '],
      ['\u{1f469}\u200d\u{1f52c}', '\u{1f469}\u200d\u{1f52c}'],
    ]);
    refuses(text, [
      ...notValues,
      '',
      '  ',
      '\u200b',
      '\u2060 \u00ad',
      '\u3164\u2800',
      '\u{e0020}\ufe0f',
      1,
      true,
      'a\0b',
      'a\rb',
      '\u0085',
      '\ud800',
      '\uffff',
      'é'.repeat(4_097),
    ]);
    assert.equal(isNormalValue(text, 'e\u0301'), false);
    assert.equal(isNormalValue(text, 'a\r\nb'), false);
  });

  test('texts of a form', () => {
    const good = { email: 'a.b@example.com', uri: 'urn:x:1', phone: '+60123456789', date: '2024-02-29' };
    for (const [format, value] of Object.entries(good)) accepts(of('text', format), [[value, value]]);
    refuses(of('text', 'email'), ['a', '@b', 'a@b@c', 'a b@c', 'a@-b']);
    refuses(of('text', 'uri'), ['no scheme', '//x', 'a:', 'javascript', 'http://a b']);
    refuses(of('text', 'phone'), ['0123456789', '+0123456', '+1']);
    refuses(of('text', 'date'), ['2023-02-29', 'yesterday']);
    refuses(of('text', 'date-time'), ['2023-02-28']);
  });

  test('integer', () => {
    accepts(integer, [
      [5, 5],
      ['5', 5],
      [' -7 ', -7],
      [-0, 0],
      ['-0', 0],
      [-(2 ** 52), -(2 ** 52)],
      [2 ** 52 - 2, 2 ** 52 - 2],
      [12n, 12],
    ]);
    refuses(integer, [
      ...notValues,
      '',
      '1.0',
      1.5,
      '1e3',
      '+5',
      '007',
      '0x10',
      '1_000',
      '١',
      true,
      2 ** 52 - 1,
      '1'.repeat(5000),
    ]);
    refuses(integer, [-(2 ** 52) - 1, 2n ** 70n, 1e300]);
    assert.equal(isNormalValue(integer, -0), false);
    assert.equal(isNormalValue(integer, '5'), false);
  });

  test('decimal', () => {
    accepts(decimal, [
      ['12.50', '12.5'],
      [12.5, '12.5'],
      ['-0.00', '0'],
      ['100', '100'],
      ['0.010', '0.01'],
      [-3, '-3'],
      ['-0.07', '-0.07'],
    ]);
    accepts(of('decimal', 'decimal(0)'), [['7.000', '7']]);
    refuses(decimal, [
      ...notValues,
      '',
      '.5',
      '5.',
      '1.234',
      0.1 + 0.2,
      '1,5',
      '1e2',
      '--1',
      '01.5',
      true,
      1e21,
    ]);
    refuses(decimal, ['45035996273704.95', '-45035996273704.97', '9'.repeat(100)]);
    accepts(decimal, [
      ['45035996273704.94', '45035996273704.94'],
      ['-45035996273704.96', '-45035996273704.96'],
    ]);
    assert.equal(isNormalValue(decimal, '12.50'), false);
    assert.equal(isNormalValue(decimal, 12.5), false);
  });

  test('date, date and time, boolean', () => {
    accepts(date, [['2024-02-29', '2024-02-29']]);
    refuses(date, [...notValues, '2023-02-29', 20240229, '2024-02-29T00:00:00Z', true]);
    accepts(dateTime, [['2024-02-29T23:59:59-01:00', '2024-03-01T00:59:59Z']]);
    refuses(dateTime, [...notValues, '2024-02-29', 1709164800, '2024-02-29T10:00:00']);
    accepts(boolean, [
      [true, true],
      ['false', false],
    ]);
    refuses(boolean, [...notValues, 0, 1, 'TRUE', 'yes', '']);
    assert.equal(isNormalValue(boolean, 'true'), false);
  });

  test('images are what their bytes say', () => {
    accepts(png, [
      [smallPng, smallPng],
      [smallPng.split(',')[1], smallPng],
    ]);
    const jpeg = imageValue('image/jpeg', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0));
    accepts(of('image', 'image/jpeg'), [[jpeg, jpeg]]);
    refuses(png, [
      ...notValues,
      '',
      jpeg,
      jpeg.replace('jpeg', 'png'),
      `${smallPng}=`,
      ` ${smallPng}`,
      `${smallPng}\n`,
    ]);
    // The same bytes with bits at the end that no byte has.
    const padded = imageValue('image/png', Buffer.from('89504e470d0a1a0a0000', 'hex'));
    assert.ok(padded.endsWith('AA=='));
    refuses(png, [padded.replace('AA==', 'AB=='), padded.replace('==', '')]);
    refuses(png, [imageValue('image/png', new Uint8Array(256 * 1024 + 1).fill(0x89)), 'A'.repeat(1_000_000)]);
  });

  test('property: what is read is in normal form, and reads the same again', () => {
    const kinds = [
      text,
      integer,
      decimal,
      date,
      dateTime,
      boolean,
      of('text', 'email'),
      of('decimal', 'decimal(9)'),
    ];
    const arrived = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.integer(),
      fc.boolean(),
      fc.date({ noInvalidDate: true }).map((one) => one.toISOString().replace(/\.\d+/, '')),
      fc.stringMatching(/^-?[0-9]{1,16}(\.[0-9]{1,9})?$/),
    );
    fc.assert(
      fc.property(fc.constantFrom(...kinds), arrived, (attribute, value) => {
        const read = readAttributeValue(attribute, value);
        if (isComplaint(read)) return;
        assert.ok(isNormalValue(attribute, read.value));
        assert.deepEqual(readAttributeValue(attribute, read.value), read);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('what is signed', () => {
  const messageText = (attribute: SignedAttribute, value?: string | number | boolean): string => {
    const message = attributeMessage(attribute, value, sha256);
    return 'bytes' in message ? new TextDecoder().decode(message.bytes) : String(message.integer);
  };

  test('each type', () => {
    assert.equal(messageText(text, 'x: y'), 'a: x: y');
    assert.equal(messageText(boolean, false), 'a: false');
    assert.equal(messageText(integer, -1), String(2n ** 52n - 1n));
    assert.equal(messageText(integer, Number(integerMin)), '0');
    assert.equal(messageText(integer, Number(integerMax)), String(2n ** 53n - 2n));
    assert.equal(messageText(decimal, '-0.5'), String(2n ** 52n - 50n));
    assert.equal(messageText(date, '1800-01-02'), '1');
    assert.equal(messageText(dateTime, '1800-01-01T00:01:00Z'), '60');
    assert.match(messageText(png, smallPng), /^a: sha256:[0-9a-f]{64}$/);
    assert.equal(messageText(text), 'a\0absent');
  });

  test('a value that is not in normal form is never signed', () => {
    assert.throws(() => attributeMessage(text, 'e\u0301', sha256));
    assert.throws(() => attributeMessage(integer, 1.5, sha256));
    assert.throws(() => attributeMessage(date, '2023-02-29', sha256));
  });

  test('property: integers keep the order and decimals their digits', () => {
    const scaled = fc.bigInt({ min: integerMin, max: integerMax });
    const asDecimal = (value: bigint): string => {
      const digits = String(value < 0n ? -value : value).padStart(3, '0');
      return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
    };
    fc.assert(
      fc.property(scaled, (value) => {
        const read = readAttributeValue(decimal, asDecimal(value));
        assert.ok(!isComplaint(read));
        assert.equal(attributeInteger(decimal, read.value), value + 2n ** 52n);
        assert.equal(attributeInteger(integer, Number(value)), value + 2n ** 52n);
      }),
    );
  });
});
