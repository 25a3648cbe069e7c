/** Beginning with a snapshot of others, over ABCI: what comes from peers is believed for its hashes alone. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { appHashOf } from '@symbolon/core/ledger/execution/close-block';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import {
  SnapshotChunkSchema,
  SnapshotManifestSchema,
  SnapshotRowSchema,
} from '@symbolon/core/proto/ledger_pb';
import { sha256 } from '@symbolon/host/work/sha256';
import {
  ResponseApplySnapshotChunk_Result as ChunkResult,
  ResponseOfferSnapshot_Result as OfferResult,
  RequestOfferSnapshot,
} from 'cosmjs-types/tendermint/abci/types';
import type { Chain } from '../../chain/chain.ts';
import { snapshotLimits } from '../../limits/node-limits.ts';
import { MemoryStore } from '../../testing/memory-store.ts';
import { person } from '../../testing/people.ts';
import { openTestChain, verified } from '../../testing/test-chain.ts';
import { addNetworkBlock, networkRules } from '../../testing/test-network.ts';
import { SnapshotFolder } from './snapshot-folder.ts';
import { SnapshotMaker } from './snapshot-maker.ts';
import { SnapshotGivenUp, StateSync } from './state-sync.ts';

const rules = networkRules({ ann: 1 });
const bob = person('bob').address;

function tempFolder(context: TestContext): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-snapshots-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function grow(chain: Chain, blocks: number): Promise<Chain> {
  for (let count = 0; count < blocks; count++) {
    const nonce = (chain.state.account(rules.parameters.genesisAddress)?.nonce ?? 0n) + 1n;
    const operations = [
      operation('payCoin', { destAddress: bob, amount: 1n }),
      operation('setMetadata', { key: `k${nonce}`, value: 'x'.repeat(nonce < 20n ? 250_000 : 1) }),
    ];
    await addNetworkBlock(chain, [verified({ nonce, operations, feeLimit: 10n ** 9n })]);
  }
  return chain;
}

const never = new AbortController().signal;

/** A network's node with snapshots, and what it offers of the newest. */
async function serving(context: TestContext, blocks = 20) {
  const chain = await grow(await openTestChain(rules, new MemoryStore()), blocks);
  const folder = await SnapshotFolder.open(tempFolder(context));
  await folder.take(chain, never);
  const sync = new StateSync({ chain, folder, room, onNotice: () => {}, onBegun: async () => {} });
  const [snapshot] = sync.list().snapshots;
  assert(snapshot);
  const chunks: Uint8Array[] = [];
  for (let chunk = 0; chunk < snapshot.chunks; chunk++) {
    const { height, format } = snapshot;
    chunks.push((await sync.load({ height, format, chunk })).chunk);
  }
  const offer = RequestOfferSnapshot.fromPartial({ snapshot, appHash: appHashOf(chain.head, sha256) });
  return { chain, sync, snapshot, chunks, offer };
}

const room = { bytesMax: 2 ** 40, freeBytes: async () => 2 ** 40 };

async function joining(store = new MemoryStore(), given: Partial<typeof room> = {}) {
  const chain = await openTestChain(rules, store);
  const notices: string[] = [];
  let begun = 0;
  const sync = new StateSync({
    chain,
    folder: undefined,
    room: { ...room, ...given },
    onNotice: (text) => notices.push(text),
    onBegun: async () => void begun++,
  });
  const apply = async (index: number, chunk: Uint8Array, sender = 'a peer') =>
    sync.apply({ index, chunk, sender });
  return { chain, sync, notices, apply, begun: () => begun };
}

const { ACCEPT, RETRY, RETRY_SNAPSHOT, REJECT_SNAPSHOT, ABORT } = ChunkResult;

