/**
 * A chain for testing contracts: in this process, in memory, with the real rules and the real engine
 * (docs/contracts.md, "Testing"). Accounts and contracts go by name or by address; whatever fails throws
 * `ContractFailure`.
 */
import { create } from '@bufbuild/protobuf';
import { operationTypes } from '@symbolon/core/ledger/terms/operation-types';
import { newAccount, StateLayer, stateKeys } from '@symbolon/core/ledger/terms/state';
import { AssetKeySchema, type MetadataEntry, MetadataEntrySchema } from '@symbolon/core/proto/ledger_pb';
import { ContractFailure } from './contract-failure.ts';
import { FakeLedger, type OperationDraft, type TestBlock } from './fake-ledger.ts';
import { NamedAccounts, type Person } from './named-accounts.ts';
import { type ContractEvent, type RunReceipt, receiptOf } from './receipt.ts';
import { type WatchedRules, watchedRules } from './watched-rules.ts';

export { ContractFailure, type ExpectedFailure, expectFailure } from './contract-failure.ts';
export type { TestBlock } from './fake-ledger.ts';
export type { Person } from './named-accounts.ts';
export type { ContractEvent, RunReceipt as Receipt, TriggeredOperation } from './receipt.ts';

/** What a contract gets as `input`: a text as it is, anything else as JSON. */
export type ContractInput = string | Readonly<Record<string, unknown>>;
type Amount = bigint | number;

export interface AssetAmount {
  readonly issuer: string;
  readonly code: string;
  readonly amount: Amount;
}

