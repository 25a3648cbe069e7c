/**
 * `verify` and `prepare` say no, with the reason, to whatever the ledger would not execute: what is found out by trying
 * cannot be called good before, and nothing of it is handed in. And what is prepared is known by its id from then on.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fixedClock } from '@symbolon/host/testing/fixed-clock';
import { sendTransaction, signerFromSeed } from '@symbolon/sdk/index';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import {
  customer,
  deployToken,
  familyPayment,
  paymentSuite,
  payPaths,
  signedPayload,
} from '../support/payment-world.ts';
import { type Person, person } from '../support/people.ts';
import { getService } from '../support/service-http.ts';
import {
  facilitate,
  fundPaymaster,
  prepareFor,
  sponsoredPayload,
  sponsoredPayment,
} from '../support/sponsored-world.ts';

const payee = person('tried out');
const perAddressPerDay = 2;
const clock = fixedClock(Date.now());
const config = { facilitator: { sponsor: { enabled: true, accounts: 6, perAddressPerDay } } };
const { world } = await paymentSuite({ config, clock });
await fundPaymaster(world, await customer(world.client, 'the first to try'));
const { address: token } = await deployToken(world.client);

/** From now on a second signature is needed. */
async function share(who: Person): Promise<void> {
  const signers = [{ address: payee.address, weight: 1n }];
  await sendTransaction(world.client, {
    signers: [await signerFromSeed(who.seed)],
    operations: [{ setPrivilege: { masterWeight: '1', signers, txThreshold: '2' } }],
  });
}

async function refuses(payment: JsonObject, reason: RegExp): Promise<void> {
  const verified = await facilitate(world, 'verify', payment);
  assert.equal(verified.body.isValid, false, verified.text);
  assert.match(String(verified.body.invalidMessage), reason);
  const settled = await facilitate(world, 'settle', payment);
  assert.deepEqual(
    [settled.status, (settled.body.object as JsonObject).status],
    [402, 'REFUSED'],
    settled.text,
  );
  assert.match(String(settled.body.errorMessage), reason);
}

describe('what the ledger would not execute is not called good', () => {
  const payCoin = (fields: JsonObject): JsonObject[] => [{ type: 7, pay_coin: fields }];

  test('a payment to oneself', async () => {
    const payer = await customer(world.client, 'pays herself');
    const own = await signedPayload(world, payer, { payTo: payer.address, amount: 5n });
    await refuses(familyPayment(own), /^settlement_failed: .*code 101/);
  });

  test('Gas to a contract that takes none', async () => {
    const payer = await customer(world.client, 'pays a contract');
    const payload = await signedPayload(world, payer, { payTo: token, amount: 5n });
    await refuses(familyPayment(payload), /^settlement_failed: .*code 151/);
  });

  test('a limit of the fee that does not cover it, and not one that does', async () => {
    const payer = await customer(world.client, 'saves on fees');
    const operations = payCoin({ dest_address: payee.address, amount: 5 });
    const payloadOf = async (fee: bigint): Promise<JsonObject> => {
      const item = await world.service.node.sign({
        source: payer,
        operations: operations as JsonValue,
        fields: { fee_limit: fee },
      });
      const validBefore = Math.floor(clock.nowMs() / 1_000) + 100;
      return { transactionBlob: item.transaction_blob!, signatures: item.signatures!, validBefore };
    };
    await refuses(
      familyPayment(await payloadOf(10n)),
      /^fee_out_of_bounds: fee_limit must be at least [0-9]+$/,
    );
    const verified = await facilitate(world, 'verify', familyPayment(await payloadOf(10n)));
    const least = BigInt(/[0-9]+$/.exec(String(verified.body.invalidMessage))?.[0] ?? '0');
    // The smallest that the ledger takes is good: whoever reckons closely is not turned away.
    for (let fee = least; ; fee += 1n) {
      const payment = familyPayment(await payloadOf(fee));
      const settled = await facilitate(world, 'settle', payment);
      if ((settled.body.object as JsonObject).status === 'CONFIRMED') break;
      assert.ok(fee < least + 10n, settled.text);
    }
  });

  test('one signature where the account needs two, paid for or not', async () => {
    const payer = await customer(world.client, 'shares an account');
    const prepared = await sponsoredPayment(world, payer, payee.address);
    await share(payer);
    const own = familyPayment(await signedPayload(world, payer, { payTo: payee.address, amount: 5n }));
    for (const payment of [own, prepared]) await refuses(payment, /^invalid_signature: .*not enough/);
    const again = await prepareFor(world, payer, { payTo: payee.address });
    assert.deepEqual([again.status, again.body.code], [402, 'paymentRefused'], again.text);
  });
});

describe('prepare', () => {
  test('what the ledger would not execute is the client’s mistake', async () => {
    const payer = await customer(world.client, 'prepares in vain');
    for (const [payTo, code] of [
      [payer.address, 101],
      [token, 151],
    ] as const) {
      const answer = await prepareFor(world, payer, { payTo });
      assert.deepEqual([answer.status, answer.body.code], [402, 'paymentRefused'], answer.text);
      assert.match(answer.text, new RegExp(`settlement_failed: .*code ${code}`));
    }
  });

  test('what is beyond a limit of the operator is refused alike, in a race and after it', async () => {
    const payer = await customer(world.client, 'races the limit');
    const payments: JsonObject[] = [];
    for (let index = 0; index < 5; index++)
      payments.push(await sponsoredPayment(world, payer, payee.address));
    const answers = await Promise.all(payments.map((payment) => facilitate(world, 'settle', payment)));
    const later = await Promise.all(payments.map((payment) => facilitate(world, 'settle', payment)));
    const refused = [...answers, ...later].filter(({ text }) => text.includes('sponsor_refused'));
    assert.ok(refused.length >= 3);
    for (const { status, text, body } of refused)
      assert.deepEqual(
        [status, body.code, body.errorReason],
        [402, 'paymentRefused', 'sponsor_refused'],
        text,
      );
  });

  test('makes an id that the status knows: prepared, then settled, or too late', async () => {
    const statusOf = async (blobId: JsonValue | undefined) =>
      getService(world.url, `${payPaths.facilitator}/settle/status?blobId=${blobId}`);
    const payer = await customer(world.client, 'asks for what is prepared');
    const [one, two] = [
      (await prepareFor(world, payer, { payTo: payee.address })).body.object as JsonObject,
      (await prepareFor(world, payer, { payTo: payee.address })).body.object as JsonObject,
    ];
    const told = await statusOf(one.blobId);
    assert.deepEqual([told.status, told.body.object], [200, { status: 'PREPARED', txHash: one.hash }]);
    await facilitate(world, 'settle', familyPayment(sponsoredPayload(payer, one)));
    assert.equal(((await statusOf(one.blobId)).body.object as JsonObject).status, 'CONFIRMED');
    clock.advanceMs(121_000);
    const { status, errorCode } = (await statusOf(String(two.blobId).toLowerCase())).body
      .object as JsonObject;
    assert.deepEqual([status, errorCode], ['FAILED', 460_807]);
    assert.equal((await statusOf('0'.repeat(32))).status, 404);
  });
});