describe('a snapshot of another node', () => {
  test('is begun with, chunk by chunk, and told of meanwhile', async (context) => {
    const { chain, chunks, offer } = await serving(context);
    const own = await joining();
    assert(chunks.length > 1);
    assert.equal(own.sync.problem, undefined);
    assert.equal((await own.sync.offer(offer)).result, OfferResult.ACCEPT);
    assert.match(own.sync.problem ?? '', /0 of 2 chunks/);
    assert.throws(() => own.sync.assertWhole(), SnapshotGivenUp);
    for (const [index, chunk] of chunks.entries())
      assert.equal((await own.apply(index, chunk)).result, ACCEPT);
    own.sync.assertWhole();
    assert.equal(own.sync.problem, undefined);
    assert.equal(own.begun(), 1);
    assert.equal(encodeHex(own.chain.head.hash), encodeHex(chain.head.hash));
    for (const each of [chain, own.chain]) await grow(each, 1);
    assert.equal(encodeHex(own.chain.head.hash), encodeHex(chain.head.hash));
  });

  test('is begun with once: offered again, it is there already; where blocks have followed, none is', async (context) => {
    const { chunks, offer } = await serving(context);
    const own = await joining();
    await own.sync.offer(offer);
    for (const [index, chunk] of chunks.entries()) await own.apply(index, chunk);
    assert.equal((await own.sync.offer(offer)).result, OfferResult.ACCEPT);
    for (const [index, chunk] of chunks.entries())
      assert.equal((await own.apply(index, chunk)).result, ACCEPT);
    assert.equal(own.begun(), 1);
    await grow(own.chain, 1);
    assert.equal((await own.sync.offer(offer)).result, OfferResult.ABORT);
    assert.match(own.notices.at(-1) ?? '', /has blocks already/);
  });

  test('whose chunk is another one is asked of others than who sent it, and goes on', async (context) => {
    const { chunks, offer } = await serving(context);
    const own = await joining();
    await own.sync.offer(offer);
    const [first, second] = chunks as [Uint8Array, Uint8Array];
    const damaged = Uint8Array.from(first);
    damaged[9] = (damaged[9] as number) ^ 1;
    for (const wrong of [
      damaged,
      second,
      new Uint8Array(0),
      new Uint8Array(snapshotLimits.chunkBytesMax + 1),
    ]) {
      const answer = await own.apply(0, wrong, 'liar');
      assert.deepEqual([answer.result, answer.refetchChunks, answer.rejectSenders], [RETRY, [0], ['liar']]);
    }
    assert.equal((await own.apply(1, second)).result, RETRY_SNAPSHOT);
    assert.equal((await own.apply(0, first)).result, ACCEPT);
    assert.equal((await own.apply(1, second)).result, ACCEPT);
    assert.equal(own.begun(), 1);
  });

  test('that does not hold its own promise is rejected at the end, and a right one is begun with', async (context) => {
    const { chain, snapshot, chunks, offer } = await serving(context);
    const own = await joining();
    // Everything fits together, but for the state root, which the header states.
    const chunk = fromBinary(SnapshotChunkSchema, chunks[1] as Uint8Array);
    chunk.rows.pop();
    const forged = [chunks[0] as Uint8Array, toBinary(SnapshotChunkSchema, chunk)];
    const manifest = fromBinary(SnapshotManifestSchema, snapshot.metadata);
    manifest.chunkHashes = forged.map((bytes) => sha256(bytes));
    const metadata = toBinary(SnapshotManifestSchema, manifest);
    const lie = { snapshot: { ...snapshot, metadata, hash: sha256(metadata) }, appHash: offer.appHash };
    assert.equal((await own.sync.offer(lie)).result, OfferResult.ACCEPT);
    assert.equal((await own.apply(0, forged[0] as Uint8Array)).result, ACCEPT);
    assert.equal((await own.apply(1, forged[1] as Uint8Array)).result, REJECT_SNAPSHOT);
    assert.match(own.sync.problem ?? '', /another one is waited for/);
    assert.throws(() => own.sync.assertWhole(), /begins anew/);
    assert.equal((await own.apply(0, forged[0] as Uint8Array)).result, ABORT);
    assert.equal((await own.sync.offer(offer)).result, OfferResult.ACCEPT);
    for (const [index, bytes] of chunks.entries())
      assert.equal((await own.apply(index, bytes)).result, ACCEPT);
    assert.equal(encodeHex(own.chain.head.hash), encodeHex(chain.head.hash));
  });

  test('is rejected whose chunk has rows that are none, though the manifest names it', async (context) => {
    const { snapshot, chunks, offer } = await serving(context);
    const own = await joining();
    const chunk = fromBinary(SnapshotChunkSchema, chunks[0] as Uint8Array);
    chunk.rows.unshift(create(SnapshotRowSchema, { key: Uint8Array.of(1) }));
    const bytes = toBinary(SnapshotChunkSchema, chunk);
    const manifest = fromBinary(SnapshotManifestSchema, snapshot.metadata);
    manifest.chunkHashes[0] = sha256(bytes);
    const metadata = toBinary(SnapshotManifestSchema, manifest);
    await own.sync.offer({
      snapshot: { ...snapshot, metadata, hash: sha256(metadata) },
      appHash: offer.appHash,
    });
    assert.equal((await own.apply(0, bytes)).result, REJECT_SNAPSHOT);
  });

  /** With the header that is trusted, and more chunks than the state has. */
  const withChunks = ({ snapshot, offer }: Awaited<ReturnType<typeof serving>>, count: number) => {
    const manifest = fromBinary(SnapshotManifestSchema, snapshot.metadata);
    manifest.chunkHashes = Array.from({ length: count }, (_, index) => sha256(Uint8Array.of(index)));
    const metadata = toBinary(SnapshotManifestSchema, manifest);
    const made = { ...snapshot, metadata, chunks: count, hash: sha256(metadata) };
    return { snapshot: made, appHash: offer.appHash };
  };
  const mebibyte = 1024 * 1024;

  test('that promises more than the node takes, or the disk has, is refused before anything is written', async (context) => {
    const served = await serving(context);
    for (const [count, given, words] of [
      [3, { bytesMax: 7 * mebibyte }, /more than 7 MiB which is all that cometbft\.snapshotBytesMax allows/],
      [
        1_001,
        { freeBytes: async () => 8_000 * mebibyte },
        /takes 8128 MiB of the disk, and 8000 MiB are free/,
      ],
      [1, { freeBytes: async () => 100 * mebibyte }, /takes 128 MiB of the disk, and 100 MiB are free/],
      [0, {}, /no chunks/],
    ] as const) {
      const own = await joining(new MemoryStore(), given);
      assert.equal((await own.sync.offer(withChunks(served, count))).result, OfferResult.REJECT);
      assert.match(own.notices.join(), words);
      own.sync.assertWhole();
    }
  });

  test('that brings more than the node takes is rejected with its sender, and what was refused counts', async (context) => {
    const { chunks, offer } = await serving(context);
    const [first, second] = chunks as [Uint8Array, Uint8Array];
    const own = await joining(new MemoryStore(), { bytesMax: first.length + second.length - 1 });
    await own.sync.offer(offer);
    assert.equal((await own.apply(0, first)).result, ACCEPT);
    const answer = await own.apply(1, second, 'liar');
    assert.deepEqual([answer.result, answer.rejectSenders], [REJECT_SNAPSHOT, ['liar']]);
    assert.equal((await own.sync.offer(offer)).result, OfferResult.REJECT);
    assert.match(own.notices.at(-1) ?? '', /with what was taken before/);
    assert.equal(own.begun(), 0);
  });

  test('stops where the disk is nearly full', async (context) => {
    const { chunks, offer } = await serving(context);
    let free = 1_000 * mebibyte;
    const own = await joining(new MemoryStore(), { freeBytes: async () => free });
    await own.sync.offer(offer);
    assert.equal((await own.apply(0, chunks[0] as Uint8Array)).result, ACCEPT);
    free = 128 * mebibyte;
    assert.equal((await own.apply(1, chunks[1] as Uint8Array)).result, REJECT_SNAPSHOT);
    assert.match(own.notices.at(-1) ?? '', /of the disk, and 128 MiB are free/);
  });

  test('is refused that is not the one of the trusted app hash, and nothing is changed', async (context) => {
    const { snapshot, offer } = await serving(context);
    const own = await joining();
    const { appHash } = offer;
    const refused: [name: string, request: Partial<typeof offer>, result: OfferResult][] = [
      ['none', { appHash }, OfferResult.REJECT],
      ['another app hash', { snapshot, appHash: sha256(appHash) }, OfferResult.REJECT],
      ['another format', { snapshot: { ...snapshot, format: 2 }, appHash }, OfferResult.REJECT_FORMAT],
      ['another height', { snapshot: { ...snapshot, height: 9n }, appHash }, OfferResult.REJECT],
      ['another count', { snapshot: { ...snapshot, chunks: 3 }, appHash }, OfferResult.REJECT],
      ['another hash', { snapshot: { ...snapshot, hash: appHash }, appHash }, OfferResult.REJECT],
      [
        'no manifest',
        { snapshot: { ...snapshot, metadata: new Uint8Array(0) }, appHash },
        OfferResult.REJECT,
      ],
      [
        'too much',
        {
          snapshot: { ...snapshot, metadata: new Uint8Array(snapshotLimits.manifestBytesMax + 1) },
          appHash,
        },
        OfferResult.REJECT,
      ],
    ];
    for (const [name, request, result] of refused)
      assert.equal(
        (await own.sync.offer({ snapshot: undefined, ...request } as typeof offer)).result,
        result,
        name,
      );
    own.sync.assertWhole();
    assert.equal(own.chain.head.seq, 1n);
    await grow(own.chain, 1);
  });
});

