/**
 * What the ledger's tests share: the rules of a small chain, made-up people, a state in memory and signed
 * transactions. Test support only; nothing of the product imports it. Signatures have their real form and
 * size, but say nothing: verifying them is not the core's work, so the signers are simply named.
 */
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { assert } from '../../basics/assert.ts';
import { encodeHex, encodeUtf8, type Sha256 } from '../../basics/bytes.ts';
import { createKeyFormat, type KeyFormat } from '../../keys/keys.ts';
import { zetrixProfile } from '../../keys/profile.ts';
import {
  type Account,
  type AccountPrivilegeSchema,
  AccountSchema,
  AssetStoreSchema,
  FeeConfigSchema,
  MetadataEntrySchema,
  type Operation,
  OperationSchema,
  SignatureSchema,
  TransactionSchema,
  ValidatorSetSchema,
} from '../../proto/ledger_pb.ts';
import { applyTransaction, type VerifiedTransaction } from '../execution/apply-transaction.ts';
import { operationRules } from '../operations/index.ts';
import type { BlockContext, ContractSupport, LedgerRules } from '../terms/chain-parameters.ts';
import { operationTypes } from '../terms/operation-types.ts';
import {
  encodeEntry,
  type StateChanges,
  type StateEntry,
  StateLayer,
  type StateReader,
  stateKeys,
} from '../terms/state.ts';
import { encodeTransaction, openTransaction } from '../terms/transaction.ts';
import { sortValidators, type ValidatorEntry, validatorSetOf } from '../terms/validators.ts';

export interface TestChain {
  readonly sha256: Sha256;
  readonly chainId?: bigint;
  readonly gasPrice?: bigint;
  readonly baseReserve?: bigint;
  readonly blockReward?: bigint;
  readonly contracts?: ContractSupport;
  readonly createContractGas?: bigint;
  readonly issueAssetGas?: bigint;
  /** Names of people. */
  readonly validators?: readonly string[];
  /** Makes it a network, whose council is the person of this name and whose validators have these powers. */
  readonly network?: { readonly council: string; readonly powers: Readonly<Record<string, number>> };
}

export type OperationName = keyof typeof operationTypes;
type OperationFields = MessageInitShape<typeof OperationSchema>;
type TransactionFields = Exclude<MessageInitShape<typeof TransactionSchema>, { $typeName: string }>;

export interface TransactionOrder extends Omit<TransactionFields, 'sourceAddress' | '$typeName'> {
  /** Names of people: who sends it, and who signs it (by default the sender alone). */
  readonly source?: string;
  readonly signers?: readonly string[];
}

/** What became of a transaction. */
export interface Attempt {
  readonly verdict: 'dropped' | 'failed' | 'done';
  readonly code: number;
  readonly actualFee: bigint;
  readonly after: StateLayer;
  /** What changed, leaving aside the sender's nonce and fee: keys with the new entries. */
  readonly effects: ReadonlyMap<string, StateEntry | null>;
}

export type TestLedger = ReturnType<typeof createTestLedger>;

export function createTestLedger(chain: TestChain) {
  const keys = createKeyFormat(zetrixProfile, chain.sha256);
  const publicKey = (name: string): Uint8Array => chain.sha256(encodeUtf8(`key of ${name}`));
  const address = (name: string): string => keys.addressOf(publicKey(name));
  const validatorEntry = (name: string, power: number): ValidatorEntry => ({
    publicKey: encodeHex(publicKey(name)),
    power,
    payTo: address(name),
  });
  const entries = Object.entries(chain.network?.powers ?? {}).map(([name, power]) =>
    validatorEntry(name, power),
  );
  const rules = createRules(chain, keys, { addressOf: address, entries });
  const block: BlockContext = {
    seq: 7n,
    closeTime: 7_000_000n,
    validators: rules.parameters.validators,
    hashBefore: () => undefined,
    ...(chain.network && { proposer: entries[0].payTo }),
  };

  const sign = ({
    source = 'alice',
    signers = [source],
    ...fields
  }: TransactionOrder): VerifiedTransaction => {
    const transaction = create(TransactionSchema, {
      sourceAddress: address(source),
      nonce: 1n,
      feeLimit: 10_000_000n,
      gasPrice: rules.parameters.fees.gasPrice,
      chainId: rules.parameters.chainId,
      ...fields,
    });
    const signatures = signers.map((name) =>
      create(SignatureSchema, {
        publicKey: keys.encodePublicKey(publicKey(name)),
        signData: new Uint8Array(64),
      }),
    );
    const signed = openTransaction(encodeTransaction(transaction), signatures, chain.sha256);
    assert(signed, 'what was just encoded can be opened');
    return { signed, signedBy: new Set(signers.map(address)) };
  };

  return {
    rules,
    block,
    address,
    publicKey,
    validatorEntry,
    sign,

    account(name: string, balance: bigint, priv?: MessageInitShape<typeof AccountPrivilegeSchema>): Account {
      return create(AccountSchema, {
        address: address(name),
        balance,
        priv: priv ?? { masterWeight: 1n, thresholds: { txThreshold: 1n } },
      });
    },

    /** The code of an operation's static rules for a source, 0 when they have nothing against it. */
    check(operation: Operation, source = 'alice'): number {
      const ofType = operationRules(operation.type);
      assert(ofType, `operation type ${operation.type} has rules`);
      return ofType.check(operation, { rules, source: address(source) })?.code ?? 0;
    },

    /** Executes one transaction on a state, which stays as it is. */
    attempt(before: StateReader, order: TransactionOrder | VerifiedTransaction): Attempt {
      const verified = 'signed' in order ? order : sign(order);
      const after = new StateLayer(before);
      const execution = applyTransaction(verified, after, { block, rules });
      if ('dropped' in execution) {
        const { code } = execution.dropped;
        return { verdict: 'dropped', code, actualFee: 0n, after, effects: after.changes };
      }
      const { failure, actualFee } = execution;
      const effects = effectsOf(before, after, {
        payer: verified.signed.transaction.sourceAddress,
        actualFee,
      });
      return { verdict: failure ? 'failed' : 'done', code: failure?.code ?? 0, actualFee, after, effects };
    },
  };
}

