/**
 * The syntax check of contract code (docs/ledger.md, "Contracts"; code 152): a rule of the chain, so it depends on
 * nothing but the code. First what bounds the work (length, then depth), then the rules in one walk each. It says
 * nothing about what a contract does, nor whether it has an entry to call.
 */
import { utf8Length } from '@symbolon/core/basics/bytes';
import type { CheckContractSyntax, SyntaxFinding } from '@symbolon/core/ledger/terms/syntax';
import { operationLimits } from '@symbolon/core/limits/consensus';
import { checkConstructs } from './constructs.ts';
import { checkNames } from './names.ts';
import { parseCode, tooDeep } from './parse-code.ts';
import { Report, type SourceFinding } from './report.ts';
import { findTooDeep } from './tree.ts';

export const checkContractSyntax: CheckContractSyntax = (code) => {
  const bytesMax = operationLimits.contractCodeBytesMax;
  if (code.length > bytesMax || utf8Length(code) > bytesMax) {
    return only({ at: 0, code: 'too_long', message: `The code is longer than ${bytesMax} bytes.` }, '');
  }
  const parsed = parseCode(code);
  if ('refused' in parsed) return only(parsed.refused, code);
  const deepNode = findTooDeep(parsed.program);
  if (deepNode) return only(tooDeep(deepNode.start), code);

  const report = new Report();
  checkConstructs(parsed, report);
  checkNames(parsed.program, report);
  return report.render(code);
};

function only(finding: SourceFinding, code: string): readonly SyntaxFinding[] {
  const report = new Report();
  report.add(finding);
  return report.render(code);
}
