/**
 * Integer arithmetic of contracts (docs/ledger.md, "Contracts"): 64 and 256 bits, exact, on canonical decimal
 * texts. What does not fit or is not canonical throws in the contract; nothing wraps silently but the left shift of
 * 64 bits, which the family defines so. Nothing here knows the ledger.
 */
import { contractLimits, int64Max, int64Min } from '../../limits/consensus.ts';
import { type BuiltIn, ContractException, type ContractValue } from '../terms/engine.ts';

export interface IntegerKind {
  /** How the functions of this width begin: `int64Add`. */
  readonly name: 'int64' | 'int256';
  readonly bits: number;
  readonly min: bigint;
  readonly max: bigint;
  /** The longest canonical text: that of the least value. */
  readonly charsMax: number;
}

export const int64: IntegerKind = { name: 'int64', bits: 64, min: int64Min, max: int64Max, charsMax: 20 };

export const int256Max = 2n ** 255n - 1n;
export const int256Min = -(2n ** 255n);
export const int256: IntegerKind = {
  name: 'int256',
  bits: 256,
  min: int256Min,
  max: int256Max,
  charsMax: 78,
};

const canonical = /^(?:0|-?[1-9][0-9]*)$/;

/** The value of a text that printing the value gives back, or nothing. */
export function parseInteger(text: string, { min, max, charsMax }: IntegerKind): bigint | undefined {
  if (text.length > charsMax || !canonical.test(text)) return undefined;
  const value = BigInt(text);
  return value >= min && value <= max ? value : undefined;
}

/** The functions of one width by their plain names: `int64Add`, `stoI64Check`, `uint64RShift`. */
export function integerFunctions(kind: IntegerKind): Readonly<Record<string, BuiltIn>> {
  const { name, bits } = kind;
  return {
    [`stoI${bits}Check`]: ([text]) => typeof text === 'string' && parseInteger(text, kind) !== undefined,
    ...named(name, arithmetic(kind)),
    ...named(name, bitwise(kind)),
    ...named('u', { [`${name}RShift`]: unsignedRightShift(kind) }),
    ...(kind === int256 ? named(name, wideOnly()) : {}),
  };
}

type Operation = (args: readonly ContractValue[], name: string) => string | number;

function named(prefix: string, operations: Readonly<Record<string, Operation>>): Record<string, BuiltIn> {
  return Object.fromEntries(
    Object.entries(operations).map(([suffix, operation]) => {
      const name = `${prefix}${suffix}`;
      return [name, (args) => operation(args, name)];
    }),
  );
}

function arithmetic(kind: IntegerKind): Record<string, Operation> {
  return {
    Add: binary(kind, (left, right) => left + right),
    Sub: binary(kind, (left, right) => left - right),
    Mul: binary(kind, (left, right) => left * right),
    Div: divided(kind, (left, right) => left / right),
    Mod: divided(kind, (left, right) => left % right),
    Compare: (args, name) => {
      const [left, right] = operands(args, kind, name);
      return left < right ? -1 : Number(left > right);
    },
  };
}

/** Negative numbers are two's complement. A shift is by 0 up to one less than the width. */
function bitwise(kind: IntegerKind): Record<string, Operation> {
  const shiftedLeft: Operation = (args, name) => {
    const wide = operand(args, { index: 0, kind, name }) << shiftCount(args, kind, name);
    // Of 64 bits the upper ones fall off (1 << 63 is the least value); of 256 bits the result must fit.
    return kind === int64 ? String(BigInt.asIntN(kind.bits, wide)) : fitting(wide, kind, name);
  };
  return {
    And: binary(kind, (left, right) => left & right),
    Or: binary(kind, (left, right) => left | right),
    Xor: binary(kind, (left, right) => left ^ right),
    Not: (args, name) => String(~operand(args, { index: 0, kind, name })),
    LShift: shiftedLeft,
    RShift: (args, name) => String(operand(args, { index: 0, kind, name }) >> shiftCount(args, kind, name)),
  };
}

/** Zeros come in from the left. The result is unsigned: only a negative number shifted by 0 leaves the signed range. */
function unsignedRightShift(kind: IntegerKind): Operation {
  return (args, name) =>
    String(
      BigInt.asUintN(kind.bits, operand(args, { index: 0, kind, name })) >> shiftCount(args, kind, name),
    );
}

