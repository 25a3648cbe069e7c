/**
 * How much gas the contracts of a proposal will probably use. Only executing tells, and a proposer that executed its
 * proposals would do everything twice: so each contract is expected to use what a call of it used last. A wrong guess
 * does no harm, because executing has the same bound and postpones the rest.
 */
import { RecentMap } from '@symbolon/core/basics/recent-map';
import { contractsRunBy, type ExecutedBlock } from '@symbolon/core/ledger/execution/execute-block';
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { blockLimits } from '@symbolon/core/limits/consensus';
import type { CommittedState } from '../../chain/committed-state.ts';
import { cometLimits } from '../../limits/node-limits.ts';

/** Of a contract that nobody has called for long: a block may begin with so many. */
const unknownGas = blockLimits.contractGasMax / 64n;

export class ExpectedGas {
  readonly #state: Pick<CommittedState, 'account'>;
  /** Of one call, by the contract's address. */
  readonly #used = new RecentMap<string, bigint>(cometLimits.contractsRememberedMax);

  constructor(state: Pick<CommittedState, 'account'>) {
    this.#state = state;
  }

  /** What running it will use; undefined where it runs no contract that is there already. */
  of({ transaction }: SignedTransaction): bigint | undefined {
    const contracts = contractsRunBy(transaction, this.#state);
    if (contracts.length === 0) return undefined;
    return contracts.reduce((sum, address) => sum + (this.#used.get(address) ?? unknownGas), 0n);
  }

  /** Learns from a block that was executed. */
  note({ transactions }: Pick<ExecutedBlock, 'transactions'>): void {
    for (const { verified, outcome } of transactions) {
      const contracts = contractsRunBy(verified.signed.transaction, this.#state);
      for (const address of new Set(contracts))
        this.#used.set(address, outcome.contractGas / BigInt(contracts.length));
    }
  }
}
