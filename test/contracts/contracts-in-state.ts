/**
 * Contracts that stand in the state of a chain as if they had been made, and calls of them that leave no trace: the
 * shortest way to the engine that still goes through all of the ledger's rules.
 */
import { create } from '@bufbuild/protobuf';
import type { LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import { newAccount, StateLayer } from '@symbolon/core/ledger/terms/state';
import { ContractSchema } from '@symbolon/core/proto/ledger_pb';
import type { Chain } from '@symbolon/ledger-node/chain/chain';
import { callInSandbox } from '@symbolon/ledger-node/sandbox/contract-sandbox';
import { keyFormat, richest } from '@symbolon/ledger-node/testing/people';
import { openTestChain, testRules } from '@symbolon/ledger-node/testing/test-chain';

type Contracts = LedgerRules['contracts'];

export interface Ended {
  /** Its code, and the exception or whatever else it says. */
  readonly text: string;
  readonly gas: bigint;
}

export interface ContractsInState {
  /** The address of a contract, always the same for the same number of them. */
  deploy(code: string): string;
  call(address: string, input: string): Ended;
}

export const addressOfContract = (index: number): string => keyFormat.addressOfText(`contract ${index}`);

export async function contractsInState(
  change: (contracts: Contracts) => Partial<Contracts> = () => ({}),
): Promise<ContractsInState> {
  const rules = testRules();
  const contracts = { ...rules.contracts, ...change(rules.contracts) };
  const made = await openTestChain();
  const state = new StateLayer(made.state);
  const chain = {
    rules: { ...rules, contracts },
    head: made.head,
    state,
    nextBlock: (closeTime: bigint) => made.nextBlock(closeTime),
  } as unknown as Chain;
  let count = 0;
  return {
    deploy(code) {
      const findings = contracts.checkSyntax(code);
      if (findings.length > 0) throw new Error(`${JSON.stringify(findings)}\n${code}`);
      const address = addressOfContract(count);
      count += 1;
      const contract = create(ContractSchema, { payload: code });
      state.putAccount({ ...newAccount(address, 1_000_000n), contract });
      return address;
    },
    call(contractAddress, input) {
      const who = { contractAddress, code: '', sourceAddress: richest.address };
      const terms = { contractBalance: 0n, feeLimit: 0n, gasPrice: 0n };
      const run = callInSandbox({ ...who, ...terms, entry: 'main', input }, chain);
      if ('refusal' in run) throw new Error(run.refusal.description);
      const { failure } = run;
      const text = failure ? `${failure.code} ${failure.description}` : `0 ${run.runs.returned}`;
      return { text, gas: run.runs.contractGas };
    },
  };
}
