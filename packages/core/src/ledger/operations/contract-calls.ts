/** The contracts that operations run: paying one calls its `main`, creating one calls its `init`. */
import type { Refusal } from '../terms/codes.ts';
import type { ApplyContext, ContractFrame, RunResult, SentAlong } from './operation.ts';

/** Runs `main` of the account that was paid, if it is a contract. */
export function callTarget(
  address: string,
  input: string,
  { context, sent }: { context: ApplyContext; sent: SentAlong },
): Refusal | undefined {
  const code = context.layer.account(address)?.contract?.payload;
  if (!code) return undefined;
  const result = run({ address, code, entry: 'main', input, sent }, context);
  if ('refusal' in result) return result.refusal;
  context.contracts.returned = result.value;
  return undefined;
}

/** Notes a new contract and runs its `init`. */
export function initContract(
  call: Pick<ContractFrame, 'address' | 'code' | 'input' | 'sent'>,
  context: ApplyContext,
): Refusal | undefined {
  const { contracts, index, transaction } = context;
  contracts.created.push({ address: call.address, transaction, operationIndex: index });
  const result = run({ ...call, entry: 'init' }, context);
  return 'refusal' in result ? result.refusal : undefined;
}

const run = (
  call: Pick<ContractFrame, 'address' | 'code' | 'entry' | 'input' | 'sent'>,
  { contracts, hash, index, layer, source, transaction }: ApplyContext,
): RunResult =>
  contracts.run({
    ...call,
    layer,
    startedBy: { transaction, hash },
    sender: source,
    operationIndex: index,
  });
