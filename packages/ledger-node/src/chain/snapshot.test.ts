/** Snapshots of a network's chain: a node that begins with one goes on as those that were there all the time. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { appHashOf } from '@symbolon/core/ledger/execution/close-block';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { contractLimits } from '@symbolon/core/limits/consensus';
import {
  LedgerHeaderSchema,
  type SnapshotChunk,
  SnapshotChunkSchema,
  type SnapshotManifest,
  SnapshotRowSchema,
} from '@symbolon/core/proto/ledger_pb';
import { sha256 } from '@symbolon/host/work/sha256';
import { snapshotLimits } from '../limits/node-limits.ts';
import { exportChain } from '../operation/export-chain.ts';
import { verifyChain } from '../operation/verify-chain.ts';
import { MemoryStore } from '../testing/memory-store.ts';
import { person } from '../testing/people.ts';
import { openTestChain, testCaches, verified } from '../testing/test-chain.ts';
import { addNetworkBlock, networkRules, setsValidators, validatorEntry } from '../testing/test-network.ts';
import { Chain, type ChainOptions } from './chain.ts';
import { findBlock } from './chain-reader.ts';
import { hashPairs } from './hash-pairs.ts';
import { isUnfinished, openManifest, Restoration, SnapshotRefused } from './restoration.ts';
import { rowsOfState, stateRow } from './rows.ts';
import { encodeManifest, snapshotHead } from './snapshot.ts';

const rules = networkRules({ ann: 2, ben: 1 });
const optionsOf = (store = new MemoryStore()): ChainOptions => ({ store, rules, hashPairs, ...testCaches });
const bytesOf = (chain: Chain) => encodeHex(toBinary(LedgerHeaderSchema, chain.head));

interface Taken {
  readonly manifest: SnapshotManifest;
  readonly chunks: Uint8Array[];
  readonly appHash: Uint8Array;
}

async function taken(chain: Chain): Promise<Taken> {
  const chunks: Uint8Array[] = [];
  const appHash = appHashOf(chain.head, sha256);
  const manifest = await snapshotHead(chain, async (_index, chunk) => {
    chunks.push(chunk);
  });
  return { manifest, chunks, appHash };
}

/** Accounts, assets, metadata of several sizes, a change of the validators; more than one chunk of it. */
async function busyNetwork(blocks: number): Promise<Chain> {
  const chain = await openTestChain(rules, new MemoryStore());
  let nonce = 0n;
  for (let block = 0; block < blocks; block++) {
    const value = 'x'.repeat(block % 3 === 0 ? 250_000 : 10);
    const operations = [
      operation('payCoin', { destAddress: person(`p${block}`).address, amount: 5n }),
      operation('issueAsset', { code: `A${block % 4}`, amount: 7n }),
      operation('setMetadata', { key: `k${block}`, value }),
    ];
    nonce += 1n;
    await addNetworkBlock(chain, [verified({ nonce, operations, feeLimit: 10n ** 9n })]);
  }
  await addNetworkBlock(chain, [setsValidators([validatorEntry('ben', 4)], { nonce: nonce + 1n })]);
  return chain;
}

async function restored({ manifest, chunks, appHash }: Taken, options = optionsOf()): Promise<Chain> {
  const opened = openManifest(encodeManifest(manifest), appHash, rules);
  const restoration = await Restoration.begin(options, opened);
  for (const chunk of chunks) await restoration.add(chunk);
  await restoration.finish();
  restoration.close();
  return Chain.open(options);
}

async function rowsOf(chain: Chain): Promise<string[]> {
  const rows: string[] = [];
  for (const range of rowsOfState)
    for await (const [key, value] of chain.rows.scanAll(range))
      rows.push(`${encodeHex(key)} ${encodeHex(sha256(value))}`);
  return rows;
}

