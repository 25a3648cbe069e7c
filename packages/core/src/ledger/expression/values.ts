/**
 * One evaluation of a condition, and what it computes with. The evaluation: its facts, where the parser stands, what it
 * has spent, and how it fails; nothing of it outlives the evaluation. The values: integers within int64, doubles, text,
 * verdicts, and what only a block can tell. Names and functions stand in two tables; JSON is read by own members only,
 * bounded before it is parsed.
 */
import { assert } from '../../basics/assert.ts';
import { isHostFault } from '../../basics/host-fault.ts';
import { int64Max, int64Min, transactionLimits } from '../../limits/consensus.ts';

/** What a condition may ask about the block being built. */
export interface ExpressionFacts {
  readonly ledgerSeq: bigint;
  /** Close time of the block, in microseconds. */
  readonly ledgerTime: bigint;
  /** The account as JSON text; undefined when it does not exist. */
  account(address: string): string | undefined;
}

/** Stands for what only a block can tell; the kind is already certain when no block could make it another. */
interface Unknown {
  readonly unknown: Kind;
}

type Kind = 'number' | 'text' | 'any';
/** A verdict counts as the integer 0 or 1 wherever a number is asked for. */
type Known = bigint | number | string | boolean;
export type Value = Known | Unknown;

export interface Token {
  readonly kind: 'integer' | 'decimal' | 'text' | 'name' | 'symbol' | 'end';
  readonly text: string;
  readonly at: number;
}

/** Unwinds the parser to `judge`, which turns it into a refusal; never leaves this folder. */
export class ExpressionFault extends Error {}

/** One evaluation: where the parser stands and what the expression has done so far. */
export interface Run {
  readonly facts: ExpressionFacts | undefined;
  readonly tokens: readonly Token[];
  position: number;
  depth: number;
  textCharsLeft: number;
  readonly variables: Map<string, Value>;
  /** Account texts already loaded and JSON already parsed: paid for once, however often they are asked for. */
  readonly accounts: Map<string, string>;
  readonly documents: Map<string, unknown>;
}

export function stopRun(run: Run, reason: string): never {
  throw new ExpressionFault(`Expression: ${reason} near character ${peek(run).at + 1}`);
}

function spendText(run: Run, chars: number): void {
  run.textCharsLeft -= chars;
  if (run.textCharsLeft < 0) stopRun(run, 'too much text to work on');
}

export function peek(run: Run): Token {
  const token = run.tokens[run.position];
  assert(token !== undefined, 'the parser never moves past the end token');
  return token;
}

/** What a sticky pattern matches at a place: '' for nothing. */
export function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

export const unknownNumber: Unknown = { unknown: 'number' };
const unknownText: Unknown = { unknown: 'text' };
const unknownAny: Unknown = { unknown: 'any' };

function isUnknown(value: Value): value is Unknown {
  return typeof value === 'object';
}

function kindOf(value: Value): Kind {
  if (isUnknown(value)) return value.unknown;
  return typeof value === 'string' ? 'text' : 'number';
}

/** The kind two operands share; text never meets a number. */
function commonKind(run: Run, left: Value, right: Value): Kind {
  const [first, second] = [kindOf(left), kindOf(right)];
  if (first === 'any') return second;
  if (second !== 'any' && second !== first) stopRun(run, 'text and number do not mix');
  return first;
}

export function truthOf(value: Value): boolean | undefined {
  if (typeof value === 'string' || kindOf(value) === 'text') return false;
  if (isUnknown(value)) return undefined;
  return typeof value === 'boolean' ? value : value > 0;
}

export function combine(run: Run, operator: string, left: Value, right: Value): Value {
  if (operator === '&&' || operator === '||') return conjoin(operator, truthOf(left), truthOf(right));
  const comparison = comparisons.get(operator);
  if (comparison === undefined) return calculate(run, operator, left, right);
  const order = orderOf(run, left, right);
  return order === undefined ? unknownNumber : comparison(order);
}