describe('the snapshots of a node', () => {
  const filesIn = (folder: string) => readdirSync(folder).sort();

  test('are the two newest, whole, and there again after a start; what was cut short is not', async (context) => {
    const place = tempFolder(context);
    const chain = await grow(await openTestChain(rules, new MemoryStore()), 2);
    const folder = await SnapshotFolder.open(place);
    for (let count = 0; count < 3; count++) {
      await folder.take(chain, never);
      await folder.take(chain, never);
      await grow(chain, 1);
    }
    assert.deepEqual(filesIn(place), ['4', '5']);
    for (const name of ['6.unfinished', '7', 'other']) mkdirSync(path.join(place, name));
    writeFileSync(path.join(place, '7', 'manifest'), 'nonsense');
    const again = await SnapshotFolder.open(place);
    assert.deepEqual(filesIn(place), ['4', '5']);
    assert.deepEqual(
      again.kept.map(({ seq }) => seq),
      [5n, 4n],
    );
  });

  test('are not handed out with a changed byte, nor are others than they are', async (context) => {
    const place = tempFolder(context);
    const chain = await grow(await openTestChain(rules, new MemoryStore()), 2);
    const folder = await SnapshotFolder.open(place);
    await folder.take(chain, never);
    const sync = new StateSync({ chain, folder, room, onNotice: () => {}, onBegun: async () => {} });
    const load = async (height: bigint, chunk: number, format = 1) =>
      (await sync.load({ height, format, chunk })).chunk.length;
    assert((await load(3n, 0)) > 0);
    assert.deepEqual(
      [await load(3n, 1), await load(2n, 0), await load(3n, 0, 2), await load(3n, 2 ** 32 - 1)],
      [0, 0, 0, 0],
    );
    const file = path.join(place, '3', 'chunk-0');
    const bytes = readFileSync(file);
    bytes[100] = (bytes[100] as number) ^ 1;
    writeFileSync(file, bytes);
    assert.equal(await load(3n, 0), 0);
    rmSync(file);
    assert.equal(await load(3n, 0), 0);
  });

  test('are taken every so many blocks, one at a time, and a failure is told', async () => {
    const chain = await grow(await openTestChain(rules, new MemoryStore()), 1);
    const taken: bigint[] = [];
    const notices: string[] = [];
    let release = Promise.withResolvers<void>();
    const folder = {
      take: async ({ head }: Chain) => {
        taken.push(head.seq);
        await release.promise;
      },
    };
    const maker = new SnapshotMaker({
      chain,
      folder,
      everyBlocks: 2,
      onNotice: (text) => notices.push(text),
    });
    const wakeAfterEach = async (blocks: number) => {
      for (let count = 0; count < blocks; count++) {
        maker.wake();
        await grow(chain, 1);
      }
    };
    await wakeAfterEach(4);
    assert.deepEqual(taken, [2n]);
    release.resolve();
    release = Promise.withResolvers();
    await nextTurn();
    await wakeAfterEach(2);
    assert.deepEqual(taken, [2n, 6n]);
    release.reject(new Error('the disk is full'));
    await wakeAfterEach(1);
    assert.deepEqual(notices, ['no snapshot of block 6: the disk is full']);
    await maker.close();
    await wakeAfterEach(2);
    assert.deepEqual(taken, [2n, 6n]);
    const none = new SnapshotMaker({ chain, folder, everyBlocks: 0, onNotice: () => {} });
    none.wake();
    assert.deepEqual(taken, [2n, 6n]);
    none.take();
    none.take();
    assert.deepEqual(taken, [2n, 6n, chain.head.seq]);
  });

  test('are given up in the middle when the node ends, and leave nothing', async (context) => {
    const place = tempFolder(context);
    const chain = await grow(await openTestChain(rules, new MemoryStore()), 20);
    const folder = await SnapshotFolder.open(place);
    const ending = new AbortController();
    ending.abort(new Error('ended'));
    await assert.rejects(folder.take(chain, ending.signal), /ended/);
    assert.deepEqual(filesIn(place), []);
  });
});
