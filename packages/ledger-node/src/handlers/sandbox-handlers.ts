/** What is tried out without a trace: callContract, and how both sandbox routes show a run. */

import type { ContractRuns } from '@symbolon/core/ledger/contracts/contract-runs';
import type { RunResult } from '@symbolon/core/ledger/operations/operation';
import { codes } from '@symbolon/core/ledger/terms/codes';
import type { ContractValue } from '@symbolon/core/ledger/terms/engine';
import { envelopeOf } from '@symbolon/core/ledger/terms/transaction';
import { contractLimits } from '@symbolon/core/limits/consensus';
import { refusalEnvelope } from '@symbolon/wire/http/envelope';
import { type JsonObject, parseJson } from '@symbolon/wire/json/json';
import { traceMember } from '@symbolon/wire/ledger/call-trace-json';
import type { LedgerHandlers } from '@symbolon/wire/ledger/routes';
import {
  type QueryOutcome,
  type SandboxTransaction,
  sandboxReply,
  syntaxRefusedReply,
} from '@symbolon/wire/ledger/transaction-replies';
import type { LedgerNode } from '../node/node.ts';
import { callInSandbox, type SandboxRun } from '../sandbox/contract-sandbox.ts';
import type { Evaluation, RefusedTrial } from '../sandbox/evaluation.ts';

export function createSandboxHandlers(node: LedgerNode) {
  return {
    callContract: async (request) => {
      // The time it waits for its turn is not the contract's.
      let tookMs = 0;
      const run = await node.sandbox.run(() => {
        const startedAt = performance.now();
        const result = callInSandbox(request, node.chain);
        tookMs = performance.now() - startedAt;
        return result;
      });
      if ('code' in run) return run;
      if (!('refusal' in run)) return runReply(run, tookMs);
      const { refusal } = run;
      return refusal.code === codes.contractSyntax
        ? syntaxRefusedReply(refusal, parseJson(refusal.description))
        : refusal;
    },
  } satisfies Partial<LedgerHandlers>;
}

/** testTransaction: the evaluated transaction first, then what it would trigger. */
export function evaluationReply({ signed, actualFee, gas, runs, returned }: Evaluation): JsonObject {
  const evaluated = {
    envelope: envelopeOf(signed),
    transaction: signed.transaction,
    fee: { actualFee, gas },
  };
  return sandboxReply({
    hash: signed.hash,
    logs: {},
    queries: [],
    returned: returnedValue(returned),
    statistics: statisticsOf(runs, 0),
    transactions: [evaluated, ...triggeredBy(runs)],
  });
}

/** testTransaction of what would fail; who had called whom, where contracts were running. */
export const refusedTrialReply = ({ refusal, failedCalls = [] }: RefusedTrial): JsonObject => ({
  ...refusalEnvelope(refusal),
  ...traceMember(failedCalls),
});

function runReply(run: SandboxRun, tookMs: number): JsonObject {
  const { address, runs, queries, simulated, failure, failedCalls, returned } = run;
  const { seq, closeTime } = runs.block;
  const block = { ledgerSeq: seq, closeTime };
  const call = simulated && {
    envelope: envelopeOf(simulated),
    transaction: simulated.transaction,
    refusal: failure,
    block,
  };
  const triggered = failure ? [] : triggeredBy(runs).map((it) => ({ ...it, block }));
  return sandboxReply({
    failure,
    failedCalls,
    returned: returnedValue(returned),
    logs: { [`0-${address}`]: [] },
    queries: queries.map(queryOutcome),
    statistics: statisticsOf(runs, tookMs),
    transactions: call ? [...triggered, call] : [],
  });
}

const triggeredBy = ({ triggered }: ContractRuns): SandboxTransaction[] =>
  triggered.map(({ signed, trigger }) => ({
    envelope: { ...envelopeOf(signed), trigger },
    transaction: signed.transaction,
  }));

/** As a calling contract gets it; nothing where no contract ran. */
const returnedValue = (value: ContractValue): string | boolean | undefined =>
  typeof value === 'string' || typeof value === 'boolean' ? value : undefined;

function queryOutcome(result: RunResult): QueryOutcome {
  if ('value' in result) return { value: result.value };
  const { description, isDocument } = result.refusal;
  return { exception: isDocument ? (parseJson(description) as JsonObject) : { exception: description } };
}

function statisticsOf({ contractGas }: ContractRuns, tookMs: number) {
  return {
    applyTime: Math.round(tookMs * 1_000),
    memoryUsage: 0,
    stackUsage: 0,
    step: Number(contractGas / contractLimits.gasPerStep),
  };
}
