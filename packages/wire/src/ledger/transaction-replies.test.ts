import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { parseHex } from '@symbolon/core/basics/bytes';
import { refuse } from '@symbolon/core/ledger/terms/codes';
import {
  TransactionEnvSchema,
  TransactionEnvStoreSchema,
  TransactionSchema,
} from '@symbolon/core/proto/ledger_pb';
import { refusalEnvelope } from '../http/envelope.ts';
import { type JsonObject, parseJson, stringifyJson } from '../json/json.ts';
import { ledgerRoutes } from './routes.ts';
import * as replies from './transaction-replies.ts';

interface Vector {
  readonly layout: string;
  readonly name: string;
  readonly hash: string;
  readonly transaction_env_hex: string;
  readonly blob_is_canonical: boolean;
  readonly tx_size: number;
  readonly signatures: JsonObject[];
}
const vectorsUrl = new URL('../../../core/vectors/ledger/transactions.json', import.meta.url);
const { vectors } = parseJson(readFileSync(vectorsUrl, 'utf8')) as unknown as { vectors: Vector[] };

function envelopedVector(vector: Vector) {
  const envelope = fromBinary(TransactionEnvSchema, parseHex(vector.transaction_env_hex) as Uint8Array);
  return { envelope, transaction: fromBinary(TransactionSchema, envelope.transaction) };
}

function documented<Reply>(route: keyof typeof ledgerRoutes, reply: Reply): Reply {
  ledgerRoutes[route].reply.parse(typeof reply === 'string' ? parseJson(reply) : reply);
  return reply;
}

const payCoin = envelopedVector(vectors[0]);
const triggered = {
  transaction: create(TransactionSchema, {
    sourceAddress: 'c',
    operations: [{ type: 8, log: { topic: 't' } }],
  }),
  envelope: create(TransactionEnvSchema, { trigger: { transaction: { hash: Uint8Array.of(7) } } }),
};

describe('history', () => {
  const record = (change: object) =>
    replies.historyRecord(
      create(TransactionEnvStoreSchema, {
        transactionEnv: payCoin.envelope,
        hash: Uint8Array.of(1),
        ...change,
      }),
      payCoin.transaction,
    );

  it('always shows the execution fields', () => {
    const { transaction, signatures, ...fields } = record({});
    assert.deepEqual(fields, {
      actual_fee: 0,
      close_time: 0,
      error_code: 0,
      error_desc: '',
      hash: '01',
      ledger_seq: 0,
      tx_size: 247,
    });
    assert.deepEqual(signatures, vectors[0].signatures);
    assert.equal((transaction as JsonObject).nonce, 1);
  });

  it('shows what executed, what it cost and what it triggered', () => {
    const shown = record({
      errorCode: 151,
      errorDesc: '{"contract":"c"}',
      actualFee: 2n ** 62n,
      closeTime: 1700000010000000n,
      ledgerSeq: 9n,
      contractTxHashes: [Uint8Array.of(0xab)],
    });
    assert.equal(shown.actual_fee, 2n ** 62n);
    assert.deepEqual(shown.contract_tx_hashes, ['ab']);
    assert.equal(shown.error_desc, '{"contract":"c"}');
    const reply = replies.transactionsReply([shown], 1);
    documented('getTransactionHistory', parseJson(stringifyJson(reply)));
  });

  it('shows the trigger instead of signatures where a contract made the transaction', () => {
    const shown = replies.historyRecord(
      create(TransactionEnvStoreSchema, { transactionEnv: triggered.envelope }),
      triggered.transaction,
    );
    assert.ok(!('signatures' in shown));
    assert.deepEqual(shown.trigger, { transaction: { hash: '07' } });
  });

  for (const vector of vectors.filter(({ layout }) => layout === 'zetrix')) {
    it(`${vector.name}: tx_size and signatures`, () => {
      const { envelope, transaction } = envelopedVector(vector);
      const store = create(TransactionEnvStoreSchema, { transactionEnv: envelope });
      const shown = replies.historyRecord(store, transaction);
      // Of a blob that is not canonical the vector's envelope holds the canonical form, a few bytes shorter.
      if (vector.blob_is_canonical) assert.equal(shown.tx_size, vector.tx_size);
      assert.deepEqual(shown.signatures, vector.signatures);
    });
  }

  it('answers nothing found with an empty list', () => {
    const expected = {
      error_code: 4,
      error_desc: 'query result not exist',
      result: { total_count: 0, transactions: [] },
    };
    assert.deepEqual(documented('getTransactionHistory', replies.transactionsReply([], 0)), expected);
    documented('getTransactionCache', replies.transactionsRefused(refuse('timeout')));
  });
});

