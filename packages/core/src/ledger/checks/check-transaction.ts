/**
 * What can be said against a transaction before it is executed, in the documented order (docs/ledger.md, "Checks"):
 * first what needs no state, then what the source account says.
 */
import { utf8Length } from '../../basics/bytes.ts';
import { transactionLimits } from '../../limits/consensus.ts';
import type { Account, Operation, Transaction } from '../../proto/ledger_pb.ts';
import { checkExpression } from '../expression/expression.ts';
import { checkDidLogTransaction } from '../operations/did-log-rules.ts';
import { operationRules } from '../operations/index.ts';
import { isAuthorized, type SignedBy } from '../terms/authorize.ts';
import type { LedgerRules } from '../terms/chain-parameters.ts';
import { type LedgerRefusal, refuse } from '../terms/codes.ts';
import type { SignedTransaction } from '../terms/transaction.ts';
import { checkFeeLimit } from './fees.ts';

/** The account an operation acts for. */
export const sourceOf = (operation: Operation, transaction: Transaction): string =>
  operation.sourceAddress || transaction.sourceAddress;

/** Rules over the transaction alone; `nextSeq` is the number of the block it would stand in. */
export function checkTransaction(
  signed: SignedTransaction,
  rules: LedgerRules,
  nextSeq: bigint,
): LedgerRefusal | undefined {
  const { transaction } = signed;
  return (
    checkFrame(signed, rules) ??
    checkTerms(transaction, rules, nextSeq) ??
    checkExpressionSize(transaction) ??
    checkExpression(transaction.exprCondition) ??
    checkOperations(transaction, rules)
  );
}

/** Of these rules, those that a transaction of a contract's own making can break. */
export function checkTriggered(
  signed: SignedTransaction,
  operation: Operation,
  { rules, source }: { rules: LedgerRules; source: string },
): LedgerRefusal | undefined {
  return checkSize(signed) ?? checkBody(operation, source, rules);
}

/** Rules over the source account, given who signed, and over terms that an evaluation leaves open. */
export function checkSource(
  signed: SignedTransaction,
  account: Account,
  signedBy: SignedBy,
  rules: LedgerRules,
): LedgerRefusal | undefined {
  const { fees } = rules.parameters;
  if (!isAuthorized(account, signedBy)) {
    return refuse('weightTooLow', `the signatures do not reach the threshold of account ${account.address}`);
  }
  if (account.balance - signed.transaction.feeLimit < fees.baseReserve) {
    return refuse('lowBalance', `account ${account.address} cannot cover fee_limit above its reserve`);
  }
  return checkFeeLimit(signed, fees) ?? checkDidLogTransaction(signed, rules);
}

function checkFrame(signed: SignedTransaction, rules: LedgerRules): LedgerRefusal | undefined {
  const { transaction } = signed;
  const { metadataBytesMax, signaturesMax } = transactionLimits;
  if (transaction.chainId !== rules.parameters.chainId) {
    return refuse('invalidParameter', `chain_id is ${transaction.chainId}, this chain has another`);
  }
  const tooBig = checkSize(signed);
  if (tooBig) return tooBig;
  if (signed.signatures.length > signaturesMax) {
    return refuse('invalidParameter', `a transaction has at most ${signaturesMax} signatures`);
  }
  const miscounted = checkOperationCount(transaction);
  if (miscounted) return miscounted;
  return transaction.metadata.length <= metadataBytesMax
    ? undefined
    : refuse('invalidParameter', `transaction metadata has at most ${metadataBytesMax} bytes`);
}

export function checkOperationCount({ operations }: Transaction): LedgerRefusal | undefined {
  if (operations.length === 0) return refuse('noOperations');
  return operations.length > transactionLimits.operationsMax ? refuse('tooManyOperations') : undefined;
}

function checkSize({ envelopeBytes }: SignedTransaction): LedgerRefusal | undefined {
  const { envelopeBytesMax } = transactionLimits;
  return envelopeBytes <= envelopeBytesMax
    ? undefined
    : refuse('transactionTooBig', `a transaction has at most ${envelopeBytesMax} bytes`);
}

/** Whether the last block that the transaction may stand in comes before the next one. */
export const isPastCeiling = ({ ceilLedgerSeq }: Transaction, nextSeq: bigint): boolean =>
  ceilLedgerSeq > 0n && ceilLedgerSeq < nextSeq;

function checkTerms(
  transaction: Transaction,
  rules: LedgerRules,
  nextSeq: bigint,
): LedgerRefusal | undefined {
  const { ceilLedgerSeq, feeLimit, gasPrice } = transaction;
  if (ceilLedgerSeq < 0n) return refuse('invalidParameter', 'ceil_ledger_seq is negative');
  if (isPastCeiling(transaction, nextSeq)) {
    return refuse('timeout', `ceil_ledger_seq ${ceilLedgerSeq} lies before block ${nextSeq}: it has expired`);
  }
  if (feeLimit < 0n) return refuse('invalidParameter', 'fee_limit is negative');
  const lowest = rules.parameters.fees.gasPrice;
  return gasPrice >= lowest
    ? undefined
    : refuse('invalidParameter', `gas_price ${gasPrice} is below the chain's price of ${lowest}`);
}

/** Conditions cost no gas, so a transaction's conditions together are bounded like a single one. */
function checkExpressionSize({ exprCondition, operations }: Transaction): LedgerRefusal | undefined {
  const { expressionBytesMax } = transactionLimits;
  let bytes = utf8Length(exprCondition);
  for (const operation of operations) bytes += utf8Length(operation.exprCondition);
  return bytes <= expressionBytesMax
    ? undefined
    : refuse('invalidParameter', `the conditions of a transaction have at most ${expressionBytesMax} bytes`);
}

function checkOperations(transaction: Transaction, rules: LedgerRules): LedgerRefusal | undefined {
  for (const [index, operation] of transaction.operations.entries()) {
    const source = sourceOf(operation, transaction);
    const refusal = rules.keys.isAddress(source)
      ? checkBody(operation, source, rules)
      : refuse('invalidAddress', 'its source is not a valid address');
    if (refusal) return inOperation(index, refusal);
  }
  return undefined;
}

/** A refusal that says which operation it is about. */
export const inOperation = (index: number, refusal: LedgerRefusal): LedgerRefusal =>
  refusal.isDocument ? refusal : { ...refusal, description: `operation ${index}: ${refusal.description}` };

function checkBody(operation: Operation, source: string, rules: LedgerRules): LedgerRefusal | undefined {
  if (operation.metadata.length > transactionLimits.metadataBytesMax) {
    return refuse('invalidParameter', `metadata has at most ${transactionLimits.metadataBytesMax} bytes`);
  }
  const refusal = checkExpression(operation.exprCondition);
  if (refusal) return refusal;
  const ofType = operationRules(operation.type);
  if (!ofType) return refuse('invalidParameter', `type ${operation.type} is unknown`);
  return ofType.check(operation, { rules, source });
}