function conjoin(operator: '&&' | '||', left: boolean | undefined, right: boolean | undefined): Value {
  const decisive = operator === '||';
  if (left === decisive || right === decisive) return decisive;
  return left === undefined || right === undefined ? unknownNumber : !decisive;
}

export function calculate(run: Run, operator: string, left: Value, right: Value): Value {
  const kind = commonKind(run, left, right);
  if (kind === 'text' && operator !== '+') stopRun(run, 'text cannot be calculated with');
  if (operator === '/' && (right === 0n || right === 0 || right === false)) stopRun(run, 'division by zero');
  if (isUnknown(left) || isUnknown(right)) return { unknown: operator === '+' ? kind : 'number' };
  if (typeof left === 'string' || typeof right === 'string') {
    const joined = `${left}${right}`;
    spendText(run, joined.length);
    return joined;
  }
  const [x, y] = [numeric(left), numeric(right)];
  if (typeof x === 'bigint' && typeof y === 'bigint' && operator !== '/') {
    return withinInt64(run, operator === '+' ? x + y : operator === '-' ? x - y : x * y);
  }
  const [a, b] = [Number(x), Number(y)];
  return finite(run, operator === '+' ? a + b : operator === '-' ? a - b : operator === '*' ? a * b : a / b);
}

const comparisons = new Map<string, (order: number) => boolean>([
  ['<', (order) => order < 0],
  ['<=', (order) => order <= 0],
  ['>', (order) => order > 0],
  ['>=', (order) => order >= 0],
  ['==', (order) => order === 0],
  ['!=', (order) => order !== 0],
]);

/** Negative, zero or positive; undefined when a side is unknown. Text is ordered by its UTF-16 units. */
function orderOf(run: Run, left: Value, right: Value): number | undefined {
  commonKind(run, left, right);
  if (isUnknown(left) || isUnknown(right)) return undefined;
  if (typeof left === 'string' || typeof right === 'string') {
    spendText(run, Math.min(String(left).length, String(right).length));
    return left < right ? -1 : left > right ? 1 : 0;
  }
  // JavaScript compares a bigint with a double by their exact values.
  const [x, y] = [numeric(left), numeric(right)];
  return x < y ? -1 : x > y ? 1 : 0;
}

function numeric(value: bigint | number | boolean): bigint | number {
  return typeof value === 'boolean' ? BigInt(value) : value;
}

export function withinInt64(run: Run, value: bigint): bigint {
  if (value < int64Min || value > int64Max) stopRun(run, 'integer beyond int64');
  return value;
}

export function finite(run: Run, value: number): number {
  if (!Number.isFinite(value)) stopRun(run, 'decimal out of range');
  return value;
}

export const fixedNames = new Map<string, (facts: ExpressionFacts | undefined) => Value>([
  ['LEDGER_SEQ', (facts) => facts?.ledgerSeq ?? unknownNumber],
  ['LEDGER_TIME', (facts) => facts?.ledgerTime ?? unknownNumber],
  ['pi', () => Math.PI],
  ['e', () => Math.E],
]);

export function valueOfName(run: Run, name: string): Value {
  return fixedNames.get(name)?.(run.facts) ?? run.variables.get(name) ?? 0n;
}

interface Callable {
  readonly arity: number;
  apply(run: Run, first: Value, second: Value, third: Value): Value;
}

export const functions = new Map<string, Callable>([
  ['account', { arity: 1, apply: accountText }],
  ['jsonpath', { arity: 2, apply: jsonMember }],
  ['min', { arity: 2, apply: (run, first, second) => extreme(run, -1, first, second) }],
  ['max', { arity: 2, apply: (run, first, second) => extreme(run, 1, first, second) }],
  ['if', { arity: 3, apply: conditional }],
]);

/** The smaller of two values for sign -1, the larger for sign 1. */
function extreme(run: Run, sign: 1 | -1, first: Value, second: Value): Value {
  const order = orderOf(run, first, second);
  if (order === undefined) return { unknown: commonKind(run, first, second) };
  return order * sign >= 0 ? first : second;
}

