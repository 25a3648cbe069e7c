/**
 * The rules of the real ledger with the real engine, watched: what each run used, returned and logged, and who had
 * called whom when one failed. Nothing is decided here, but that code under test may use `console.log`. Transactions cost nothing on this chain, so that balances in a test are the amounts it names.
 */
import { assert } from '@symbolon/core/basics/assert';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { CallTracer, type TracedCall } from '@symbolon/core/ledger/contracts/call-tracer';
import type { LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import type { ContractEngine } from '@symbolon/core/ledger/terms/engine';
import { contractLimits } from '@symbolon/core/limits/consensus';
import { sha256 } from '@symbolon/host/work/sha256';
import { genesisSchema } from '@symbolon/ledger-node/chain/genesis-document';
import { ledgerRulesOf } from '@symbolon/ledger-node/chain/ledger-rules';
import { QuickJsEngine } from '@symbolon/ledger-node/contracts/engine/quickjs-engine';
import { allowConsole, engineWithConsole, type HearContract } from './test-console.ts';

/** What the runs of one transaction or query did beside changing the ledger. */
export interface RunNotes {
  /** Steps of all runs together; a transaction may use `contractLimits.gasMax / gasPerStep`. */
  readonly steps: number;
  /** What the outermost run returned, as a calling contract would get it. */
  readonly returned: string | boolean;
  /** What was said with `Utils.log`. */
  readonly logs: readonly string[];
}

export interface Watched<Answer> {
  readonly answer: Answer;
  readonly notes: RunNotes;
  /** The calls that were under way when it failed, the outermost first. */
  readonly failedCalls: readonly TracedCall[];
}

export interface WatchedRules {
  readonly rules: LedgerRules;
  /** Does some work and answers with it what was noted meanwhile. */
  watch<Answer>(work: () => Answer): Watched<Answer>;
}

/** One for all chains of the process: it keeps nothing of them, and takes a while to warm up. */
const sharedEngine: ContractEngine = new QuickJsEngine();

/** An account that nothing is ever paid to: fees are zero. */
const nobody = new Uint8Array(32);

export function watchedRules({
  baseReserve,
  hear,
}: {
  baseReserve: bigint;
  hear: HearContract;
}): WatchedRules {
  const real = realRules(baseReserve, (text) => logs.push(text));
  const speaking = engineWithConsole(sharedEngine, hear);
  let tracer = new CallTracer(speaking);
  let used = 0n;
  let logs: string[] = [];

  const engine: ContractEngine = {
    run(call) {
      // The outermost run ends last, so what it leaves here stays.
      try {
        return tracer.run(call);
      } finally {
        used = contractLimits.gasMax - (call.meter.left > 0n ? call.meter.left : 0n);
      }
    },
  };
  const checkSyntax = allowConsole(real.contracts.checkSyntax);
  return {
    rules: { ...real, contracts: { ...real.contracts, engine, checkSyntax } },
    watch(work) {
      tracer = new CallTracer(speaking);
      used = 0n;
      logs = [];
      const answer = work();
      const { returned, failedCalls } = tracer;
      const kept = typeof returned === 'string' || typeof returned === 'boolean' ? returned : false;
      const steps = Number((used + contractLimits.gasPerStep - 1n) / contractLimits.gasPerStep);
      return { answer, notes: { steps, returned: kept, logs }, failedCalls };
    },
  };
}

function realRules(baseReserve: bigint, logContract: (text: string) => void): LedgerRules {
  const address = createKeyFormat(zetrixProfile, sha256).addressOf(nobody);
  const document = genesisSchema.parse({
    profile: zetrixProfile.name,
    genesisAddress: address,
    fees: { gasPrice: 0n, baseReserve },
    validators: [address],
  });
  const result = ledgerRulesOf(document, { logContract });
  assert('rules' in result, 'the genesis document of a test chain is in order');
  return result.rules;
}
