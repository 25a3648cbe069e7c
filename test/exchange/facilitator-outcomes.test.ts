/**
 * What the facilitator says became of a payment is what became of it: told again as often as it is asked, never guessed
 * while the ledger is away, and not claimed of what was only refused. What was not judged is no verdict.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { type FixedClock, fixedClock } from '@symbolon/host/testing/fixed-clock';
import { type LedgerClient, LedgerError, SdkError } from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import { HTTPFacilitatorClient } from '@x402/core/http';
import { ownerOfSuite } from '../support/owner.ts';
import {
  customer,
  familyPayment,
  type PaymentWorld,
  payPaths,
  requirementsOf,
  settlementOf,
  signedPayload,
  startPaymentWorld,
} from '../support/payment-world.ts';
import { type Person, person } from '../support/people.ts';
import { shareProofs } from '../support/running-service.ts';
import { postService, type ServiceAnswer } from '../support/service-http.ts';
import { facilitate } from '../support/sponsored-world.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
const payee = person('paid for certain');
const order = { payTo: payee.address, amount: 1_000n };
const requirements = requirementsOf(payee.address);

let world: PaymentWorld;
let clock: FixedClock;
/** What of the ledger does not answer. */
let away: 'nothing' | 'submitting' | 'everything' = 'nothing';
/** What a node that is not the right one says to whatever is handed in. */
let refusal: number | undefined;

before(async () => {
  clock = fixedClock(Date.now());
  const { node, ledger } = (await startPaymentWorld(owner, { proofs })).service;
  const calls = Object.entries(ledger).map(([name, call]) => [
    name,
    async (argument: never) => {
      if (away === 'everything' || (away === 'submitting' && name === 'submitTransaction'))
        throw new SdkError('unreachable', 'nothing arrives', { hint: 'none' });
      if (refusal !== undefined && name === 'submitTransaction')
        throw new LedgerError(refusal, 'on another ledger', {}, 'submitTransaction');
      return (call as (argument: never) => Promise<unknown>)(argument);
    },
  ]);
  const client = Object.fromEntries(calls) as LedgerClient;
  world = await startPaymentWorld(owner, { proofs, node, client, clock, submitWaitMs: 700 });
});

const settle = (payment: JsonObject): Promise<ServiceAnswer> => facilitate(world, 'settle', payment);
const statusOf = (blobId: unknown): Promise<ServiceAnswer> => settlementOf(world, blobId);
const objectOf = ({ body }: ServiceAnswer): JsonObject => body.object as JsonObject;
const payload = (payer: Person, seconds = 300): Promise<JsonObject> =>
  signedPayload(world, payer, { ...order, validBefore: Math.floor(clock.nowMs() / 1_000) + seconds });
const canonical = (paid: JsonObject, changes: JsonObject = {}): JsonObject => ({
  x402Version: 2,
  paymentPayload: { x402Version: 2, accepted: requirements, payload: paid },
  paymentRequirements: { ...requirements, ...changes },
});

async function whileAway<Told>(what: typeof away, act: () => Promise<Told>): Promise<Told> {
  away = what;
  try {
    return await act();
  } finally {
    away = 'nothing';
  }
}

