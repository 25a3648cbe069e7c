/** The same code is checked when it is submitted, again in its block, and by every sandbox call: once is enough. */
import { encodeHex, encodeUtf8, type Sha256 } from '@symbolon/core/basics/bytes';
import { RecentMap } from '@symbolon/core/basics/recent-map';
import type { CheckContractSyntax, SyntaxFinding } from '@symbolon/core/ledger/terms/syntax';

/**
 * Code that passed is remembered by its hash alone, so there is room for all that can wait in a queue: what was
 * checked when it was submitted is not checked again inside a block, which everybody waits for.
 */
const passedMax = 65_536;
const refusedMax = 256;

/** Half of a surrogate pair has no bytes, so such code could not even be stored. */
const notText: SyntaxFinding = {
  line: 0,
  column: 0,
  code: 'not_text',
  message: 'The code is not well-formed Unicode text.',
};

export function rememberVerdicts(check: CheckContractSyntax, sha256: Sha256): CheckContractSyntax {
  const passed = new RecentMap<string, readonly SyntaxFinding[]>(passedMax);
  const refused = new RecentMap<string, readonly SyntaxFinding[]>(refusedMax);
  return (code) => {
    if (!code.isWellFormed()) return [notText];
    const key = encodeHex(sha256(encodeUtf8(code)));
    const known = passed.get(key) ?? refused.get(key);
    if (known) return known;
    const findings = check(code);
    (findings.length === 0 ? passed : refused).set(key, findings);
    return findings;
  };
}
