/** Revocation, suspension and reinstatement over HTTP, of one credential or many: who sees what, and from when on. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, outcomeOf, postService } from '../support/service-http.ts';
import { ok, paths, revokeBody, signedBlobBody } from '../support/service-steps.ts';
import { makeIssuer, registerCard, type World, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let service: RunningService;
let world: World;
let templateId: string;

before(async () => {
  service = await startService(owner, { proofs });
  world = worldOf(service);
  templateId = await registerCard(world, 'Status card');
});

const issue = (holder = world.holder) => world.steps.issue({ issuer: world.issuer, holder }, templateId);
const post = (path: string, body: JsonObject) => postService(service.url, path, body);

const changes = {
  revoke: { prepare: '/cred/v1/vc/revoke/create-blob', submit: '/cred/v1/vc/revoke/submit' },
  suspend: { prepare: '/cred/v1/vc/suspend/create-blob', submit: '/cred/v1/vc/suspend/submit' },
  reinstate: { prepare: '/cred/v1/vc/reinstate/create-blob', submit: '/cred/v1/vc/reinstate/submit' },
};

/** Prepares and submits a change; answers the submit's reply. */
async function change(act: keyof typeof changes, vcId: string): Promise<JsonObject> {
  const { issuer } = world;
  const blob = ok(await post(changes[act].prepare, revokeBody(issuer, vcId)));
  return ok(await post(changes[act].submit, signedBlobBody(issuer, blob)));
}

const statusOf = async (vcId: string): Promise<JsonObject> =>
  ok(await getService(service.url, `/cred/v1/vc/status?vcId=${vcId}`));

describe('a credential', () => {
  test('is suspended, reinstated and revoked, and every verification sees it', async () => {
    const { steps, holder } = world;
    const { vcId, vc } = await issue();
    const vp = await steps.present(holder, { vc, revealAttributes: ['fullName'] });
    const verdict = async () => {
      const { verified, errors } = ok(await post(paths.verify, { vp }));
      return verified === true ? 'verified' : String((errors as string[])[0]).replace(/ in ledger .*/, '');
    };
    assert.equal(await verdict(), 'verified');
    assert.deepEqual(await change('suspend', vcId), { vcId, status: 'Suspended' });
    assert.equal(await verdict(), 'status: credential suspended');
    assert.deepEqual(await change('reinstate', vcId), { vcId, status: 'Active' });
    assert.equal(await verdict(), 'verified');
    await change('suspend', vcId);
    assert.deepEqual(await change('revoke', vcId), { vcId, status: 'Revoked' });
    assert.equal(await verdict(), 'status: credential revoked');
    const after = await statusOf(vcId);
    assert.deepEqual([after.status, after.issuer], ['Revoked', world.issuer.did]);
    assert.match(after.txHash as string, /^[0-9a-f]{64}$/);
  });

  test('that this service saw revoked stays revoked, whatever a ledger says of it', async () => {
    const { vcId, vc } = await issue();
    const vp = await world.steps.present(world.holder, { vc, revealAttributes: ['fullName'] });
    const rows = service.served.parts.database.kysely.updateTable('credentials').where('vcId', '=', vcId);
    await rows.set({ status: 'revoked' }).execute();
    const { verified, errors } = ok(await post(paths.verify, { vp }));
    assert.deepEqual([verified, (errors as string[])[0]], [false, 'status: credential revoked']);
    assert.equal((await statusOf(vcId)).status, 'Revoked');
  });

  test('that is suspended is shown as such to its issuer, in its application and in the list', async () => {
    const { vcId } = await issue();
    const shown = async () =>
      ok(await getService(service.url, `/cred/v1/vc/applications/${vcId}`, world.issuer));
    const listed = async (status: string): Promise<boolean> => {
      const path = `/cred/v1/vc/applications?status=${status}&limit=200`;
      const { applications } = ok(await getService(service.url, path, world.issuer));
      return (applications as JsonObject[]).some((one) => one.vcId === vcId && one.status === status);
    };
    assert.equal((await shown()).status, 'Issued');
    await change('suspend', vcId);
    assert.equal((await shown()).status, 'Suspended');
    assert.deepEqual([await listed('Issued'), await listed('Suspended')], [false, true]);
    await change('reinstate', vcId);
    assert.equal((await shown()).status, 'Issued');
    assert.deepEqual([await listed('Issued'), await listed('Suspended')], [true, false]);
  });

  test('that forbids a change of many is named', async () => {
    const { issuer } = world;
    const [{ vcId: good }, { vcId: gone }] = [await issue(), await issue()];
    await change('revoke', gone);
    const body = { vcIds: [good, gone], issuerAddress: issuer.address };
    const refused = await post('/cred/v1/vc/revoke/bulk/create-blob', body);
    assert.equal(outcomeOf(refused), '409 statusForbids');
    assert.ok(String(refused.body.detail).includes(gone), refused.text);
    const unknown = `did:zid:${'ab'.repeat(32)}`;
    const missing = await post('/cred/v1/vc/revoke/bulk/create-blob', { ...body, vcIds: [good, unknown] });
    assert.equal(outcomeOf(missing), '404 credentialUnknown');
    assert.ok(String(missing.body.detail).includes(unknown), missing.text);
  });

  test('is changed once by the same transaction in two blobs, and both are answered with it', async () => {
    const { issuer } = world;
    const { vcId } = await issue();
    const blobOf = async (act: string) =>
      ok(await post(`/cred/v1/vc/${act}/create-blob`, { vcId, issuerAddress: issuer.address }));
    for (const [act, status] of [
      ['suspend', 'Suspended'],
      ['reinstate', 'Active'],
      ['revoke', 'Revoked'],
    ] as const) {
      const [one, two, three] = [await blobOf(act), await blobOf(act), await blobOf(act)];
      assert.equal(one.blob, two.blob, 'the very same transaction');
      const submit = (blob: JsonObject) => post(`/cred/v1/vc/${act}/submit`, signedBlobBody(issuer, blob));
      const together = await Promise.all([submit(one), submit(two)]);
      for (const answer of [...together, await submit(three)])
        assert.deepEqual(ok(answer), { vcId, status }, act);
      const action = `credential.${act}`;
      const { entries } = await service.admin.listAuditEntries({ action, subject: vcId });
      assert.equal(entries.length, 1, action);
    }
  });

  test('changes only as the table of its statuses says', async () => {
    const { issuer } = world;
    const { vcId } = await issue();
    const prepare = async (act: string) =>
      outcomeOf(await post(`/cred/v1/vc/${act}/create-blob`, revokeBody(issuer, vcId)));
    assert.equal(await prepare('reinstate'), '409 statusForbids');
    await change('suspend', vcId);
    assert.equal(await prepare('suspend'), '409 statusForbids');
    await change('revoke', vcId);
    for (const act of ['revoke', 'suspend', 'reinstate'])
      assert.equal(await prepare(act), '409 statusForbids');
  });

  test('is asked for in either form, by anybody, with the issuer or without', async () => {
    const { issuer } = world;
    const { vcId } = await issue();
    assert.equal((await statusOf(vcId)).status, 'Active');
    for (const named of [issuer.did, issuer.address]) {
      const path = `/cred/v1/vc/status?vcId=${vcId}&issuer=${named}`;
      assert.equal(ok(await getService(service.url, path)).status, 'Active');
    }
    const ask = async () => ok(await post('/cred/v1/vc/revoke/status', { vcId }));
    assert.deepEqual(await ask(), { isRevoked: false, revokedAt: null });
    await change('revoke', vcId);
    const { isRevoked, revokedAt } = await ask();
    assert.equal(isRevoked, true);
    assert.ok(Math.abs(Date.parse(revokedAt as string) - Date.now()) < 60_000);
    const unknown = `did:zid:${'7'.repeat(64)}`;
    assert.equal(
      outcomeOf(await post('/cred/v1/vc/revoke/status', { vcId: unknown })),
      '404 credentialUnknown',
    );
    const strange = `/cred/v1/vc/status?vcId=${vcId}&issuer=nobody`;
    assert.equal(outcomeOf(await getService(service.url, strange)), '400 requestMalformed');
  });

  test('keeps why it was revoked off the ledger', async () => {
    const { issuer } = world;
    const { vcId } = await issue();
    await change('revoke', vcId);
    const { parts } = service.served;
    const entry = await parts.ledger.readEntry(issuer.address, vcId);
    assert.match(entry?.remarkHash as string, /^[0-9a-f]{64}$/);
    const { result } = await service.ledger.getAccountMetaData({
      address: parts.ledger.registries.credentials,
    });
    assert.ok(!JSON.stringify(result).includes('no longer true'));
  });
});

