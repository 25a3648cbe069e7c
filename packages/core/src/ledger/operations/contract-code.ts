/** What code may stand on the chain: its size, and what the syntax check says of it (code 152). */
import { utf8Length } from '../../basics/bytes.ts';
import { operationLimits } from '../../limits/consensus.ts';
import type { LedgerRules } from '../terms/chain-parameters.ts';
import { type LedgerRefusal, refuse } from '../terms/codes.ts';
import type { SyntaxFinding } from '../terms/syntax.ts';

export function checkContractCode(code: string, { contracts }: LedgerRules): LedgerRefusal | undefined {
  const { contractCodeBytesMax } = operationLimits;
  if (utf8Length(code) > contractCodeBytesMax) {
    return refuse('invalidParameter', `contract code is longer than ${contractCodeBytesMax} bytes`);
  }
  const findings = contracts.checkSyntax(code);
  if (findings.length === 0) return undefined;
  return { ...refuse('contractSyntax', JSON.stringify(findings.map(renderFinding))), isDocument: true };
}

/** The form in which the family's checker reports, because its clients show it to people. */
export const renderFinding = ({ line, column, code, message, a }: SyntaxFinding) => ({
  name: 'JSLintError',
  column,
  line,
  code,
  ...(a === undefined ? {} : { a }),
  message,
});
