/**
 * What a service does not derive for a dishonest holder, and the edges of what it does: ranges to the last value, two
 * holders in one request, a replay after the revocation. Forged presentations are `test/attacks`.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CollectedFacts, revokeCredential, ServiceError } from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import {
  factsAbout,
  type Holder,
  issueTo,
  judge,
  type PresentationWorld,
  present,
  type Question,
  startPresentationWorld,
} from '../support/credential-fixtures.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { shareProofs } from '../support/running-service.ts';

const owner = ownerOfSuite();

const question: Question = { challenge: 'verifier-7f3a', domain: 'https://verifier.example' };
const revealAttributes = ['fullName', 'nationality', 'isResident'];
const birthRange = { attribute: 'birthDate', max: '2008-11-15' };

let world: PresentationWorld;
let holder: Holder;
let thief: Holder;
let vc: JsonObject;
let thiefVc: JsonObject;
let facts: CollectedFacts;

before(async () => {
  world = await startPresentationWorld(owner, { proofs: shareProofs(owner) });
  holder = world.holder;
  thief = world.otherHolder;
  vc = await issueTo(world, holder);
  thiefVc = await issueTo(world, thief, { fullName: 'Tama Rua', birthDate: '2008-11-16' });
  facts = await factsAbout(world, [vc, thiefVc]);
});

async function assertVerified(presentation: JsonObject, asked: Question = question) {
  const verdict = await judge(world, presentation, { facts, ...asked });
  assert.deepEqual(verdict.checks, []);
  return verdict.details;
}

async function assertRefused(
  presentation: JsonObject,
  checks: readonly string[],
  asked: Question = question,
): Promise<void> {
  const verdict = await judge(world, presentation, { facts, ...asked });
  assert.deepEqual(verdict.checks, [...checks].sort());
  assert.equal(verdict.details, undefined);
}

const isFault =
  (status: number, code: string) =>
  (error: unknown): boolean =>
    error instanceof ServiceError && error.status === status && error.code === code;

test('what is asked for is shown, and nothing else', async () => {
  const request = { revealAttributes, rangeProof: birthRange };
  const ranged = await present(world, holder, { vc, ...request, ...question });
  const details = {
    fullName: 'Aroha Ngata',
    nationality: 'NZ',
    isResident: true,
    birthDate: 'range proof ok: <= 2008-11-15',
  };
  assert.deepEqual(await assertVerified(ranged), details);
  assert.deepEqual(await assertVerified(ranged, { ...question, request }), details);
});

test('under age by one day is not derived', async () => {
  const order = { vc: thiefVc, revealAttributes, ...question };
  const tooStrict = present(world, thief, { ...order, rangeProof: birthRange });
  await assert.rejects(tooStrict, isFault(400, 'rangeInvalid'));
  const truth = { attribute: 'birthDate', max: '2008-11-16' };
  const young = await present(world, thief, { ...order, rangeProof: truth });
  await assertVerified(young);
  const request = { revealAttributes, rangeProof: birthRange };
  await assertRefused(young, ['disclosure'], { ...question, request });
});

for (const rangeMethod of ['bulletproofs', 'set-membership'] as const) {
  test(`exactly the minimum and exactly the maximum pass, by ${rangeMethod}`, async () => {
    const exact = Object.entries({
      birthDate: '1990-05-17',
      height: 171,
      income: '52000.5',
      enteredAt: '2019-08-01T09:30:00Z',
    }).map(([attribute, value]) => ({ attribute, min: value, max: value }));
    const tellingRanges = exact.map(({ attribute }) => attribute);
    const order = { vc, revealAttributes: [], rangeProof: exact, tellingRanges, rangeMethod, ...question };
    await assertVerified(await present(world, holder, order));
  });
}

test('one beyond is not derived', async () => {
  const beyond = [
    { attribute: 'birthDate', min: '1990-05-18' },
    { attribute: 'birthDate', max: '1990-05-16' },
    { attribute: 'height', min: 172 },
    { attribute: 'height', max: 170 },
    { attribute: 'income', min: '52000.51' },
    { attribute: 'income', max: '52000.49' },
    { attribute: 'enteredAt', min: '2019-08-01T09:30:01Z' },
    { attribute: 'enteredAt', max: '2019-08-01T09:29:59Z' },
  ];
  for (const rangeProof of beyond) {
    const order = { vc, rangeProof, ...question };
    await assert.rejects(present(world, holder, order), isFault(400, 'rangeInvalid'));
  }
});

test('credentials of two holders are not presented together', async () => {
  const vcs = [vc, thiefVc].map((one) => ({ vc: one, revealAttributes }));
  // The SDK does not even ask; whoever asks without it is refused by the service.
  await assert.rejects(present(world, holder, { vcs, ...question }), { code: 'invalidArgument' });
  const asked = world.service.stranger.createPresentation({ vcs, ...question });
  await assert.rejects(asked, isFault(400, 'credentialMalformed'));
});

test('a replay after the revocation', async () => {
  const { issuer, stranger } = world.service;
  const doomed = await issueTo(world, holder);
  facts = await factsAbout(world, [vc, doomed]);
  const order = { vc: doomed, revealAttributes, ...question };
  const good = await present(world, holder, order);
  await assertVerified(good);
  await revokeCredential(issuer.client, { signer: issuer.signer, vcId: doomed.id as string });
  facts = await factsAbout(world, [vc, doomed]);
  await assertRefused(good, ['status']);
  const { errors } = await stranger.verifyPresentation({ vp: good, ...question });
  assert.match(errors?.[0] ?? '', /^status: credential revoked in ledger \d+ \(since [0-9T:Z-]+\)$/);
  await assertRefused(await present(world, holder, order), ['status']);
});