describe('many credentials', () => {
  const bulk = (vcIds: string[]) =>
    post('/cred/v1/vc/revoke/bulk/create-blob', { vcIds, issuerAddress: world.issuer.address });

  test('are revoked by one blob, all or none', async () => {
    const { issuer } = world;
    const issued = await Promise.all(['a', 'b', 'c'].map((name) => issue(person(`bulk ${name}`) as never)));
    const vcIds = issued.map(({ vcId }) => vcId);
    const blob = ok(await bulk([...vcIds, vcIds[0] as string]));
    const { status, vcIds: revoked } = ok(await post(paths.revokeSubmit, signedBlobBody(issuer, blob)));
    assert.deepEqual([status, revoked], ['Revoked', vcIds]);
    for (const vcId of vcIds) assert.equal((await statusOf(vcId)).status, 'Revoked');
  });

  test('are not when one of them is unknown, revoked, or of somebody else', async () => {
    const [{ vcId }, other] = [await issue(), await issue(person('bulk other') as never)];
    assert.equal(outcomeOf(await bulk([vcId, `did:zid:${'9'.repeat(64)}`])), '404 credentialUnknown');
    await change('revoke', other.vcId);
    assert.equal(outcomeOf(await bulk([vcId, other.vcId])), '409 statusForbids');
    const issuer = await makeIssuer(world, 'issuer of another');
    const foreign = await world.steps.registerTemplate(issuer, { templateName: 'Foreign card' });
    const theirs = await world.steps.issue({ issuer, holder: world.holder }, foreign.templateId as string);
    assert.equal(outcomeOf(await bulk([vcId, theirs.vcId])), '403 issuerMismatch');
    assert.equal(outcomeOf(await bulk([])), '400 requestMalformed');
    assert.equal((await statusOf(vcId)).status, 'Active');
  });
});
