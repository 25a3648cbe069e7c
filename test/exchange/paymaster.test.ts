/**
 * The account that pays fees for others, from its operator's side and its customers': without money it is named, offers
 * nothing and says why; a second payment with the same terms is another transaction; and what cannot be settled any
 * more is not called good.
 */
import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { type FixedClock, fixedClock } from '@symbolon/host/testing/fixed-clock';
import { type LedgerClient, SdkError } from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import {
  customer,
  familyPayment,
  fundAddress,
  type PaymentWorld,
  payPaths,
  signedPayload,
  startPaymentWorld,
} from '../support/payment-world.ts';
import { type Person, person } from '../support/people.ts';
import { shareProofs } from '../support/running-service.ts';
import { getService } from '../support/service-http.ts';
import {
  facilitate,
  fundPaymaster,
  paymasterOf,
  prepareFor,
  sponsoredPayload,
  sponsoredPayment,
  supportedKinds,
} from '../support/sponsored-world.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
const payee = person('paid at the till');
const sponsor = { enabled: true, accounts: 2, perAddressPerDay: 4 };
const config = { facilitator: { sponsor } };

describe('without money', () => {
  let world: PaymentWorld;
  let payer: Person;
  before(async () => {
    world = await startPaymentWorld(owner, { proofs, config });
    payer = await customer(world.client, 'early customer');
  });

  test('preparing is 503 with the address to fund, no such kind is offered, and the log warns', async () => {
    const answer = await prepareFor(world, payer, { payTo: payee.address });
    assert.deepEqual([answer.status, answer.body.code], [503, 'sponsorUnfunded'], answer.text);
    assert.match((answer.body.object as JsonObject).errorMsg as string, /^sponsor_unfunded: .*ZTX3/);
    const models = (await supportedKinds(world)).map(({ extra }) => (extra as JsonObject).gasModel);
    assert.deepEqual(models, ['client']);
    await until('the log warns', async () =>
      /has too little: fund this address/.test(world.service.logged()),
    );
    const address = await paymasterOf(world, payer);
    assert.ok(world.service.logged().includes(address));
    const { body } = await getService(world.url, `${payPaths.facilitator}/supported`);
    assert.equal(
      (body.signers as Record<string, string[]>)['zetrix:testnet']?.[0],
      address,
      'it can be looked up',
    );
  });

  test('as soon as it has money it pays', async () => {
    await fundAddress(world.client, await paymasterOf(world, payer));
    const settled = await facilitate(world, 'settle', await sponsoredPayment(world, payer, payee.address));
    assert.equal((settled.body.object as JsonObject).status, 'CONFIRMED', settled.text);
    const models = async () =>
      (await supportedKinds(world)).map(({ extra }) => (extra as JsonObject).gasModel);
    await until('it is offered', async () => (await models()).includes('facilitator'));
  });
});

