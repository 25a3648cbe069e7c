/**
 * Spoiled blobs, a million in the whole campaign: decoding, opening and checking them never throws and never hangs, what can be decoded
 * survives encoding and decoding, and a running node answers a sample of them like any other request.
 *
 * SYMBOLON_FUZZ_SEED repeats a seed, SYMBOLON_FUZZ_COUNT changes how many blobs there are.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { decodeTransaction, encodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '@symbolon/wire/json/json';
import { auditFolder } from '../crash/audit.ts';
import { NodeProcess } from '../crash/node-process.ts';
import { chooseSeed } from '../crash/seeded-random.ts';
import { Witness } from '../crash/witness.ts';
import { campaignSize } from '../support/campaign.ts';
import { ask, at, json, post, send } from '../support/http.ts';
import { type Person, person, richest } from '../support/people.ts';
import { hashOf, makeChain, operations, type SignedItem, signTransaction } from '../support/running-node.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import type { BlobReport, BlobWork } from './blob-worker.ts';

const count = campaignSize('SYMBOLON_FUZZ_COUNT', { usual: 100_000, whole: 1_000_000 });
const threads = 2;
const sampleEvery = Math.max(1, Math.floor(count / 1_500));
/** A few thousand blobs take well under a second: a thread that is silent this long hangs. */
const silenceMsMax = 60_000;

type Share = Extract<BlobReport, { kind: 'end' }>;

/** One thread's share of the blobs; rejects when it fails, hangs or finds something. */
function runShare(work: BlobWork): Promise<Share> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./blob-worker.ts', import.meta.url), { workerData: work });
    const problems: string[] = [];
    let done = 0;
    const fail = (reason: string) => {
      reject(new Error(`SYMBOLON_FUZZ_SEED=${work.seed}, after ${done} blobs: ${reason}`));
      void worker.terminate();
    };
    const watch = setTimeout(() => fail(`nothing heard for ${silenceMsMax} ms`), silenceMsMax);
    worker.on('error', (error) => fail(String(error.stack)));
    worker.on('exit', () => clearTimeout(watch));
    worker.on('message', (report: BlobReport) => {
      watch.refresh();
      if (report.kind === 'progress') done = report.done;
      else if (report.kind === 'problem') problems.push(`${report.what}\n  ${report.blob}`);
      else if (problems.length > 0) fail(problems.join('\n'));
      else resolve(report);
    });
  });
}

let samples: readonly string[] = [];

test(`${count} spoiled blobs`, async (context) => {
  const seed = chooseSeed('SYMBOLON_FUZZ_SEED');
  context.diagnostic(`SYMBOLON_FUZZ_SEED=${seed}`);
  const share = Math.ceil(count / threads);
  const shares = await Promise.all(
    // The first thread has the printed seed itself, so that a failure of any thread names a seed that repeats it.
    Array.from({ length: threads }, (_, index) =>
      runShare({ seed: (seed + index) >>> 0, count: share, sampleEvery }),
    ),
  );
  const sum = (of: (share: Share) => number) => shares.reduce((total, one) => total + of(one), 0);
  const [decoded, acceptable] = [sum((one) => one.decoded), sum((one) => one.acceptable)];
  context.diagnostic(`${decoded} could be decoded, ${acceptable} had nothing wrong by themselves`);
  assert.ok(decoded > count / 50 && decoded < count, 'mutation neither spoils everything nor nothing');
  samples = shares.flatMap((one) => one.samples);
});

const senders = Array.from({ length: 40 }, (_, index) => person(`fuzzing sender ${index}`));

async function openAccounts(url: string): Promise<void> {
  const births = senders.map(({ address }) => operations.createAccount(address, 10n ** 12n));
  const terms = { source_address: richest.address, nonce: 1, fee_limit: 10_000_000, gas_price: 1 };
  const item = signTransaction({ ...terms, operations: births }, [richest]);
  await post(url, 'submitTransaction', { items: [item] });
  const witness = new Witness();
  await until('the senders exist', () => witness.sees(url, hashOf(item)));
}

