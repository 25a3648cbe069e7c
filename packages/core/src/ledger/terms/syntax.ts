/** What a syntax check of contract code says. The check itself needs a parser and is given to the rules. */

export interface SyntaxFinding {
  /** Zero-based, as the family's checker counts. */
  readonly line: number;
  readonly column: number;
  /** A short stable word for the rule, and the sentence for people. */
  readonly code: string;
  readonly message: string;
  readonly a?: string;
}

/** Nothing when the code may stand on the chain. Deterministic: a rule of the chain. */
export type CheckContractSyntax = (code: string) => readonly SyntaxFinding[];
