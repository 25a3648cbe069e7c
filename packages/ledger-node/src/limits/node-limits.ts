/** Bounds of one node: its own business, and none of them a rule of the chain. */
import { contractLimits } from '@symbolon/core/limits/consensus';

/** Bounds of the waiting queue: each node's own business, changeable in its configuration. */
export const queueLimits = {
  transactionsMax: 100_000,
  transactionsPerAccountMax: 1_000,
  /** Of all waiting transactions together: without it a few large senders fill the memory before the count does. */
  bytesMax: 256 * 1024 * 1024,
  lifetimeMs: 600_000,
  sweepIntervalMs: 2_000,
  /** A transaction replaces one with the same source and nonce when it pays this much more, in percent. */
  replacementPricePercent: 110n,
  /** Of how many that left the queue unexecuted the hash is remembered, so that who asks for it is told why. */
  departedHashesMax: 100_000,
  /** How many submissions may wait for their signatures to be verified. */
  unverifiedMax: 20_000,
} as const;

/** Bounds of snapshots. */
export const snapshotLimits = {
  /** A chunk ends with the row that fills it. */
  chunkBytes: 4 * 1024 * 1024,
  /** CometBFT's message of a chunk has 16,000,000 bytes at most, that of a snapshot 4,000,000. */
  chunkBytesMax: 15 * 1024 * 1024,
  manifestBytesMax: 3_900_000,
  /** Of all chunks of one that the node begins with, if its settings say nothing else. */
  bytesMaxUsual: 16 * 1024 * 1024 * 1024,
  /** What a chunk takes in the store, with the trees that are made of it and what is merged meanwhile. */
  roomFactor: 2,
  /** How many are kept on disk, beside one that is being taken. */
  keptMax: 2,
  /** When a store is emptied for one. */
  rowsRemovedAtOnce: 10_000,
} as const;

/** Bounds of the sandbox, which shares the node's main thread: how many may wait for it, and how long. */
export const sandboxLimits = {
  waitingMax: 1_000,
  /** The first run on a busy machine takes a second, and the sandbox rests as long afterwards: one caller must fit. */
  waitMs: 3_000,
} as const;

/** Bounds of the signature verifiers; how many signatures may wait stands in `queueLimits.unverifiedMax`. */
export const signatureLimits = {
  workersMax: 64,
  workersUsualMax: 4,
  /** So many must wait before a thread that is busy is sent another batch. */
  batchItemsMin: 32,
  batchItemsMax: 128,
  batchBytesMax: 4 * 1024 * 1024,
  batchesPerWorkerMax: 8,
  /** Messages are up to one transaction long, so a count alone would not bound the memory of those waiting. */
  waitingBytesMax: 256 * 1024 * 1024,
  /** Imported public keys kept by each thread. */
  cachedKeysMax: 20_000,
} as const;

/** Bounds of a node's store: keys and values of one row, rows of one bounded scan. */
export const storeLimits = {
  keyBytesMax: 4_096,
  valueBytesMax: 64 * 1024 * 1024,
  scanRowsDefault: 1_000,
  scanRowsMax: 10_000,
  /** Whoever reads tables through in the background rests this many times as long as it read. */
  tableCheckRestFactor: 1,
  /** Its priority, as systems count it: a tenth of the usual share where all processors are busy, and never none. */
  tableCheckPriority: 10,
  /** Reading so many bytes through takes longer than starting a thread for them. */
  tableCheckThreadBytes: 64 * 1024 * 1024,
  tableCheckThreadsMax: 8,
  /** How often files of tables are looked at, and how many at a time: all of 4,000 within four seconds. */
  tableLookMs: 100,
  tableLooksAtOnce: 100,
  /** From the beginning of one round to that of the next, at least. */
  tableRoundMs: 1_000,
  /** How often everything is read through again, and how many times as long as it reads the thread then rests. */
  tablePassMs: 24 * 60 * 60 * 1_000,
  tablePassRestFactor: 9,
  /** How long a thread waits when the process has no descriptor or memory left to read with. */
  tableWantMs: 1_000,
} as const;

/** Proving a chain again: what is under way at a time. */
export const verifyLimits = {
  /** Blocks that are read, and their signatures verified, ahead of the one that is executed. */
  blocksAheadMax: 4,
  /** Transactions of one block whose signatures wait to be verified. */
  transactionsAtOnce: 500,
} as const;

/** The thread that executes blocks, verifies them and runs the sandbox. */
export const executionHostLimits = {
  /** Of the pinned Node: code of the same V8 takes the same frames. */
  v8Release: '13.6',
  /**
   * Four contracts at their deepest and the host's own calls between them take less, whatever compiled them: the tests
   * measure.
   */
  stackBytesMin: 960_000,
} as const;

/** The thread that checks contract code. */
export const syntaxThreadLimits = {
  stackMb: 8,
  /** The parser takes a tenth of it at most: the tests measure. */
  stackBytesMin: 7 * 1024 * 1024,
  heapMb: 512,
  /** Reading the largest code takes a second or two; a machine may be busy with others. */
  answerMsMax: 60_000,
} as const;

/** What one node does with contracts. */
export const contractWorkLimits = {
  /**
   * After so much computing time or gas in one block the next contract waits for the next block: everything else that a
   * node does waits for contracts. One gas takes 1 to 16 nanoseconds. What contracts write is bounded by gas: 40 MB.
   */
  blockMsMax: 100,
  blockGasMax: 8n * contractLimits.gasMax,
  /** Images of contracts kept for their next run, 0.33 MB each for small code. */
  codeImagesBytesMax: 128 * 1024 * 1024,
  /** Codes whose hash is remembered, each of 16,383 characters at most. */
  imageKeysMax: 256,
} as const;

