/**
 * What a transaction would cost and whether it would pass, on a layer that is thrown away (`testTransaction`).
 * Signatures are not asked for, and the answer does not depend on the source's balance.
 */
import type { Sha256 } from '@symbolon/core/basics/bytes';
import { checkTransaction } from '@symbolon/core/ledger/checks/check-transaction';
import { CallTracer, type TracedCall } from '@symbolon/core/ledger/contracts/call-tracer';
import { ContractRuns } from '@symbolon/core/ledger/contracts/contract-runs';
import { applyOperations } from '@symbolon/core/ledger/execution/apply-transaction';
import { everyone } from '@symbolon/core/ledger/terms/authorize';
import type { LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import { type LedgerRefusal, noAccount, refuse } from '@symbolon/core/ledger/terms/codes';
import type { ContractValue } from '@symbolon/core/ledger/terms/engine';
import { StateLayer } from '@symbolon/core/ledger/terms/state';
import { openUnsigned, type SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { int64Max } from '@symbolon/core/limits/consensus';
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import type { Chain } from '../chain/chain.ts';

/**
 * What signatures are taken to add: the family's formula, which leaves a little room, or what they really take
 * in the envelope where that is more.
 */
const signaturesGas = (count: bigint): bigint => {
  const usual = 145n * count + 20n;
  const real = 147n * count;
  return usual > real ? usual : real;
};
/** Enough for any payment an evaluated transaction can name, and still far from overflowing a receiver. */
const evaluationBalance = 2n ** 62n;
/** The fee limit's own length feeds back into the size; it settles after very few rounds. */
const feeRoundsMax = 10;

export interface Evaluation {
  readonly signed: SignedTransaction;
  readonly gas: bigint;
  readonly actualFee: bigint;
  readonly runs: ContractRuns;
  /** What the contract that it calls returned; nothing where it calls none, or where that returned nothing. */
  readonly returned: ContractValue;
}

export interface RefusedTrial {
  readonly refusal: LedgerRefusal;
  /** The contracts that had called each other, the outermost first; the last one failed. */
  readonly failedCalls?: readonly TracedCall[];
}

/** The rules of the chain with an engine that is watched: for a trial that tells more than a record does. */
export function tracedRules(rules: LedgerRules): { rules: LedgerRules; tracer: CallTracer } {
  const tracer = new CallTracer(rules.contracts.engine);
  return { rules: { ...rules, contracts: { ...rules.contracts, engine: tracer } }, tracer };
}

export function evaluateTransaction(
  given: Transaction,
  signatureNumber: bigint,
  chain: Chain,
): Evaluation | RefusedTrial {
  const { state, head } = chain;
  const { rules, tracer } = tracedRules(chain.rules);
  const { fees } = rules.parameters;
  const layer = new StateLayer(state);
  const source = layer.account(given.sourceAddress);
  if (!source) return { refusal: noAccount(given.sourceAddress) };
  if (given.nonce <= source.nonce) {
    return { refusal: refuse('badNonce', `nonce ${given.nonce} is used: the last one is ${source.nonce}`) };
  }
  const gasPrice = given.gasPrice > fees.gasPrice ? given.gasPrice : fees.gasPrice;
  const unlimited = openUnsigned({ ...given, gasPrice, feeLimit: int64Max }, rules.sha256);
  if (!unlimited) return { refusal: refuse('invalidParameter', 'the transaction cannot be serialized') };
  const block = chain.nextBlock(head.closeTime + 1n);
  const unfit = checkTransaction(unlimited, rules, block.seq);
  if (unfit) return { refusal: unfit };
  for (const address of new Set([given.sourceAddress, ...given.operations.map((it) => it.sourceAddress)])) {
    const payer = layer.account(address);
    if (payer) layer.putAccount({ ...payer, balance: evaluationBalance });
  }
  const runs = new ContractRuns(unlimited, block, rules);
  const failure = applyOperations({ signed: unlimited, signedBy: everyone }, layer, runs);
  return failure
    ? { refusal: failure, failedCalls: tracer.failedCalls }
    : settleFee(unlimited, { signatureNumber, runs, returned: tracer.returned, sha256: rules.sha256 });
}

interface TriedRun extends Pick<Evaluation, 'runs' | 'returned'> {
  readonly signatureNumber: bigint;
  readonly sha256: Sha256;
}

/** The fee limit a transaction needs, found by asking what it costs with the limit written into it. */
function settleFee(
  tried: SignedTransaction,
  { signatureNumber, runs, returned, sha256 }: TriedRun,
): Evaluation | RefusedTrial {
  const besidesBytes = runs.gas - BigInt(tried.envelopeBytes) + signaturesGas(signatureNumber);
  let feeLimit = 0n;
  for (let round = 0; round < feeRoundsMax; round++) {
    const signed = openUnsigned({ ...tried.transaction, feeLimit }, sha256);
    if (!signed) break;
    const gas = BigInt(signed.envelopeBytes) + besidesBytes;
    const actualFee = gas * signed.transaction.gasPrice;
    if (actualFee > int64Max) return { refusal: refuse('mathOverflow', 'the fee exceeds 64 bits') };
    if (actualFee === feeLimit) return { signed, gas, actualFee, runs, returned };
    feeLimit = actualFee;
  }
  return { refusal: refuse('invalidParameter', 'the transaction cannot be serialized') };
}