describe('verify', () => {
  let world: PaymentWorld;
  let clock: FixedClock;
  before(async () => {
    clock = fixedClock(Date.now());
    world = await startPaymentWorld(owner, { proofs, config, clock });
    await fundPaymaster(world, await customer(world.client, 'the first'));
  });
  // Whatever was held before is free.
  beforeEach(() => clock.advanceMs(121_000));
  const reasonOf = async (payment: JsonObject): Promise<unknown> => {
    const { body } = await facilitate(world, 'verify', payment);
    return body.isValid === true ? 'good' : body.invalidReason;
  };
  const settled = async (payment: JsonObject): Promise<unknown> =>
    ((await facilitate(world, 'settle', payment)).body.object as JsonObject).status;

  test('a second one with the same terms is another transaction, also where accounts are shared', async () => {
    const payer = await customer(world.client, 'twice');
    const hashes: unknown[] = [];
    // More than there are accounts, so that some stand on the same account and number.
    for (let index = 0; index < 4; index++) {
      const { body, text } = await prepareFor(world, payer, { payTo: payee.address });
      hashes.push((body.object as JsonObject)?.hash ?? text);
    }
    assert.equal(new Set(hashes).size, 4, String(hashes));
  });

  test('what was settled, also without success, is not good', async () => {
    const payer = await customer(world.client, 'settled');
    const payment = await sponsoredPayment(world, payer, payee.address);
    assert.equal(await reasonOf(payment), 'good');
    assert.equal(await settled(payment), 'CONFIRMED');
    assert.equal(await reasonOf(payment), 'blob_already_settled');
  });

  test('whose account was used for another meanwhile is not good', async () => {
    const [one, two, three] = [
      await customer(world.client, 'shares one'),
      await customer(world.client, 'shares two'),
      await customer(world.client, 'shares three'),
    ];
    const first = await sponsoredPayment(world, one, payee.address);
    const second = await sponsoredPayment(world, two, payee.address);
    const third = await sponsoredPayment(world, three, payee.address);
    assert.deepEqual(await Promise.all([first, second, third].map(reasonOf)), ['good', 'good', 'good']);
    assert.equal(await settled(third), 'CONFIRMED');
    const now = await Promise.all([first, second].map(reasonOf));
    assert.deepEqual(now.sort(), ['good', 'nonce_not_next']);
  });

  test('what the payer cannot pay any more is not good', async () => {
    const payer = await customer(world.client, 'spender');
    const most = async (): Promise<JsonObject> => {
      const { body } = await prepareFor(world, payer, { payTo: payee.address, amount: '900000000' });
      return familyPayment(sponsoredPayload(payer, body.object));
    };
    const [one, two] = [await most(), await most()];
    assert.equal(await reasonOf(two), 'good');
    assert.equal(await settled(one), 'CONFIRMED');
    assert.equal(await reasonOf(two), 'insufficient_funds');
  });

  test('what is paid for no more today is not good', async () => {
    const payer = await customer(world.client, 'often');
    const last = await sponsoredPayment(world, payer, payee.address);
    for (let index = 0; index < sponsor.perAddressPerDay; index++)
      assert.equal(await settled(await sponsoredPayment(world, payer, payee.address)), 'CONFIRMED');
    assert.equal(await reasonOf(last), 'sponsor_refused');
  });

  test('what was not signed in time is not good, whatever the payment says of its time', async () => {
    const payer = await customer(world.client, 'late');
    const { body } = await prepareFor(world, payer, { payTo: payee.address });
    const payload = sponsoredPayload(payer, body.object);
    clock.advanceMs(121_000);
    const late = Math.floor(clock.nowMs() / 1_000) + 60;
    assert.equal(await reasonOf(familyPayment({ ...payload, validBefore: late })), 'blob_expired');
    assert.equal(await reasonOf(familyPayment(payload)), 'blob_expired');
  });
});

test('what is on its way is not good again, and arrives as soon as the ledger takes it', async () => {
  let isAway = false;
  const { node, ledger } = (await startPaymentWorld(owner, { proofs })).service;
  const client: LedgerClient = {
    ...ledger,
    submitTransaction: async (body) => {
      if (isAway) throw new SdkError('unreachable', 'nothing arrives', { hint: 'none' });
      return ledger.submitTransaction(body);
    },
  };
  const world = await startPaymentWorld(owner, { proofs, node, client, submitWaitMs: 500 });
  const payer = await customer(ledger, 'patient');
  const order = { payTo: payee.address, amount: 1_000n };
  const payment = familyPayment(await signedPayload(world, payer, order));
  isAway = true;
  const { status, body } = await facilitate(world, 'settle', payment);
  assert.deepEqual([status, (body.object as JsonObject).status], [202, 'QUEUED']);
  const verified = await facilitate(world, 'verify', payment);
  assert.deepEqual([verified.body.isValid, verified.body.invalidReason], [false, 'blob_already_settled']);
  const had = await node.balance(payee.address);
  isAway = false;
  await until('it is paid without anybody asking', async () => (await node.balance(payee.address)) > had);
});
