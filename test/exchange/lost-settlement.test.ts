/**
 * Payments that were settled on a ledger which has lost them, and was accepted as it is: what the ledger has counts, and
 * nobody is told that a payment is confirmed which nobody has.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initServiceFolder } from '@symbolon/credential-service/wiring/service-folder';
import type { JsonObject } from '@symbolon/wire/json/json';
import { changingLedger } from '../support/changing-ledger.ts';
import { ownerOfSuite } from '../support/owner.ts';
import {
  customer,
  familyPayment,
  payPaths,
  settlementOf,
  signedPayload,
  startPaymentWorld,
} from '../support/payment-world.ts';
import { person } from '../support/people.ts';
import { operations } from '../support/running-node.ts';
import { shareProofs } from '../support/running-service.ts';
import { postService, type ServiceAnswer } from '../support/service-http.ts';
import { symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();
const payee = person('payee of lost payments').address;
const objectOf = ({ body }: ServiceAnswer): JsonObject => body.object as JsonObject;

test('a settled payment that the accepted ledger does not have is not confirmed', async () => {
  const ledger = await changingLedger(owner);
  const folder = tempFolder(owner);
  await initServiceFolder(folder);
  const { client } = ledger;
  const world = await startPaymentWorld(owner, {
    node: ledger.node(),
    client,
    proofs: shareProofs(owner),
    folder,
  });
  const settle = (payment: JsonObject) =>
    postService(world.url, `${payPaths.facilitator}/settle`, familyPayment(payment));
  const statusOf = (hash: unknown) => settlementOf(world, hash);
  const [spends, waits] = [await customer(client, 'spends again'), await customer(client, 'waits')];
  const early = await ledger.copy();
  const service = { ...world.service, node: ledger.node() };
  const order = { payTo: payee, amount: 1_000n };
  const lost = await signedPayload({ service }, spends, order);
  const back = await signedPayload({ service }, waits, order);
  const hashes: unknown[] = [];
  for (const payment of [lost, back]) {
    const { status, txHash } = objectOf(await settle(payment));
    assert.equal(status, 'CONFIRMED');
    hashes.push(txHash);
  }

  await ledger.putBack(early);
  const changed = await statusOf(hashes[0]);
  assert.deepEqual([changed.status, changed.body.code], [503, 'ledgerChanged'], changed.text);
  await ledger.node().execute({ source: spends, operations: [operations.payCoin(payee, 7)] });
  const words = ['--data', folder, '--node', ledger.node().url, '--yes'];
  const { err } = await symbolon(owner, ['service', 'reconcile', ...words]);
  assert.match(err, new RegExp(`payment ${hashes[0]}.*the payer keeps the money`));
  await until('it goes on', async () => (await world.service.served.notReady()) === undefined);

  for (const _ of [1, 2]) {
    const told = objectOf(await statusOf(hashes[0]));
    assert.deepEqual([told.status, told.errorCode], ['FAILED', 4006], JSON.stringify(told));
    assert.match(String(told.errorMsg), /^nonce_not_next: the ledger has lost it/);
    const again = await settle(lost);
    assert.deepEqual([again.status, objectOf(again).status], [200, 'FAILED'], again.text);
  }
  // What was handed in again is confirmed as before.
  assert.equal(objectOf(await statusOf(hashes[1])).status, 'CONFIRMED');
  const repeated = await settle(back);
  assert.deepEqual([repeated.status, objectOf(repeated).status], [409, 'CONFIRMED'], repeated.text);
});
