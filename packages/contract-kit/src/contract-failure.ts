/**
 * How a run fails in a test. A failure is thrown, so that no test passes by overlooking one; `expectFailure` is for
 * those that are meant.
 */
import assert from 'node:assert/strict';
import type { TracedCall } from '@symbolon/core/ledger/contracts/call-tracer';
import type { LedgerRefusal } from '@symbolon/core/ledger/terms/codes';
import type { SyntaxFinding } from '@symbolon/core/ledger/terms/syntax';
import { readFailure } from './failure-description.ts';
import { traceLines } from './failure-trace.ts';
import type { RunNotes } from './watched-rules.ts';

/** What was noted of a run until it failed. */
export interface FailureNotes extends Pick<RunNotes, 'steps' | 'logs'> {
  readonly failedCalls?: readonly TracedCall[];
  /** How an address is called in words. */
  readonly nameOf?: (address: string) => string;
}

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
  /** The contracts that had called each other, the outermost first; the last one failed. */
  readonly calls: readonly TracedCall[];

  constructor({ code, description }: LedgerRefusal, { steps, logs, failedCalls = [], nameOf }: FailureNotes) {
    const { summary, contract, exception, line, findings } = readFailure(code, description);
    super([summary, ...traceLines(failedCalls, nameOf)].join('\n'));
    this.code = code;
    this.description = description;
    this.contract = contract;
    this.exception = exception;
    this.line = line;
    this.findings = findings;
    this.steps = steps;
    this.logs = logs;
    this.calls = failedCalls;
  }
}

export interface ExpectedFailure {
  readonly code?: number;
  /** The whole exception, or a pattern in it; in the description where nothing was thrown. */
  readonly exception?: string | RegExp;
}

/** Does what must fail, and answers how it failed. Anything else that is thrown passes through. */
export function expectFailure(action: () => unknown, expected: ExpectedFailure = {}): ContractFailure {
  const failure = failureOf(action);
  const said = failure.exception ?? failure.description;
  if (expected.code !== undefined) assert.equal(failure.code, expected.code, failure.message);
  if (typeof expected.exception === 'string') assert.equal(said, expected.exception);
  else if (expected.exception) assert.match(said, expected.exception);
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
