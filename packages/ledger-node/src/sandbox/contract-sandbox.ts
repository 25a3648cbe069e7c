/**
 * A contract tried out without a trace (`callContract`): by address or by code, its `init`, `main` or `query`, with
 * accounts made up where the caller names none. Changes no state and costs nobody anything.
 */
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { assert } from '@symbolon/core/basics/assert';
import { checkFeeLimit } from '@symbolon/core/ledger/checks/fees';
import type { TracedCall } from '@symbolon/core/ledger/contracts/call-tracer';
import { ContractRuns } from '@symbolon/core/ledger/contracts/contract-runs';
import { applyOperations } from '@symbolon/core/ledger/execution/apply-transaction';
import { checkContractCode } from '@symbolon/core/ledger/operations/contract-code';
import type { RunResult } from '@symbolon/core/ledger/operations/operation';
import { everyone } from '@symbolon/core/ledger/terms/authorize';
import { type LedgerRefusal, refuse } from '@symbolon/core/ledger/terms/codes';
import type { ContractValue } from '@symbolon/core/ledger/terms/engine';
import { operationTypes } from '@symbolon/core/ledger/terms/operation-types';
import { newAccount, StateLayer } from '@symbolon/core/ledger/terms/state';
import { openUnsigned, type SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { int64Max } from '@symbolon/core/limits/consensus';
import { ContractSchema, type OperationSchema } from '@symbolon/core/proto/ledger_pb';
import type { CallContractRequest } from '@symbolon/wire/ledger/requests';
import type { Chain } from '../chain/chain.ts';
import { tracedRules } from './evaluation.ts';

/** What a made-up caller owns, and what a made-up creation brings. */
const callerBalance = 100_000_000_000_000_000n;
const creationBalance = 100_000_000_000_000n;

export interface SandboxRun {
  readonly address: string;
  readonly runs: ContractRuns;
  readonly queries: readonly RunResult[];
  /** The simulated call of `init` or `main`. */
  readonly simulated?: SignedTransaction;
  /** Why the call, or the query itself, failed. */
  readonly failure: LedgerRefusal | undefined;
  /** The contracts that had called each other when it failed, the outermost first. */
  readonly failedCalls: readonly TracedCall[];
  /** What `main` or `init` returned. */
  readonly returned: ContractValue;
}

export function callInSandbox(
  request: CallContractRequest,
  chain: Chain,
): SandboxRun | { readonly refusal: LedgerRefusal } {
  const layer = new StateLayer(chain.state);
  if (request.sourceAddress !== '' && !chain.rules.keys.isAddress(request.sourceAddress))
    return { refusal: refuse('invalidAddress', 'source_address: is not an address') };
  const target = findTarget(request, chain, layer);
  if ('refusal' in target) return target;
  const { address, code } = target;
  const initBalance = request.contractBalance > 0n ? request.contractBalance : creationBalance;
  const source = findSource(request, chain, layer);
  if (request.entry === 'init') affordCreation(source, initBalance, { chain, layer });
  const operation: MessageInitShape<typeof OperationSchema> =
    request.entry === 'init'
      ? {
          type: operationTypes.createAccount,
          createAccount: {
            contract: { payload: code, owner: source },
            priv: { thresholds: { txThreshold: 1n } },
            initBalance,
            initInput: request.input,
          },
        }
      : { type: operationTypes.payAsset, payAsset: { destAddress: address, input: request.input } };
  const signed = simulate(source, operation, { request, chain, layer });
  const { rules, tracer } = tracedRules(chain.rules);
  const runs = new ContractRuns(signed, chain.nextBlock(chain.head.closeTime + 1n), rules);
  if (request.entry === 'query') {
    const result = runs.query({ address, code, input: request.input, layer });
    const failure = 'refusal' in result ? result.refusal : undefined;
    const { failedCalls } = tracer;
    const queries = [...runs.queried, result];
    return { address, runs, queries, failure, failedCalls, returned: undefined };
  }
  const failure =
    checkFeeLimit(signed, chain.rules.parameters.fees) ??
    applyOperations({ signed, signedBy: everyone }, layer, runs);
  const { failedCalls, returned } = tracer;
  return { address, runs, queries: runs.queried, simulated: signed, failure, failedCalls, returned };
}

function findTarget(
  { contractAddress, code, contractBalance }: CallContractRequest,
  { rules }: Chain,
  layer: StateLayer,
): { address: string; code: string } | { refusal: LedgerRefusal } {
  if (contractAddress !== '') {
    const stored = layer.account(contractAddress)?.contract?.payload;
    return stored
      ? { address: contractAddress, code: stored }
      : { refusal: refuse('notFound', `there is no contract at ${contractAddress}`) };
  }
  const refusal = checkContractCode(code, rules);
  if (refusal) return { refusal };
  const address = rules.keys.addressOfText('sandbox contract');
  const contract = create(ContractSchema, { payload: code });
  layer.putAccount({ ...newAccount(address, contractBalance), contract });
  return { address, code };
}

function findSource({ sourceAddress }: CallContractRequest, { rules }: Chain, layer: StateLayer): string {
  const address = sourceAddress === '' ? rules.keys.addressOfText('sandbox caller') : sourceAddress;
  if (!layer.account(address)) layer.putAccount(newAccount(address, callerBalance));
  return address;
}

/** Who tries out a creation does not have to own the initial balance. */
function affordCreation(
  source: string,
  initBalance: bigint,
  { chain, layer }: { chain: Chain; layer: StateLayer },
): void {
  const account = layer.account(source);
  const needed = initBalance + chain.rules.parameters.fees.baseReserve;
  if (account && account.balance < needed) layer.putAccount({ ...account, balance: needed });
}

function simulate(
  source: string,
  operation: MessageInitShape<typeof OperationSchema>,
  { request, chain, layer }: { request: CallContractRequest; chain: Chain; layer: StateLayer },
): SignedTransaction {
  const { fees } = chain.rules.parameters;
  const terms = {
    sourceAddress: source,
    nonce: (layer.account(source)?.nonce ?? 0n) + 1n,
    feeLimit: request.feeLimit > 0n ? request.feeLimit : int64Max,
    gasPrice: request.gasPrice > fees.gasPrice ? request.gasPrice : fees.gasPrice,
    operations: [operation],
  };
  const signed = openUnsigned(terms, chain.rules.sha256);
  assert(signed, 'a transaction of our own making can be read');
  return signed;
}