const signBlob = (blob: Uint8Array, signer: Person): SignedItem => ({
  transaction_blob: encodeHex(blob),
  signatures: [{ public_key: signer.publicKey, sign_data: encodeHex(signer.sign(blob)) }],
});

/** The blob with terms under which its operations are really executed; undefined when it is no transaction. */
async function repaired(blob: Uint8Array, url: string, sender: Person): Promise<Uint8Array | undefined> {
  const transaction = decodeTransaction(blob);
  if (!transaction) return undefined;
  const base = await ask(url, 'getAccountBase', { address: sender.address });
  const nonce = BigInt((at(base, 'result', 'nonce') as number | undefined) ?? 0) + 1n;
  const terms = { nonce, feeLimit: 10n ** 9n, gasPrice: 1n, ceilLedgerSeq: 0n, chainId: 0n };
  return encodeTransaction({ ...transaction, ...terms, sourceAddress: sender.address });
}

/** An answer of the interface: status 200 and an envelope, whatever was asked. */
async function answered(answer: ReturnType<typeof send>): Promise<JsonObject> {
  const { status, text } = await answer;
  assert.equal(status, 200, text);
  return parseJson(text) as JsonObject;
}

/** Without what is empty: the interface shows an empty part as null, and null says nothing. */
function withoutEmpty(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)] as const);
  const isEmpty = (member: JsonValue) =>
    member === null || (isJsonObject(member) && Object.keys(member).length === 0);
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
}

/** What a blob says, said back, makes a blob that says the same. */
async function checkShown(url: string, blob: string): Promise<void> {
  const shown = await answered(send(`${url}/getTransactionFromBlob?blob=${blob}`));
  const transaction = at(shown, 'transaction');
  if (shown.error_code !== undefined && shown.error_code !== 0) return;
  assert.ok(transaction !== undefined, stringifyJson(shown));
  const body = stringifyJson(transaction as JsonObject);
  const made = await answered(send(`${url}/getTransactionBlob`, { method: 'POST', body }));
  if (made.error_code !== 0) return;
  const again = json(
    await send(`${url}/getTransactionFromBlob?blob=${at(made, 'result', 'transaction_blob')}`),
  );
  assert.deepEqual(withoutEmpty(at(again, 'transaction') ?? null), withoutEmpty(transaction));
}

async function tryOnNode(context: TestContext, url: string): Promise<void> {
  let accepted = 0;
  for (const [index, text] of samples.entries()) {
    const sender = senders[index % senders.length] as Person;
    const blob = Uint8Array.from(Buffer.from(text, 'hex'));
    if (blob.length > 0) await checkShown(url, text);
    const whole = await repaired(blob, url, sender);
    const items = [blob, ...(whole ? [whole] : [])].map((one) => signBlob(one, sender));
    const body = stringifyJson({ items });
    const reply = await answered(send(`${url}/submitTransaction`, { method: 'POST', body }));
    const results = reply.results as JsonObject[];
    assert.equal(results.length, items.length);
    accepted += results.filter(({ error_code: code }) => code === 0).length;
    const test = { items: [{ transaction_blob: text }] };
    await answered(send(`${url}/testTransaction`, { method: 'POST', body: stringifyJson(test) }));
  }
  context.diagnostic(`${samples.length} blobs tried on a node, ${accepted} submissions accepted`);
  assert.ok(accepted > 0);
}

test('a running node answers a sample of them', async (context) => {
  const folder = tempFolder(context);
  await makeChain(folder);
  const node = new NodeProcess(context);
  const { httpUrl } = await node.mustStart({ folder, config: { blockIntervalMs: 5 } });
  await openAccounts(httpUrl);
  await tryOnNode(context, httpUrl);
  assert.equal(node.failure, undefined);
  await node.kill();
  const { head } = await auditFolder(folder, new Map());
  assert.ok(head > 2n, 'the node made blocks of them');
});
