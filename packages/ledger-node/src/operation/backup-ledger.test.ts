import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { ChainDamaged } from '../chain/chain-reader.ts';
import { LedgerNode } from '../node/node.ts';
import {
  initNodeFolder,
  NodeFolderError,
  openNodeFolder,
  soloValidator,
  storePath,
} from '../node/node-folder.ts';
import { LevelStore } from '../store/level-store.ts';
import { StoreCorrupt } from '../store/store-errors.ts';
import { person, richest, validatorPerson } from '../testing/people.ts';
import { signed } from '../testing/test-chain.ts';
import { backUpLedger, examineLedger, openLedger } from './backup-ledger.ts';

const bob = person('bob');

function temporaryFolder(context: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-ledger-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A node that runs in a folder, and what has it make a block. */
async function runningNode(context: TestContext, folder: string) {
  await initNodeFolder(folder, {
    genesisSeed: richest.seed,
    validatorSeed: validatorPerson.seed,
    chainId: 7n,
  });
  const opened = await openNodeFolder(folder);
  const { rules } = opened;
  const validator = soloValidator(opened);
  const store = await LevelStore.open(storePath(folder));
  const node = await LedgerNode.open({
    store,
    rules,
    validator,
    settings: { blockIntervalMs: 1, signatureWorkers: 1 },
    onFailure: (error) => assert.fail(String(error)),
  });
  context.after(() => node.close());
  let nonce = 0n;
  const block = async () => {
    const before = node.chain.head.seq;
    nonce += 1n;
    const pay = operation('payCoin', { destAddress: bob.address, amount: 10_000_000n });
    const { blob, signatures } = signedBlob(nonce, pay);
    await node.submit(blob, signatures);
    while (node.chain.head.seq === before) await new Promise((resolve) => setTimeout(resolve, 2));
  };
  return { node, block };
}

function signedBlob(nonce: bigint, ...operations: Parameters<typeof signed>[0]['operations']) {
  const { blob, signatures } = signed({ nonce, operations, chainId: 7n });
  return { blob, signatures };
}

test('a node that runs is backed up at one height, again and again, and every copy executes again', async (context) => {
  const folder = temporaryFolder(context);
  const { node, block } = await runningNode(context, path.join(folder, 'node'));
  for (let index = 0; index < 5; index++) await block();
  let isOver = false;
  const writing = (async () => {
    while (!isOver) await block();
  })();
  for (let index = 0; index < 3; index++) {
    const before = node.chain.head.seq;
    const copy = path.join(folder, `copy-${index}`);
    const facts = await backUpLedger(path.join(folder, 'node'), copy);
    assert.ok(facts.height >= before && facts.height <= node.chain.head.seq, `${before} ${facts.height}`);
    assert.deepEqual(readdirSync(copy).sort(), ['chain', 'genesis.json', 'node.json'], 'no key is copied');
    assert.equal(facts.chainId, 7n);
    const files = readdirSync(storePath(copy)).map((name) => [
      name,
      readFileSync(path.join(storePath(copy), name)),
    ]);
    assert.deepEqual(await examineLedger(copy, { isFull: true }), facts);
    const later = readdirSync(storePath(copy)).map((name) => [
      name,
      readFileSync(path.join(storePath(copy), name)),
    ]);
    assert.deepEqual(later, files, 'looking at a copy changes nothing');
  }
  isOver = true;
  await writing;
  const last = await backUpLedger(path.join(folder, 'node'), path.join(folder, 'last'));
  assert.deepEqual(
    [last.height, last.blockHash, last.stateRoot],
    [node.chain.head.seq, encodeHex(node.chain.head.hash), encodeHex(node.chain.head.accountTreeHash)],
  );
  assert.deepEqual(await openLedger(path.join(folder, 'last')), last);
});

test('what is no chain, another chain or a damaged copy is refused', async (context) => {
  const folder = temporaryFolder(context);
  const nowhere = path.join(folder, 'nowhere');
  await assert.rejects(backUpLedger(nowhere, path.join(folder, 'x')), NodeFolderError);
  await assert.rejects(examineLedger(nowhere, { isFull: false }), NodeFolderError);
  await initNodeFolder(path.join(folder, 'fresh'));
  await assert.rejects(
    backUpLedger(path.join(folder, 'fresh'), path.join(folder, 'x')),
    /never been started/,
  );

  const { block } = await runningNode(context, path.join(folder, 'node'));
  await block();
  const copy = path.join(folder, 'copy');
  await backUpLedger(path.join(folder, 'node'), copy);
  const spoilt = (name: string) => {
    const place = path.join(folder, name);
    cpSync(copy, place, { recursive: true });
    return place;
  };
  const foreign = spoilt('foreign');
  cpSync(path.join(folder, 'fresh/genesis.json'), path.join(foreign, 'genesis.json'));
  await assert.rejects(examineLedger(foreign, { isFull: false }), ChainDamaged);
  const flipped = spoilt('flipped');
  const table = path.join(
    storePath(flipped),
    readdirSync(storePath(flipped)).find((name) => name.endsWith('.ldb')) as string,
  );
  const bytes = readFileSync(table);
  bytes[100] = (bytes[100] as number) ^ 1;
  writeFileSync(table, bytes);
  await assert.rejects(examineLedger(flipped, { isFull: false }), StoreCorrupt);
  await assert.rejects(openLedger(flipped), StoreCorrupt);
});
