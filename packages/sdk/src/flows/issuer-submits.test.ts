/**
 * An issuer's program before answers that are not the end: it signs anew when another transaction came first, and only
 * what was ordered; it sends the same again while the outcome is not known, and not for ever.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { statusCall } from '@symbolon/core/credential/registry-calls';
import { operationTypes } from '@symbolon/core/ledger/terms/operation-types';
import { encodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import { TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import { SdkError } from '../errors/errors.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type Signer, signerFromSeed } from '../keys/signer.ts';
import { type SignedOffer, submitOffered, untilConfirmed } from './issuer-submits.ts';

const vcId = `did:zid:${'c'.repeat(64)}`;
const call = statusCall({ change: 'revoke', credentials: [vcId] });
const otherCall = statusCall({ change: 'revoke', credentials: [`did:zid:${'d'.repeat(64)}`] });

let signer: Signer;
before(async () => {
  signer = await signerFromSeed(new Uint8Array(32).fill(7));
});

const blobOf = (nonce: bigint, called = call): string => {
  const payCoin = { destAddress: 'ZTX3registry', input: JSON.stringify(called) };
  const transaction = create(TransactionSchema, {
    sourceAddress: signer.address,
    nonce,
    feeLimit: 1_000n,
    gasPrice: 1n,
    operations: [{ type: operationTypes.payCoin, payCoin }],
  });
  return encodeHex(encodeTransaction(transaction));
};

const refusal = (code: string, facts = {}): ServiceError =>
  new ServiceError({ code, status: 404, title: code, detail: code, requestId: 'r', facts }, 0);

/** A service that answers a submit with each of these in turn, and then with success. */
function serviceWith(...answers: readonly ServiceError[]) {
  const submitted: SignedOffer[] = [];
  const submit = async (signed: SignedOffer): Promise<string> => {
    submitted.push(signed);
    const answer = answers[submitted.length - 1];
    if (answer) throw answer;
    return 'done';
  };
  const run = (nonce = 4n) => {
    const ordered = { source: signer.address, call };
    return submitOffered({ blobId: 'A', blob: blobOf(nonce) }, { signer, ordered }, submit);
  };
  return { submitted, run };
}

const replaced = (nonce: bigint, called = call) =>
  refusal('blobReplaced', { blobId: `B${nonce}`, blob: blobOf(nonce, called) });

const isNotAsOrdered = (error: unknown): boolean =>
  error instanceof SdkError && error.code === 'notAsOrdered';

describe('a blob that was replaced', () => {
  test('is signed anew, as often as it takes', async () => {
    const { submitted, run } = serviceWith(replaced(5n), replaced(6n));
    const { reply, bytes } = await run();
    assert.equal(reply, 'done');
    assert.equal(encodeHex(bytes), blobOf(6n));
    assert.deepEqual(
      submitted.map(({ blobId }) => blobId),
      ['A', 'B5', 'B6'],
    );
    assert.equal(new Set(submitted.map(({ signBlob }) => signBlob)).size, 3);
  });

  test('by another order is not signed', async () => {
    const { submitted, run } = serviceWith(replaced(5n, otherCall));
    await assert.rejects(run(), isNotAsOrdered);
    assert.equal(submitted.length, 1);
  });

  test('by one that does not come after it is not signed: both could be executed', async () => {
    for (const nonce of [4n, 3n]) {
      const { submitted, run } = serviceWith(replaced(nonce));
      await assert.rejects(run(), isNotAsOrdered);
      assert.equal(submitted.length, 1);
    }
  });

  test('without a new one is a refusal', async () => {
    const { run } = serviceWith(refusal('blobReplaced'));
    await assert.rejects(run(), { code: 'blobReplaced' });
  });
});

describe('an outcome that is not known', () => {
  test('is asked for with the same request', async () => {
    const { submitted, run } = serviceWith(refusal('ledgerUnconfirmed'), refusal('ledgerUnconfirmed'));
    assert.equal((await run()).reply, 'done');
    assert.equal(new Set(submitted.map((signed) => JSON.stringify(signed))).size, 1);
  });

  test('is told when it stays unknown', async () => {
    let count = 0;
    const send = () => {
      count += 1;
      return Promise.reject(refusal('ledgerUnconfirmed'));
    };
    await assert.rejects(untilConfirmed(send), { code: 'ledgerUnconfirmed' });
    assert.equal(count, 6);
  });
});
