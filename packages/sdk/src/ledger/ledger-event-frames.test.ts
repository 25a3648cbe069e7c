import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { LedgerHeaderSchema, TransactionEnvStoreSchema } from '@symbolon/core/proto/ledger_pb';
import {
  ChainResponseSchema,
  ChainSubscribeTxSchema,
  ChainTxStatusSchema,
  WsMessageSchema,
} from '@symbolon/core/proto/socket_pb';
import { currentNumbering, messageTypes } from '@symbolon/wire/ledger/socket-messages';
import fc from 'fast-check';
import { createFrame, parseEventFrame, readEvent } from './ledger-event-frames.ts';

const told = (type: bigint, data: Uint8Array) => ({ type, isRequest: true, sequence: 1n, data });

describe('a frame of a node', () => {
  it('is a block, or what the queue decided', () => {
    const header = create(LedgerHeaderSchema, { seq: 7n, hash: Uint8Array.of(1), closeTime: 2n ** 60n });
    const block = readEvent(told(messageTypes.ledgerHeader, toBinary(LedgerHeaderSchema, header)));
    assert.deepEqual(block, {
      kind: 'block',
      seq: 7n,
      hash: '01',
      previousHash: '',
      closeTimeMicros: 2n ** 60n,
      transactionCount: 0n,
    });
    const status = create(ChainTxStatusSchema, { status: 4, txHash: 'h', errorCode: 97 });
    const decided = readEvent(told(messageTypes.transactionStatus, toBinary(ChainTxStatusSchema, status)));
    assert.ok(decided?.kind === 'submission');
    assert.deepEqual([decided.isAccepted, decided.hash, decided.code], [false, 'h', 97]);
  });

  it('is nothing where it tells nothing that is known', () => {
    const empty = toBinary(TransactionEnvStoreSchema, create(TransactionEnvStoreSchema, {}));
    assert.equal(readEvent(told(currentNumbering.deliver, empty)), undefined);
    assert.equal(readEvent(told(99n, empty)), undefined);
    assert.equal(readEvent(told(messageTypes.ledgerHeader, Uint8Array.of(255))), undefined);
  });

  it('says no to a subscription with a code', () => {
    const data = toBinary(
      ChainResponseSchema,
      create(ChainResponseSchema, { errorCode: 2, errorDesc: 'bad' }),
    );
    const message = create(WsMessageSchema, { type: currentNumbering.subscribe, data });
    const frame = parseEventFrame(toBinary(WsMessageSchema, message));
    assert.deepEqual(frame?.refusal, { code: 2, description: 'bad' });
  });

  it('asks for addresses, and answers a ping with what it said', () => {
    const asked = fromBinary(WsMessageSchema, createFrame.subscription(['a', 'b'], 5n));
    assert.deepEqual([asked.type, asked.request, asked.sequence], [currentNumbering.subscribe, true, 5n]);
    assert.deepEqual(fromBinary(ChainSubscribeTxSchema, asked.data).address, ['a', 'b']);
    const answered = fromBinary(
      WsMessageSchema,
      createFrame.pong(told(messageTypes.ping, Uint8Array.of(8, 1))),
    );
    assert.deepEqual([answered.request, [...answered.data]], [false, [8, 1]]);
  });

  it('is never more than nothing when it is rubbish', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom(1n, 11n, 16n, 19n, 20n),
        (bytes, type) => {
          parseEventFrame(bytes);
          readEvent(told(type, bytes));
        },
      ),
    );
  });
});
