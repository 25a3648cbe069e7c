/** The contracts that operations run: paying one calls its `main`, creating one calls its `init`. */
import type { LedgerRefusal } from '../terms/codes.ts';
import type { ApplyContext, ContractFrame, SentAlong } from './operation.ts';

/** Runs `main` of the account that was paid, if it is a contract. */
export function callTarget(
  address: string,
  input: string,
  { context, sent }: { context: ApplyContext; sent: SentAlong },
): LedgerRefusal | undefined {
  const code = context.layer.account(address)?.contract?.payload;
  return code ? runContract({ address, code, entry: 'main', input, sent }, context) : undefined;
}

export function runContract(
  call: Pick<ContractFrame, 'address' | 'code' | 'entry' | 'input' | 'sent'>,
  { contracts, hash, index, layer, source, transaction }: ApplyContext,
): LedgerRefusal | undefined {
  const result = contracts.run({
    ...call,
    layer,
    startedBy: { transaction, hash },
    sender: source,
    operationIndex: index,
  });
  return 'refusal' in result ? result.refusal : undefined;
}