describe('a payment that was settled', () => {
  test('is told as that, to whoever repeats it, also when its time is over and the ledger is away', async () => {
    const paid = await payload(await customer(world.client, 'repeats'), 60);
    const first = await settle(familyPayment(paid));
    const { txHash } = objectOf(first);
    assert.deepEqual([first.status, objectOf(first).status], [200, 'CONFIRMED'], first.text);
    const isTold = (again: ServiceAnswer) => {
      assert.equal(again.status, 409, again.text);
      const { status, txHash: hash, errorCode } = objectOf(again);
      assert.deepEqual([status, hash, errorCode], ['CONFIRMED', txHash, 460_810], again.text);
      assert.deepEqual([again.body.transaction, again.body.success], [txHash, false]);
    };
    isTold(await settle(familyPayment(paid)));
    isTold(await settle(canonical(paid)));
    isTold(await whileAway('everything', () => settle(familyPayment(paid))));
    clock.advanceMs(120_000);
    isTold(await settle(familyPayment(paid)));
  });

  test('is not told as that to who asks for something else', async () => {
    const paid = await payload(await customer(world.client, 'asks for more'));
    assert.equal((await settle(familyPayment(paid))).status, 200);
    for (const other of [canonical(paid, { amount: '2000' }), familyPayment(paid, 'zetrix:mainnet')]) {
      const answer = await settle(other);
      assert.deepEqual([answer.status, objectOf(answer).status], [402, 'REFUSED'], answer.text);
      assert.deepEqual([answer.body.transaction, answer.body.success], ['', false]);
    }
  });

  test('by somebody else is told as the ledger has it, by settle and by its status', async () => {
    const payer = await customer(world.client, 'pays by itself');
    const { transactionBlob, signatures, validBefore } = await payload(payer);
    const items = [{ transaction_blob: transactionBlob, signatures }];
    const had = await world.service.node.balance(payee.address);
    await world.client.submitTransaction({ items } as never);
    await until('it is executed', async () => (await world.service.node.balance(payee.address)) > had);
    const payment = familyPayment({ transactionBlob, signatures, validBefore } as JsonObject);
    const told = await settle(payment);
    const { status, txHash } = objectOf(told);
    assert.equal(status, 'CONFIRMED', told.text);
    assert.deepEqual(objectOf(await statusOf(txHash)), { status: 'CONFIRMED', txHash });
    assert.equal((await statusOf('ab'.repeat(32))).status, 404);
    const unasked = await whileAway('everything', () => statusOf('ab'.repeat(32)));
    assert.deepEqual([unasked.status, unasked.body.code], [500, 'ledgerUnreachable'], unasked.text);
  });
});

describe('a payment on its way', () => {
  test('is on its way for whoever repeats it, until it has arrived', async () => {
    const paid = await payload(await customer(world.client, 'on the way'));
    await whileAway('submitting', async () => {
      for (const _ of [1, 2]) {
        const answer = await settle(familyPayment(paid));
        assert.deepEqual([answer.status, objectOf(answer).status], [202, 'QUEUED'], answer.text);
        assert.equal(answer.body.errorReason, 'settlement_pending');
      }
    });
    const told = await Promise.all([1, 2, 3].map(() => settle(familyPayment(paid))));
    assert.deepEqual(told.map(({ status }) => status).sort(), [200, 409, 409]);
    for (const answer of told) assert.equal(objectOf(answer).status, 'CONFIRMED', answer.text);
  });

  test('is told as settled to the canonical client that was asked to come again, once', async () => {
    const payer = await customer(world.client, 'comes again');
    const paid = await payload(payer);
    const client = new HTTPFacilitatorClient({ url: `${world.url}${payPaths.facilitator}` });
    const payment = { x402Version: 2, accepted: requirements, payload: paid };
    const pending = await whileAway('submitting', () => client.settle(payment, requirements));
    assert.deepEqual([pending.success, pending.errorReason], [false, 'settlement_pending']);
    const answers = await Promise.allSettled([1, 2, 3].map(() => client.settle(payment, requirements)));
    const settled = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    assert.deepEqual(
      settled.map(({ success, transaction }) => [success, transaction]),
      [[true, pending.transaction]],
    );
    for (const answer of answers)
      if (answer.status === 'rejected') assert.match(String(answer.reason), /blob_already_settled/);
  });
});

