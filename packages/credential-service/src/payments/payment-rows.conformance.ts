/**
 * What payments, settlements, prices and policies do on every database: of many at once one wins, no transaction is
 * used twice, and a payment goes one way only. Run like `store.conformance.ts`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queries } from '../database/schema.ts';
import {
  asEncrypted,
  did,
  issuer,
  type MakeRecords,
  start,
  twentyTimes,
} from '../database/testing/records.ts';
import { endWorker, renewWorker } from '../database/workers.ts';
import { addSubmittedApplication, findApplication } from '../issuance/application-rows.ts';
import {
  addPayment,
  adoptPayment,
  beginPayment,
  countPayments,
  failPayment,
  findOtherUnderWay,
  findPayment,
  findPaymentByHash,
  findPaymentFor,
  finishPayment,
  listLeftPayments,
  settlePaymentRow,
  sweepPayments,
} from './payment-rows.ts';
import {
  findAutoIssue,
  findPrice,
  findSalePrice,
  findStoredIssuerKey,
  putAutoIssue,
  putIssuerKey,
  putPrice,
} from './price-rows.ts';
import {
  addSettlement,
  adoptSettlement,
  claimDelivery,
  endDelivery,
  endSettlement,
  findDeliveryClaim,
  findSettlement,
  listLeftSettlements,
  sumSponsored,
} from './settlement-rows.ts';
import {
  addSponsorAccounts,
  findSettling,
  freeSponsorAccount,
  holdSponsorAccount,
  keepSponsorAccount,
} from './sponsor-rows.ts';

const wins = (results: readonly unknown[]): number => results.filter(Boolean).length;
const templateId = did('a template');

const offer = (queries: Queries, paymentId: string, createdAt = start) =>
  addPayment(queries, {
    paymentId,
    templateId,
    templateVersion: '1.0',
    issuer,
    holder: did('holder'),
    dataHash: 'd',
    asset: 'ZTX',
    amount: '5',
    payTo: 'p',
    vcId: did(paymentId),
    expiresAt: createdAt + 100,
    now: createdAt,
  });

const beginning = (paymentId: string, txHash: string | null) => ({
  paymentId,
  txHash,
  day: 7,
  submission: asEncrypted('made'),
  worker: 'w',
  now: start,
});

const settlement = (hash: string, more: object = {}) => ({
  hash,
  signed: '{}',
  validBefore: 9,
  payer: 'payer',
  payTo: 'p',
  asset: 'ZTX',
  amount: '5',
  paymentId: null,
  blobId: null,
  sponsoredFee: null,
  day: 7,
  worker: 'w',
  now: start,
  ...more,
});

export function registerPaymentsConformance(name: string, make: MakeRecords): void {
  test(`${name}: a payment begins once and goes one way`, async (context) => {
    const database = await make(context);
    const { kysely } = database;
    await offer(kysely, 'one');
    assert.equal(await settlePaymentRow(kysely, { paymentId: 'one', now: start }), false);
    assert.equal(wins(await twentyTimes(() => beginPayment(kysely, beginning('one', 'h1')))), 1);
    assert.equal((await findPaymentByHash(kysely, 'h1'))?.state, 'settling');
    assert.equal(await countPayments(kysely, { templateId, day: 7 }), 1);
    await offer(kysely, 'two', start + 1);
    assert.equal(
      (await findPaymentFor(kysely, { holder: did('holder'), dataHash: 'd', states: ['required'] }))
        ?.paymentId,
      'two',
    );
    const two = await findPayment(kysely, 'two');
    assert.ok(two);
    assert.equal(await findOtherUnderWay(kysely, two, start), 'one');
    await assert.rejects(beginPayment(kysely, beginning('two', 'h1')), 'a transaction is used once');
    assert.equal(
      wins(await twentyTimes(() => settlePaymentRow(kysely, { paymentId: 'one', now: start }))),
      1,
    );
    assert.equal(await failPayment(kysely, { paymentId: 'one', now: start, failure: 'x' }), false);
    assert.deepEqual(
      (await listLeftPayments(kysely, 'another')).map(({ paymentId }) => paymentId),
      ['one'],
      'its process is gone',
    );
    await renewWorker(database, 'living');
    await adoptPayment(kysely, { paymentId: 'one', worker: 'living', now: start + 5 });
    assert.deepEqual(await listLeftPayments(kysely, 'another'), []);
    assert.equal((await listLeftPayments(kysely, 'living')).length, 1);
    assert.equal(await finishPayment(kysely, { paymentId: 'one', now: start }), true);
    assert.equal(await findOtherUnderWay(kysely, two, start), 'one');
    assert.equal(await findOtherUnderWay(kysely, two, start + 1), undefined);
    const done = await findPayment(kysely, 'one');
    assert.deepEqual([done?.state, done?.submission], ['issued', null]);
  });

  test(`${name}: an offer lapses, a failure frees its place`, async (context) => {
    const { kysely } = await make(context);
    await offer(kysely, 'late');
    assert.equal(await beginPayment(kysely, { ...beginning('late', null), now: start + 100 }), false);
    await offer(kysely, 'failing');
    await beginPayment(kysely, beginning('failing', 'h2'));
    await failPayment(kysely, { paymentId: 'failing', now: start, failure: 'settlement_failed: x' });
    assert.equal(await countPayments(kysely, { templateId, day: 7 }), 0);
    assert.equal(await sweepPayments(kysely, start + 100), 1);
    assert.equal(await findPayment(kysely, 'late'), undefined);
    assert.equal((await findPayment(kysely, 'failing'))?.failure, 'settlement_failed: x');
  });

  test(`${name}: one caller is told of a settlement, once, and nobody of one for a credential`, async (context) => {
    const database = await make(context);
    const { kysely } = database;
    for (const worker of ['living', 'dying']) await renewWorker(database, worker);
    await addSettlement(kysely, settlement('h'));
    await addSettlement(kysely, settlement('sold', { paymentId: 'p' }));
    const take = (worker: string, hash = 'h') => claimDelivery(kysely, { hash, worker });
    assert.equal(await take('living'), false, 'not executed yet');
    for (const hash of ['h', 'sold']) await endSettlement(kysely, { hash, state: 'executed', now: start });
    assert.deepEqual(
      [await take('living', 'sold'), await findDeliveryClaim(kysely, 'sold')],
      [false, 'told'],
    );
    assert.equal(await findDeliveryClaim(kysely, 'h'), 'free');
    assert.equal(wins(await twentyTimes(() => take('dying'))), 1);
    assert.deepEqual([await take('living'), await findDeliveryClaim(kysely, 'h')], [false, 'telling']);
    await endWorker(kysely, 'dying');
    assert.equal(wins(await twentyTimes(() => take('living'))), 1);
    await endDelivery(kysely, { hash: 'h', worker: 'dying' }, start);
    assert.equal(await findDeliveryClaim(kysely, 'h'), 'telling', 'not by whoever is gone');
    await endDelivery(kysely, { hash: 'h', worker: 'living' });
    assert.deepEqual([await findDeliveryClaim(kysely, 'h'), await take('living')], ['free', true]);
    await endDelivery(kysely, { hash: 'h', worker: 'living' }, start);
    assert.deepEqual([await findDeliveryClaim(kysely, 'h'), await take('living')], ['told', false]);
  });

  test(`${name}: a transaction and a prepared blob are settled once`, async (context) => {
    const database = await make(context);
    const { kysely } = database;
    assert.equal(wins(await twentyTimes(() => addSettlement(kysely, settlement('h')))), 1);
    assert.equal(await addSettlement(kysely, settlement('s1', { blobId: 'B', sponsoredFee: 10 })), true);
    assert.equal(await addSettlement(kysely, settlement('s2', { blobId: 'B', sponsoredFee: 10 })), false);
    await addSettlement(kysely, settlement('s3', { sponsoredFee: 5, payer: 'other' }));
    await addSettlement(kysely, settlement('s4', { sponsoredFee: 7, day: 8 }));
    assert.deepEqual(await sumSponsored(kysely, { day: 7, payer: 'payer' }), { fees: 15, times: 1 });
    assert.equal((await findSettlement(kysely, 'B'))?.hash, 's1');
    assert.equal((await listLeftSettlements(kysely, 'another')).length, 4);
    await renewWorker(database, 'living');
    await adoptSettlement(kysely, 's1', 'living');
    assert.equal((await listLeftSettlements(kysely, 'another')).length, 3);
    assert.equal((await listLeftSettlements(kysely, 'living')).length, 4);
    const end = { hash: 'h', state: 'executed', now: start } as const;
    assert.equal(wins(await twentyTimes(() => endSettlement(kysely, end))), 1);
    assert.equal((await listLeftSettlements(kysely, 'another')).length, 2);
  });

  test(`${name}: accounts that pay fees are held by one blob each, and by whoever settles first`, async (context) => {
    const { kysely } = await make(context);
    const addresses = Array.from({ length: 20 }, (_, index) => `account ${index}`);
    await addSponsorAccounts(kysely, addresses);
    await addSponsorAccounts(kysely, addresses);
    const who = { payer: 'payer', caller: 'caller', perPayerMax: 100 };
    const hold = { ...who, addresses, now: start, heldUntil: start + 100, isShared: false };
    const held = await Promise.all(
      addresses.map((address) => holdSponsorAccount(kysely, { ...hold, blobId: `for ${address}` })),
    );
    assert.equal(new Set(held.map((account) => account?.address)).size, addresses.length);
    assert.equal(await holdSponsorAccount(kysely, { ...hold, blobId: 'more' }), undefined);
    const shared = await holdSponsorAccount(kysely, { ...hold, blobId: 'sharing', isShared: true });
    assert.ok(shared && shared.uses === 2);
    const { address } = shared;
    const keep = (blobId: string) => keepSponsorAccount(kysely, { address, blobId });
    assert.equal(wins(await twentyTimes(() => keep('the first'))), 1);
    assert.equal(await keep('sharing'), false);
    assert.equal(await findSettling(kysely, address), 'the first');
    const only = { ...hold, addresses: [address], isShared: true };
    assert.equal(await holdSponsorAccount(kysely, { ...only, blobId: 'late' }), undefined);
    await freeSponsorAccount(kysely, 'the first');
    assert.equal(await findSettling(kysely, address), undefined);
    assert.equal((await holdSponsorAccount(kysely, { ...only, isShared: false, blobId: 'late' }))?.uses, 3);
    const lapsed = { ...hold, now: start + 101, heldUntil: start + 200 };
    assert.ok(await holdSponsorAccount(kysely, { ...lapsed, blobId: 'after its time' }));
  });

  test(`${name}: where no account is free, one is taken from whoever holds most, each time another`, async (context) => {
    const { kysely } = await make(context);
    const addresses = Array.from({ length: 10 }, (_, index) => `account ${index}`);
    await addSponsorAccounts(kysely, addresses);
    const hold = (caller: string, payer: string, perPayerMax = 100) =>
      holdSponsorAccount(kysely, {
        ...{ addresses, now: start, heldUntil: start + 100, isShared: true, perPayerMax },
        ...{ caller, payer, blobId: `${caller} ${payer}` },
      });
    const quiet = [await hold('quiet', 'a'), await hold('quiet', 'b')];
    for (let index = 0; index < 8; index++) await hold('loud', `name ${index}`);
    const honest = await Promise.all(['c', 'd', 'e'].map((payer) => hold(`caller of ${payer}`, payer)));
    for (let index = 0; index < 30; index++) await hold('loud', `other name ${index}`);
    const kept = [...quiet, ...honest].map((account) => account?.address);
    assert.equal(new Set(kept).size, 5, 'nobody shares with those who hold little');
    for (const address of kept) {
      const row = await kysely
        .selectFrom('sponsorAccounts')
        .select('caller')
        .where('address', '=', address as string)
        .executeTakeFirstOrThrow();
      assert.notEqual(row.caller, 'loud');
    }
  });

  test(`${name}: one payer holds so many accounts and no more, also where others are free`, async (context) => {
    const { kysely } = await make(context);
    const addresses = Array.from({ length: 10 }, (_, index) => `account ${index}`);
    await addSponsorAccounts(kysely, addresses);
    const used = new Set<string | undefined>();
    for (let index = 0; index < 9; index++) {
      const held = await holdSponsorAccount(kysely, {
        ...{ addresses, now: start, heldUntil: start + 100 + index, isShared: false, perPayerMax: 3 },
        ...{ caller: 'caller', payer: 'payer', blobId: `blob ${index}` },
      });
      used.add(held?.address);
    }
    assert.equal(used.size, 3);
  });

  test(`${name}: prices, policies and keys replace what was there`, async (context) => {
    const { kysely } = await make(context);
    const price = {
      templateId,
      issuer,
      amount: '5',
      asset: 'ZTX',
      symbol: 'ZTX',
      decimals: 6,
      payTo: 'p',
      updatedAt: 1,
    };
    await putPrice(kysely, price);
    await putPrice(kysely, { ...price, amount: '6' });
    assert.equal((await findPrice(kysely, templateId))?.amount, '6');
    const policy = {
      templateId,
      issuer,
      isEnabled: 1,
      holders: null,
      perDayMax: 5,
      until: start,
      validSeconds: 60,
      allowReissue: 0,
      updatedAt: 1,
    };
    const saleAt = async (now: number) => (await findSalePrice(kysely, { templateId, now }))?.amount;
    assert.equal(await saleAt(start - 1), undefined, 'without a policy nothing is issued at once');
    await putAutoIssue(kysely, policy);
    assert.deepEqual([await saleAt(start - 1), await saleAt(start)], ['6', undefined]);
    await putAutoIssue(kysely, { ...policy, isEnabled: 0, holders: 'a b' });
    assert.equal(await saleAt(start - 1), undefined);
    assert.deepEqual(await findAutoIssue(kysely, templateId), { ...policy, isEnabled: 0, holders: 'a b' });
    await putIssuerKey(kysely, { issuer, secret: asEncrypted('one'), createdAt: 1 });
    await putIssuerKey(kysely, { issuer, secret: asEncrypted('two'), createdAt: 2 });
    assert.deepEqual((await findStoredIssuerKey(kysely, issuer))?.secret, asEncrypted('two'));
  });

  test(`${name}: an application that is paid for begins as submitted, and is taken up again`, async (context) => {
    const { kysely } = await make(context);
    const vcId = did('paid');
    const who = { vcId, templateId, templateVersion: '1.0', issuer, holder: did('holder') };
    const given = { ...who, worker: 'w', now: start };
    await addSubmittedApplication(kysely, { ...given, submission: asEncrypted('one') });
    await addSubmittedApplication(kysely, { ...given, submission: asEncrypted('two') });
    assert.deepEqual((await findApplication(kysely, vcId))?.submission, asEncrypted('one'));
    await kysely.updateTable('applications').set({ state: 'approved', submission: null }).execute();
    await addSubmittedApplication(kysely, { ...given, submission: asEncrypted('three') });
    const taken = await findApplication(kysely, vcId);
    assert.deepEqual([taken?.state, taken?.submission], ['submitting', asEncrypted('three')]);
  });
}