export interface AccountOrder {
  readonly balance: Amount;
  readonly assets?: readonly AssetAmount[];
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface ContractCallOptions {
  /** Who sends it; the first account if left out. */
  readonly from?: string;
}

export interface DeployOptions extends ContractCallOptions {
  /** A name for the contract. */
  readonly name?: string;
  readonly input?: ContractInput;
  /** Coins the contract begins with; the sender pays them. */
  readonly balance?: Amount;
  /** Who may upgrade the contract; nobody if left out. */
  readonly owner?: string;
}

export interface PayingOptions extends ContractCallOptions {
  /** Coins sent along. */
  readonly coin?: Amount;
  /** An asset sent along, instead of coins. */
  readonly asset?: AssetAmount;
}

export interface Deployment extends RunReceipt {
  readonly address: string;
}

export interface TestChainOptions {
  /** Balances by name. Without any: alice, bob and carol with 1,000,000,000,000 each. */
  readonly accounts?: Readonly<Record<string, Amount | AccountOrder>>;
  /** Contracts to deploy, by name: code, or code with options. */
  readonly contracts?: Readonly<Record<string, string | ({ readonly code: string } & DeployOptions)>>;
  /** The last closed block when the test begins. */
  readonly block?: Partial<TestBlock>;
  /** What every account must keep; 0 if left out. */
  readonly baseReserve?: Amount;
}

export interface TestChain {
  /** The address of a name; an address is its own. */
  address(nameOrAddress: string): string;
  /** The keys behind a name: to have a contract verify what a person signed. */
  person(name: string): Person;
  deploy(code: string, options?: DeployOptions): Deployment;
  /** Pays a contract, which runs its `main`. */
  call(target: string, input: ContractInput, options?: PayingOptions): RunReceipt;
  /** What a contract's `query` returns. */
  query(target: string, input: ContractInput, options?: ContractCallOptions): string | boolean;
  /** Replaces a contract's code, by its owner; what is stored stays. */
  upgrade(target: string, code: string, options?: ContractCallOptions): RunReceipt;
  /** All that a contract, or any account, has stored. */
  storage(target: string): Readonly<Record<string, string>>;
  balance(who: string): bigint;
  assetBalance(who: string, asset: { readonly issuer: string; readonly code: string }): bigint;
  /** Every event so far, in order. */
  readonly events: readonly ContractEvent[];
  /** The last closed block; whatever comes next runs in the one after it, a second later. */
  readonly block: TestBlock;
  /** Lets empty blocks pass, one second apart unless told otherwise. */
  advance(passing: { readonly blocks?: number; readonly seconds?: number }): void;
}

const defaultBalance = 1_000_000_000_000n;
const defaultAccounts = { alice: defaultBalance, bob: defaultBalance, carol: defaultBalance };
/** 14 November 2023, 22:13:20 UTC. */
const defaultBlock: TestBlock = { number: 1, timestamp: 1_700_000_000_000_000 };

export function createTestChain(options: TestChainOptions = {}): TestChain {
  const { accounts = defaultAccounts, contracts = {}, block, baseReserve = 0n } = options;
  const watched = watchedRules({
    baseReserve: BigInt(baseReserve),
    // biome-ignore lint/suspicious/noConsole: it belongs to the output of the test that is running.
    hear: (contract, text) => console.log(`[${names.nameOf(contract)}] ${text}`),
  });
  const ledger = new FakeLedger(watched.rules, { ...defaultBlock, ...block });
  const names = new NamedAccounts(watched.rules);
  for (const name of Object.keys(accounts)) names.name(name, names.person(name).address);
  for (const [name, order] of Object.entries(accounts)) {
    open(typeof order === 'object' ? order : { balance: order }, { name, ledger, names });
  }
  const chain = assemble({ watched, ledger, names, firstAccount: Object.keys(accounts)[0] });
  for (const [name, order] of Object.entries(contracts)) {
    const { code, ...more } = typeof order === 'string' ? { code: order } : order;
    chain.deploy(code, { name, ...more });
  }
  return chain;
}

interface Parts {
  readonly watched: WatchedRules;
  readonly ledger: FakeLedger;
  readonly names: NamedAccounts;
  readonly firstAccount: string | undefined;
}

function assemble({ watched, ledger, names, firstAccount }: Parts): TestChain {
  const events: ContractEvent[] = [];
  const addressOf = (name: string): string => names.addressOf(name);
  const nameOf = (address: string): string => names.nameOf(address);
  const senderOf = ({ from = firstAccount }: ContractCallOptions): string => {
    if (from === undefined) throw new Error('This chain has no account to send from.');
    return addressOf(from);
  };

  const execute = (source: string, operation: OperationDraft): RunReceipt & { result: string } => {
    const { answer, notes, failedCalls } = watched.watch(() => ledger.execute(source, operation));
    if ('refusal' in answer) throw new ContractFailure(answer.refusal, { ...notes, failedCalls, nameOf });
    const { signed, outcome } = answer;
    const facts = { signed, triggered: outcome.triggered, notes, block: ledger.lastBlock };
    const receipt = receiptOf({ ...facts, rules: ledger.rules });
    events.push(...receipt.events);
    return { ...receipt, result: outcome.result };
  };

  return {
    address: addressOf,
    person: (name) => names.person(name),

    deploy(code, { name, input = '', balance = 0n, owner, ...sender } = {}) {
      const contract = { payload: code, owner: owner === undefined ? '' : addressOf(owner) };
      const priv = { thresholds: { txThreshold: 1n } };
      const terms = { contract, priv, initBalance: BigInt(balance), initInput: textOf(input) };
      const operation = { type: operationTypes.createAccount, createAccount: terms };
      const deployed = names.expecting(name, () => execute(senderOf(sender), operation));
      const { result, ...receipt } = deployed;
      const [{ contract_address: address }] = JSON.parse(result);
      if (name !== undefined) names.name(name, address);
      return { ...receipt, address };
    },

    call(target, input, { coin, asset, ...sender } = {}) {
      if (coin !== undefined && asset) throw new Error('Send coins or an asset, not both.');
      const body = { destAddress: addressOf(target), input: textOf(input) };
      const { result: _, ...receipt } = execute(
        senderOf(sender),
        asset
          ? { type: operationTypes.payAsset, payAsset: { ...body, asset: assetOf(asset, names) } }
          : { type: operationTypes.payCoin, payCoin: { ...body, amount: BigInt(coin ?? 0n) } },
      );
      return receipt;
    },

    query(target, input, sender = {}) {
      const address = addressOf(target);
      const code = new StateLayer(ledger).account(address)?.contract?.payload;
      if (!code) throw new Error(`There is no contract at "${target}".`);
      const work = () => ledger.query(senderOf(sender), address, { code, input: textOf(input) });
      const { answer, notes, failedCalls } = watched.watch(work);
      if ('refusal' in answer) throw new ContractFailure(answer.refusal, { ...notes, failedCalls, nameOf });
      return answer.value;
    },

    upgrade(target, code, sender = {}) {
      const upgradeContract = { destAddress: addressOf(target), payload: code, sPayload: true };
      const operation = { type: operationTypes.upgradeContract, upgradeContract };
      const { result: _, ...receipt } = execute(senderOf(sender), operation);
      return receipt;
    },

    storage: (target) => storageOf(ledger, addressOf(target)),
    balance: (who) => new StateLayer(ledger).account(addressOf(who))?.balance ?? 0n,
    assetBalance: (who, { issuer, code }) =>
      new StateLayer(ledger).assetAmount(addressOf(who), assetKey(addressOf(issuer), code)),
    events,
    get block() {
      return ledger.lastBlock;
    },
    advance: ({ seconds, blocks = 1 }) => ledger.advance(blocks, seconds ?? blocks),
  };
}

function open(
  { balance, assets = [], metadata = {} }: AccountOrder,
  { name, ledger, names }: { name: string; ledger: FakeLedger; names: NamedAccounts },
): void {
  const address = names.addressOf(name);
  ledger.set((layer) => {
    layer.putAccount(newAccount(address, BigInt(balance)));
    for (const { issuer, code, amount } of assets) {
      layer.putAssetAmount(address, assetKey(names.addressOf(issuer), code), BigInt(amount));
    }
    for (const [key, value] of Object.entries(metadata)) {
      layer.putMetadata(address, create(MetadataEntrySchema, { key, value, version: 1n }));
    }
  });
}

function storageOf(ledger: FakeLedger, address: string): Record<string, string> {
  const entries = ledger.entriesUnder(stateKeys.metadatas(address)) as MetadataEntry[];
  return Object.fromEntries(entries.map(({ key, value }) => [key, value]));
}

const assetKey = (issuer: string, code: string) => create(AssetKeySchema, { issuer, code });

const assetOf = ({ issuer, code, amount }: AssetAmount, names: NamedAccounts) => ({
  key: assetKey(names.addressOf(issuer), code),
  amount: BigInt(amount),
});

const textOf = (input: ContractInput): string => (typeof input === 'string' ? input : JSON.stringify(input));
