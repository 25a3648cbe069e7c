/**
 * Conditions on transactions and operations (`expr_condition`): a small boolean language with its tokenizer, its parser
 * and its values. It answers codes 20 and 21 (`docs/ledger.md`, "Conditions"). It is not a programming language: no
 * loops, no effects, nothing that outlives one evaluation.
 *
 * The language skips nothing: both sides of `&&` and `||` and all arguments of `if` are always evaluated. So the parser
 * computes values while it reads; a tree in between would be walked exactly once, in this order.
 *
 * Every node must come to the same verdict. Integers are exact and stay within int64; decimals are IEEE doubles under
 * `+ - * /` and comparison only, which round alike everywhere; all bounds count text, never time or stack.
 */
import { assert } from '../../basics/assert.ts';
import { utf8Length } from '../../basics/bytes.ts';
import { transactionLimits } from '../../limits/consensus.ts';
import { type LedgerRefusal, refuse } from '../terms/codes.ts';
import {
  calculate,
  combine,
  type ExpressionFacts,
  ExpressionFault,
  finite,
  fixedNames,
  functions,
  matchAt,
  peek,
  type Run,
  stopRun,
  type Token,
  truthOf,
  unknownNumber,
  type Value,
  valueOfName,
  withinInt64,
} from './values.ts';

/** At submit, before the block is known: refuses only what no block can make true. */
export function checkExpression(text: string): LedgerRefusal | undefined {
  return judge(text, undefined);
}

/** At execution, with the block's own facts. */
export function evaluateExpression(text: string, facts: ExpressionFacts): LedgerRefusal | undefined {
  return judge(text, facts);
}

function judge(text: string, facts: ExpressionFacts | undefined): LedgerRefusal | undefined {
  if (text === '') return undefined;
  if (utf8Length(text) > transactionLimits.expressionBytesMax) {
    return refuse(
      'invalidParameter',
      `Expression is longer than ${transactionLimits.expressionBytesMax} bytes`,
    );
  }
  try {
    const run: Run = {
      facts,
      tokens: tokenize(text),
      position: 0,
      depth: 0,
      textCharsLeft: transactionLimits.expressionTextCharsMax,
      variables: new Map(),
      accounts: new Map(),
      documents: new Map(),
    };
    const verdict = truthOf(parseList(run));
    if (peek(run).kind !== 'end') stopRun(run, 'unexpected text');
    assert(facts === undefined || verdict !== undefined, 'an expression with all facts has a verdict');
    if (verdict !== false) return undefined;
    return facts
      ? refuse('expressionFalse')
      : refuse('expressionFalse', 'no block can make the condition true');
  } catch (error) {
    if (error instanceof ExpressionFault) return refuse('expressionError', error.message);
    throw error;
  }
}

const spacePattern = /[ \t\r\n]*/y;
const tokenPatterns = [
  { kind: 'decimal', pattern: /(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+/y },
  { kind: 'integer', pattern: /\d+/y },
  { kind: 'text', pattern: /"[^"]*"/y },
  { kind: 'name', pattern: /[A-Za-z][A-Za-z0-9_]*/y },
  { kind: 'symbol', pattern: /&&|\|\||[-+*/<>=!]=|[-+*/<>=!(),]/y },
] as const;

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = matchAt(spacePattern, text, 0).length;
  while (at < text.length) {
    const token = tokenAt(text, at);
    tokens.push(token);
    at += token.text.length;
    at += matchAt(spacePattern, text, at).length;
  }
  tokens.push({ kind: 'end', text: '', at });
  return tokens;
}

function tokenAt(text: string, at: number): Token {
  for (const { kind, pattern } of tokenPatterns) {
    const found = matchAt(pattern, text, at);
    if (found !== '') return { kind, text: found, at };
  }
  throw new ExpressionFault(`Expression: unreadable text near character ${at + 1}`);
}

function takeSymbol(run: Run, ...wanted: readonly string[]): string | undefined {
  const token = peek(run);
  if (token.kind !== 'symbol' || !wanted.includes(token.text)) return undefined;
  run.position += 1;
  return token.text;
}

// Parser: one function a kind of phrase, from the loosest binding to the tightest

const binaryOperators = [
  ['&&', '||'],
  ['<', '<=', '>', '>=', '==', '!='],
  ['+', '-'],
  ['*', '/'],
] as const;

function parseList(run: Run): Value {
  let value = parseBinary(run);
  while (takeSymbol(run, ',') !== undefined) value = parseBinary(run);
  return value;
}

function parseBinary(run: Run, level = 0): Value {
  const operators = binaryOperators[level];
  if (operators === undefined) return parseUnary(run);
  let value = parseBinary(run, level + 1);
  for (;;) {
    const operator = takeSymbol(run, ...operators);
    if (operator === undefined) return value;
    value = combine(run, operator, value, parseBinary(run, level + 1));
  }
}

function parseUnary(run: Run): Value {
  const operator = takeSymbol(run, '-', '!');
  if (operator === undefined) return parsePrimary(run);
  // The smallest int64 has no positive twin, so the sign belongs to the literal.
  if (operator === '-' && peek(run).kind === 'integer') return parseInteger(run, '-');
  const value = nested(run, parseUnary);
  if (operator === '-') return calculate(run, '-', 0n, value);
  const verdict = truthOf(value);
  return verdict === undefined ? unknownNumber : !verdict;
}

function parsePrimary(run: Run): Value {
  const token = peek(run);
  if (takeSymbol(run, '(') !== undefined) {
    const value = nested(run, parseList);
    if (takeSymbol(run, ')') === undefined) stopRun(run, 'missing )');
    return value;
  }
  switch (token.kind) {
    case 'integer':
      return parseInteger(run, '');
    case 'decimal':
      run.position += 1;
      return finite(run, Number(token.text));
    case 'text':
      run.position += 1;
      return token.text.slice(1, -1);
    case 'name':
      run.position += 1;
      return parseName(run, token.text);
    default:
      return stopRun(run, 'a value is missing');
  }
}

function parseInteger(run: Run, sign: '-' | ''): bigint {
  const { text } = peek(run);
  run.position += 1;
  return withinInt64(run, BigInt(`${sign}${text}`));
}

function parseName(run: Run, name: string): Value {
  if (takeSymbol(run, '(') !== undefined) return parseCall(run, name);
  const operator = takeSymbol(run, '=', '+=', '-=', '*=', '/=');
  if (operator === undefined) return valueOfName(run, name);
  if (fixedNames.has(name)) stopRun(run, 'this name cannot be assigned');
  const right = nested(run, parseBinary);
  const value = operator === '=' ? right : calculate(run, operator.charAt(0), valueOfName(run, name), right);
  run.variables.set(name, value);
  return value;
}

function parseCall(run: Run, name: string): Value {
  const called = functions.get(name);
  if (called === undefined) stopRun(run, 'unknown function');
  const values: Value[] = [];
  if (takeSymbol(run, ')') === undefined) {
    do values.push(nested(run, parseBinary));
    while (takeSymbol(run, ',') !== undefined);
    if (takeSymbol(run, ')') === undefined) stopRun(run, 'missing )');
  }
  if (values.length !== called.arity) stopRun(run, 'wrong number of arguments');
  const [first = 0n, second = 0n, third = 0n] = values;
  return called.apply(run, first, second, third);
}

function nested(run: Run, parse: (run: Run) => Value): Value {
  run.depth += 1;
  if (run.depth > transactionLimits.expressionDepthMax) stopRun(run, 'nested too deeply');
  const value = parse(run);
  run.depth -= 1;
  return value;
}
