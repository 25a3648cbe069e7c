/**
 * One evaluation of a condition: its facts, where the parser stands, what it has spent, and how it fails. Shared by
 * the parser and by what it computes with; nothing here outlives the evaluation.
 */
import { assert } from '../../basics/assert.ts';

/** What a condition may ask about the block being built. */
export interface ExpressionFacts {
  readonly ledgerSeq: bigint;
  /** Close time of the block, in microseconds. */
  readonly ledgerTime: bigint;
  /** The account as JSON text; undefined when it does not exist. */
  account(address: string): string | undefined;
}

/** Stands for what only a block can tell; the kind is already certain when no block could make it another. */
export interface Unknown {
  readonly unknown: Kind;
}

export type Kind = 'number' | 'text' | 'any';
/** A verdict counts as the integer 0 or 1 wherever a number is asked for. */
export type Known = bigint | number | string | boolean;
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

export function fail(run: Run, reason: string): never {
  throw new ExpressionFault(`Expression: ${reason} near character ${peek(run).at + 1}`);
}

export function spendText(run: Run, chars: number): void {
  run.textCharsLeft -= chars;
  if (run.textCharsLeft < 0) fail(run, 'too much text to work on');
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
