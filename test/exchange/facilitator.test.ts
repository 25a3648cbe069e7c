/**
 * The facilitator over HTTP, as the family's clients and canonical ones speak to it: both bodies, both tongues in every
 * answer, each payment settled once however many ask, and fees paid for others within the operator's limits.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { HTTPFacilitatorClient } from '@x402/core/http';
import {
  customer,
  deployToken,
  familyPayment,
  giveTokens,
  paymentSuite,
  payPaths,
  requirementsOf,
  settlementOf,
  signedPayload,
} from '../support/payment-world.ts';
import { type Person, person } from '../support/people.ts';
import { getService, postService } from '../support/service-http.ts';
import { signBlob } from '../support/service-steps.ts';
import { fundPaymaster, prepareFor, sponsoredPayload } from '../support/sponsored-world.ts';

const sponsor = { enabled: true, perAddressPerDay: 2, feePerDay: 1_000_000, feeLimitMax: 100_000 };
const { world } = await paymentSuite({ config: { facilitator: { sponsor } } });
const paymaster = await fundPaymaster(world, await customer(world.client, 'first of all'));

const post = (route: string, body: JsonObject) =>
  postService(world.url, `${payPaths.facilitator}/${route}`, body);
const payee = person('shop');
const order = { payTo: payee.address, amount: 1_000n };
const requirements = requirementsOf(payee.address);

describe('verify', () => {
  test('says yes in both tongues', async () => {
    const payer = await customer(world.client, 'verified');
    const payment = familyPayment(await signedPayload(world, payer, order));
    const answer = await post('verify', payment);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, {
      object: { isValid: true },
      messages: [],
      success: true,
      httpStatus: 200,
      isValid: true,
      payer: payer.address,
    });
  });

  test('says no with the number that clients know', async () => {
    const payer = await customer(world.client, 'refused');
    const good = await signedPayload(world, payer, order);
    const poor = await signedPayload(world, payer, { ...order, amount: 10n ** 15n });
    const tampered = {
      ...good,
      signatures: [{ ...(good.signatures as JsonObject[])[0], sign_data: '00'.repeat(64) }],
    };
    const cases: readonly [JsonObject, number, string][] = [
      [familyPayment(tampered as JsonObject), 460_801, 'invalid_signature'],
      [familyPayment({ ...good, validBefore: 1_000 }), 460_807, 'blob_expired'],
      [familyPayment(poor), 460_808, 'insufficient_funds'],
      [familyPayment(good, 'zetrix:mainnet'), 461_407, 'unsupported_network'],
      [{ ...familyPayment(good), scheme: 'upto' }, 4006, 'unsupported_scheme'],
      [familyPayment({ ...good, transactionBlob: 'zz' }), 4006, 'payload_decode_failed'],
      [{}, 4006, 'payload_decode_failed'],
    ];
    for (const [body, errorCode, reason] of cases) {
      const answer = await post('verify', body);
      assert.equal(answer.status, 200, answer.text);
      const object = answer.body.object as JsonObject;
      assert.equal(object.isValid, false);
      assert.equal(object.errorCode, errorCode, answer.text);
      assert.equal(answer.body.invalidReason, reason);
      assert.equal(answer.body.isValid, false);
    }
  });

  test('judges against requirements where they are given', async () => {
    const payer = await customer(world.client, 'required');
    const paymentPayload = {
      ...familyPayment(await signedPayload(world, payer, order)),
      accepted: requirements,
    };
    const ask = async (changes: JsonObject) => {
      const paymentRequirements = { ...requirements, ...changes };
      return (await post('verify', { x402Version: 2, paymentPayload, paymentRequirements })).body;
    };
    assert.equal((await ask({})).isValid, true);
    const wrong: JsonObject[] = [{ amount: '1001' }, { payTo: payer.address }, { asset: payer.address }];
    for (const changes of wrong)
      assert.equal((await ask(changes)).invalidReason, 'payload_requirements_mismatch');
  });
});

describe('what is asked for', () => {
  test('is applied or refused by name: nothing is valid, and nothing settled, that it was not compared with', async () => {
    const payer = await customer(world.client, 'misspelt');
    const payload = await signedPayload(world, payer, order);
    const paymentPayload = { x402Version: 2, accepted: requirements, payload };
    const other = { ...requirements, payTo: person('another shop').address, amount: '5000000' };
    const canonical = { x402Version: 2, paymentPayload };
    const bodies: readonly [JsonObject, RegExp][] = [
      [{ ...canonical, paymentRequirement: other }, /did you mean "paymentRequirements"/],
      [{ ...canonical, payment_requirements: other }, /did you mean "paymentRequirements"/],
      [{ ...canonical, paymentRequirements: null }, /must be an object/],
      [{ ...canonical, paymentPayload: { ...paymentPayload, paymentRequirements: other } }, /not known/],
      [{ ...canonical, paymentPayload: { ...paymentPayload, accepted: other } }, /requirements_mismatch/],
      [{ ...familyPayment(payload), paymentRequirements: other }, /requirements_mismatch/],
      [{ ...canonical, ...familyPayment(payload), paymentRequirements: requirements }, /not known/],
    ];
    for (const [body, why] of bodies) {
      const verified = await post('verify', body);
      assert.equal(verified.body.isValid, false, JSON.stringify(body));
      assert.match(String(verified.body.invalidMessage), why);
      const settled = await post('settle', body);
      assert.ok([400, 402].includes(settled.status), settled.text);
      assert.equal((settled.body.object as JsonObject).status, 'REFUSED');
    }
    const good = await post('settle', { ...canonical, paymentRequirements: requirements });
    assert.equal(good.body.success, true, good.text);
  });
});

describe('settle', () => {
  test('of twenty with the same payload one succeeds', async () => {
    const payer = await customer(world.client, 'twenty');
    const payment = familyPayment(await signedPayload(world, payer, order));
    const before = await world.service.node.balance(payee.address);
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('settle', payment)));
    const good = answers.filter(({ status }) => status === 200);
    assert.equal(good.length, 1);
    const { object, ...rest } = good[0]!.body;
    const txHash = (object as JsonObject).txHash as string;
    assert.deepEqual(object, { status: 'CONFIRMED', txHash });
    assert.deepEqual(rest, {
      messages: [],
      success: true,
      httpStatus: 200,
      transaction: txHash,
      network: 'zetrix:testnet',
      payer: payer.address,
      amount: '1000',
    });
    for (const { status, body } of answers.filter((answer) => answer !== good[0])) {
      assert.equal(status, 409);
      const { status: state, txHash: hash, errorCode } = body.object as JsonObject;
      assert.deepEqual([state, hash, errorCode], ['CONFIRMED', txHash, 460_810]);
      assert.equal(body.success, false);
      assert.equal(body.errorReason, 'blob_already_settled');
    }
    assert.equal(await world.service.node.balance(payee.address), before + 1_000n);
    const status = await settlementOf(world, txHash.toUpperCase());
    assert.deepEqual(status.body.object, { status: 'CONFIRMED', txHash });
    assert.equal((await post('verify', payment)).body.invalidReason, 'blob_already_settled');
  });

  test('what cannot be settled now is refused, and nothing is said of its outcome', async () => {
    const payer = await customer(world.client, 'unsettled');
    const bodies = [
      familyPayment({ ...(await signedPayload(world, payer, order)), validBefore: 1 }),
      familyPayment(await signedPayload(world, payer, { ...order, amount: 10n ** 15n })),
      familyPayment(await signedPayload(world, person('penniless'), order)),
    ];
    for (const body of bodies) {
      const { status, body: told } = await post('settle', body as JsonObject);
      assert.equal(status, 402);
      assert.equal((told.object as JsonObject).status, 'REFUSED', JSON.stringify(told));
      assert.equal(told.success, false);
    }
    for (const body of ['{}', '{"x402Version":']) {
      const torn = await postService(world.url, `${payPaths.facilitator}/settle`, body);
      assert.deepEqual([torn.status, torn.body.errorReason], [400, 'payload_decode_failed'], torn.text);
    }
    assert.equal((await settlementOf(world, 'ab'.repeat(32))).status, 404);
  });

  test('keys of 64 digits and hex in capitals are taken, as some signers print them', async () => {
    const payer = await customer(world.client, 'short key');
    const payload = await signedPayload(world, payer, order);
    const [{ sign_data }] = payload.signatures as [JsonObject];
    const printed = {
      ...payload,
      transactionBlob: (payload.transactionBlob as string).toUpperCase(),
      signatures: [
        {
          sign_data: (sign_data as string).toUpperCase(),
          public_key: payer.publicKey.slice(4, 68).toUpperCase(),
        },
      ],
    };
    const settled = await post('settle', familyPayment(printed));
    assert.equal((settled.body.object as JsonObject).status, 'CONFIRMED', settled.text);
  });

  test('of two payments with one nonce the ledger takes one', async () => {
    const payer = await customer(world.client, 'double spender');
    const one = familyPayment(await signedPayload(world, payer, order));
    const two = familyPayment(await signedPayload(world, payer, { ...order, amount: 2_000n }));
    const answers = await Promise.all([post('settle', one), post('settle', two)]);
    const states = answers.map(({ body }) => (body.object as JsonObject).status).sort();
    assert.deepEqual(states, ['CONFIRMED', 'FAILED']);
  });
});

test('the canonical client of the protocol verifies, settles and asks what is supported', async () => {
  const payer = await customer(world.client, 'canonical');
  const client = new HTTPFacilitatorClient({ url: `${world.url}${payPaths.facilitator}` });
  const payload = await signedPayload(world, payer, order);
  const payment = { x402Version: 2, accepted: requirements, payload };
  const verified = await client.verify(payment, requirements);
  assert.deepEqual([verified.isValid, verified.payer], [true, payer.address]);
  const settled = await client.settle(payment, requirements);
  assert.equal(settled.success, true);
  assert.equal(settled.payer, payer.address);
  await assert.rejects(client.settle(payment, requirements), /blob_already_settled/);
  const { kinds, signers } = await client.getSupported();
  assert.deepEqual(
    kinds.map(({ x402Version, scheme, network }) => [x402Version, scheme, network]),
    [
      [2, 'exact', 'zetrix:testnet'],
      [2, 'exact', 'zetrix:testnet'],
    ],
  );
  assert.deepEqual(Object.keys(signers), ['zetrix:testnet']);
});

describe('fees paid for others', () => {
  const prepare = (payer: Person, more: JsonObject = {}) =>
    prepareFor(world, payer, { payTo: payee.address, ...more });
  const signed = (payer: Person, prepared: JsonObject): JsonObject =>
    familyPayment(sponsoredPayload(payer, prepared));

  test('the client pays the amount and nothing else', async () => {
    const payer = await customer(world.client, 'sponsored');
    const answer = await prepare(payer);
    assert.equal(answer.status, 200, answer.text);
    const prepared = answer.body.object as JsonObject;
    const supported = (await getService(world.url, `${payPaths.facilitator}/supported`)).body;
    const signers = (supported.signers as JsonObject)['zetrix:testnet'] as string[];
    assert.equal(signers[0], paymaster);
    assert.ok(signers.includes(prepared.paymasterAddress as string));
    assert.equal(answer.body.success, true);
    const payment = signed(payer, prepared);
    assert.equal((await post('verify', payment)).body.isValid, true);
    const before = await world.service.node.balance(payer.address);
    const answers = await Promise.all([1, 2, 3].map(() => post('settle', payment)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
    assert.equal(await world.service.node.balance(payer.address), before - 1_000n);
    const status = await settlementOf(world, prepared.blobId as string);
    assert.deepEqual(status.body.object, { status: 'CONFIRMED', txHash: prepared.hash });
  });

  test('a token is paid the same way', async () => {
    const token = await deployToken(world.client);
    const payer = await customer(world.client, 'sponsored token');
    const poor = await prepare(payer, { asset: token.address });
    assert.equal((poor.body.object as JsonObject).errorCode, 460_808);
    await giveTokens(world.client, token, { to: payer.address, value: '5000' });
    const prepared = (await prepare(payer, { asset: token.address })).body.object as JsonObject;
    const settled = await post('settle', signed(payer, prepared));
    assert.equal((settled.body.object as JsonObject).status, 'CONFIRMED', settled.text);
  });

  test('only what was prepared is signed, by the one it was prepared for, and no more often than allowed', async () => {
    const payer = await customer(world.client, 'limited');
    const other = await customer(world.client, 'thief');
    const prepared = (await prepare(payer)).body.object as JsonObject;
    const foreign = await post('settle', signed(other, prepared));
    assert.equal((foreign.body.object as JsonObject).errorCode, 460_801);
    const unknown = await post('verify', signed(payer, { ...prepared, blobId: 'AB' }));
    assert.equal(unknown.body.invalidReason, 'blob_unknown');
    const bare = {
      type: 'signed_transaction',
      transactionBlob: prepared.blob!,
      signatures: [{ sign_data: signBlob(payer, prepared.blob), public_key: payer.publicKey }],
      validBefore: prepared.validBefore!,
    };
    assert.equal((await post('verify', familyPayment(bare))).body.invalidReason, 'sponsor_refused');
    for (const _ of [1, 2]) {
      const next = (await prepare(payer)).body.object as JsonObject;
      const settled = await post('settle', signed(payer, next));
      assert.equal((settled.body.object as JsonObject).status, 'CONFIRMED', settled.text);
    }
    const third = await prepare(payer);
    assert.deepEqual([third.status, third.body.code], [403, 'sponsorRefused']);
    // Prepared before the limit was reached, and settled after it.
    const late = await post('settle', signed(payer, prepared));
    assert.equal((late.body.object as JsonObject).status, 'REFUSED');
  });

  test('what makes no sense is refused', async () => {
    const payer = await customer(world.client, 'senseless');
    const cases: readonly [JsonObject, number][] = [
      [{ network: 'zetrix:mainnet' }, 402],
      [{ amount: '0' }, 400],
      [{ payTo: 'x' }, 400],
      [{ clientAddress: person('absent').address }, 402],
      [{ amount: '99999999999999' }, 402],
    ];
    for (const [more, status] of cases) {
      const answer = await prepare(payer, more);
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.body.success, false);
    }
  });
});
