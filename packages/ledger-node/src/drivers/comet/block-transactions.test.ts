/** Who signed the transactions of a decided block: known from the queue where the very bytes wait there, else verified. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { verifyLimits } from '../../limits/node-limits.ts';
import type { QueuedTransaction } from '../../queue/admission.ts';
import { verifyLedgerSignature } from '../../signatures/ed25519.ts';
import { person, richest } from '../../testing/people.ts';
import { openTestChain, verified } from '../../testing/test-chain.ts';
import { addNetworkBlock, networkRules } from '../../testing/test-network.ts';
import { openBlock } from './block-transactions.ts';
import { networkBytes } from './network-bytes.ts';

const rules = networkRules({ ann: 1 });
const eve = person('eve');
const log = operation('log', { topic: 't', datas: ['d'] });

function queued(nonce: bigint, signers = [richest]): QueuedTransaction {
  const transaction = verified({ nonce, signers, operations: [log] });
  const { hash, envelopeBytes } = transaction.signed;
  const of = { hash: encodeHex(hash), source: richest.address, nonce, gasPrice: 1n };
  return { ...of, bytes: envelopeBytes, arrivedAtMs: 0, arrivedAtMicros: 0n, verified: transaction };
}

/** Opens a block on a chain's head; `waiting` is the queue. */
async function opening(waiting: readonly QueuedTransaction[] = []) {
  const chain = await openTestChain(rules);
  let verifications = 0;
  let atOnce = 0;
  let most = 0;
  const queue = new Map(waiting.map((transaction) => [transaction.hash, transaction]));
  const open = (transactions: readonly Uint8Array[]) =>
    openBlock(transactions, {
      queue,
      keys: rules.keys,
      verify: async (...signed) => {
        verifications++;
        most = Math.max(most, ++atOnce);
        await Promise.resolve();
        atOnce--;
        return verifyLedgerSignature(...signed);
      },
      accountOf: (address) => chain.state.account(address),
    });
  return { chain, open, verifications: () => verifications, most: () => most };
}

test('what waits in the queue is not verified again, and what does not is', async () => {
  const [first, second] = [queued(1n), queued(2n)];
  const { chain, open, verifications } = await opening([first]);
  const opened = await open([first, second].map(networkBytes));
  assert.equal(verifications(), 1);
  assert.deepEqual(
    opened.map((each) => each && encodeHex(each.signed.hash)),
    [first.hash, second.hash],
  );
  const { committed } = await addNetworkBlock(
    chain,
    opened.flatMap((each) => each ?? []),
  );
  assert.equal(committed.executed.transactions.length, 2);
  assert.equal(committed.executed.dropped.length, 0);
});

test('signatures that count for nobody are taken out, wherever they come from', async () => {
  const longer = queued(1n, [richest, eve]);
  for (const waiting of [[], [longer], [queued(1n)]]) {
    const { open } = await opening(waiting);
    const [opened] = await open([networkBytes(longer)]);
    assert.equal(opened?.signed.signatures.length, 1);
    assert.equal(opened?.signed.signatures[0]?.publicKey, richest.publicKey);
  }
});

test('a signature that does not verify signs nothing, whatever waits under the same name', async () => {
  const good = queued(1n);
  const bytes = Uint8Array.from(networkBytes(good));
  bytes[bytes.length - 1] = (bytes[bytes.length - 1] as number) ^ 1;
  const { chain, open } = await opening([good]);
  const [opened] = await open([bytes]);
  assert(opened);
  const { committed } = await addNetworkBlock(chain, [opened]);
  assert.equal(committed.executed.transactions.length, 0);
});

test('bytes that are no transaction stay in their place as nothing', async () => {
  const { open } = await opening();
  const good = networkBytes(queued(1n));
  const opened = await open([Uint8Array.of(0xff), good, Buffer.concat([good, good])]);
  assert.deepEqual(
    opened.map((each) => each !== undefined),
    [false, true, false],
  );
});

test('a large block is verified so many at a time, in its order', async () => {
  const count = verifyLimits.transactionsAtOnce + 3;
  const transactions = Array.from({ length: count }, (_, index) => queued(BigInt(index + 1)));
  const { open, most } = await opening();
  const opened = await open(transactions.map(networkBytes));
  assert.deepEqual(
    opened.map((each) => each?.signed.transaction.nonce),
    transactions.map(({ nonce }) => nonce),
  );
  assert(most() <= verifyLimits.transactionsAtOnce);
});