describe('queue', () => {
  it('shows a waiting transaction without execution fields', () => {
    const record = replies.cacheRecord({
      ...payCoin,
      hash: Uint8Array.of(2),
      incomingTime: 1700000001234567n,
    });
    assert.deepEqual(Object.keys(record).sort(), [
      'error_code',
      'error_desc',
      'hash',
      'incoming_time',
      'signatures',
      'status',
      'transaction',
    ]);
    assert.equal(record.status, 'processing');
    documented('getTransactionCache', replies.transactionsReply([record], 1));
  });
});

describe('submit reply', () => {
  const reply = (outcomes: replies.SubmitFacts[]) =>
    parseJson(documented('submitTransaction', replies.submitReply(outcomes)));

  it('merges both shapes', () => {
    assert.deepEqual(reply([{ hash: 'ab' }]), {
      error_code: 0,
      error_desc: '',
      result: { hash: 'ab' },
      results: [{ error_code: 0, error_desc: '', hash: 'ab' }],
      success_count: 1,
    });
  });

  it('repeats the first item and counts the accepted ones', () => {
    const refusal = refuse('badNonce', 'a "quoted" \\ text\n');
    const merged = reply([{ refusal }, { hash: 'cd' }, { hash: 'ef', refusal }]) as JsonObject;
    assert.equal(merged.error_code, 99);
    assert.equal(merged.error_desc, refusal.description);
    assert.equal(merged.result, null);
    assert.equal(merged.success_count, 1);
    assert.deepEqual((merged.results as JsonObject[])[2], {
      error_code: 99,
      error_desc: refusal.description,
      hash: 'ef',
    });
  });

  it('documents a refusal of the whole request', () => {
    const refused = replies.submitRefused(refuse('invalidParameter', 'request must be in json format'));
    documented('submitTransaction', refused);
    assert.deepEqual(refused.results, [{ error_code: 2, error_desc: 'request must be in json format' }]);
    assert.equal(refused.success_count, 0);
  });
});

describe('blobs', () => {
  it('are shown with their hash', () => {
    const reply = replies.transactionBlobReply(Uint8Array.of(1), Uint8Array.of(0x0a));
    assert.deepEqual(documented('getTransactionBlob', reply).result, { hash: '01', transaction_blob: '0a' });
  });

  it('are decoded into a record at top level', () => {
    const reply = documented(
      'getTransactionFromBlob',
      replies.decodedBlobReply({ ...payCoin, hash: Uint8Array.of(1) }),
    );
    assert.equal(reply.tx_size, toBinary(TransactionEnvSchema, payCoin.envelope).length);
    assert.ok(!('result' in reply));
  });
});

describe('sandbox replies', () => {
  const statistics = { applyTime: 1, memoryUsage: 2, stackUsage: 3, step: 4 };

  it('show an evaluated transaction with its fee', () => {
    const view = {
      hash: Uint8Array.of(1),
      logs: {},
      queries: [],
      statistics,
      transactions: [{ ...payCoin, fee: { actualFee: 265000n, gas: 265n } }, triggered],
    };
    const result = documented('testTransaction', replies.sandboxReply(view)).result as JsonObject;
    assert.equal(result.logs, null);
    assert.equal(result.query_rets, null);
    const [first, second] = result.txs as JsonObject[];
    assert.equal(first.actual_fee, 265000);
    assert.ok(!('error_code' in first));
    assert.ok('trigger' in (second.transaction_env as JsonObject));
  });

  it('show query results, exceptions, logs and failures', () => {
    const view: replies.SandboxView = {
      logs: { '0-c': [], '1-d': ['line'] },
      queries: [{ value: 'text' }, { value: false }, { exception: { exception: 'boom', linenum: 1 } }],
      statistics,
      transactions: [
        { ...triggered, refusal: refuse('contractFailed'), block: { ledgerSeq: 3n, closeTime: 4n } },
      ],
    };
    const result = documented('callContract', replies.sandboxReply(view)).result as JsonObject;
    assert.deepEqual(result.logs, { '0-c': null, '1-d': ['line'] });
    assert.deepEqual(result.query_rets, [
      { result: { type: 'string', value: 'text' } },
      { result: { type: 'bool', value: false } },
      { error: { data: { exception: 'boom', linenum: 1 } } },
    ]);
    const [failed] = result.txs as JsonObject[];
    assert.equal(failed.error_code, 151);
    assert.equal(failed.ledger_seq, 3);
  });

  it('show findings of the syntax check as text and value', () => {
    const reply = replies.syntaxRefusedReply(refuse('contractSyntax', '[{"line":1}]'), [{ line: 1 }]);
    assert.deepEqual(documented('callContract', reply), {
      error_code: 152,
      error_desc: '[{"line":1}]',
      result: null,
      error_desc_json: [{ line: 1 }],
    });
    documented('testTransaction', refusalEnvelope(refuse('accountMissing')));
  });
});