function wideOnly(): Record<string, Operation> {
  return {
    Pow: (args, name) => {
      const [base, exponent] = operands(args, int256, name);
      if (exponent < 0n || exponent > contractLimits.powerExponentMax) {
        throw new ContractException(
          `${name}: argument 1 must be between 0 and ${contractLimits.powerExponentMax}`,
        );
      }
      return String(power(base, exponent, name));
    },
    Sqrt: (args, name) => {
      const value = operand(args, { index: 0, kind: int256, name });
      if (value < 0n) throw new ContractException(`${name}: argument 0 must not be negative`);
      return String(squareRoot(value));
    },
    Min: binary(int256, (left, right) => (left < right ? left : right)),
    Max: binary(int256, (left, right) => (left > right ? left : right)),
  };
}

function binary(kind: IntegerKind, compute: (left: bigint, right: bigint) => bigint): Operation {
  return (args, name) => {
    const [left, right] = operands(args, kind, name);
    return fitting(compute(left, right), kind, name);
  };
}

/** Both widths divide what is not negative by what is positive: the family leaves no room for rounding questions. */
function divided(kind: IntegerKind, compute: (left: bigint, right: bigint) => bigint): Operation {
  return (args, name) => {
    const [left, right] = operands(args, kind, name);
    if (left < 0n) throw new ContractException(`${name}: argument 0 must not be negative`);
    if (right <= 0n) throw new ContractException(`${name}: argument 1 must be greater than 0`);
    return String(compute(left, right));
  };
}

function operand(
  args: readonly ContractValue[],
  { index, kind, name }: { index: number; kind: IntegerKind; name: string },
): bigint {
  const given = args[index];
  // A number counts as the text it prints as: fractions and exponents are refused with their texts.
  const text = typeof given === 'number' ? String(given) : given;
  const value = typeof text === 'string' ? parseInteger(text, kind) : undefined;
  if (value === undefined) {
    throw new ContractException(`${name}: argument ${index} is not a decimal integer of ${kind.bits} bits`);
  }
  return value;
}

const operands = (args: readonly ContractValue[], kind: IntegerKind, name: string) =>
  [operand(args, { index: 0, kind, name }), operand(args, { index: 1, kind, name })] as const;

function shiftCount(args: readonly ContractValue[], kind: IntegerKind, name: string): bigint {
  const count = operand(args, { index: 1, kind, name });
  if (count < 0n || count >= kind.bits) {
    throw new ContractException(`${name}: argument 1 must be between 0 and ${kind.bits - 1}`);
  }
  return count;
}

function fitting(value: bigint, { min, max, bits }: IntegerKind, name: string): string {
  if (value < min || value > max) throw new ContractException(`${name}: the result exceeds ${bits} bits`);
  return String(value);
}

/** By squaring, leaving as soon as the result cannot fit: no number here grows beyond 512 bits. */
function power(base: bigint, exponent: bigint, name: string): bigint {
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) {
      result *= square;
      fitting(result, int256, name);
    }
    if (rest === 1n) break;
    square *= square;
    // A square that is used again and does not fit cannot give a result that fits.
    fitting(square, int256, name);
  }
  return result;
}

/** Newton's method from above: the largest integer whose square is not greater. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

const hexDigitsMax = 64;

/** An unsigned number of up to 256 bits, in either case and without a prefix; false for anything else. */
export function hexToDec(hex: ContractValue): string | false {
  if (typeof hex !== 'string' || hex.length > hexDigitsMax || !/^[0-9a-fA-F]+$/.test(hex)) return false;
  return String(BigInt(`0x${hex}`));
}

/** "1.5" of the native asset in its smallest unit. Signs, exponents, needless zeros and overflow throw. */
export function toBaseUnit(text: ContractValue, decimals: number): string {
  const parts =
    typeof text === 'string' && text.length <= int64.charsMax + decimals
      ? /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(text)
      : null;
  const [, whole = '', fraction = ''] = parts ?? [];
  if (!parts || fraction.length > decimals) {
    throw new ContractException(
      `toBaseUnit: argument 0 is not a decimal text with at most ${decimals} decimals`,
    );
  }
  return fitting(BigInt(whole + fraction.padEnd(decimals, '0')), int64, 'toBaseUnit');
}