/** For ledgers whose tests run no code: any code passes the check, and every run of it throws. */
const throwingContracts: ContractSupport = {
  engine: { run: () => ({ kind: 'threw', exception: 'no code is run here' }) },
  checkSyntax: () => [],
  utils: new Map(),
};

interface RulesParts {
  readonly addressOf: (name: string) => string;
  readonly entries: readonly ValidatorEntry[];
}

function createRules(chain: TestChain, keys: KeyFormat, { addressOf, entries }: RulesParts): LedgerRules {
  const { network } = chain;
  const alone = create(ValidatorSetSchema, {
    validators: (chain.validators ?? ['validator']).map((name) => ({ address: addressOf(name) })),
  });
  return {
    keys,
    sha256: chain.sha256,
    contracts: chain.contracts ?? throwingContracts,
    describePrivilege: ({ priv }) => `{"master_weight":${priv?.masterWeight}}`,
    describeAccount: ({ address, balance, nonce, priv }) =>
      `{"address":"${address}","balance":${balance},"nonce":${nonce},` +
      `"priv":{"master_weight":${priv?.masterWeight},` +
      `"thresholds":{"tx_threshold":${priv?.thresholds?.txThreshold}}}}`,
    parameters: {
      chainId: chain.chainId ?? 0n,
      ledgerVersion: 1000n,
      genesisAddress: addressOf('genesis'),
      genesisBalance: 10n ** 17n,
      slogan: 'a test',
      fees: create(FeeConfigSchema, {
        gasPrice: chain.gasPrice ?? 1n,
        baseReserve: chain.baseReserve ?? 0n,
        createContractGas: chain.createContractGas ?? 1_000_000n,
        issueAssetGas: chain.issueAssetGas ?? 5_000_000n,
        blockReward: chain.blockReward ?? 0n,
      }),
      validators: network ? validatorSetOf(sortValidators(entries)) : alone,
      ...(network && { network: { council: addressOf(network.council) } }),
    },
  };
}

/** An operation with the type code that belongs to its body. */
export function operation<Name extends OperationName>(
  name: Name,
  body: Extract<OperationFields, { $typeName?: never }>[Name],
  fields: Omit<OperationFields, '$typeName'> = {},
): Operation {
  return create(OperationSchema, { type: operationTypes[name], [name]: body, ...fields });
}

/** Committed state in memory. Its entries are frozen, so that a rule that changes one in place is found out. */
export class MemoryState implements StateReader {
  readonly entries = new Map<string, StateEntry>();

  constructor(accounts: Iterable<Account> = []) {
    for (const account of accounts) this.#put(stateKeys.account(account.address), account);
  }

  read(key: string): StateEntry | undefined {
    return this.entries.get(key);
  }

  withAsset(owner: string, issuer: string, { code, amount }: { code: string; amount: bigint }): this {
    const key = { issuer, code };
    this.#put(stateKeys.asset(owner, key), create(AssetStoreSchema, { key, amount }));
    return this;
  }

  withMetadata(owner: string, key: string, { value, version }: { value: string; version: bigint }): this {
    this.#put(stateKeys.metadata(owner, key), create(MetadataEntrySchema, { key, value, version }));
    return this;
  }

  advance(changes: StateChanges): void {
    for (const [key, entry] of changes) {
      if (entry) this.#put(key, entry);
      else this.entries.delete(key);
    }
  }

  #put(key: string, entry: StateEntry): void {
    this.entries.set(key, deepFreeze(entry));
  }
}

/** A way to break one rule: the fields that do it, and the code the rule answers. */
export interface Violation<Fields> {
  readonly rule: string;
  readonly code: number;
  readonly fields: Fields;
}

/**
 * Pairs of violations that can be had together, the one whose rule comes first in front. The violations are
 * given in the order of the rules; two that need the same field exclude each other.
 */
export function* pairsInOrder<Fields extends object>(
  violations: readonly Violation<Fields>[],
): Iterable<{ first: Violation<Fields>; both: Fields; name: string }> {
  for (const [index, first] of violations.entries()) {
    for (const second of violations.slice(index + 1)) {
      if (Object.keys(second.fields).some((field) => field in first.fields)) continue;
      const name = `${first.rule} before ${second.rule}`;
      yield { first, both: { ...second.fields, ...first.fields }, name };
    }
  }
}

function effectsOf(
  before: StateReader,
  after: StateLayer,
  { payer, actualFee }: { payer: string; actualFee: bigint },
): Map<string, StateEntry | null> {
  const effects = new Map(after.changes);
  const payerKey = stateKeys.account(payer);
  const now = after.account(payer);
  if (now) effects.set(payerKey, { ...now, nonce: now.nonce - 1n, balance: now.balance + actualFee });
  for (const [key, entry] of effects) if (sameEntry(before.read(key), entry)) effects.delete(key);
  return effects;
}

function sameEntry(old: StateEntry | undefined, entry: StateEntry | null): boolean {
  if (!old || !entry) return !old && !entry;
  return encodeHex(encodeEntry(old)) === encodeHex(encodeEntry(entry));
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
