/**
 * Submits that the ledger refuses at its door, because of what the issuer's account is at that moment: nothing of it is
 * kept, so the same request succeeds as soon as the account is in order; and what the ledger has executed meanwhile is
 * told and recorded as executed, whoever handed it in.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { hashOfBlob } from '@symbolon/credential-service/ledger/hand-in';
import {
  type OperationOrder,
  type Signer,
  sendTransaction,
  signerFromSeed,
  waitForReceipt,
} from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { person, richest } from '../support/people.ts';
import { startNode } from '../support/running-node.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, postService } from '../support/service-http.ts';
import { ok, type Party, paths, revokeBody, signedBlobBody, templateBody } from '../support/service-steps.ts';
import { fund, makeParty, type World, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
let service: RunningService;
let world: World;
let rich: Signer;

before(async () => {
  const node = await startNode(owner);
  service = await startService(owner, { node, proofs: shareProofs(owner) });
  world = worldOf(service);
  rich = await signerFromSeed(richest.seed);
});

/** By another's transaction, so that the number of the account's next one stays. */
const onBehalfOf = async (party: Party, operation: OperationOrder, more: readonly Signer[] = []) =>
  sendTransaction(world.client, {
    signers: [rich, await signerFromSeed(party.seed), ...more],
    operations: [{ sourceAddress: party.address, ...operation }],
  });

async function drain(party: Party): Promise<void> {
  const { result } = await world.client.getAccountBase({ address: party.address });
  const amount = BigInt(result?.balance ?? 0) - 1_000n;
  await onBehalfOf(party, { payCoin: { destAddress: rich.address, amount } });
}

const pay = ({ address }: Party) =>
  sendTransaction(world.client, {
    signers: [rich],
    operations: [{ payCoin: { destAddress: address, amount: 50_000_000n } }],
  });

async function party(name: string): Promise<Party> {
  const made = await makeParty(world, name);
  await fund(world.client, [made]);
  return made;
}

async function offered(issuer: Party, templateName: string): Promise<JsonObject> {
  return ok(await world.steps.post(paths.templateBlob, templateBody(issuer, { templateName }), issuer));
}

const submit = (issuer: Party, blob: JsonObject) =>
  world.steps.post(paths.templateSubmit, signedBlobBody(issuer, blob));

async function listed(issuer: Party): Promise<unknown> {
  const { templates } = ok(await getService(world.url, `/cred/tds/templates?issuer=${issuer.did}`));
  return (templates as JsonObject[]).map(({ templateName }) => templateName);
}

describe('without money', () => {
  test('a registration is refused, as often as it is sent; once paid for it is done', async () => {
    const issuer = await party('poor registrant');
    const blob = await offered(issuer, 'Paid late');
    await drain(issuer);
    for (const time of ['first', 'again'])
      assert.equal((await submit(issuer, blob)).body.code, 'issuerAccountMissing', time);
    await pay(issuer);
    assert.match(String(ok(await submit(issuer, blob)).txHash), /^[0-9a-f]{64}$/);
    assert.deepEqual(await listed(issuer), ['Paid late']);
    assert.equal((await submit(issuer, blob)).body.code, 'blobUnknown', 'answered and used');
  });

  test('its name is not held back from others while it is refused', async () => {
    const [poor, other] = [await party('poor squatter'), await party('paying rival')];
    const blob = await offered(poor, 'Wanted by two');
    await drain(poor);
    assert.equal((await submit(poor, blob)).body.code, 'issuerAccountMissing');
    ok(await submit(other, await offered(other, 'Wanted by two')));
    await pay(poor);
    assert.equal((await submit(poor, blob)).body.code, 'templateExists');
  });

  test('what its issuer then hands to the ledger itself is told and recorded as done', async () => {
    const issuer = await party('direct registrant');
    const blob = await offered(issuer, 'Handed in by hand');
    await drain(issuer);
    assert.equal((await submit(issuer, blob)).body.code, 'issuerAccountMissing');
    await pay(issuer);
    const { signBlob, publicKey } = signedBlobBody(issuer, blob);
    const signatures = [{ public_key: publicKey as string, sign_data: signBlob as string }];
    const item = { transaction_blob: (blob.blob as string).toLowerCase(), signatures };
    await world.client.submitTransaction({ items: [item] });
    const { hash } = await waitForReceipt(world.client, hashOfBlob(item.transaction_blob));
    await drain(issuer);
    assert.equal(ok(await submit(issuer, blob)).txHash, hash);
    assert.deepEqual(await listed(issuer), ['Handed in by hand']);
  });

  test('a revocation is refused and its credential free; once paid for the same request revokes it', async () => {
    const { issuer, steps } = world;
    const registered = await steps.registerTemplate(issuer, { templateName: 'Revoked late' });
    const templateId = registered.templateId as string;
    const vcId = await steps.apply(person('kept waiting'), templateId);
    await steps.submit(issuer, vcId, await steps.create(issuer, vcId, templateId));
    const blob = ok(await steps.post(paths.revokeBlob, revokeBody(issuer, vcId)));
    const revoke = () => steps.post(paths.revokeSubmit, signedBlobBody(issuer, blob));
    await drain(issuer);
    assert.equal((await revoke()).body.code, 'issuerAccountMissing');
    await pay(issuer);
    ok(await steps.post(paths.revokeBlob, revokeBody(issuer, vcId)));
    assert.equal(ok(await revoke()).status, 'Revoked');
  });

  test('one that was overtaken is prepared anew as soon as there is money', async () => {
    const issuer = await party('overtaken and poor');
    const blob = await offered(issuer, 'Overtaken');
    const signer = await signerFromSeed(issuer.seed);
    await sendTransaction(world.client, { signers: [signer], operations: [{ log: { topic: 'first' } }] });
    await drain(issuer);
    assert.equal((await submit(issuer, blob)).body.code, 'issuerAccountMissing');
    await pay(issuer);
    const told = await submit(issuer, blob);
    assert.equal(told.body.code, 'blobReplaced');
    ok(await submit(issuer, told.body));
  });
});

describe('an account that wants more signatures', () => {
  const threshold = (txThreshold: bigint): OperationOrder => ({
    setPrivilege: { txThreshold: String(txThreshold) },
  });

  test('is told so, under an idempotency key too; the same request succeeds when one is enough', async () => {
    const issuer = await party('many signers');
    const blob = await offered(issuer, 'Signed by many');
    const signer = await signerFromSeed(person('second signer').seed);
    const signers = [{ address: signer.address, weight: 1n }];
    await onBehalfOf(issuer, { setPrivilege: { signers, txThreshold: '2' } });
    const headers = { 'idempotency-key': 'many-signers' };
    const send = () =>
      postService(world.url, paths.templateSubmit, signedBlobBody(issuer, blob), { headers });
    for (const time of ['first', 'again']) {
      const { status, body } = await send();
      assert.deepEqual([status, body.code], [400, 'issuerWeightTooLow'], time);
    }
    await onBehalfOf(issuer, threshold(1n), [signer]);
    ok(await send());
    assert.deepEqual(await listed(issuer), ['Signed by many']);
  });
});
