/**
 * A ledger in memory on which contracts run: deploy, call, query, look at the records. Every transaction is a block
 * of its own. Test support only; the engine is given, so that tests use the real one.
 */
import { assert } from '../../basics/assert.ts';
import { decodeUtf8 } from '../../basics/bytes.ts';
import type { KeyFormat } from '../../keys/keys.ts';
import type { Operation, Transaction, TransactionEnvStore } from '../../proto/ledger_pb.ts';
import { ContractRuns } from '../contracts/contract-runs.ts';
import { type ExecutedBlock, executeBlock } from '../execution/execute-block.ts';
import type { RunResult } from '../operations/operation.ts';
import type { BlockContext, ContractSupport } from '../terms/chain-parameters.ts';
import { type StateEntry, StateLayer, stateKeys } from '../terms/state.ts';
import { decodeTransaction } from '../terms/transaction.ts';
import {
  createTestLedger,
  MemoryState,
  operation,
  type TestChain,
  type TransactionOrder,
} from './test-ledger.ts';

export interface ContractChain extends Omit<TestChain, 'contracts'> {
  readonly contracts: (keys: KeyFormat) => ContractSupport;
}

/** What became of one signed transaction: its own record first, then what it triggered. */
export interface Executed {
  readonly code: number;
  readonly description: string;
  readonly records: readonly TransactionEnvStore[];
  readonly triggered: readonly { readonly record: TransactionEnvStore; readonly transaction: Transaction }[];
  readonly block: ExecutedBlock;
}

export interface CallOrder extends Omit<TransactionOrder, 'operations'> {
  readonly amount?: bigint;
  readonly asset?: { readonly issuer: string; readonly code: string; readonly amount: bigint };
  readonly input?: string;
}

export interface DeployOrder extends Omit<TransactionOrder, 'operations'> {
  readonly balance?: bigint;
  readonly input?: string;
  readonly owner?: string;
}

/** Bodies of the three entry functions; each has `input`. */
export interface Bodies {
  readonly top?: string;
  readonly init?: string;
  readonly main?: string;
  readonly query?: string;
}

/** Code that passes the syntax check around bodies that do. */
export const contractCode = ({
  top = '',
  init = 'return true;',
  main = 'return true;',
  query = 'return input;',
}: Bodies): string =>
  `"use strict";\n${top}\nfunction init(input) {\n${init}\n}\nfunction main(input) {\n${main}\n}\nfunction query(input) {\n${query}\n}\n`;

export const balanceOfAlice = 10n ** 15n;

