/** The values a running contract sees: `Chain.*`, and the older plain names beside them. */
import { encodeHex } from '../../basics/bytes.ts';
import type { ContractFrame } from '../operations/operation.ts';
import type { BlockContext } from '../terms/chain-parameters.ts';
import type { ContractValues } from '../terms/engine.ts';
import type { SignedTransaction } from '../terms/transaction.ts';

/** What all runs of one signed transaction have in common. */
export interface OutermostCall {
  readonly block: BlockContext;
  readonly outermost: Pick<SignedTransaction, 'transaction' | 'hash'>;
  /** The source of its operation that is being executed. */
  readonly outermostSender: string;
}

export function valuesOf(
  frame: ContractFrame,
  { block, outermost, outermostSender }: OutermostCall,
): ContractValues {
  const { address, sender, operationIndex, sent, startedBy } = frame;
  const values: Record<string, string | number> = {
    'Chain.block.number': Number(block.seq),
    'Chain.block.timestamp': Number(block.closeTime),
    'Chain.tx.initiator': outermost.transaction.sourceAddress,
    'Chain.tx.sender': outermostSender,
    'Chain.tx.gasPrice': Number(outermost.transaction.gasPrice),
    'Chain.tx.feeLimit': Number(outermost.transaction.feeLimit),
    'Chain.tx.hash': encodeHex(outermost.hash),
    'Chain.msg.initiator': startedBy.transaction.sourceAddress,
    'Chain.msg.sender': sender,
    'Chain.msg.nonce': Number(startedBy.transaction.nonce),
    'Chain.msg.operationIndex': operationIndex,
    'Chain.thisAddress': address,
    sender,
    thisAddress: address,
    triggerIndex: operationIndex,
    blockNumber: Number(block.seq),
    blockTimestamp: Number(block.closeTime),
  };
  if (!sent) return values;
  values['Chain.msg.coinAmount'] = String(sent.coinAmount);
  values.thisPayCoinAmount = String(sent.coinAmount);
  if (!sent.asset) return values;
  const { issuer, code, amount } = sent.asset;
  for (const name of ['Chain.msg.asset', 'thisPayAsset']) {
    values[`${name}.amount`] = String(amount);
    values[`${name}.key.issuer`] = issuer;
    values[`${name}.key.code`] = code;
  }
  return values;
}
