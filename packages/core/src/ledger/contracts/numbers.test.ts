import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { int64Max, int64Min } from '../../limits/consensus.ts';
import { ContractException, type ContractValue } from '../terms/engine.ts';
import {
  hexToDec,
  type IntegerKind,
  int64,
  int256,
  int256Max,
  int256Min,
  integerFunctions,
  parseInteger,
  toBaseUnit,
} from './numbers.ts';

const functions = { ...integerFunctions(int64), ...integerFunctions(int256) };
const call = (name: string, ...args: ContractValue[]): ContractValue => functions[name](args);
const throws = (name: string, args: ContractValue[], pattern?: RegExp): void =>
  assert.throws(
    () => call(name, ...args),
    (error: unknown) =>
      error instanceof ContractException &&
      error.message.startsWith(name) &&
      (pattern?.test(error.message) ?? true),
    `${name}(${args.join(', ')})`,
  );

const kinds: readonly IntegerKind[] = [int64, int256];
const anyOf = ({ min, max }: IntegerKind) =>
  fc.oneof(
    fc.bigInt({ min, max }),
    fc.bigInt({ min: -300n, max: 300n }),
    fc.constantFrom(min, min + 1n, -1n, 0n, 1n, max - 1n, max),
  );

describe('the integer functions', () => {
  it('exist under these names', () => {
    const common = 'Add Sub Mul Div Mod Compare And Or Xor Not LShift RShift'.split(' ');
    const names = [
      'stoI64Check',
      ...common.map((suffix) => `int64${suffix}`),
      'uint64RShift',
      'stoI256Check',
      ...common.map((suffix) => `int256${suffix}`),
      'uint256RShift',
      'int256Pow',
      'int256Sqrt',
      'int256Min',
      'int256Max',
    ];
    assert.deepEqual(Object.keys(functions).sort(), names.sort());
  });

  for (const [name, args, expected] of [
    ['int64Add', ['12345678912345', 1], '12345678912346'],
    ['int64Sub', ['12345678912345', 1], '12345678912344'],
    ['int64Mul', ['12345678912345', 2], '24691357824690'],
    ['int64Mod', ['12345678912345', 2], '1'],
    ['int64Div', ['12345678912345', 2], '6172839456172'],
    ['int64Compare', ['12345678912345', 2], 1],
    ['int64Compare', ['2', 2], 0],
    ['int64Compare', [-1, '0'], -1],
    ['int64Add', [-0, 0], '0'],
    ['int64Add', [9007199254740992, 0], '9007199254740992'],
    ['int64Add', ['9223372036854775806', '1'], '9223372036854775807'],
    ['int64Sub', ['-9223372036854775807', '1'], '-9223372036854775808'],
    ['int64Mul', ['-4611686018427387904', '2'], '-9223372036854775808'],
    ['int64And', ['12', '10'], '8'],
    ['int64Or', ['85', '170'], '255'],
    ['int64Xor', ['12', '10'], '6'],
    ['int64Not', ['0'], '-1'],
    ['int64Not', ['9223372036854775807'], '-9223372036854775808'],
    ['int64LShift', ['3', '3'], '24'],
    ['int64LShift', ['1', 63], '-9223372036854775808'],
    ['int64LShift', ['2', 63], '0'],
    ['int64LShift', ['-1', '1'], '-2'],
    ['int64RShift', ['-8', '1'], '-4'],
    ['int64RShift', ['-1', '63'], '-1'],
    ['uint64RShift', ['256', '4'], '16'],
    ['uint64RShift', ['-1', '63'], '1'],
    ['uint64RShift', ['-1', '0'], '18446744073709551615'],
    ['int256Add', [1e20, 1], '100000000000000000001'],
    ['int256Not', [String(int256Max)], String(int256Min)],
    ['int256LShift', ['1', '254'], String(2n ** 254n)],
    ['int256LShift', ['-1', '255'], String(int256Min)],
    ['int256RShift', ['-16', '2'], '-4'],
    ['int256RShift', ['-1', '255'], '-1'],
    ['uint256RShift', ['1024', '3'], '128'],
    ['uint256RShift', ['-1', '255'], '1'],
    ['int256Pow', ['99', '0'], '1'],
    ['int256Pow', ['0', '0'], '1'],
    ['int256Pow', ['0', '5'], '0'],
    ['int256Pow', ['-1', '3'], '-1'],
    ['int256Pow', ['1', '10000'], '1'],
    ['int256Pow', ['-2', '255'], String(int256Min)],
    ['int256Pow', ['2', '254'], String(2n ** 254n)],
    ['int256Sqrt', ['0'], '0'],
    ['int256Sqrt', ['2'], '1'],
    ['int256Sqrt', ['99'], '9'],
    ['int256Sqrt', ['10000000000'], '100000'],
    ['int256Min', ['-10', '-5'], '-10'],
    ['int256Max', ['-10', '-5'], '-5'],
  ] as const) {
    it(`${name}(${args.join(', ')}) is ${expected}`, () => assert.equal(call(name, ...args), expected));
  }

  it('throw when the result does not fit', () => {
    throws('int64Add', [String(int64Max), 1], /64 bits/);
    throws('int64Sub', [String(int64Min), 1], /64 bits/);
    throws('int64Mul', [String(int64Min), -1], /64 bits/);
    throws('int256Add', [String(int256Max), 1], /256 bits/);
    throws('int256Mul', [String(int256Min), -1], /256 bits/);
    throws('int256LShift', ['1', '255'], /256 bits/);
    throws('int256Pow', ['2', '255'], /256 bits/);
    throws('int256Pow', ['-2', '256'], /256 bits/);
    throws('int256Pow', [String(int256Max), '10000'], /256 bits/);
  });

  it('throw for operands outside their domain, naming the argument', () => {
    for (const width of ['int64', 'int256']) {
      for (const name of [`${width}Div`, `${width}Mod`]) {
        throws(name, ['1', '0'], /argument 1/);
        throws(name, ['1', '-1'], /argument 1/);
        throws(name, ['-1', '1'], /argument 0/);
      }
    }
    throws('int64LShift', ['1', '64'], /argument 1/);
    throws('int64RShift', ['1', '-1'], /argument 1/);
    throws('uint64RShift', ['1', 64], /argument 1/);
    throws('int256RShift', ['1', '256'], /argument 1/);
    throws('int256Pow', ['1', '10001'], /argument 1/);
    throws('int256Pow', ['1', '-1'], /argument 1/);
    throws('int256Sqrt', ['-1'], /argument 0/);
  });

  const notIntegers: ContractValue[] = [
    '',
    ' 1',
    '1 ',
    '1\n',
    '01',
    '-0',
    '+1',
    '1.0',
    '1e3',
    '0x1',
    '--1',
    '-',
    '١',
    '1_000',
    1.5,
    1e21,
    1e80,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
    null,
    undefined,
    [],
    ['1'],
    {},
    '9'.repeat(100_000),
  ];

  it('throw for anything that is not a canonical integer', () => {
    for (const name of Object.keys(functions).filter((each) => !each.endsWith('Check'))) {
      for (const bad of notIntegers) {
        throws(name, [bad, '1'], /argument 0/);
      }
      if (!/Not|Sqrt/.test(name)) throws(name, ['1'], /argument 1/);
    }
    throws('int64Add', ['9223372036854775808', 0], /argument 0/);
    throws('int64Add', [0, '-9223372036854775809'], /argument 1/);
    throws('int256Add', [String(int256Max + 1n), 0], /argument 0/);
    throws('int256Add', [0, String(int256Min - 1n)], /argument 1/);
  });

  it('check texts: canonical, in range, and texts only', () => {
    for (const [name, { min, max }] of [
      ['stoI64Check', int64],
      ['stoI256Check', int256],
    ] as const) {
      for (const good of ['0', '1', '-1', String(min), String(max)])
        assert.equal(call(name, good), true, good);
      for (const bad of [...notIntegers, 1, 0, String(min - 1n), String(max + 1n)]) {
        assert.equal(call(name, bad), false, String(bad).slice(0, 30));
      }
    }
  });

  for (const kind of kinds) {
    const { name, bits, min, max } = kind;
    const fits = (value: bigint): boolean => value >= min && value <= max;
    const agree = (suffix: string, args: bigint[], expected: bigint | undefined): void => {
      const texts = args.map(String);
      if (expected === undefined) throws(`${name}${suffix}`, texts);
      else assert.equal(call(`${name}${suffix}`, ...texts), String(expected));
    };

    it(`agree with exact arithmetic of ${bits} bits`, () => {
      fc.assert(
        fc.property(anyOf(kind), anyOf(kind), (a, b) => {
          for (const [suffix, exact] of [
            ['Add', a + b],
            ['Sub', a - b],
            ['Mul', a * b],
            ['And', a & b],
            ['Or', a | b],
            ['Xor', a ^ b],
          ] as const) {
            agree(suffix, [a, b], fits(exact) ? exact : undefined);
          }
          agree('Not', [a], ~a);
          agree('Div', [a, b], a >= 0n && b > 0n ? a / b : undefined);
          agree('Mod', [a, b], a >= 0n && b > 0n ? a % b : undefined);
          assert.equal(call(`${name}Compare`, String(a), String(b)), a < b ? -1 : a > b ? 1 : 0);
          assert.equal(parseInteger(String(a), kind), a);
        }),
      );
    });

    it(`shift ${bits} bits`, () => {
      fc.assert(
        fc.property(anyOf(kind), fc.bigInt({ min: -2n, max: BigInt(bits) + 2n }), (a, by) => {
          const allowed = by >= 0n && by < bits;
          const left = allowed ? a << by : 0n;
          const wrapped = BigInt.asIntN(bits, left);
          agree('LShift', [a, by], allowed && (bits === 64 || fits(left)) ? wrapped : undefined);
          agree('RShift', [a, by], allowed ? a >> by : undefined);
          if (allowed) {
            assert.equal(
              call(`u${name}RShift`, String(a), String(by)),
              String(BigInt.asUintN(bits, a) >> by),
            );
          }
        }),
      );
    });
  }

  it('raise to powers and take roots exactly', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyOf(int256), fc.bigInt({ min: -20n, max: 20n })),
        fc.oneof(fc.bigInt({ min: 0n, max: 300n }), fc.constantFrom(9_999n, 10_000n)),
        (base, exponent) => {
          const isSmall = exponent < 301n && base * base <= 2n ** 40n;
          const exact =
            isSmall || (base >= -1n && base <= 1n) || exponent < 4n ? base ** exponent : int256Max + 1n;
          if (exact >= int256Min && exact <= int256Max) {
            assert.equal(call('int256Pow', String(base), String(exponent)), String(exact));
          } else throws('int256Pow', [String(base), String(exponent)]);
        },
      ),
    );
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: int256Max }), (value) => {
        const root = BigInt(call('int256Sqrt', String(value)) as string);
        assert.ok(root * root <= value && (root + 1n) * (root + 1n) > value);
      }),
    );
    assert.equal(call('int256Sqrt', String(int256Max)), '240615969168004511545033772477625056927');
  });
});

