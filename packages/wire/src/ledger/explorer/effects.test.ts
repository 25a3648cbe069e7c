import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { newAccount, stateKeys } from '@symbolon/core/ledger/terms/state';
import { explorerQueryLimits as limits } from '@symbolon/core/limits/requests';
import { AssetStoreSchema, MetadataEntrySchema, OperationSchema } from '@symbolon/core/proto/ledger_pb';
import { type JsonObject, parseJson, stringifyJson } from '../../json/json.ts';
import { type EffectsView, effectsToJson } from './effects.ts';
import { oneReply } from './replies.ts';
import { effects } from './schemas.ts';
import { cutText } from './short-transaction.ts';

const signed = { hash: new Uint8Array(32), sourceAddress: 'a', operations: [], triggeredBy: undefined };
const view: EffectsView = {
  seq: 2n,
  index: 0,
  errorCode: 0,
  errorDescription: '',
  changes: [],
  acting: [signed],
};

/** What is shown, held against the schema that documents it. */
function shown(more: Partial<EffectsView>): JsonObject {
  const json = effectsToJson({ ...view, ...more });
  effects.parse(parseJson(oneReply(stringifyJson(json), { indexedSeq: 2n, headSeq: 2n })));
  return json;
}

const metadata = (key: string, value: string) => ({
  key: stateKeys.metadata('a', key),
  before: undefined,
  after: create(MetadataEntrySchema, { key, value, version: 1n }),
});

describe('what a transaction changed', () => {
  it('has every member that differs, and no other', () => {
    const before = newAccount('a', 10n);
    const after = {
      ...before,
      nonce: 1n,
      balance: 2n ** 60n,
      priv: { ...newAccount('a', 0n).priv, masterWeight: 2n } as typeof before.priv,
    };
    const key = { issuer: 'i', code: 'c' };
    const asset = create(AssetStoreSchema, { key, amount: 5n });
    const { accounts } = shown({
      changes: [
        { key: stateKeys.account('a'), before, after },
        { key: stateKeys.asset('a', key), before: asset, after: undefined },
        { key: stateKeys.account('b'), before: undefined, after: newAccount('b', 0n) },
        // A second decoding of the same says nothing new.
        { key: stateKeys.account('c'), before: newAccount('c', 1n), after: newAccount('c', 1n) },
      ],
    });
    assert.deepEqual(accounts, [
      {
        address: 'a',
        balance: { before: 10, after: 2n ** 60n },
        nonce: { before: 0, after: 1 },
        priv: {
          before: { master_weight: 1, thresholds: { tx_threshold: 1 } },
          after: { master_weight: 2, thresholds: { tx_threshold: 1 } },
        },
        assets: [{ code: 'c', issuer: 'i', before: 5, after: 0 }],
      },
      {
        address: 'b',
        is_created: true,
        priv: { before: null, after: { master_weight: 1, thresholds: { tx_threshold: 1 } } },
      },
      { address: 'c' },
    ]);
  });

  it('cuts long values and says how long they are', () => {
    const value = 'v'.repeat(limits.valueCharsMax + 1);
    const { accounts, texts_cut: cut } = shown({ changes: [metadata('k', value)] });
    const [{ metadatas }] = accounts as { metadatas: { after: { value: string; value_chars: number } }[] }[];
    assert.equal(metadatas[0].after.value.length, limits.valueCharsMax);
    assert.equal(metadatas[0].after.value_chars, value.length);
    assert.equal(cut, 1);
  });

  it('is bounded in all, and counts what it leaves out', () => {
    const changes = Array.from({ length: limits.changedEntriesMax + 3 }, (_, index) =>
      metadata(`k${index}`, 'v'.repeat(limits.valueCharsMax)),
    );
    const log = create(OperationSchema, { type: 8, log: { topic: 't', datas: ['d'.repeat(1_024)] } });
    const operations = Array.from({ length: limits.logsMax + 2 }, () => log);
    const json = shown({ changes, acting: [{ ...signed, operations }] });
    assert.deepEqual([json.changes_left_out, json.logs_left_out], [3, 2]);
    assert.ok(Number(json.texts_cut) > 100);
    assert.ok(encodeUtf8(stringifyJson(json)).length < 2 * limits.effectCharsMax);
  });

  it('has no logs of what failed', () => {
    const log = create(OperationSchema, { type: 8, log: { topic: 't', datas: ['d'] } });
    const acting = [{ ...signed, operations: [log] }];
    assert.deepEqual(shown({ acting, errorCode: 100, errorDescription: 'low' }).logs, []);
    assert.equal((shown({ acting }).logs as unknown[]).length, 1);
  });
});

describe('a text that is cut', () => {
  it('never ends in half a character', () => {
    assert.equal(cutText('ab😀', 3), 'ab');
    assert.equal(cutText('ab😀', 4), 'ab😀');
    assert.equal(cutText('abc', 2), 'ab');
  });
});
