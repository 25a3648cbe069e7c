/**
 * How a run fails in a test: the ledger's code, and what its description says once it is parsed (docs/contracts.md,
 * "Failures"). A failure is thrown, so that no test passes by overlooking one; `expectFailure` is for those meant.
 */
import assert from 'node:assert/strict';
import { codeRows, type Refusal } from '@symbolon/core/ledger/codes';
import type { SyntaxFinding } from '@symbolon/core/ledger/contracts/syntax';
import { isJsonObject, type JsonValue, parseJson } from '@symbolon/wire/json';
import type { RunNotes } from './watched-rules.ts';

export class ContractFailure extends Error {
  override readonly name = 'ContractFailure';
  /** A code of the ledger's table: 151 for an exception, 155 for a limit, 100 for a payment that is not covered. */
  readonly code: number;
  /** What the ledger says of it, as clients get it. */
  readonly description: string;
  /** The contract that threw, what it threw and in which line, where a contract did. */
  readonly contract: string | undefined;
  readonly exception: string | undefined;
  readonly line: number | undefined;
  /** What the syntax check found, where it refused the code (152). */
  readonly findings: readonly SyntaxFinding[];
  /** What was used and logged until then. */
  readonly steps: number;
  readonly logs: readonly string[];

  constructor({ code, description, isDocument }: Refusal, { steps, logs }: Pick<RunNotes, 'steps' | 'logs'>) {
    const document = isDocument ? parseJson(description) : undefined;
    const { contract, exception, linenum } = isJsonObject(document) ? document : {};
    const findings = Array.isArray(document) ? (document as unknown as SyntaxFinding[]) : [];
    const what = findings
      .map(({ line, column, message }) => `${line + 1}:${column + 1} ${message}`)
      .join(' ');
    super(messageOf(code, textOrNothing(exception) ?? (what || description), linenum));
    this.code = code;
    this.description = description;
    this.contract = textOrNothing(contract);
    this.exception = textOrNothing(exception);
    this.line = typeof linenum === 'number' && linenum > 0 ? linenum : undefined;
    this.findings = findings;
    this.steps = steps;
    this.logs = logs;
  }
}

const textOrNothing = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

function messageOf(code: number, what: string, line: JsonValue | undefined): string {
  const name = codeRows.find((row) => row.code === code)?.name ?? 'unknown code';
  const place = typeof line === 'number' && line > 0 ? ` (line ${line})` : '';
  return `${name} (${code}): ${what}${place}`;
}

export interface ExpectedFailure {
  readonly code?: number;
  /** The whole exception, or a pattern in it. */
  readonly exception?: string | RegExp;
}

/** Does what must fail, and answers how it failed. Anything else that is thrown passes through. */
export function expectFailure(action: () => unknown, expected: ExpectedFailure = {}): ContractFailure {
  const failure = failureOf(action);
  if (expected.code !== undefined) assert.equal(failure.code, expected.code, failure.message);
  if (typeof expected.exception === 'string') assert.equal(failure.exception, expected.exception);
  else if (expected.exception) assert.match(failure.exception ?? failure.description, expected.exception);
  return failure;
}

function failureOf(action: () => unknown): ContractFailure {
  try {
    action();
  } catch (error) {
    if (error instanceof ContractFailure) return error;
    throw error;
  }
  assert.fail('This was expected to fail, and did not.');
}