describe('hexToDec', () => {
  it('reads unsigned numbers of up to 256 bits', () => {
    assert.equal(hexToDec('0'), '0');
    assert.equal(hexToDec('ff'), '255');
    assert.equal(hexToDec('FF'), '255');
    assert.equal(hexToDec('aeb61626364'), String(0xaeb61626364));
    assert.equal(hexToDec('00000001'), '1');
    assert.equal(hexToDec('f'.repeat(64)), String(2n ** 256n - 1n));
  });

  it('answers false to everything else', () => {
    const bad: ContractValue[] = ['', '0x1', '-1', 'g', ' 1', '1\n', '1.0', 'f'.repeat(65), '0'.repeat(65)];
    for (const value of [...bad, 1, true, null, undefined, [], {}, 'f'.repeat(100_000)]) {
      assert.equal(hexToDec(value), false);
    }
  });
});

describe('toBaseUnit', () => {
  it('multiplies by the unit of the network', () => {
    for (const [text, expected] of [
      ['0', '0'],
      ['0.000001', '1'],
      ['1', '1000000'],
      ['12345678912', '12345678912000000'],
      ['1.5', '1500000'],
      ['0.0', '0'],
      ['9223372036854.775807', '9223372036854775807'],
    ] as const) {
      assert.equal(toBaseUnit(text, 6), expected);
    }
    assert.equal(toBaseUnit('1.00000001', 8), '100000001');
    assert.equal(toBaseUnit('7', 0), '7');
  });

  it('throws for what is no plain decimal, has too many decimals or does not fit', () => {
    const bad: ContractValue[] = [
      '',
      '.',
      '1.',
      '.5',
      '-1',
      '+1',
      '01',
      '00',
      '00.1',
      '1e3',
      ' 1',
      '1 ',
      '1,5',
    ];
    const more: ContractValue[] = ['1.0000000', '1.2.3', 'x', 1, 1.5, true, null, undefined, [], {}];
    const large: ContractValue[] = ['9223372036854.775808', '9223372036855', '9'.repeat(100_000)];
    for (const value of [...bad, ...more, ...large]) {
      assert.throws(() => toBaseUnit(value, 6), ContractException, String(value).slice(0, 30));
    }
  });

  it('agrees with exact arithmetic', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: int64Max }), (units) => {
        const digits = String(units).padStart(7, '0');
        assert.equal(toBaseUnit(`${digits.slice(0, -6)}.${digits.slice(-6)}`, 6), String(units));
      }),
    );
  });
});
