/**
 * The ledger's description of a failure, read (docs/contracts.md, "Failures"): exceptions and findings of the syntax
 * check are JSON texts in it, everything else is a sentence.
 */
import { codeRows, codes } from '@symbolon/core/ledger/terms/codes';
import type { SyntaxFinding } from '@symbolon/core/ledger/terms/syntax';
import { isJsonObject, type JsonValue, parseJsonOrNothing } from '@symbolon/wire/json/json';

/** A function of a contract's code, and the line in it. */
export interface FailedFunction {
  readonly name: string;
  readonly line: number;
}

export interface FailureDescription {
  /** In one line, with the code's name. */
  readonly summary: string;
  /** The contract that threw, what it threw and in which line, where a contract did. */
  readonly contract: string | undefined;
  readonly exception: string | undefined;
  readonly line: number | undefined;
  /** Its functions that had called each other, the innermost first, where an Error was thrown. */
  readonly functions: readonly FailedFunction[];
  /** What the syntax check found, where it refused the code. */
  readonly findings: readonly SyntaxFinding[];
}

const documentCodes: readonly number[] = [codes.contractFailed, codes.contractSyntax, codes.contractExpired];

export function readFailure(code: number, description: string): FailureDescription {
  const document = documentCodes.includes(code) ? parseJsonOrNothing(description) : undefined;
  const fields = isJsonObject(document) ? document : {};
  const exception = textOrNothing(fields.exception);
  const line = typeof fields.linenum === 'number' && fields.linenum > 0 ? fields.linenum : undefined;
  const findings = Array.isArray(document) ? document.flatMap(readFinding) : [];
  const said = exception ?? (findings.map(describeFinding).join(' ') || description);
  const name = codeRows.find((row) => row.code === code)?.name ?? 'unknown code';
  const place = line === undefined ? '' : ` (line ${line})`;
  return {
    summary: `${name} (${code}): ${said}${place}`,
    contract: textOrNothing(fields.contract),
    exception,
    line,
    functions: readStack(textOrNothing(fields.stack) ?? ''),
    findings,
  };
}

/** As the engine writes it: `    at increment (contract:24:5)`. */
const readStack = (stack: string): FailedFunction[] =>
  [...stack.matchAll(/^\s*at ([\w$.]{1,64}) \(contract:(\d{1,7})(?::\d+)?\)$/gm)].map(
    ([, name = '', line]) => ({
      name,
      line: Number(line),
    }),
  );

/** As editors count: from one. */
const describeFinding = ({ line, column, message }: SyntaxFinding): string =>
  `${line + 1}:${column + 1} ${message}`;

function readFinding(value: JsonValue): SyntaxFinding[] {
  if (!isJsonObject(value)) return [];
  const { line, column, code, message } = value;
  return typeof line === 'number' && typeof column === 'number' && typeof message === 'string'
    ? [{ line, column, code: textOrNothing(code) ?? '', message }]
    : [];
}

const textOrNothing = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;