export function createContractLedger({ contracts, ...chain }: ContractChain) {
  const bare = createTestLedger(chain);
  const ledger = createTestLedger({ ...chain, contracts: contracts(bare.rules.keys) });
  const state = new MemoryState(
    ['alice', 'bob', 'carol'].map((name) => ledger.account(name, balanceOfAlice)),
  );
  let seq = 7n;
  const nextBlock = (): BlockContext => ({
    seq: seq + 1n,
    closeTime: (seq + 1n) * 1_000_000n,
    validators: ledger.rules.parameters.validators,
    hashBefore: (offset) => (seq - BigInt(offset) > 0n ? `hash of block ${seq - BigInt(offset)}` : undefined),
  });
  const layer = () => new StateLayer(state);
  const addressOf = (name: string) => (name.startsWith('ZTX') ? name : ledger.address(name));

  function execute({ source = 'alice', ...order }: TransactionOrder): Executed {
    const nonce = (layer().account(ledger.address(source))?.nonce ?? 0n) + 1n;
    const verified = ledger.sign({ source, nonce, feeLimit: 10n ** 10n, ...order });
    const block = executeBlock(state, [verified], { block: nextBlock(), rules: ledger.rules });
    state.advance(block.changes);
    seq += 1n;
    const [dropped] = block.dropped;
    const [own, ...others] = block.records;
    return {
      code: dropped?.refusal.code ?? own?.errorCode ?? -1,
      description: dropped?.refusal.description ?? own?.errorDesc ?? '',
      records: block.records,
      triggered: others.map((record) => ({ record, transaction: transactionOf(record) })),
      block,
    };
  }

  function create(
    code: string,
    { balance = 0n, input = '', owner = '', ...order }: DeployOrder = {},
  ): Executed {
    const created = operation('createAccount', {
      contract: { payload: code, owner },
      priv: { thresholds: { txThreshold: 1n } },
      initBalance: balance,
      initInput: input,
    });
    return execute({ ...order, operations: [created] });
  }

  const runs = (source = 'alice'): ContractRuns =>
    new ContractRuns(ledger.sign({ source, operations: [] }).signed, nextBlock(), ledger.rules);

  return {
    ...ledger,
    state,
    execute,
    create,
    runs,
    nextBlock,

    /** The address of a contract that must come into being. */
    deploy(code: string | Bodies, order: DeployOrder = {}): string {
      const executed = create(typeof code === 'string' ? code : contractCode(code), order);
      assert(executed.code === 0, `${executed.code} ${executed.description}`);
      return JSON.parse(executed.description)[0].contract_address as string;
    },

    call(contract: string, { amount = 0n, asset, input = '', ...order }: CallOrder = {}): Executed {
      const payment = asset
        ? operation('payAsset', {
            destAddress: contract,
            asset: { key: { issuer: asset.issuer, code: asset.code }, amount: asset.amount },
            input,
          })
        : operation('payCoin', { destAddress: contract, amount, input });
      return execute({ ...order, operations: [payment] });
    },

    query(contract: string, input = '', { on = runs() } = {}): RunResult {
      const code = layer().account(contract)?.contract?.payload ?? '';
      return on.query({ address: contract, code, input, layer: layer() });
    },

    /** A value that a contract stored, and its version. */
    stored(contract: string, key: string): string | undefined {
      return layer().metadata(contract, key)?.value;
    },
    version: (contract: string, key: string): bigint | undefined => layer().metadata(contract, key)?.version,
    nonce: (name: string): bigint => layer().account(addressOf(name))?.nonce ?? -1n,
    balance: (name: string): bigint => layer().account(addressOf(name))?.balance ?? -1n,
    holds(name: string, issuer: string, code: string): bigint {
      const entry = state.read(stateKeys.asset(addressOf(name), { issuer, code })) as
        | { amount: bigint }
        | undefined;
      return entry?.amount ?? 0n;
    },
    /** Everything in the state, to see that nothing changed. */
    snapshot: (): Map<string, StateEntry> => new Map(state.entries),
  };
}

export type ContractLedger = ReturnType<typeof createContractLedger>;

export function transactionOf({ transactionEnv }: TransactionEnvStore): Transaction {
  const transaction = transactionEnv && decodeTransaction(transactionEnv.transaction);
  assert(transaction, 'a record holds a transaction');
  return transaction;
}

/** The operation of a triggered transaction in few words, for tables. */
export function describeOperation({ operations }: Transaction): string {
  const [{ setMetadata, log, payCoin, payAsset, issueAsset, createAccount, metadata }] = operations as [
    Operation,
  ];
  const remark = metadata.length > 0 ? ` (${decodeUtf8(metadata)})` : '';
  if (setMetadata) return setMetadata.deleteFlag ? `del ${setMetadata.key}` : `store ${setMetadata.key}`;
  if (log) return `log ${[log.topic, ...log.datas].join(' ')}`;
  if (payCoin) return `pay ${payCoin.amount}${remark}`;
  if (payAsset) return `pay ${payAsset.asset?.amount ?? 0n} ${payAsset.asset?.key?.code ?? ''}${remark}`;
  if (issueAsset) return `issue ${issueAsset.amount} ${issueAsset.code}`;
  return createAccount ? 'create' : '?';
}
