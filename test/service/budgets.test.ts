/**
 * Proof work is paid for by whoever asks for it, by its cost: an address without a key and a key have a budget each,
 * taken from before the work is begun, and nobody's budget is spent by anybody else.
 */
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { fixedClock } from '@symbolon/host/testing/fixed-clock';
import { type CredentialClient, ServiceError } from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import { type Derivation, present } from '../support/credential-fixtures.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { shareProofs } from '../support/running-service.ts';
import {
  answerTo,
  claim,
  requirementsOf,
  startVerificationWorld,
  type VerificationWorld,
} from '../support/verification-world.ts';
import { challenge, postSubmission } from '../support/x401.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
const clock = fixedClock(Date.now());
let world: VerificationWorld;
let open: CredentialClient;

/** At once: ten units without a key and forty with one. */
const rates = {
  lightPerMinute: 1_000_000,
  heavyPerMinute: 1_000_000,
  proofUnitsPerMinute: 25,
  proofUnitsPerMinuteWithKey: 100,
};

before(async () => {
  world = await startVerificationWorld(owner, { proofs, clock, config: { rates } });
  open = world.service.stranger;
});

beforeEach(() => clock.advanceMs(60_000));

/** What a call was refused with. */
async function refusalOf(call: Promise<unknown>): Promise<ServiceError> {
  const error = await call.then(
    () => assert.fail('it was not refused'),
    (caught: unknown) => caught,
  );
  assert.ok(error instanceof ServiceError, String(error));
  return error;
}

/** Calls until refused; answers how many were not, and the refusal. */
async function exhaust(call: () => Promise<unknown>): Promise<[number, ServiceError]> {
  for (let count = 0; count < 50; count++) {
    const error = await call().then(
      () => undefined,
      (caught: unknown) => caught,
    );
    if (error !== undefined) return [count, error as ServiceError];
  }
  return assert.fail('it was never refused');
}

const height = { attribute: 'height', min: 150 };

test('what costs more than a caller ever has is refused with words, and costs nothing', async () => {
  const order: Derivation = { vc: world.vc, rangeProof: height };
  for (let count = 0; count < 3; count++) {
    const error = await refusalOf(open.createPresentation(order));
    assert.deepEqual([error.status, error.code], [403, 'proofTooCostly']);
    assert.match(error.detail ?? '', /cost 27 units, and a caller without an API key has 10 at most/);
  }
  await open.createPresentation({ ...order, rangeMethod: 'set-membership' });
  await world.service.holder.client.createPresentation(order);
  const ranges = ['height', 'income', 'birthDate'].map((attribute) => ({
    attribute,
    min: attribute === 'birthDate' ? '1950-01-01' : 1,
  }));
  const more = await refusalOf(
    world.service.holder.client.createPresentation({ vc: world.vc, rangeProof: ranges }),
  );
  assert.match(more.detail ?? '', /cost 7[45] units, and an API key has 40 at most/);
});

test('verifying is taken from the budget of the address or of the key, by its cost', async () => {
  const plain = await present(world, world.holder, { vc: world.vc, challenge: 'c' });
  clock.advanceMs(60_000);
  const ranged = await present(world, world.holder, {
    vc: world.vc,
    challenge: 'c',
    rangeProof: height,
    rangeMethod: 'set-membership',
  });
  clock.advanceMs(60_000);
  const verify = (client: CredentialClient, vp: JsonObject) => () =>
    client.verifyPresentation({ vp, challenge: 'c' });
  const [plainCount, refused] = await exhaust(verify(open, plain));
  assert.equal(plainCount, 9);
  assert.deepEqual([refused.status, refused.code], [429, 'tooManyRequests']);
  const wait = refused.retryAfterSeconds ?? 0;
  assert.ok(wait >= 1 && wait <= 3, `a unit takes 2.4 seconds, not ${wait}`);
  assert.equal((await verify(world.service.verifier.client, plain)()).verified, true);
  clock.advanceMs(wait * 1000);
  assert.equal((await exhaust(verify(open, plain)))[0], 1, 'after the wait it was told, one more, not two');
  clock.advanceMs(60_000);
  const [rangedCount] = await exhaust(verify(open, ranged));
  assert.equal(rangedCount, 1);
});

test('a presentation that fails before its proofs costs nothing', async () => {
  const vp = await present(world, world.holder, { vc: world.vc, challenge: 'c' });
  clock.advanceMs(60_000);
  const forged = { ...vp, proof: { ...(vp.proof as JsonObject), challenge: 'another' } };
  for (let count = 0; count < 15; count++)
    assert.equal((await open.verifyPresentation({ vp: forged, challenge: 'another' })).verified, false);
  assert.equal((await open.verifyPresentation({ vp, challenge: 'c' })).verified, true);
});

test('a submission is paid for by who sends it, and one that cannot be paid leaves the session open', async () => {
  const asked = await challenge(world.server, requirementsOf(world, [claim('city')]), {});
  const { definition, vpToken } = await answerTo(world, asked.presentationId, { revealAttributes: ['city'] });
  clock.advanceMs(60_000);
  const vp = await present(world, world.holder, { vc: world.vc, challenge: 'c' });
  clock.advanceMs(60_000);
  await exhaust(() => open.verifyPresentation({ vp, challenge: 'c' }));
  const refused = await postSubmission(world.wallet, definition, { vpToken });
  assert.deepEqual([refused.status, refused.body.code], [429, 'tooManyRequests'], refused.text);
  clock.advanceMs(10_000);
  const taken = await postSubmission(world.wallet, definition, { vpToken });
  assert.equal((taken.body.object as JsonObject).verified, true, taken.text);
});
