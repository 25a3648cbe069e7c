/** What an issuer signs and hands to a node itself: the service learns it, and tells what the ledger tells. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { hashOfBlob } from '@symbolon/credential-service/ledger/hand-in';
import { fixedClock } from '@symbolon/host/testing/fixed-clock';
import { waitForReceipt } from '@symbolon/sdk/ledger/receipts';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, outcomeOf, postService } from '../support/service-http.ts';
import { ok, paths, revokeBody, signedBlobBody, templateBody } from '../support/service-steps.ts';
import { registerCard, type World, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const clock = fixedClock(Date.now());
let service: RunningService;
let world: World;
let templateId: string;

before(async () => {
  service = await startService(owner, { proofs: shareProofs(owner), clock });
  world = worldOf(service);
  templateId = await registerCard(world, 'Elsewhere card');
});

const post = (path: string, body: JsonObject) => postService(service.url, path, body);
const look = () => service.served.runChore('blobs');
const shownStatus = async (vcId: string) =>
  ok(await getService(service.url, `/cred/v1/vc/applications/${vcId}`, world.issuer)).status;

async function listed(status: string): Promise<unknown[]> {
  const path = `/cred/v1/vc/applications?status=${status}&limit=200`;
  const { applications } = ok(await getService(service.url, path, world.issuer));
  return (applications as JsonObject[]).map(({ vcId }) => vcId);
}

/** Signs it and gives it to the node. */
async function handInDirectly(blob: JsonObject): Promise<void> {
  const { signBlob, publicKey } = signedBlobBody(world.issuer, blob);
  const signatures = [{ public_key: publicKey as string, sign_data: signBlob as string }];
  const item = { transaction_blob: (blob.blob as string).toLowerCase(), signatures };
  await world.client.submitTransaction({ items: [item] });
  const { code } = await waitForReceipt(world.client, hashOfBlob(item.transaction_blob));
  assert.equal(code, 0);
}

const blobFor = async (act: string, vcId: string) =>
  ok(await post(`/cred/v1/vc/${act}/create-blob`, revokeBody(world.issuer, vcId)));

const issue = async (name: string) =>
  (await world.steps.issue({ issuer: world.issuer, holder: person(name) as never }, templateId)).vcId;

describe('a change of a status', () => {
  test('is shown and listed, recorded once, and told to whoever submits it then', async () => {
    const vcId = await issue('elsewhere one');
    for (const [act, status] of [
      ['suspend', 'Suspended'],
      ['reinstate', 'Issued'],
      ['revoke', 'Revoked'],
    ] as const) {
      const blob = await blobFor(act, vcId);
      await handInDirectly(blob);
      await look();
      assert.equal(await shownStatus(vcId), status);
      assert.ok((await listed(status)).includes(vcId));
      if (status !== 'Issued') assert.ok(!(await listed('Issued')).includes(vcId));
      await look();
      assert.equal(
        outcomeOf(await post(`/cred/v1/vc/${act}/submit`, signedBlobBody(world.issuer, blob))),
        '200 ok',
      );
      const { entries } = await service.admin.listAuditEntries({
        action: `credential.${act}`,
        subject: vcId,
      });
      assert.equal(entries.length, 1);
    }
  });

  test('is learnt also if the blob has lapsed before anybody looked, and forgotten after that', async () => {
    const [vcId, other] = [await issue('elsewhere two'), await issue('elsewhere three')];
    const unused = await blobFor('suspend', other);
    const blob = await blobFor('revoke', vcId);
    await handInDirectly(blob);
    clock.advanceMs(3_600_000);
    await service.served.runChore('sweep');
    await look();
    assert.deepEqual([await shownStatus(vcId), await shownStatus(other)], ['Revoked', 'Issued']);
    await service.served.runChore('sweep');
    const left = await service.served.parts.database.kysely.selectFrom('blobs').select('id').execute();
    assert.ok(!left.some(({ id }) => id === unused.blobId));
  });
});

test('a template is found, and the same name is told as registered because it is', async () => {
  const order = templateBody(world.issuer, { templateName: 'Elsewhere template' });
  const blob = ok(await postService(service.url, paths.templateBlob, order, world.issuer));
  await handInDirectly(blob);
  await look();
  const { templates } = ok(await getService(service.url, '/cred/tds/templates?q=Elsewhere%20template'));
  const [template] = templates as JsonObject[];
  assert.equal(template?.templateName, 'Elsewhere template');
  const shown = await getService(service.url, `/cred/tds/templates/${template?.templateId}`);
  assert.equal(outcomeOf(shown), '200 ok');
  const { txHash } = ok(await post(paths.templateSubmit, signedBlobBody(world.issuer, blob)));
  assert.equal(txHash, hashOfBlob((blob.blob as string).toLowerCase()));
});
