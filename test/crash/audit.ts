/**
 * What must hold of a node's folder whatever happened to its process: the store opens, the chain proves itself from
 * its first block, everything that was acknowledged is there, nothing is there twice, and every balance is what a
 * plain reckoning over the history makes it. Run while no node has the folder open.
 */
import assert from 'node:assert/strict';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { decodeEntry } from '@symbolon/core/ledger/terms/state';
import { decodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import type { Account, LedgerHeader, Operation, TransactionEnvStore } from '@symbolon/core/proto/ledger_pb';
import { findBlock, readBlock, readRecords } from '@symbolon/ledger-node/chain/chain-reader';
import { headRow, stateRows } from '@symbolon/ledger-node/chain/rows';
import {
  type NodeFolder,
  openNodeFolder,
  soloValidator,
  storePath,
} from '@symbolon/ledger-node/node/node-folder';
import { verifyChain } from '@symbolon/ledger-node/operation/verify-chain';
import { verifyLedgerSignature } from '@symbolon/ledger-node/signatures/ed25519';
import { LevelStore } from '@symbolon/ledger-node/store/level-store';
import type { Store } from '@symbolon/ledger-node/store/store';
import { MemoryStore } from '@symbolon/ledger-node/testing/memory-store';

/** What somebody was told: this transaction was executed in that block. */
export type Acknowledged = ReadonlyMap<string, bigint>;

export interface Audit {
  /** 0 when the folder holds no chain yet. */
  readonly head: bigint;
  /** Every executed transaction by its hash, in the order of execution. */
  readonly records: ReadonlyMap<string, TransactionEnvStore>;
}

export async function auditFolder(path: string, acknowledged: Acknowledged): Promise<Audit> {
  const folder = await openNodeFolder(path);
  const store = await LevelStore.open(storePath(path));
  try {
    if (!store.get(headRow)) {
      assert.equal(acknowledged.size, 0, 'something was acknowledged, but there is no chain');
      assert.equal(store.acknowledgedHead(), undefined);
      return { head: 0n, records: new Map() };
    }
    const { head } = await proveChain(store, folder);
    checkHeadFile(store, head);
    const records = await readHistory(store, head);
    for (const [hash, ledgerSeq] of acknowledged) {
      assert.equal(records.get(hash)?.ledgerSeq, ledgerSeq, `acknowledged transaction ${hash} is not there`);
    }
    await checkBalances(store, folder, records.values());
    return { head: head.seq, records };
  } finally {
    await store.close();
  }
}

/** Executes the chain again from its first block; the proof needs nothing on disk. */
export async function proveChain(store: Store, { rules }: NodeFolder) {
  const scratch = new MemoryStore();
  const verify = async (key: Uint8Array, signature: Uint8Array, message: Uint8Array) =>
    verifyLedgerSignature(key, signature, message);
  return verifyChain({ store, scratch, rules, verify });
}

/** The head file names the newest block, or the one before: it is written right after the block. */
function checkHeadFile(store: Store, head: LedgerHeader): void {
  const confirmed = store.acknowledgedHead();
  assert.ok((confirmed?.seq ?? 0n) >= head.seq - 1n, `the head file is at ${confirmed?.seq} of ${head.seq}`);
  if (confirmed) assert.deepEqual(readBlock(store, confirmed.seq).header.hash, confirmed.hash);
}

/** All records, asserting that none stands twice and that every account's nonces count up from 1 by one. */
async function readHistory(store: Store, head: LedgerHeader): Promise<Map<string, TransactionEnvStore>> {
  assert.equal(findBlock(store, head.seq + 1n), undefined, 'there is no block above the head');
  const records = new Map<string, TransactionEnvStore>();
  const nonces = new Map<string, bigint>();
  for await (const record of storedRecords(store, head.seq)) {
    const hash = encodeHex(record.hash);
    assert.ok(!records.has(hash), `transaction ${hash} was executed twice`);
    records.set(hash, record);
    const { sourceAddress, nonce } = transactionOf(record);
    assert.equal(nonce, (nonces.get(sourceAddress) ?? 0n) + 1n, `nonces of ${sourceAddress}`);
    nonces.set(sourceAddress, nonce);
  }
  const accounts = await accountsOf(store);
  for (const [address, nonce] of nonces) {
    assert.equal(accounts.get(address)?.nonce, nonce, `the nonce of ${address}`);
  }
  return records;
}

async function* storedRecords(store: Store, last: bigint): AsyncIterable<TransactionEnvStore> {
  for (let seq = 1n; seq <= last; seq++) {
    // One more than the block has, so that a record too many shows.
    yield* await readRecords(store, seq, { limit: readBlock(store, seq).rowCount + 1 });
  }
}

async function accountsOf(store: Store): Promise<Map<string, Account>> {
  const accounts = new Map<string, Account>();
  for await (const [, bytes] of store.scanAll(stateRows('account/'))) {
    const account = decodeEntry('account/', bytes) as Account;
    accounts.set(account.address, account);
  }
  return accounts;
}

/** A second, plain bookkeeper: fees, payments and first balances, nothing else of the ledger's rules. */
async function checkBalances(
  store: Store,
  folder: NodeFolder,
  records: Iterable<TransactionEnvStore>,
): Promise<void> {
  const { parameters } = folder.rules;
  const validator = soloValidator(folder);
  const balances = new Map([[parameters.genesisAddress, parameters.genesisBalance]]);
  const move = (address: string, amount: bigint) =>
    balances.set(address, (balances.get(address) ?? 0n) + amount);
  for (const record of records) {
    const { sourceAddress, operations } = transactionOf(record);
    move(sourceAddress, -record.actualFee);
    move(validator.address, record.actualFee);
    for (const [index, operation] of (record.errorCode === 0 ? operations : []).entries()) {
      const [destination, amount] = paymentOf(operation, () => contractOf(record, index));
      if (destination === undefined) continue;
      move(operation.sourceAddress || sourceAddress, -amount);
      move(destination, amount);
    }
  }
  const stored = [...(await accountsOf(store)).values()].map(({ address, balance }) => [address, balance]);
  assert.deepEqual(new Map(stored as [string, bigint][]), balances);
}

function paymentOf(
  { createAccount, payCoin }: Operation,
  contractAddress: () => string,
): [string | undefined, bigint] {
  if (createAccount) return [createAccount.destAddress || contractAddress(), createAccount.initBalance];
  return [payCoin?.destAddress, payCoin?.amount ?? 0n];
}

/** The address of a contract that an operation of this transaction created, as its sender was told. */
function contractOf({ errorDesc }: TransactionEnvStore, index: number): string {
  const created = JSON.parse(errorDesc) as { contract_address: string; operation_index: number }[];
  return created.find(({ operation_index }) => operation_index === index)?.contract_address ?? 'nobody';
}

function transactionOf({ transactionEnv }: TransactionEnvStore) {
  const transaction = decodeTransaction(transactionEnv?.transaction ?? new Uint8Array(0));
  assert.ok(transaction, 'a stored transaction can be decoded');
  return transaction;
}