function conditional(_run: Run, condition: Value, first: Value, second: Value): Value {
  const verdict = truthOf(condition);
  if (verdict !== undefined) return verdict ? first : second;
  return { unknown: kindOf(first) === kindOf(second) ? kindOf(first) : 'any' };
}

function accountText(run: Run, address: Value): Value {
  if (kindOf(address) === 'number') stopRun(run, 'an address is text');
  if (run.facts === undefined || typeof address !== 'string') return unknownText;
  const known = run.accounts.get(address);
  if (known !== undefined) return known;
  const text = run.facts.account(address);
  if (text === undefined) return stopRun(run, 'account does not exist');
  spendText(run, text.length);
  run.accounts.set(address, text);
  return text;
}

// JSON

/** The number, text or truth value at a path like `.priv.signers[0].weight`; 0 when nothing is there. */
function jsonMember(run: Run, text: Value, path: Value): Value {
  if (kindOf(text) === 'number' || kindOf(path) === 'number') stopRun(run, 'jsonpath takes two texts');
  const steps = typeof path === 'string' ? parsePath(run, path) : [];
  if (run.facts === undefined || typeof text !== 'string') return unknownAny;
  let value = documentOf(run, text);
  for (const step of steps) {
    // Own members only: a path must never reach what JavaScript adds to every object.
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return 0n;
    if (Array.isArray(value) !== (typeof step === 'number')) return 0n;
    value = (value as Record<string | number, unknown>)[step];
  }
  if (value === null) return 0n;
  if (typeof value === 'number') return finite(run, value);
  if (typeof value === 'object') return stopRun(run, 'jsonpath leads to neither number nor text');
  return value as bigint | string | boolean;
}

const stepPattern = /\.?(?:\[\d{1,9}\]|[^.[\]]+)/y;

/** Member names as text, array places as numbers; the path of the whole document is a single dot. */
function parsePath(run: Run, path: string): (string | number)[] {
  const steps: (string | number)[] = [];
  spendText(run, path.length);
  for (let at = 0; path !== '.' && at < path.length; ) {
    const step = matchAt(stepPattern, path, at);
    if (step === '' || steps.length === transactionLimits.expressionDepthMax) stopRun(run, 'unreadable path');
    at += step.length;
    const name = step.startsWith('.') ? step.slice(1) : step;
    steps.push(name.startsWith('[') ? Number(name.slice(1, -1)) : name);
  }
  return steps;
}

/** The ES2023 library does not list the reviver's third argument: the number as it is spelled in the text. */
const parseJson = JSON.parse as (
  text: string,
  revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

function documentOf(run: Run, text: string): unknown {
  if (run.documents.has(text)) return run.documents.get(text);
  spendText(run, text.length);
  checkStructure(run, text);
  try {
    const document = parseJson(text, (_key, value, { source = '' }) =>
      typeof value === 'number' && /^-?\d+$/.test(source) ? exactInteger(source) : value,
    );
    run.documents.set(text, document);
    return document;
  } catch (error) {
    if (isHostFault(error) || !(error instanceof SyntaxError)) throw error;
    return stopRun(run, 'jsonpath reads something that is not JSON');
  }
}

/** Not a number stands for an integer beyond int64: an error only for the one who asks for that member. */
function exactInteger(source: string): bigint | number {
  if (source.length > String(int64Min).length) return Number.NaN;
  const value = BigInt(source);
  return value < int64Min || value > int64Max ? Number.NaN : value;
}

/** A member costs far more to revive than a character to read. */
const memberChars = 64;

/** Bounds nesting and members before JSON is parsed: the reviver recurses, and how far depends on the machine. */
function checkStructure(run: Run, text: string): void {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at);
    else if (character === ',') spendText(run, memberChars);
    else if (character === ']' || character === '}') depth -= 1;
    else if (character === '[' || character === '{') {
      depth += 1;
      spendText(run, memberChars);
      if (depth > transactionLimits.expressionDepthMax) stopRun(run, 'JSON nested too deeply');
    }
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return at;
}
