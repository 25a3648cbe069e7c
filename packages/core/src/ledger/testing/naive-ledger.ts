/**
 * The ledger's rules once more, written from the reference text and not from the code: plain maps of plain
 * objects, everything copied before a transaction and put back when it fails. Slow and obvious on purpose; the
 * model test compares the two. It shares nothing with the real rules, not even the table of codes.
 */
import type { NaiveOperation, NaivePrivilege, NaiveTransaction } from './naive-transaction.ts';

export interface NaiveAccount {
  balance: bigint;
  nonce: bigint;
  masterWeight: bigint;
  txThreshold: bigint;
  readonly signers: Map<string, bigint>;
  readonly typeThresholds: Map<number, bigint>;
  /** By `issuer code`. */
  readonly assets: Map<string, bigint>;
  readonly metadata: Map<string, { readonly value: string; readonly version: bigint }>;
}

export interface NaiveChain {
  readonly gasPrice: bigint;
  readonly baseReserve: bigint;
  readonly blockReward: bigint;
  readonly createContractGas: bigint;
  readonly issueAssetGas: bigint;
  readonly validators: readonly string[];
  /** Every text that is a valid address; the reserved ones among them. */
  readonly addresses: ReadonlySet<string>;
  readonly reserved: ReadonlySet<string>;
}

export type NaiveOutcome = { readonly dropped: number } | { readonly code: number; readonly fee: bigint };

const max = 9223372036854775807n;
const maxWeight = 4294967295n;
const typeNumbers = {
  createAccount: 1,
  issueAsset: 2,
  payAsset: 3,
  setMetadata: 4,
  payCoin: 7,
  log: 8,
  setPrivilege: 9,
} as const;

const typeOf = (operation: NaiveOperation): number =>
  operation.kind === 'unknown' ? operation.type : typeNumbers[operation.kind];

const bytesIn = (text: string): number => encodeURIComponent(text).replace(/%../g, '.').length;
const isBetween = (value: bigint | number, low: bigint | number, high: bigint | number): boolean =>
  value >= low && value <= high;
const hasRepeats = (values: readonly unknown[]): boolean => new Set(values).size < values.length;

export const bornAccount = (balance: bigint): NaiveAccount => ({
  balance,
  nonce: 0n,
  masterWeight: 1n,
  txThreshold: 1n,
  signers: new Map(),
  typeThresholds: new Map(),
  assets: new Map(),
  metadata: new Map(),
});

export function weightFor(account: NaiveAccount, address: string, signers: ReadonlySet<string>): bigint {
  let weight = signers.has(address) ? account.masterWeight : 0n;
  for (const signer of signers) weight += account.signers.get(signer) ?? 0n;
  return weight;
}

export class NaiveLedger {
  accounts = new Map<string, NaiveAccount>();
  readonly #chain: NaiveChain;
  #fees = 0n;

  constructor(chain: NaiveChain) {
    this.#chain = chain;
  }

  execute(transaction: NaiveTransaction, seq: bigint): NaiveOutcome {
    const unfit = this.#unfit(transaction, seq);
    if (unfit !== 0) return { dropped: unfit };
    const source = this.#get(transaction.source);
    source.balance -= transaction.feeLimit;
    source.nonce += 1n;
    const kept = copyOf(this.accounts);
    const code = this.#run(transaction);
    let fee = transaction.feeLimit;
    if (code === 0) {
      fee = this.#gas(transaction) * transaction.gasPrice;
      this.#get(transaction.source).balance += transaction.feeLimit - fee;
    } else {
      this.accounts = kept;
    }
    this.#fees += fee;
    return { code, fee };
  }

  /** Fees and reward in equal shares; the remainder to the validator with the number seq mod n. */
  closeBlock(seq: bigint): void {
    const { validators, blockReward } = this.#chain;
    const total = this.#fees + blockReward;
    const count = BigInt(validators.length);
    this.#fees = 0n;
    validators.forEach((address, index) => {
      const share = total / count + (seq % count === BigInt(index) ? total % count : 0n);
      if (share === 0n) return;
      const account = this.accounts.get(address) ?? bornAccount(0n);
      account.balance += share;
      this.accounts.set(address, account);
    });
  }

