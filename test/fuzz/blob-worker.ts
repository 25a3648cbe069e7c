/**
 * One thread of the blob fuzzing: makes its share of mutated blobs and puts each through everything a submission
 * goes through before its signatures are looked at. Reports how far it is, so that a blob that holds it up is found.
 */
import { isDeepStrictEqual } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { encodeHex, equalBytes } from '@symbolon/core/basics/bytes';
import { checkTransaction } from '@symbolon/core/ledger/checks/check-transaction';
import {
  decodeTransaction,
  encodeTransaction,
  openTransaction,
} from '@symbolon/core/ledger/terms/transaction';
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import { genesisSchema } from '@symbolon/ledger-node/chain/genesis-document';
import { ledgerRulesOf } from '@symbolon/ledger-node/chain/ledger-rules';
import { createRandom } from '../crash/seeded-random.ts';
import { richest } from '../support/people.ts';
import { blobCorpus } from './blob-corpus.ts';
import { mutate } from './blob-mutations.ts';

export interface BlobWork {
  readonly seed: number;
  readonly count: number;
  /** Every so many blobs one is handed back, to be tried on a node. */
  readonly sampleEvery: number;
}

export type BlobReport =
  | { readonly kind: 'progress'; readonly done: number }
  | { readonly kind: 'problem'; readonly what: string; readonly blob: string }
  | {
      readonly kind: 'end';
      readonly decoded: number;
      readonly acceptable: number;
      readonly samples: string[];
    };

const progressEvery = 5_000;
const problemsMax = 20;

const { seed, count, sampleEvery } = workerData as BlobWork;
const report = (message: BlobReport): void => parentPort?.postMessage(message);
const made = ledgerRulesOf(
  genesisSchema.parse({ profile: 'zetrix', genesisAddress: richest.address, validators: [richest.address] }),
);
if (!('rules' in made)) throw new Error(made.problems.join());
const { rules } = made;

/** What is wrong with how a decoded blob is encoded and decoded again. */
function roundTripProblem(transaction: Transaction, isThorough: boolean): string | undefined {
  const encoded = encodeTransaction(transaction);
  const again = decodeTransaction(encoded);
  if (!again) return 'what was encoded cannot be decoded';
  if (!equalBytes(encodeTransaction(again), encoded)) return 'encoding again gives other bytes';
  return isThorough && !isDeepStrictEqual(again, transaction)
    ? 'decoding again gives another message'
    : undefined;
}

interface Tally {
  decoded: number;
  acceptable: number;
}

function examine(blob: Uint8Array, tally: Tally): string | undefined {
  const transaction = decodeTransaction(blob);
  const signed = openTransaction(blob, [], rules.sha256);
  if (!transaction || !signed) return transaction || signed ? 'opened and decoded differ' : undefined;
  tally.decoded += 1;
  if (!checkTransaction(signed, rules, 2n)) tally.acceptable += 1;
  return roundTripProblem(transaction, tally.decoded % 8 === 0);
}

function run(): void {
  const random = createRandom(seed);
  const corpus = blobCorpus();
  const tally: Tally = { decoded: 0, acceptable: 0 };
  const samples: string[] = [];
  let problems = 0;
  for (let done = 1; done <= count && problems < problemsMax; done++) {
    const blob = mutate(corpus, random);
    let what: string | undefined;
    try {
      what = examine(blob, tally);
    } catch (error) {
      what = String((error as Error).stack);
    }
    if (what !== undefined) {
      problems += 1;
      report({ kind: 'problem', what, blob: encodeHex(blob) });
    }
    if (done % sampleEvery === 0) samples.push(encodeHex(blob));
    if (done % progressEvery === 0) report({ kind: 'progress', done });
  }
  report({ kind: 'end', ...tally, samples });
}

run();