describe('a payment that a node refuses which is not the right one', () => {
  for (const name of ['badNonce', 'lowBalance'] as const)
    test(`with ${name} has not failed, and settles as soon as the right one gets it`, async () => {
      const paid = await payload(await customer(world.client, `refused with ${name}`));
      refusal = codes[name];
      try {
        const answer = await settle(familyPayment(paid));
        assert.deepEqual([answer.status, objectOf(answer).status], [202, 'QUEUED'], answer.text);
      } finally {
        refusal = undefined;
      }
      const told = await settle(familyPayment(paid));
      assert.deepEqual([told.status, objectOf(told).status], [200, 'CONFIRMED'], told.text);
    });
});

describe('a payment that was not settled', () => {
  test('is refused without an outcome, and settles as soon as nothing is against it', async () => {
    const paid = await payload(await customer(world.client, 'refused first'));
    const refused: readonly [JsonObject, string][] = [
      [canonical(paid, { amount: '2000' }), 'payload_requirements_mismatch'],
      [familyPayment(paid, 'zetrix:mainnet'), 'unsupported_network'],
      [familyPayment({ ...paid, validBefore: 1 }), 'blob_expired'],
    ];
    for (const [body, reason] of refused) {
      const answer = await settle(body);
      const { status, txHash, errorCode } = objectOf(answer);
      assert.deepEqual([answer.status, status, txHash], [402, 'REFUSED', undefined], answer.text);
      assert.ok(Number.isInteger(errorCode));
      assert.deepEqual([answer.body.errorReason, answer.body.success], [reason, false]);
    }
    assert.equal(objectOf(await settle(familyPayment(paid))).status, 'CONFIRMED');
  });

  test('because the ledger is away, is not said to have failed, and settles when it is back', async () => {
    const paid = await payload(await customer(world.client, 'ledger away'));
    await whileAway('everything', async () => {
      for (const route of ['settle', 'verify'] as const) {
        const answer = await facilitate(world, route, familyPayment(paid));
        assert.deepEqual([answer.status, answer.body.code], [500, 'ledgerUnreachable'], answer.text);
        isNoVerdict(answer);
      }
    });
    assert.equal(objectOf(await settle(familyPayment(paid))).status, 'CONFIRMED');
  });

  test('and never will be has failed, however often it is asked', async () => {
    const payer = await customer(world.client, 'spends twice');
    const [one, two] = [
      await payload(payer),
      await signedPayload(world, payer, { ...order, amount: 2_000n }),
    ];
    assert.equal(objectOf(await settle(familyPayment(one))).status, 'CONFIRMED');
    for (const _ of [1, 2]) {
      const answer = await settle(familyPayment(two));
      const { status, errorCode, errorMsg } = objectOf(answer);
      assert.deepEqual([answer.status, status, errorCode], [200, 'FAILED', 4006], answer.text);
      assert.match(String(errorMsg), /^nonce_not_next: /);
    }
  });
});

/** Neither half of the answer says anything about the payment. */
function isNoVerdict({ body, text }: ServiceAnswer): void {
  const { isValid, status, txHash, errorCode, errorMsg } = body.object as JsonObject;
  assert.deepEqual([isValid, status, txHash], [undefined, undefined, undefined], text);
  assert.deepEqual([body.isValid, body.invalidReason, body.success], [undefined, undefined, false], text);
  assert.notEqual(body.errorReason, 'invalid_payload');
  assert.deepEqual([errorCode, typeof errorMsg], [body.httpStatus, 'string'], text);
}

test('what is refused before the payment is looked at has its own status, and is no verdict', async () => {
  const paid = familyPayment(await payload(await customer(world.client, 'not looked at')));
  const cases: readonly [number, JsonObject | string, Record<string, string>][] = [
    [403, paid, { origin: 'https://evil.example' }],
    [421, paid, { host: 'evil.example' }],
    [413, JSON.stringify({ payload: 'x'.repeat(3_000_000) }), {}],
  ];
  for (const route of ['verify', 'settle'])
    for (const [status, body, headers] of cases) {
      const answer = await postService(world.url, `${payPaths.facilitator}/${route}`, body, { headers });
      assert.equal(answer.status, status, answer.text);
      isNoVerdict(answer);
    }
});