  #get(address: string): NaiveAccount {
    const account = this.accounts.get(address);
    if (!account) throw new Error(`the model has no account ${address}`);
    return account;
  }

  #gas({ operations, envelopeBytes }: NaiveTransaction): bigint {
    let gas = BigInt(envelopeBytes);
    for (const operation of operations) {
      if (operation.kind === 'issueAsset') gas += this.#chain.issueAssetGas;
      if (operation.kind === 'createAccount' && operation.code !== '') gas += this.#chain.createContractGas;
    }
    return gas;
  }

  /** §4.4, step 1. A missing source is looked for first, as at submit. */
  #unfit(transaction: NaiveTransaction, seq: bigint): number {
    const { operations, feeLimit, gasPrice, ceilLedgerSeq, condition } = transaction;
    const source = this.accounts.get(transaction.source);
    if (!source) return 103;
    if (transaction.chainId !== 0n) return 2;
    if (operations.length === 0) return 97;
    if (operations.length > 100) return 98;
    if (ceilLedgerSeq < 0n) return 2;
    if (ceilLedgerSeq > 0n && ceilLedgerSeq < seq) return 5;
    if (feeLimit < 0n) return 2;
    if (gasPrice < this.#chain.gasPrice) return 2;
    if (condition && condition.atSubmit !== 0) return condition.atSubmit;
    for (const operation of operations) {
      const address = operation.source || transaction.source;
      if (!this.#chain.addresses.has(address)) return 94;
      if (operation.condition && operation.condition.atSubmit !== 0) return operation.condition.atSubmit;
      const code = this.#static(operation, address);
      if (code !== 0) return code;
    }
    if (transaction.nonce !== source.nonce + 1n) return 99;
    if (weightFor(source, transaction.source, transaction.signers) < source.txThreshold) return 93;
    if (source.balance - feeLimit < this.#chain.baseReserve) return 100;
    const due = this.#gas(transaction) * gasPrice;
    if (due > max) return 2;
    return feeLimit < due ? 111 : 0;
  }

  #run({ source: from, operations, signers, condition }: NaiveTransaction): number {
    const verdict = condition?.atExecution(this.accounts) ?? 0;
    if (verdict !== 0) return verdict;
    for (const operation of operations) {
      const address = operation.source || from;
      const source = this.accounts.get(address);
      if (!source) return 103;
      const special = source.typeThresholds.get(typeOf(operation)) ?? 0n;
      if (weightFor(source, address, signers) < (special > 0n ? special : source.txThreshold)) return 93;
      const judged = operation.condition?.atExecution(this.accounts) ?? 0;
      if (judged !== 0) return judged;
      const code = this.#apply(operation, address, source);
      if (code !== 0) return code;
    }
    return 0;
  }

  /** The static rules of §4.7. */
  #static(operation: NaiveOperation, source: string): number {
    const isAddress = (text: string) => this.#chain.addresses.has(text);
    const signersRule = (
      signers: readonly { address: string; weight: bigint }[],
      account: string,
    ): number => {
      for (const [index, { address, weight }] of signers.entries()) {
        if (!isBetween(weight, 0n, maxWeight)) return 120;
        if (address === account || !isAddress(address)) return 94;
        if (hasRepeats(signers.slice(0, index + 1).map((each) => each.address))) return 2;
      }
      return 0;
    };
    switch (operation.kind) {
      case 'createAccount': {
        if (this.#chain.reserved.has(operation.dest)) return 94;
        const isContract = operation.code !== '';
        if (isContract ? operation.dest !== '' : !isAddress(operation.dest)) return 94;
        const { priv } = operation;
        if (!priv) return 2;
        if (!isBetween(priv.masterWeight, 0n, maxWeight)) return 120;
        if (priv.txThreshold < 0n) return 121;
        const wrong = typeThresholdRule(priv.typeThresholds);
        if (wrong !== 0) return wrong;
        const wrongSigners = signersRule(priv.signers, operation.dest);
        if (wrongSigners !== 0) return wrongSigners;
        const isPlain = priv.signers.length === 0 && priv.typeThresholds.length === 0;
        if (priv.txThreshold !== 1n || priv.masterWeight !== (isContract ? 0n : 1n)) return 2;
        if (isContract && !isPlain) return 2;
        if (operation.initBalance < 0n) return 2;
        for (const { key, value, version } of operation.metadatas) {
          if (!metadataFits(key, value)) return 2;
          if (version < 0n) return 144;
        }
        return 0;
      }
      case 'issueAsset': {
        const { code, amount } = operation;
        return amount <= 0n || code !== code.trim() || !isBetween(bytesIn(code), 1, 64) ? 92 : 0;
      }
      case 'payAsset': {
        const { asset, dest } = operation;
        const isBlank = asset?.amount === 0n && asset.issuer === '' && asset.code === '';
        if (asset && !isBlank) {
          if (asset.amount <= 0n || !isBetween(bytesIn(asset.code), 1, 64) || !isAddress(asset.issuer))
            return 92;
        }
        if (dest === source) return 101;
        return isAddress(dest) ? 0 : 94;
      }
      case 'setMetadata':
        if (!metadataFits(operation.key, operation.value)) return 2;
        return operation.version < 0n ? 144 : 0;
      case 'payCoin':
        if (operation.amount < 0n) return 2;
        if (operation.dest === source) return 101;
        return !isAddress(operation.dest) || this.#chain.reserved.has(operation.dest) ? 94 : 0;
      case 'log':
        if (!isBetween(bytesIn(operation.topic), 1, 128)) return 2;
        return operation.datas.every((data) => isBetween(bytesIn(data), 1, 1024)) ? 0 : 2;
      case 'setPrivilege': {
        const { masterWeight, signers, txThreshold, typeThresholds } = operation;
        if (masterWeight !== '' && !isDecimal(masterWeight, maxWeight)) return 120;
        const wrongSigners = signersRule(signers, source);
        if (wrongSigners !== 0) return wrongSigners;
        if (txThreshold !== '' && !isDecimal(txThreshold, max)) return 121;
        return typeThresholdRule(typeThresholds);
      }
      case 'unknown':
        return 2;
    }
  }

  /** The apply rules of §4.7. */
  #apply(operation: NaiveOperation, address: string, source: NaiveAccount): number {
    const { baseReserve } = this.#chain;
    switch (operation.kind) {
      case 'createAccount': {
        const { dest, code, initBalance, metadatas } = operation;
        if (this.accounts.has(dest)) return 102;
        if (initBalance < baseReserve) return 106;
        if (source.balance - baseReserve < initBalance) return 100;
        if (metadatas.some(({ version }) => version !== 0n && version !== 1n)) return 144;
        if (code !== '') return 151;
        const account = bornAccount(initBalance);
        for (const { address: signer, weight } of operation.priv?.signers ?? [])
          if (weight > 0n) account.signers.set(signer, weight);
        for (const { type, threshold } of operation.priv?.typeThresholds ?? [])
          if (threshold > 0n) account.typeThresholds.set(type, threshold);
        source.balance -= initBalance;
        for (const { key, value } of metadatas) account.metadata.set(key, { value, version: 1n });
        this.accounts.set(dest, account);
        return 0;
      }
      case 'issueAsset': {
        const name = `${address} ${operation.code}`;
        const amount = (source.assets.get(name) ?? 0n) + operation.amount;
        if (amount > max) return 105;
        source.assets.set(name, amount);
        return 0;
      }
      case 'payAsset': {
        const receiver = this.accounts.get(operation.dest);
        if (!receiver) return 103;
        const { asset } = operation;
        // There are no contracts here that could be called.
        if (!asset || asset.amount === 0n) return 92;
        const name = `${asset.issuer} ${asset.code}`;
        const left = (source.assets.get(name) ?? 0n) - asset.amount;
        if (left < 0n) return 104;
        const received = (receiver.assets.get(name) ?? 0n) + asset.amount;
        if (received > max) return 105;
        if (left === 0n) source.assets.delete(name);
        else source.assets.set(name, left);
        receiver.assets.set(name, received);
        return 0;
      }
      case 'setMetadata':
        return setMetadata(operation, source.metadata);
      case 'payCoin': {
        const { amount, dest } = operation;
        if (amount + baseReserve > max) return 7;
        if (source.balance < amount + baseReserve) return 100;
        const receiver = this.accounts.get(dest);
        if (!receiver && amount < baseReserve) return 106;
        if (receiver && receiver.balance + amount > max) return 7;
        source.balance -= amount;
        if (receiver) receiver.balance += amount;
        else this.accounts.set(dest, bornAccount(amount));
        return 0;
      }
      case 'setPrivilege': {
        if (operation.masterWeight !== '') source.masterWeight = BigInt(operation.masterWeight);
        if (operation.txThreshold !== '') source.txThreshold = BigInt(operation.txThreshold);
        for (const signer of operation.signers) change(source.signers, signer.address, signer.weight);
        for (const { type, threshold } of operation.typeThresholds)
          change(source.typeThresholds, type, threshold);
        return 0;
      }
      default:
        return 0;
    }
  }
}

