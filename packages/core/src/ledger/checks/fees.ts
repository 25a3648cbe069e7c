/**
 * What a transaction costs: its bytes plus the price of its operations, times its gas price. Charged up to the fee
 * limit; the whole limit when it fails (`docs/ledger.md`, "Execution").
 */
import { int64Max } from '../../limits/consensus.ts';
import type { FeeConfig, Operation } from '../../proto/ledger_pb.ts';
import { type LedgerRefusal, refuse } from '../terms/codes.ts';
import { operationTypes } from '../terms/operation-types.ts';
import type { SignedTransaction } from '../terms/transaction.ts';

export function operationGas(operations: readonly Operation[], fees: FeeConfig): bigint {
  let gas = 0n;
  for (const operation of operations) {
    if (operation.type === operationTypes.issueAsset) gas += fees.issueAssetGas;
    else if (operation.type === operationTypes.createAccount && operation.createAccount?.contract?.payload) {
      gas += fees.createContractGas;
    }
  }
  return gas;
}

/** What a transaction is charged for before any contract runs. */
export const gasOf = (
  { envelopeBytes, transaction }: Pick<SignedTransaction, 'envelopeBytes' | 'transaction'>,
  fees: FeeConfig,
): bigint => BigInt(envelopeBytes) + operationGas(transaction.operations, fees);

/** Whether the fee limit covers what is known to be due before anything is executed. */
export function checkFeeLimit(signed: SignedTransaction, fees: FeeConfig): LedgerRefusal | undefined {
  const { feeLimit, gasPrice } = signed.transaction;
  const due = gasOf(signed, fees) * gasPrice;
  if (due > int64Max) return refuse('invalidParameter', 'gas_price makes a fee beyond 64 bits');
  return feeLimit >= due
    ? undefined
    : refuse('feeTooLow', `fee_limit ${feeLimit} is below the fee of ${due}`);
}
