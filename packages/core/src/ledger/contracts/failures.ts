/** What a failed contract leaves behind: a code, and a JSON text that clients parse (docs/ledger.md, "Contracts"). */
import type { ContractFrame } from '../operations/operation.ts';
import { type LedgerRefusal, refuse } from '../terms/codes.ts';
import type { ContractOutcome } from '../terms/engine.ts';

type Failure = Exclude<ContractOutcome, { kind: 'returned' }>;

const limitTexts = {
  gas: 'Step exceeding limit',
  memory: 'Memory exceeding limit',
  stack: 'Stack exceeding limit',
} as const;

export function describeFailure({ address, entry }: ContractFrame, outcome: Failure): LedgerRefusal {
  switch (outcome.kind) {
    case 'missing':
      return verbatim('contractFailed', { exception: `Lost of ${entry} function` });
    case 'exhausted':
      return verbatim('contractExpired', { contract: address, exception: limitTexts[outcome.limit] });
    case 'threw':
      return verbatim('contractFailed', {
        contract: address,
        exception: outcome.exception,
        linenum: outcome.line ?? 0,
        ...(outcome.stack === undefined ? {} : { stack: outcome.stack }),
      });
  }
}

function verbatim(name: 'contractFailed' | 'contractExpired', document: object): LedgerRefusal {
  return { ...refuse(name, JSON.stringify(document)), isDocument: true };
}
