/**
 * Proves a stored chain from its first block: every signature, every transaction and every root is computed again in a
 * scratch store and compared with what the chain says, then the whole state is compared row by row. It trusts nothing
 * in the store but the genesis parameters it is given.
 */
import { rm } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { emptyBytes, encodeHex, equalBytes } from '@symbolon/core/basics/bytes';
import type { VerifiedTransaction } from '@symbolon/core/ledger/execution/apply-transaction';
import { blockProblem, commitsTo } from '@symbolon/core/ledger/execution/block-rules';
import type { LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import { openTransaction } from '@symbolon/core/ledger/terms/transaction';
import {
  type LedgerHeader,
  LedgerHeaderSchema,
  PbftProofSchema,
  type TransactionEnvStore,
  TransactionEnvStoreSchema,
} from '@symbolon/core/proto/ledger_pb';
import { Chain, describeBlock } from '../chain/chain.ts';
import {
  ChainDamaged,
  readBlock,
  readHead,
  readRecords,
  type StoredBlock,
  verifyRecentBlocks,
} from '../chain/chain-reader.ts';
import { checkExecutionHost } from '../chain/execution-host.ts';
import { hashPairs } from '../chain/hash-pairs.ts';
import { positionRow, recordRow, rowsOfBuckets, rowsOfState } from '../chain/rows.ts';
import { defaultNodeSettings } from '../node/node.ts';
import { SignaturePool } from '../signatures/signature-pool.ts';
import { signerOfEach, type VerifySignature } from '../signatures/signers.ts';
import { LevelStore } from '../store/level-store.ts';
import type { Store } from '../store/store.ts';

const transactionsAtOnce = 100;

export interface VerifyOptions {
  readonly store: Store;
  /** An empty store for the second run; the caller removes it. */
  readonly scratch: Store;
  readonly rules: LedgerRules;
  readonly verify: VerifySignature;
  onProgress?(done: bigint, total: bigint): void;
}

export interface VerifiedChain {
  readonly head: LedgerHeader;
  readonly blocks: bigint;
  readonly transactions: bigint;
  readonly stateRows: number;
}

/**
 * As `verifyChain`, with a scratch store in a folder that is made for it and removed, and threads of its own for the
 * signatures.
 */
export async function verifyStore(
  scratchPath: string,
  order: Omit<VerifyOptions, 'scratch' | 'verify'>,
): Promise<VerifiedChain> {
  const scratch = await LevelStore.open(scratchPath);
  const signatures = new SignaturePool({});
  try {
    return await verifyChain({
      ...order,
      scratch,
      verify: (publicKey, signature, message) => signatures.verify(publicKey, signature, message),
    });
  } finally {
    await signatures.close();
    await scratch.close();
    await rm(scratchPath, { recursive: true, force: true });
  }
}

/** The verified chain; throws ChainDamaged naming the first thing that does not hold. */
export async function verifyChain(options: VerifyOptions): Promise<VerifiedChain> {
  checkExecutionHost();
  const { store, scratch, rules } = options;
  const head = readHead(store);
  const chain = await Chain.open({ ...defaultNodeSettings, store: scratch, rules, hashPairs });
  await verifyRecentBlocks(store, head, chain.head);
  for (let seq = 2n; seq <= head.seq; seq++) {
    await verifyBlock(chain, seq, options);
    options.onProgress?.(seq, head.seq);
  }
  if (chain.accountCount !== head.accountCount) {
    throw new ChainDamaged(`the head counts ${head.accountCount} accounts, there are ${chain.accountCount}`);
  }
  const stateRows = await compareStates(store, scratch);
  return { head: chain.head, blocks: head.seq, transactions: chain.head.txCount, stateRows };
}

async function verifyBlock(
  chain: Chain,
  seq: bigint,
  { store, rules, verify }: VerifyOptions,
): Promise<void> {
  const stored = readBlock(store, seq);
  const name = describeBlock(stored.header);
  const records = await readRecords(store, seq, { limit: stored.rowCount });
  if (records.length !== stored.rowCount) {
    throw new ChainDamaged(`${name}: ${stored.rowCount} transactions, ${records.length} stored`);
  }
  const transactions: VerifiedTransaction[] = [];
  // What contracts triggered nobody signed: it is compared with what they trigger now.
  const signed = records.filter(({ transactionEnv }) => !transactionEnv?.trigger);
  // Not all at once: the verifier takes a bounded number of signatures.
  for (let start = 0; start < signed.length; start += transactionsAtOnce) {
    const some = signed.slice(start, start + transactionsAtOnce);
    transactions.push(...(await Promise.all(some.map((record) => reopen(record, { name, rules, verify })))));
  }
  const { closeTime } = stored.header;
  const problem = blockProblem({ closeTime, previousCloseTime: chain.head.closeTime, transactions });
  if (problem) throw new ChainDamaged(`${name}: ${problem}`);
  const prepared = await chain.prepare(transactions, closeTime);
  const [dropped] = prepared.executed.dropped;
  if (dropped) {
    const hash = encodeHex(dropped.verified.signed.hash);
    throw new ChainDamaged(
      `${name}: transaction ${hash} does not belong in it: ${dropped.refusal.description}`,
    );
  }
  if (prepared.executed.records.length !== records.length) {
    throw new ChainDamaged(
      `${name}: ${records.length} records where its transactions lead to ${prepared.executed.records.length}`,
    );
  }
  for (const [index, record] of prepared.executed.records.entries()) {
    if (!isSame(TransactionEnvStoreSchema, record, records[index])) {
      throw new ChainDamaged(`${name}: the record of transaction ${encodeHex(record.hash)} differs`);
    }
    const place = store.get(positionRow(record.hash));
    if (!place || !equalBytes(place, recordRow(seq, index).subarray(1))) {
      throw new ChainDamaged(`${name}: transaction ${encodeHex(record.hash)} is not found by its hash`);
    }
  }
  compareHeaders(prepared.closed.header, stored.header);
  await verifyProof(stored, chain, { name, verify });
  await chain.commit(prepared, stored.proof);
}

async function reopen(
  { transactionEnv, hash }: TransactionEnvStore,
  { name, rules, verify }: { name: string; rules: LedgerRules; verify: VerifySignature },
): Promise<VerifiedTransaction> {
  const signed =
    transactionEnv && openTransaction(transactionEnv.transaction, transactionEnv.signatures, rules.sha256);
  if (!signed) throw new ChainDamaged(`${name}: transaction ${encodeHex(hash)} cannot be read`);
  for (;;) {
    const signers = await signerOfEach(signed, rules.keys, verify);
    if (signers) return { signed, signedBy: new Set(signers.filter((address) => address !== undefined)) };
    // A full block can carry more signatures than the verifier takes at once: others finish meanwhile.
    await nextTurn();
  }
}

function compareHeaders(computed: LedgerHeader, stored: LedgerHeader): void {
  if (isSame(LedgerHeaderSchema, computed, stored)) return;
  const part = equalBytes(computed.accountTreeHash, stored.accountTreeHash) ? 'header' : 'state root';
  throw new ChainDamaged(`${describeBlock(stored)}: the ${part} is not what its transactions lead to`);
}

/** A block's proof is a commit to its consensus value, signed by a validator of the chain. */
async function verifyProof(
  { header, proof }: StoredBlock,
  { rules: { keys }, validators }: Pick<Chain, 'rules' | 'validators'>,
  { name, verify }: { name: string; verify: VerifySignature },
): Promise<void> {
  const addresses = new Set(validators.validators.map(({ address }) => address));
  const { seq, consensusValueHash: digest } = header;
  const { commits } = fromBinary(PbftProofSchema, proof);
  for (const { address, publicKey, signature, message } of commitsTo({ seq, digest }, commits, keys)) {
    if (addresses.has(address) && (await verify(publicKey, signature, message))) return;
  }
  throw new ChainDamaged(`${name}: no validator's proof for it`);
}

async function compareStates(store: Store, scratch: Store): Promise<number> {
  let rows = 0;
  for (const range of rowsOfState) {
    const expected = scratch.scanAll(range)[Symbol.asyncIterator]();
    for await (const [key, value] of store.scanAll(range)) {
      const { value: row } = await expected.next();
      if (!row || !equalBytes(row[0], key) || !equalBytes(row[1], value)) {
        throw new ChainDamaged(
          `the state row ${describeRow(row?.[0] ?? key)} is not what the blocks lead to`,
        );
      }
      rows++;
    }
    const { value: missing } = await expected.next();
    if (missing) throw new ChainDamaged(`the state row ${describeRow(missing[0])} is missing`);
  }
  for await (const [key, value] of store.scanAll(rowsOfBuckets)) {
    if (!equalBytes(scratch.get(key) ?? emptyBytes, value)) {
      throw new ChainDamaged(`the state row ${describeRow(key)} is not what the blocks lead to`);
    }
  }
  return rows;
}

const describeRow = (key: Uint8Array): string =>
  JSON.stringify(Buffer.from(key).toString('latin1').slice(0, 120));

function isSame<Schema extends typeof LedgerHeaderSchema | typeof TransactionEnvStoreSchema>(
  schema: Schema,
  left: Parameters<typeof toBinary<Schema>>[1],
  right: Parameters<typeof toBinary<Schema>>[1],
): boolean {
  return equalBytes(toBinary(schema, left), toBinary(schema, right));
}
