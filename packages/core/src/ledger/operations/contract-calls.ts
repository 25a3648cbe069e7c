/** Paying a contract calls it: the last step of the operations that pay. */

import type { SentAlong } from '../contracts/contract-runs.ts';
import type { Refusal } from '../terms/codes.ts';
import type { ApplyContext } from './operation.ts';

/** Runs `main` of the account that was paid, if it is a contract. */
export function callTarget(
  address: string,
  input: string,
  { context, sent }: { context: ApplyContext; sent: SentAlong },
): Refusal | undefined {
  const { layer, contracts, transaction, hash, source, index } = context;
  const code = layer.account(address)?.contract?.payload;
  if (!code) return undefined;
  const result = contracts.run({
    address,
    code,
    entry: 'main',
    input,
    layer,
    startedBy: { transaction, hash },
    sender: source,
    operationIndex: index,
    sent,
  });
  if ('refusal' in result) return result.refusal;
  contracts.returned = result.value;
  return undefined;
}
