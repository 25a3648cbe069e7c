/**
 * `console.log` for contracts under test. A chain does not have it, and refuses code that uses it, so it is given to
 * such code alone: any other runs in exactly the world of the chain, and takes the same steps.
 */
import type { ContractEngine, ContractValue } from '@symbolon/core/ledger/terms/engine';
import type { CheckContractSyntax, SyntaxFinding } from '@symbolon/core/ledger/terms/syntax';
import { contractLimits } from '@symbolon/core/limits/consensus';

const consoleName = 'console';

/** What a contract says, and its address. */
export type HearContract = (contract: string, text: string) => void;

export function engineWithConsole(engine: ContractEngine, hear: HearContract): ContractEngine {
  return {
    run(call) {
      const { code, builtIns, values, callBuiltIn } = call;
      if (!code.includes(consoleName)) return engine.run(call);
      return engine.run({
        ...call,
        builtIns: withLog(builtIns),
        callBuiltIn(index, args) {
          if (index < builtIns.length) return callBuiltIn(index, args);
          hear(String(values['Chain.thisAddress']), args.map(textOf).join(' '));
          return undefined;
        },
      });
    },
  };
}

/** An engine prepares a world for each list, so there is one for each that it had. */
const lists = new WeakMap<readonly string[], readonly string[]>();

function withLog(builtIns: readonly string[]): readonly string[] {
  const known = lists.get(builtIns) ?? [...builtIns, `${consoleName}.log`];
  lists.set(builtIns, known);
  return known;
}

const textOf = (value: ContractValue): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');

/** What the chain says of code, but for the name `console`. */
export const allowConsole =
  (check: CheckContractSyntax): CheckContractSyntax =>
  (code) => {
    const findings = check(code);
    // A full list may hide others.
    if (findings.length >= contractLimits.syntaxFindingsMax) return findings;
    return findings.filter((finding) => !isAboutConsole(finding));
  };

/** Whether the chain refuses code because of what is there in tests alone. */
export const isAboutConsole = ({ code, a }: SyntaxFinding): boolean =>
  code === 'undeclared_a' && a === consoleName;