describe('a chain that begins with a snapshot', () => {
  let chain: Chain;
  let snapshot: Taken;

  before(async () => {
    chain = await busyNetwork(60);
    snapshot = await taken(chain);
  });

  test('has the state of the other, with its trees, in several chunks of bounded size', async () => {
    assert(snapshot.chunks.length > 1);
    for (const chunk of snapshot.chunks) assert(chunk.length <= snapshotLimits.chunkBytesMax);
    const own = await restored(snapshot);
    assert.equal(bytesOf(own), bytesOf(chain));
    assert.equal(own.accountCount, chain.accountCount);
    assert.deepEqual(own.validators, chain.validators);
    assert.deepEqual(await rowsOf(own), await rowsOf(chain));
  });

  test('goes on to the same blocks, asks for the same hashes, and can be opened again', async () => {
    const own = optionsOf();
    const options = { ...own, store: own.store as MemoryStore };
    let second = await restored(snapshot, options);
    const first = await busyNetwork(60);
    const height = Number(first.head.seq);
    for (const nonce of [62n, 63n, 64n]) {
      for (const offset of [0, 1, 5, height - 2, height - 1, height, height + 3])
        assert.equal(second.nextBlock(0n).hashBefore(offset), first.nextBlock(0n).hashBefore(offset));
      const pay = operation('setMetadata', { key: 'k3', value: `v${nonce}` });
      const transaction = verified({ nonce, operations: [pay] });
      for (const each of [first, second]) {
        const { committed } = await addNetworkBlock(each, [transaction]);
        assert.equal(committed.executed.transactions.length, 1);
      }
      assert.equal(bytesOf(second), bytesOf(first));
      second = await Chain.open(options);
    }
    assert.deepEqual(await rowsOf(second), await rowsOf(first));
  });

  test('is itself one to take snapshots of, the same ones', async () => {
    const own = await restored(snapshot);
    const again = await taken(own);
    assert.deepEqual(encodeManifest(again.manifest), encodeManifest(snapshot.manifest));
    const third = await restored(again);
    assert.equal(bytesOf(third), bytesOf(chain));
  });

  test('has no blocks before it, exports those that follow, and is not verified', async () => {
    const options = optionsOf();
    const own = await restored(snapshot, options);
    for (const seq of [2n, own.head.seq]) assert.equal(findBlock(own.rows, seq), undefined);
    assert(findBlock(own.rows, 1n));
    await addNetworkBlock(own);
    const lines: string[] = [];
    for await (const line of exportChain(options.store, {})) lines.push(line);
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).header.seq),
      [Number(own.head.seq)],
    );
    const order = { store: options.store, scratch: new MemoryStore(), rules, verify: async () => true };
    await assert.rejects(
      verifyChain(order),
      /ChainBegunLater: This chain begins with a snapshot of block 62/,
    );
  });

  const { blockHashesMax } = contractLimits;
  test(`knows as many hashes as a contract may ask for, ${blockHashesMax}`, async () => {
    const long = await openTestChain(rules);
    for (let block = 0; block < blockHashesMax + 5; block++) await addNetworkBlock(long);
    const { manifest, ...rest } = await taken(long);
    assert.equal(manifest.hashesBefore.length, blockHashesMax);
    const own = await restored({ manifest, ...rest });
    for (const offset of [0, 1, blockHashesMax - 1, blockHashesMax])
      assert.equal(own.nextBlock(0n).hashBefore(offset), long.nextBlock(0n).hashBefore(offset));
  });

  const other = (hash: Uint8Array) => sha256(hash);
  const manifests: [name: string, change: (manifest: SnapshotManifest) => void, words: RegExp][] = [
    [
      'another format',
      (it) => {
        it.format = 2;
      },
      /has format 2, known is 1/,
    ],
    [
      'no header',
      (it) => {
        it.header = undefined;
      },
      /cannot be read/,
    ],
    [
      'no validators',
      (it) => {
        it.validators = undefined;
      },
      /cannot be read/,
    ],
    [
      'another time',
      (it) => {
        if (it.header) it.header.closeTime += 1n;
      },
      /not the one with this app hash/,
    ],
    ['other validators', (it) => void it.validators?.validators.pop(), /not the ones that the header names/],
    [
      'an earlier hash changed',
      (it) => {
        it.hashesBefore[3] = other(it.hashesBefore[3]);
      },
      /header binds/,
    ],
    [
      'the last hash changed',
      (it) => {
        it.hashesBefore[60] = other(it.hashesBefore[60]);
      },
      /header binds/,
    ],
    ['a hash left out', (it) => void it.hashesBefore.shift(), /header binds/],
    ['the last hash left out', (it) => void it.hashesBefore.pop(), /header binds/],
    ['a hash more', (it) => void it.hashesBefore.unshift(other(it.hashesBefore[0])), /header binds/],
    [
      'no hashes',
      (it) => {
        it.hashesBefore = [];
      },
      /header binds/,
    ],
    [
      'another beginning',
      (it) => {
        it.reserveBefore = 'x';
      },
      /header binds/,
    ],
  ];
  for (const [name, change, words] of manifests)
    test(`is not begun with a manifest that has ${name}`, async () => {
      const { manifest, appHash } = await taken(chain);
      change(manifest);
      assert.throws(
        () => openManifest(encodeManifest(manifest), appHash, rules),
        (error: Error) => error instanceof SnapshotRefused && words.test(error.message),
      );
    });

  test('is not begun with bytes that are no manifest, too many of them, or of another chain', () => {
    const { manifest, appHash } = snapshot;
    const bytes = encodeManifest(manifest);
    const open = (given: Uint8Array, hash = appHash, of = rules) => openManifest(given, hash, of);
    assert.throws(() => open(bytes.subarray(1)), SnapshotRefused);
    assert.throws(() => open(new Uint8Array(0)), /cannot be read/);
    assert.throws(() => open(new Uint8Array(snapshotLimits.manifestBytesMax + 1)), /too large/);
    assert.throws(() => open(bytes, sha256(appHash)), /app hash/);
    assert.throws(
      () => open(bytes, appHash, networkRules({ ann: 1 }, { chainId: 9 })),
      /of no block of this/,
    );
    assert.throws(
      () => open(bytes, appHash, networkRules({ ann: 1 }, { fees: { gasPrice: 9 } })),
      /the fees/,
    );
  });

  test('takes chunks in their order alone, and goes on after a wrong one', async () => {
    const { manifest, chunks, appHash } = snapshot;
    const options = optionsOf();
    const opened = openManifest(encodeManifest(manifest), appHash, rules);
    const restoration = await Restoration.begin(options, opened);
    const wrong = [chunks[1], chunks[0].subarray(1), new Uint8Array(0)];
    for (const chunk of wrong)
      await assert.rejects(restoration.add(chunk), /chunk 0 is not the one that the manifest names/);
    await restoration.add(chunks[0]);
    assert.deepEqual(restoration.progress, { next: 1, count: chunks.length });
    await assert.rejects(restoration.add(chunks[0]), /chunk 1 is not the one/);
    await assert.rejects(restoration.finish(), /is not whole/);
    await assert.rejects(Chain.open(options), /ChainDamaged: a snapshot was being written/);
    for (const chunk of chunks.slice(1)) await restoration.add(chunk);
    await assert.rejects(restoration.add(chunks[0]), /is not the one/);
    await restoration.finish();
    assert.equal(bytesOf(await Chain.open(options)), bytesOf(chain));
  });

  const states: [name: string, change: (chunk: SnapshotChunk) => void, words: RegExp][] = [
    [
      'a changed entry',
      ({ rows }) => {
        rows[0].value = rows[1].value;
      },
      /does not have the root/,
    ],
    ['an entry left out', ({ rows }) => void rows.splice(1, 1), /does not have the root/],
    ['rows in another order', ({ rows }) => void rows.splice(0, 2, rows[1], rows[0]), /in their order/],
    ['an entry twice', ({ rows }) => void rows.splice(1, 0, rows[0]), /in their order/],
    [
      'a row of another kind',
      ({ rows }) => void rows.push(create(SnapshotRowSchema, { key: Uint8Array.of(0x74, 1) })),
      /not entries of the state/,
    ],
    [
      'an entry that cannot be read',
      ({ rows }) => {
        rows[0].value = Uint8Array.of(255);
      },
      /cannot be read/,
    ],
    [
      'an entry of nobody’s',
      ({ rows }) => {
        const key = stateRow('metadata/nobody/k');
        const place = rows.findIndex((row) => Buffer.compare(row.key, key) > 0);
        rows.splice(place < 0 ? rows.length : place, 0, create(SnapshotRowSchema, { key }));
      },
      /belongs to no account/,
    ],
    [
      'an entry of no known kind',
      ({ rows }) => void rows.unshift(create(SnapshotRowSchema, { key: stateRow('aaa') })),
      /cannot be read/,
    ],
  ];
  for (const [name, change, words] of states)
    test(`refuses a state with ${name}, whatever the manifest says`, async () => {
      const { manifest, chunks, appHash } = await taken(chain);
      const chunk = fromBinary(SnapshotChunkSchema, chunks[0]);
      change(chunk);
      chunks[0] = toBinary(SnapshotChunkSchema, chunk);
      manifest.chunkHashes[0] = sha256(chunks[0]);
      await assert.rejects(restored({ manifest, chunks, appHash }), (error: Error) => {
        assert.match(error.message, words);
        return error instanceof SnapshotRefused;
      });
    });

  test('is begun in the place of a first block, of a snapshot that no block followed, or of one that is not whole', async () => {
    const { manifest, chunks, appHash } = snapshot;
    const opened = openManifest(encodeManifest(manifest), appHash, rules);
    const options = optionsOf();
    const own = await Chain.open(options);
    await own.treeOf('').load([]);
    // Given up after a chunk, and begun again.
    await (await Restoration.begin(options, opened)).add(chunks[0]);
    assert(isUnfinished(options.store));
    assert.equal(own.head.seq, 1n);
    const restoration = await Restoration.begin(options, opened);
    for (const chunk of chunks) await restoration.add(chunk);
    await restoration.finish();
    restoration.close();
    assert(!isUnfinished(options.store));
    // What was read of it meanwhile is of the first block.
    assert.equal(own.state.account(person('p1').address), undefined);
    await own.goOnFromSnapshot();
    assert.equal(bytesOf(own), bytesOf(chain));
    assert.deepEqual(await rowsOf(own), await rowsOf(chain));
    assert.equal(own.state.account(person('p1').address)?.balance, 5n);
    await addNetworkBlock(own);
    await assert.rejects(Restoration.begin(options, opened), /has no blocks yet/);
  });

  test('is begun with a later block than the store had before', async () => {
    const options = optionsOf();
    await restored(snapshot, options);
    const opened = openManifest(encodeManifest(snapshot.manifest), snapshot.appHash, rules);
    await assert.rejects(Restoration.begin(options, opened), /a later block .* was here already/);
    const longer = await busyNetwork(60);
    await addNetworkBlock(longer);
    const own = await restored(await taken(longer), options);
    assert.deepEqual(await rowsOf(own), await rowsOf(longer));
    assert.equal(bytesOf(own), bytesOf(longer));
  });

  test('is not begun in a store that has blocks', async () => {
    const opened = openManifest(encodeManifest(snapshot.manifest), snapshot.appHash, rules);
    const store = new MemoryStore();
    await addNetworkBlock(await openTestChain(rules, store));
    await assert.rejects(Restoration.begin(optionsOf(store), opened), /has no blocks yet/);
  });
});
