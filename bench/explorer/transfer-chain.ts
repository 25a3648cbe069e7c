/**
 * A chain of very many transfers, every one of them executed, and its index. The signatures have their real form and
 * size but say nothing, so that making them takes no minutes: whoever executes blocks names the signers. Kept under
 * .cache, as the other chains of the benchmarks are.
 */
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { assert } from '@symbolon/core/basics/assert';
import type { VerifiedTransaction } from '@symbolon/core/ledger/execution/apply-transaction';
import { encodeTransaction, openTransaction } from '@symbolon/core/ledger/terms/transaction';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { blockLimits } from '@symbolon/core/limits/consensus';
import { type Operation, SignatureSchema, TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import { sha256 } from '@symbolon/host/work/sha256';
import { Chain } from '@symbolon/ledger-node/chain/chain';
import { hashPairs } from '@symbolon/ledger-node/chain/hash-pairs';
import { ExplorerIndex } from '@symbolon/ledger-node/explorer/explorer-index';
import { parseBlockRows, readBlockRows } from '@symbolon/ledger-node/explorer/fed-block';
import { indexFormat } from '@symbolon/ledger-node/explorer/index-rows';
import { defaultNodeSettings } from '@symbolon/ledger-node/node/node';
import {
  explorerPath,
  initNodeFolder,
  openNodeFolder,
  storePath,
} from '@symbolon/ledger-node/node/node-folder';
import { publicKeyOf } from '@symbolon/ledger-node/signatures/ed25519';
import { LevelStore } from '@symbolon/ledger-node/store/level-store';
import { addressOfPerson, benchKeys, seedOf, senderSeed } from '../ledger/people.ts';
import { untilSettled } from '../ledger/prepared-chain.ts';
import { note, whole } from '../print.ts';
import { cpuMs, createRandom } from '../statistics.ts';

const senders = 2_000;
const receivers = 50_000;
/** Of people without keys. */
const firstReceiver = 12_000;
/** One account has part in every tenth transfer. */
const busyEvery = 10;
const failingEvery = 100;
const operationsMax = 100;
const fundsOfEach = 10n ** 10n;
const signature = new Uint8Array(64).fill(7);

export const busyAddress = addressOfPerson(1_000_000);

interface Account {
  readonly address: string;
  readonly publicKey: string;
  nonce: bigint;
}

function accountOf(seed: Uint8Array): Account {
  const publicKey = publicKeyOf(seed);
  return {
    address: benchKeys.addressOf(publicKey),
    publicKey: benchKeys.encodePublicKey(publicKey),
    nonce: 0n,
  };
}

function transactionOf(source: Account, operations: Operation[]): VerifiedTransaction {
  source.nonce++;
  const { address: sourceAddress, nonce, publicKey } = source;
  const terms = { sourceAddress, nonce, feeLimit: 1_000_000n, gasPrice: 1n, operations };
  const signed = openTransaction(
    encodeTransaction(create(TransactionSchema, terms)),
    [create(SignatureSchema, { publicKey, signData: signature })],
    sha256,
  );
  assert(signed, 'what was just encoded can be opened');
  return { signed, signedBy: new Set([sourceAddress]) };
}

const pay = (destAddress: string, amount: bigint): Operation => operation('payCoin', { destAddress, amount });

export interface TransferChain {
  readonly folder: string;
  /** CPU time of adding a transaction to the index, in microseconds; undefined where it was made by an earlier run. */
  readonly indexCpuUs: number | undefined;
}

export async function prepareTransferChain(cache: string, transfers: number): Promise<TransferChain> {
  const folder = join(cache, `explorer-${transfers}-v${indexFormat}`);
  if (await stat(folder).catch(() => undefined)) return { folder, indexCpuUs: undefined };
  note(`preparing a chain of ${whole(transfers)} transfers with its index; it is kept for the next run`);
  const unfinished = `${folder}-unfinished-${process.pid}`;
  try {
    await initNodeFolder(unfinished, { genesisSeed: seedOf('genesis'), validatorSeed: seedOf('validator') });
    const indexCpuUs = await fill(unfinished, transfers);
    await rename(unfinished, folder);
    return { folder, indexCpuUs };
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** The folder of a node whose chain has paid so many people by transactions, so that it can be executed again. */
export async function prepareFundedChain(folder: string, accounts: number): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await initNodeFolder(folder, { genesisSeed: seedOf('genesis'), validatorSeed: seedOf('validator') });
  const { rules } = await openNodeFolder(folder);
  const store = await LevelStore.open(storePath(folder), { isScratch: true });
  const chain = await Chain.open({ ...defaultNodeSettings, store, rules, hashPairs });
  const addresses = Array.from({ length: accounts }, (_, at) => addressOfPerson(at));
  for (const transaction of fundingOf(addresses, accountOf(seedOf('genesis'))))
    await addBlock(chain, [transaction]);
  await store.close();
  return folder;
}

const fundingOf = (addresses: readonly string[], genesis: Account): VerifiedTransaction[] =>
  Array.from({ length: Math.ceil(addresses.length / operationsMax) }, (_, at) => {
    const funded = addresses.slice(at * operationsMax, (at + 1) * operationsMax);
    return transactionOf(
      genesis,
      funded.map((address) => pay(address, fundsOfEach)),
    );
  });

async function addBlock(chain: Chain, transactions: readonly VerifiedTransaction[]): Promise<void> {
  const prepared = await chain.prepare(transactions, chain.head.closeTime + 1_000_000n);
  assert(prepared.executed.dropped.length === 0, 'every transfer belongs in its block');
  await chain.commit(prepared, Uint8Array.of(1));
}

async function fill(folder: string, transfers: number): Promise<number> {
  const { rules } = await openNodeFolder(folder);
  const store = await LevelStore.open(storePath(folder), { isScratch: true });
  const own = await LevelStore.open(explorerPath(folder), { isScratch: true });
  const chain = await Chain.open({ ...defaultNodeSettings, store, rules, hashPairs });
  const index = new ExplorerIndex(own, rules);
  let indexMs = 0;
  const close = async (transactions: readonly VerifiedTransaction[]): Promise<void> => {
    await addBlock(chain, transactions);
    const before = process.cpuUsage();
    for (let seq = index.reached.totals.seq + 1n; seq <= chain.head.seq; seq++)
      await index.add(parseBlockRows(await readBlockRows(chain.rows, seq)), async () => {});
    indexMs += cpuMs(before);
  };
  const people = Array.from({ length: senders }, (_, at) => accountOf(senderSeed(at)));
  const addresses = people.map(({ address }) => address);
  for (const transaction of fundingOf(addresses, accountOf(seedOf('genesis')))) await close([transaction]);
  const random = createRandom(18);
  const strangers = Array.from({ length: receivers }, (_, at) => addressOfPerson(firstReceiver + at));
  for (let done = 0; done < transfers; ) {
    const count = Math.min(blockLimits.transactionsMax, transfers - done);
    const block = Array.from({ length: count }, (_, at) => {
      const place = done + at;
      const receiver = place % busyEvery === 0 ? busyAddress : strangers[random(receivers)];
      const amount = place % failingEvery === 1 ? 10n * fundsOfEach : 1_000_000n;
      return transactionOf(people[place % senders], [pay(receiver, amount)]);
    });
    await close(block);
    done += count;
    if (done % 100_000 === 0) note(`${whole(done)} transfers`);
  }
  await untilSettled(storePath(folder));
  await untilSettled(explorerPath(folder));
  await own.close();
  await store.close();
  return (indexMs * 1_000) / transfers;
}
