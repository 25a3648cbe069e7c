/**
 * The findings of one check: collected by offset, answered by line and column in the order of the code. The rule
 * words are those of the family's checker, which clients show beside the message.
 */
import type { SyntaxFinding } from '@symbolon/core/ledger/terms/syntax';
import { contractLimits } from '@symbolon/core/limits/consensus';

export type FindingCode =
  | 'empty_block'
  | 'expected_a_b'
  | 'function_in_loop'
  | 'infix_in'
  | 'number_isNaN'
  | 'out_of_scope_a'
  | 'redefinition_a_b'
  | 'todo_comment'
  | 'undeclared_a'
  | 'unexpected_a'
  | 'unexpected_expression_a'
  | 'use_strict'
  // Bounds of this node, which the family's checker does not name.
  | 'too_deep'
  | 'too_long';

export interface SourceFinding {
  /** The offset in the code. */
  readonly at: number;
  readonly code: FindingCode;
  readonly message: string;
  /** The word the finding is about. */
  readonly a?: string;
}

/** Keeps the first findings it is given: one is enough to refuse a contract, a page of them to repair it. */
export class Report {
  readonly #findings: SourceFinding[] = [];

  add(finding: SourceFinding): void {
    if (!this.isFull) this.#findings.push(finding);
  }

  get isFull(): boolean {
    return this.#findings.length >= contractLimits.syntaxFindingsMax;
  }

  /** By line and column, in the order of the code. */
  render(code: string): SyntaxFinding[] {
    if (this.#findings.length === 0) return [];
    const lineStarts = [0];
    for (const { index, 0: lineBreak } of code.matchAll(/\r\n?|\n/g))
      lineStarts.push(index + lineBreak.length);
    return this.#findings
      .toSorted((left, right) => left.at - right.at)
      .map(({ at, code: word, message, a }) => {
        const line = lineOf(lineStarts, at);
        const place = { line, column: at - lineStarts[line] };
        return {
          ...place,
          code: word,
          message: shorten(message),
          ...(a === undefined ? {} : { a: shorten(a) }),
        };
      });
  }
}

const textCharsMax = 160;

/** Names and patterns in the code can be as long as the code. */
const shorten = (text: string): string =>
  text.length > textCharsMax ? `${text.slice(0, textCharsMax - 1)}…` : text;

function lineOf(lineStarts: readonly number[], at: number): number {
  let first = 0;
  let last = lineStarts.length - 1;
  while (first < last) {
    const middle = (first + last + 1) >> 1;
    if (lineStarts[middle] <= at) first = middle;
    else last = middle - 1;
  }
  return first;
}
