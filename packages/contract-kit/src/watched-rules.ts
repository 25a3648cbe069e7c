/**
 * The rules of the real ledger with the real engine, watched: what each run used, returned and logged. Nothing is
 * decided here. Transactions cost nothing on this chain, so that balances in a test are the amounts it names.
 */
import { assert } from '@symbolon/core/basics/assert';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import type { LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import type { ContractEngine, ContractValue } from '@symbolon/core/ledger/terms/engine';
import { contractLimits } from '@symbolon/core/limits/consensus';
import { sha256 } from '@symbolon/host/work/sha256';
import { genesisSchema } from '@symbolon/ledger-node/chain/genesis-document';
import { ledgerRulesOf } from '@symbolon/ledger-node/chain/ledger-rules';
import { QuickJsEngine } from '@symbolon/ledger-node/contracts/engine/quickjs-engine';

/** What the runs of one transaction or query did beside changing the ledger. */
export interface RunNotes {
  /** Steps of all runs together; a transaction may use `contractLimits.gasMax / gasPerStep`. */
  readonly steps: number;
  /** What the outermost run returned, as a calling contract would get it. */
  readonly returned: string | boolean;
  /** What was said with `Utils.log`. */
  readonly logs: readonly string[];
}

export interface WatchedRules {
  readonly rules: LedgerRules;
  /** Does some work and answers with it what was noted meanwhile. */
  watch<Answer>(work: () => Answer): { readonly answer: Answer; readonly notes: RunNotes };
}

/** One for all chains of the process: it keeps nothing of them, and takes a while to warm up. */
const sharedEngine: ContractEngine = new QuickJsEngine();

/** An account that nothing is ever paid to: fees are zero. */
const nobody = new Uint8Array(32);

export function watchedRules({ baseReserve }: { baseReserve: bigint }): WatchedRules {
  const real = realRules(baseReserve, (text) => logs.push(text));
  let used = 0n;
  let returned: ContractValue = false;
  let logs: string[] = [];

  const engine: ContractEngine = {
    run(call) {
      // The outermost run ends last, so what it leaves here stays.
      try {
        const outcome = sharedEngine.run(call);
        returned = outcome.kind === 'returned' ? outcome.value : false;
        return outcome;
      } finally {
        used = contractLimits.gasMax - (call.meter.left > 0n ? call.meter.left : 0n);
      }
    },
  };
  return {
    rules: { ...real, contracts: { ...real.contracts, engine } },
    watch(work) {
      used = 0n;
      returned = false;
      logs = [];
      const answer = work();
      const kept = typeof returned === 'string' || typeof returned === 'boolean' ? returned : false;
      const steps = Number((used + contractLimits.gasPerStep - 1n) / contractLimits.gasPerStep);
      return { answer, notes: { steps, returned: kept, logs } };
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