function setMetadata(
  { key, value, version, isDelete }: Extract<NaiveOperation, { kind: 'setMetadata' }>,
  metadata: NaiveAccount['metadata'],
): number {
  const stored = metadata.get(key);
  if (isDelete) {
    if (!stored) return 4;
    if (version !== 0n && version !== stored.version) return 144;
    metadata.delete(key);
    return 0;
  }
  if (version < 0n) return 144;
  if (version > 0n && version !== (stored ? stored.version : 1n)) return 144;
  metadata.set(key, { value, version: stored ? stored.version + 1n : 1n });
  return 0;
}

function change<Key>(entries: Map<Key, bigint>, key: Key, value: bigint): void {
  if (value === 0n) entries.delete(key);
  else entries.set(key, value);
}

const metadataFits = (key: string, value: string): boolean =>
  isBetween(bytesIn(key), 1, 1024) && bytesIn(value) <= 262_144;

const isDecimal = (text: string, limit: bigint): boolean =>
  text.length < 20 && /^[0-9]+$/.test(text) && String(BigInt(text)) === text && BigInt(text) <= limit;

function typeThresholdRule(entries: NaivePrivilege['typeThresholds']): number {
  for (const [index, { type, threshold }] of entries.entries()) {
    if (!isBetween(type, 1, 100)) return 2;
    if (threshold < 0n) return 121;
    if (hasRepeats(entries.slice(0, index + 1).map((each) => each.type))) return 2;
  }
  return 0;
}

function copyOf(accounts: ReadonlyMap<string, NaiveAccount>): Map<string, NaiveAccount> {
  const copies = new Map<string, NaiveAccount>();
  for (const [address, account] of accounts) {
    copies.set(address, {
      ...account,
      signers: new Map(account.signers),
      typeThresholds: new Map(account.typeThresholds),
      assets: new Map(account.assets),
      metadata: new Map(account.metadata),
    });
  }
  return copies;
}
