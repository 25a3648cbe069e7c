/**
 * Proves a stored chain from its first block: every signature, every transaction and every root is computed again in a
 * scratch store and compared with what the chain says, then the whole state is compared row by row. It trusts nothing
 * in the store but the genesis parameters it is given.
 *
 * From a checkpoint (`verify-checkpoint.ts`) it executes the blocks after it alone. Those up to it are hashed: their
 * headers and transactions are the ones that the checkpoint's block binds, but that they lead to its state is its word.
 */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { emptyBytes, encodeHex, equalBytes } from '@symbolon/core/basics/bytes';
import { SetupError } from '@symbolon/core/faults/operator-errors';
import { blockProblem, commitsTo, frameProblem } from '@symbolon/core/ledger/execution/block-rules';
import { withHash } from '@symbolon/core/ledger/execution/close-block';
import type { LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import {
  type ConsensusValue,
  type LedgerHeader,
  LedgerHeaderSchema,
  PbftProofSchema,
  type TransactionEnvStore,
  TransactionEnvStoreSchema,
  type ValidatorSet,
} from '@symbolon/core/proto/ledger_pb';
import { Chain, describeBlock } from '../chain/chain.ts';
import {
  blockFrameOf,
  ChainDamaged,
  findBase,
  readBlock,
  readCommit,
  readHead,
  type StoredBlock,
  verifyRecentBlocks,
} from '../chain/chain-reader.ts';
import { checkExecutionHost } from '../chain/execution-host.ts';
import { hashPairs } from '../chain/hash-pairs.ts';
import { recordRow, rowsOfBuckets, rowsOfState } from '../chain/rows.ts';
import { defaultNodeSettings } from '../node/node.ts';
import { SignaturePool } from '../signatures/signature-pool.ts';
import type { VerifySignature } from '../signatures/signers.ts';
import { LevelStore } from '../store/level-store.ts';
import type { Store } from '../store/store.ts';
import {
  inOrder,
  type OpenedBlock,
  openStoredBlock,
  type ReadBlock,
  readStoredBlock,
  type StoredRecord,
} from './read-ahead.ts';
import { withoutHistory } from './scratch-state.ts';
import {
  assertCheckpoint,
  assertFree,
  blaming,
  type Checkpoint,
  removeScratch,
  saveCheckpoint,
  takeCheckpoint,
} from './verify-checkpoint.ts';
import { commitVerifier } from './verify-commit.ts';

export interface VerifyOptions {
  readonly store: Store;
  /** For the second run: empty, or with the state of a checkpoint. The caller removes it. */
  readonly scratch: Store;
  readonly rules: LedgerRules;
  readonly verify: VerifySignature;
  /** How what the validators of a network said of a block is checked; without it nobody looks at it. */
  readonly verifyCommit?: VerifyCommit | undefined;
  /** The folder of the checkpoint, where the scratch store has the state of one. */
  readonly from?: string | undefined;
  onProgress?(done: bigint, total: bigint): void;
}

/** A block of a network, executed again, with what its validators said of it. */
export interface NetworkBlock {
  readonly header: LedgerHeader;
  readonly previous: LedgerHeader;
  /** The ones to sign it. */
  readonly validators: ValidatorSet;
  /** Proposer, misbehaviour and time, with the signed transactions. */
  readonly consensusValue: ConsensusValue;
  /** What `noteCommit` kept. */
  readonly commit: Uint8Array;
}

/** What is wrong with that; nothing when more than two thirds of the power stand behind the block. */
export type VerifyCommit = (block: NetworkBlock) => Promise<string | undefined>;

export interface VerifiedChain {
  readonly head: LedgerHeader;
  readonly blocks: bigint;
  readonly transactions: bigint;
  readonly stateRows: number;
  /** The block that it went on from: the first, which the genesis parameters make, or one that was trusted. */
  readonly begunAt: bigint;
  /**
   * The last block that validators were found to stand behind, with all before it; nothing where nobody looked. In a
   * network the commit of a block proves what the one before led to, so of the last ones it is not known yet.
   */
  readonly provenTo: bigint | undefined;
}

export interface VerifyOrder extends Pick<VerifyOptions, 'store' | 'rules' | 'onProgress'> {
  /** The folder of a checkpoint to go on from. */
  readonly from?: string | undefined;
  /** A folder for the checkpoint that this makes. */
  readonly save?: string | undefined;
}

export interface VerifiedStore extends VerifiedChain {
  /** What was trusted. */
  readonly checkpoint: Checkpoint | undefined;
}

/**
 * As `verifyChain`, with a scratch store in a folder that is made for it and removed, and threads of its own for the
 * signatures.
 */
export async function verifyStore(
  scratchPath: string,
  { from, save, ...order }: VerifyOrder,
): Promise<VerifiedStore> {
  if (save !== undefined) await assertFree(save);
  try {
    const checkpoint =
      from === undefined ? undefined : await blaming(from, () => takeCheckpoint(from, scratchPath));
    const verified = await verifyInFolder(scratchPath, { ...order, from, checkpoint });
    if (save !== undefined) await saveCheckpoint(save, scratchPath, { ...verified, savedAt: new Date() });
    return { ...verified, checkpoint };
  } finally {
    await removeScratch(scratchPath);
  }
}

async function verifyInFolder(
  scratchPath: string,
  {
    checkpoint,
    ...order
  }: Omit<VerifyOptions, 'scratch' | 'verify' | 'verifyCommit'> & {
    readonly checkpoint: Checkpoint | undefined;
  },
): Promise<VerifiedChain> {
  const { from } = order;
  const scratch = await blaming(from, () => LevelStore.open(scratchPath, { isScratch: true }));
  const signatures = new SignaturePool({ workers: defaultNodeSettings.signatureWorkers });
  try {
    if (checkpoint) await blaming(from, async () => assertCheckpoint(scratch, checkpoint));
    return await verifyChain({
      ...order,
      scratch: withoutHistory(scratch),
      verify: (publicKey, signature, message) => signatures.verify(publicKey, signature, message),
      verifyCommit: order.rules.parameters.network && commitVerifier(order.rules),
    });
  } finally {
    await signatures.close();
    await scratch.close();
  }
}

/** Blocks that are not here cannot be executed again. */
export class ChainBegunLater extends SetupError {
  override name = 'ChainBegunLater';

  constructor(base: LedgerHeader) {
    super(
      `This chain begins with a snapshot of ${describeBlock(base)}: the blocks up to it are not here.\n` +
        'Verify a node that has been there from the first block on.',
    );
  }
}

/** The verified chain; throws ChainDamaged naming the first thing that does not hold. */
export async function verifyChain(options: VerifyOptions): Promise<VerifiedChain> {
  checkExecutionHost();
  const { store, scratch, rules, from } = options;
  const head = readHead(store);
  const base = findBase(store);
  if (base) throw new ChainBegunLater(base);
  const chain = await blaming(from, () =>
    Chain.open({ ...defaultNodeSettings, store: scratch, rules, hashPairs }),
  );
  await verifyRecentBlocks(store, head, readBlock(scratch, 1n).header);
  const trusted = chain.head;
  if (trusted.seq > head.seq) {
    throw new ChainDamaged(
      `the checkpoint is of ${describeBlock(trusted)}, the chain ends at block ${head.seq}`,
    );
  }
  await hashBlocks(trusted, options);
  const { network } = rules.parameters;
  let provenTo = network && !options.verifyCommit ? undefined : trusted.seq;
  const lastCommit = lastWithCommit(store, head.seq);
  for await (const block of inOrder({ from: trusted.seq + 1n, to: head.seq }, (seq) =>
    openStoredBlock(seq, options),
  )) {
    if (await verifyBlock(chain, block, { ...options, lastCommit }))
      provenTo = network ? block.header.seq - 1n : block.header.seq;
    options.onProgress?.(block.header.seq, head.seq);
  }
  if (chain.accountCount !== head.accountCount) {
    throw new ChainDamaged(`the head counts ${head.accountCount} accounts, there are ${chain.accountCount}`);
  }
  const stateRows = await compareStates(store, scratch);
  return {
    head: chain.head,
    blocks: head.seq,
    transactions: chain.head.txCount,
    stateRows,
    begunAt: trusted.seq,
    provenTo,
  };
}

/** That the blocks up to this one are the ones that it binds: each header and all transactions, by hash. */
async function hashBlocks(last: LedgerHeader, { store, rules: { sha256 } }: VerifyOptions): Promise<void> {
  let previous = readBlock(store, 1n).header.hash;
  for await (const { header, records, name } of inOrder({ from: 2n, to: last.seq }, (seq) =>
    readStoredBlock(store, seq),
  )) {
    const envelopes = records.flatMap(({ record }) => record.transactionEnv ?? []);
    if (!equalBytes(withHash(header, envelopes, sha256).hash, header.hash))
      throw new ChainDamaged(`${name}: it does not have the hash that it states`);
    if (!equalBytes(header.previousHash, previous))
      throw new ChainDamaged(`${name}: it does not follow the block before it`);
    assertPlaces(records, { header, name });
    previous = header.hash;
  }
  if (!equalBytes(previous, last.hash))
    throw new ChainDamaged(`block ${last.seq} is not the one of the checkpoint`);
}

/** Whether validators were found to stand behind it. */
async function verifyBlock(
  chain: Chain,
  { transactions, ...stored }: OpenedBlock,
  options: VerifyOptions & { readonly lastCommit: bigint },
): Promise<boolean> {
  const { name, records } = stored;
  const { closeTime } = stored.header;
  const problem = blockProblem({ closeTime, previousCloseTime: chain.head.closeTime, transactions });
  if (problem) throw new ChainDamaged(`${name}: ${problem}`);
  const { validators, rules } = chain;
  const frame = blockFrameOf(stored.consensusValue);
  const astray = frameProblem(frame, validators, rules.parameters);
  if (astray) throw new ChainDamaged(`${name}: ${astray}`);
  const prepared = await chain.prepare(transactions, closeTime, frame);
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
    if (!isSameRecord(record, records[index]))
      throw new ChainDamaged(`${name}: the record of transaction ${encodeHex(record.hash)} differs`);
  }
  assertPlaces(records, stored);
  compareHeaders(prepared.closed.header, stored.header);
  if (rules.parameters.network && stored.proof.length > 0)
    throw new ChainDamaged(`${name}: a proof of one node, in a network`);
  const previous = chain.head;
  const isProven = rules.parameters.network
    ? await verifyNetworkBlock({ ...prepared.closed, previous, validators }, options)
    : await verifyProof(stored, chain, { name, verify: options.verify });
  await chain.commit(prepared, stored.proof);
  return isProven;
}