/** The stack of a thread that executes blocks: twice what it needs at least, as V8 counts it. */
export const executionStackMb = 4;

/** Bounds of the explorer's index, which must not be felt by whoever makes blocks. */
export const explorerLimits = {
  /** How long after its start a node begins with the index, unless somebody asks before. */
  startDelayMs: 1_000,
  /** Blocks that go to the thread of the index together: so many records, bytes or blocks, one in any case. */
  sliceRecordsMax: 1_000,
  sliceBytesMax: 4 * 1024 * 1024,
  sliceBlocksMax: 100,
  /** While more than so many transactions wait, the index waits as well, but not longer than so before each slice. */
  busyQueueMin: 200,
  busyWaitMs: 5_000,
  busyLookMs: 50,
  /** How long its thread computes before questions have their turn. */
  turnMs: 5,
  /** After each slice it rests so many times as long as that took. */
  restFactor: 1,
  /** Questions under way at a time, and how long each may take. */
  questionsMax: 500,
  answerMsMax: 10_000,
  /** How long an answer waits for the index to reach the block that was the last when it was asked for. */
  catchUpMs: 500,
  /** It waits for so many blocks at most: an index that is being made takes longer. */
  catchUpBlocksMax: 100,
  /** How often an index that failed is made anew before the node goes on without one. */
  restartsMax: 2,
  stateCacheEntriesMax: 20_000,
  treeCacheBytesMax: 16 * 1024 * 1024,
  accountFactsMax: 50_000,
  cacheBytes: 32 * 1024 * 1024,
  writeBufferBytes: 16 * 1024 * 1024,
  /** Seconds of which it is known how many transactions waited. */
  pendingSamplesMax: 300,
  pendingSampleMs: 1_000,
} as const;

/** Bounds of development chains. */
export const developmentLimits = {
  /** How far the clock may be moved on, all in all: a hundred years. */
  aheadMsMax: 100 * 366 * 86_400_000,
} as const;

/** The socket on which CometBFT asks this node, and what the node asks of CometBFT. */
export const cometLimits = {
  /** What CometBFT itself takes for one message at most. */
  frameBytesMax: 100 * 1024 * 1024,
  /** CometBFT opens four; one that starts again may be there before the old ones are noticed to be gone. */
  connectionsMax: 16,
  /** Requests of one connection that have no answer yet; further ones wait in the socket. */
  unansweredMax: 1_000,
  /** Questions to CometBFT's RPC: how long one may take, and the largest answer. */
  rpcMs: 5_000,
  rpcBytesMax: 32 * 1024 * 1024,
  /**
   * What CometBFT's own settings let through (`config.toml`): one message to other validators, which is the largest
   * transaction or a bundle with what frames it, and one request to its RPC, in which that is base64.
   */
  mempoolTxBytesMax: 1_100_000,
  rpcBodyBytesMax: 4_000_000,
  /** What is handed to CometBFT together: its own default takes ten calls and a million bytes in one request. */
  offersPerRequestMax: 10,
  offersBytesMax: 512 * 1024,
  offersAtOnceMax: 4,
  /** After a request the next one waits so long: what comes meanwhile shares a bundle. */
  offersPauseMs: 50,
  /** One message to other validators with several transactions. */
  bundleTransactionsMax: 100,
  bundleBytesMax: 64 * 1024,
  /** Bundles that were made here are known again when CometBFT asks about them. */
  bundlesRememberedMax: 10_000,
  /** Of the bundles that arrive so many are checked at a time: the verifier takes a bounded number of signatures. */
  bundlesCheckedAtOnce: 16,
  /** So many more may wait for that; others are refused, and offered again by whoever has them. */
  bundlesWaitingMax: 16,
  /** After a failure it is tried again so much later. */
  retryMs: 1_000,
  /** What has waited so long is handed to CometBFT once more, the first so many of the queue. */
  offerAgainMs: 10_000,
  offerAgainMax: 5_000,
  /** So long others are told of a transaction that waits for an earlier one of its account; then the node alone keeps it. */
  gapMs: 3_000,
  /** How long a node stays after its program's last block, for those that lack it. */
  upgradeGraceMs: 1_000,
  /** How long a block is waited for that somebody wants closed. */
  closeBlockMs: 30_000,
  /** How often peers, height and health of CometBFT are looked at. */
  lookMs: 2_000,
  /** Contracts of which is remembered how much gas a call of them used. */
  contractsRememberedMax: 10_000,
  /** How many blocks before the last one is the newest whose signatures are asked for without a number. */
  lightBlockAgeMax: 10,
} as const;

/** A signer and the CometBFT that it signs for. */
export const signerLimits = {
  /** What CometBFT itself takes for one message at most. */
  frameBytesMax: 10 * 1024,
  /** CometBFT asks one thing after the other. */
  unansweredMax: 16,
  /** How often it is tried to reach a CometBFT that is not there: it waits three seconds for its signer when it starts. */
  dialMs: 250,
  /** Why something is not signed, in CometBFT's log. */
  reasonCharsMax: 300,
  stateBytesMax: 8 * 1024,
  chainIdCharsMax: 50,
  /** How long a CometBFT may take from reading its key to opening its store: both are at its very beginning. */
  takeOverMs: 3_000,
} as const;
