/** CheckTx: what CometBFT is told of a transaction that reaches this node from a peer, and asked again after a block. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { refuse } from '@symbolon/core/ledger/terms/codes';
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { CheckTxType } from 'cosmjs-types/tendermint/abci/types';
import type { Admitted, QueuedTransaction } from '../../queue/admission.ts';
import { person } from '../../testing/people.ts';
import { verified } from '../../testing/test-chain.ts';
import { Gossip } from './gossip.ts';
import { networkBytes } from './network-bytes.ts';

const [bob, eve] = [person('bob'), person('eve')];
const order = { source: bob, nonce: 1n, operations: [operation('log', { topic: 't', datas: ['d'] })] };

function queued(signers = [bob]): QueuedTransaction {
  const transaction = verified({ ...order, signers });
  const { hash, envelopeBytes } = transaction.signed;
  const of = { hash: encodeHex(hash), source: bob.address, nonce: 1n, gasPrice: 1n };
  return { ...of, bytes: envelopeBytes, arrivedAtMs: 0, arrivedAtMicros: 0n, verified: transaction };
}

const codes = { alreadyExists: 3, invalidParameter: 2, timeout: 5 };

/** A node whose checks end with this; what it takes waits in the queue in the form given. */
function gossipOf(outcome: { kept?: QueuedTransaction; refusal?: Admitted['refusal'] }) {
  const queue = new Map<string, QueuedTransaction>();
  const admitted: SignedTransaction[] = [];
  const arriving: boolean[] = [];
  const gossip: Gossip = new Gossip({
    queue,
    admit: async (signed) => {
      admitted.push(signed);
      const { kept, refusal } = outcome;
      if (kept) {
        arriving.push(gossip.isArriving(kept));
        queue.set(kept.hash, kept);
      }
      return { refusal, hash: encodeHex(signed.hash) } as unknown as Admitted;
    },
  });
  const check = async (tx: Uint8Array, type = CheckTxType.NEW) => (await gossip.check({ tx, type })).code;
  return { gossip, queue, admitted, arriving, check };
}

test('a new one goes into the queue, is known to have come from CometBFT, and is checked once', async () => {
  const kept = queued();
  const bytes = networkBytes(kept);
  const { gossip, admitted, arriving, check } = gossipOf({ kept });
  assert.equal(await check(bytes), 0);
  assert.deepEqual(arriving, [true]);
  assert.equal(gossip.isArriving(kept), false);
  assert.equal(await check(bytes), 0);
  assert.equal(admitted.length, 1);
});

test('one that the checks refuse is refused with their code, and is not under way any more', async () => {
  const { gossip, check } = gossipOf({ refusal: refuse('invalidParameter', 'no') });
  assert.equal(await check(networkBytes(queued())), codes.invalidParameter);
  assert.equal(gossip.isArriving(queued()), false);
});

test('bytes that are no transaction, or another spelling of one, are refused unchecked', async () => {
  const { admitted, check } = gossipOf({ kept: queued() });
  const bytes = networkBytes(queued());
  for (const wrong of [Uint8Array.of(0xff), bytes.subarray(1), Buffer.concat([bytes, bytes])])
    assert.equal(await check(wrong), codes.invalidParameter);
  assert.equal(admitted.length, 0);
});

test('with other signatures than the ones that wait here it is refused, also where this node has dropped some', async () => {
  const longer = networkBytes(queued([bob, eve]));
  const { arriving, check } = gossipOf({ kept: queued() });
  assert.equal(await check(longer), codes.alreadyExists);
  assert.deepEqual(arriving, [false]);
  assert.equal(await check(longer), codes.alreadyExists);
});

test('after a block it is taken again while it waits here in the same bytes, and checked no more', async () => {
  const kept = queued();
  const { queue, admitted, check } = gossipOf({ kept });
  const again = (bytes: Uint8Array) => check(bytes, CheckTxType.RECHECK);
  assert.equal(await again(networkBytes(kept)), codes.timeout);
  queue.set(kept.hash, kept);
  assert.equal(await again(networkBytes(kept)), 0);
  assert.equal(await again(networkBytes(queued([bob, eve]))), codes.alreadyExists);
  assert.equal(await again(Uint8Array.of(0xff)), codes.timeout);
  assert.equal(admitted.length, 0);
});
