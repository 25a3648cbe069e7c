/** The same code is checked when it is submitted, again in its block, and by every sandbox call: once is enough. */
import { encodeHex, encodeUtf8, type Sha256 } from '@symbolon/core/bytes';
import type { CheckContractSyntax, SyntaxFinding } from '@symbolon/core/ledger/contracts/syntax';

const verdictsMax = 256;

/** Half of a surrogate pair has no bytes, so such code could not even be stored. */
const notText: SyntaxFinding = {
  line: 0,
  column: 0,
  code: 'not_text',
  message: 'The code is not well-formed Unicode text.',
};

export function rememberVerdicts(check: CheckContractSyntax, sha256: Sha256): CheckContractSyntax {
  const verdicts = new Map<string, readonly SyntaxFinding[]>();
  return (code) => {
    if (!code.isWellFormed()) return [notText];
    const key = encodeHex(sha256(encodeUtf8(code)));
    const known = verdicts.get(key);
    if (known) return known;
    const findings = check(code);
    if (verdicts.size >= verdictsMax) verdicts.clear();
    verdicts.set(key, findings);
    return findings;
  };
}
