/** `node verify` on the chain of a real network: what its validators signed is checked, and a changed byte of it is named. */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { before, describe, type TestContext, test } from 'node:test';
import { findHead, readCommit } from '@symbolon/ledger-node/chain/chain-reader';
import { commitRow } from '@symbolon/ledger-node/chain/rows';
import { storePath } from '@symbolon/ledger-node/node/node-folder';
import { LevelStore } from '@symbolon/ledger-node/store/level-store';
import type { Row } from '@symbolon/ledger-node/store/store';
import { type JsonObject, parseJson, stringifyJson } from '@symbolon/wire/json/json';
import { startCometNode } from '../support/comet-node.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { operations } from '../support/running-node.ts';
import { symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const damaged = 65;
/** The block whose kept word is changed. */
const changed = 3n;

interface Kept {
  signed_header: JsonObject & { header: JsonObject; commit: JsonObject & { signatures: JsonObject[] } };
  validators: JsonObject[];
}

describe('the chain of a network, verified', () => {
  const owner = ownerOfSuite();
  let folder: string;

  before(async () => {
    const network = await startCometNode(owner);
    folder = network.folder;
    for (let count = 0; count < 2; count++)
      await network.node.execute({ operations: [operations.payCoin(person('bob').address, 1)] });
    await until('light blocks', async () => {
      const reply = await network.node.ask('getLightBlock', { seq: changed + 2n });
      return reply.error_code === 0;
    });
    await network.stopComet();
    await network.stopNode();
  });

  const inStore = async <Result>(of: string, work: (store: LevelStore) => Promise<Result> | Result) => {
    const store = await LevelStore.open(storePath(of));
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };

  const keptOf = (store: LevelStore, seq: bigint) =>
    parseJson(Buffer.from(readCommit(store, seq) as Uint8Array).toString('utf8')) as unknown as Kept;

  /** A copy of the folder in which what is kept of block 3 is otherwise. */
  async function withKept(context: TestContext, change: (kept: Kept, store: LevelStore) => Kept | undefined) {
    const copy = path.join(tempFolder(context), 'node');
    cpSync(folder, copy, { recursive: true });
    await inStore(copy, (store) => {
      const kept = change(keptOf(store, changed), store);
      const bytes = kept && Buffer.from(stringifyJson(kept as unknown as JsonObject));
      const rows: Row[] = [[commitRow(changed), bytes]];
      return store.write(rows);
    });
    return copy;
  }

  const verify = (context: TestContext, of: string, ...words: string[]) =>
    symbolon(context, ['node', 'verify', '--data', of, ...words]);

  test('holds, and says what is not proven yet', async (context) => {
    const { code, out, err } = await verify(context, folder);
    assert.equal(code, 0, err);
    const head = await inStore(folder, (store) => findHead(store)?.seq as bigint);
    const [, proven] = /validators' power stand behind every block up to (\d+)/.exec(out) ?? [];
    assert.ok(BigInt(proven as string) > changed && BigInt(proven as string) < head, out);
    assert.match(out, /not proven yet/);
    const json = await verify(context, folder, '--json');
    assert.equal(String(JSON.parse(json.out).provenTo), proven);
  });

  test('is not called proven where nothing is kept', async (context) => {
    const copy = path.join(tempFolder(context), 'node');
    cpSync(folder, copy, { recursive: true });
    await inStore(copy, async (store) => {
      const { seq } = findHead(store) as { seq: bigint };
      for (let each = 2n; each <= seq; each++) await store.write([[commitRow(each), undefined]]);
    });
    const { code, out, err } = await verify(context, copy);
    assert.equal(code, 0, err);
    assert.match(out, /every block up to 1\. Blocks 2 to \d+ are not proven yet/);
  });

  const refused: [name: string, change: Parameters<typeof withKept>[1], words: RegExp][] = [
    [
      'a byte of the signature changed',
      (kept) => {
        const [vote] = kept.signed_header.commit.signatures as [JsonObject];
        const bytes = Buffer.from(String(vote.signature), 'base64');
        bytes[7] = (bytes[7] as number) ^ 1;
        vote.signature = bytes.toString('base64');
        return kept;
      },
      /1 signatures do not verify/,
    ],
    [
      'too little power behind it',
      (kept) => {
        const none = { block_id_flag: 1, validator_address: '', timestamp: '0001-01-01T00:00:00Z' };
        kept.signed_header.commit.signatures[0] = { ...none, signature: null };
        return kept;
      },
      /0 of 10 have signed, more than two thirds must/,
    ],
    ['the word on another block', (_, store) => keptOf(store, changed + 1n), /signed block 4 in its place/],
    [
      'another app hash',
      (kept) => {
        kept.signed_header.header.app_hash = '00'.repeat(32);
        return kept;
      },
      /the commit is of [0-9a-f]{64}, the header is/,
    ],
    [
      'a validator of somebody’s own',
      (kept) => {
        (kept.validators[0] as JsonObject).voting_power = '11';
        return kept;
      },
      /the header names the validators/,
    ],
    ['nothing kept of it', () => undefined, /no word of its validators on it/],
  ];
  for (const [name, change, words] of refused)
    test(`is refused with ${name}, which is named`, async (context) => {
      const { code, err } = await verify(context, await withKept(context, change));
      assert.equal(code, damaged, err);
      assert.match(err, /block 3 \([0-9a-f]{64}\)/);
      assert.match(err, words);
    });
});