/** The newest block of which somebody noted what its validators said. */
function lastWithCommit(store: Store, head: bigint): bigint {
  let seq = head;
  while (seq > 1n && !readCommit(store, seq)) seq--;
  return seq;
}

/** Each block has the word of its validators, but for the last ones, of which it may not be known yet. */
async function verifyNetworkBlock(
  block: Omit<NetworkBlock, 'commit'>,
  { store, verifyCommit, lastCommit }: VerifyOptions & { readonly lastCommit: bigint },
): Promise<boolean> {
  const { header } = block;
  if (!verifyCommit || header.seq > lastCommit) return false;
  const commit = readCommit(store, header.seq);
  const problem = commit ? await verifyCommit({ ...block, commit }) : 'no word of its validators on it';
  if (problem) throw new ChainDamaged(`${describeBlock(header)}: ${problem}`);
  return true;
}

/** Bytes that are equal are the same; a version may have spelt the same record in others. */
function isSameRecord(computed: TransactionEnvStore, { row, record }: StoredRecord): boolean {
  const bytes = toBinary(TransactionEnvStoreSchema, computed);
  return equalBytes(bytes, row) || equalBytes(bytes, toBinary(TransactionEnvStoreSchema, record));
}

function assertPlaces(
  records: readonly StoredRecord[],
  { header, name }: Pick<ReadBlock, 'header' | 'name'>,
): void {
  for (const [index, { record, place }] of records.entries()) {
    if (!place || !equalBytes(place, recordRow(header.seq, index).subarray(1)))
      throw new ChainDamaged(`${name}: transaction ${encodeHex(record.hash)} is not found by its hash`);
  }
}

function compareHeaders(computed: LedgerHeader, stored: LedgerHeader): void {
  const [made, kept] = [computed, stored].map((header) => toBinary(LedgerHeaderSchema, header));
  if (equalBytes(made, kept)) return;
  const part = equalBytes(computed.accountTreeHash, stored.accountTreeHash) ? 'header' : 'state root';
  throw new ChainDamaged(`${describeBlock(stored)}: the ${part} is not what its transactions lead to`);
}

/** A block's proof is a commit to its consensus value, signed by a validator of the chain. */
async function verifyProof(
  { header, proof }: StoredBlock,
  { rules: { keys }, validators }: Pick<Chain, 'rules' | 'validators'>,
  { name, verify }: { name: string; verify: VerifySignature },
): Promise<true> {
  const addresses = new Set(validators.validators.map(({ address }) => address));
  const { seq, consensusValueHash: digest } = header;
  const { commits } = fromBinary(PbftProofSchema, proof);
  for (const { address, publicKey, signature, message } of commitsTo({ seq, digest }, commits, keys)) {
    if (addresses.has(address) && (await verify(publicKey, signature, message))) return true;
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
