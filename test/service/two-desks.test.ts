/**
 * Two desks of one issuer at the same time, on SQLite and on a real PostgreSQL: each transaction of the issuer's account
 * has a number, so a blob that was prepared before another was submitted is answered with a new one to sign. The SDK
 * follows by itself; a client that knows nothing of it can act on the answer.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { registerTemplate, revokeCredential } from '@symbolon/sdk/flows/issuer-flows';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { startPostgres } from '../support/postgres.ts';
import { startNode } from '../support/running-node.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, postService } from '../support/service-http.ts';
import {
  attribute,
  ok,
  paths,
  revokeBody,
  signedBlobBody,
  submitBody,
  templateBody,
} from '../support/service-steps.ts';
import { registerCard, type World, worldOf } from '../support/service-world.ts';

const perDesk = 50;
const owner = ownerOfSuite();
const proofs = shareProofs(owner, 2);

const openers: Readonly<Record<string, () => Promise<RunningService>>> = {
  SQLite: async () => startService(owner, { node: await startNode(owner), proofs }),
  PostgreSQL: async () => {
    const { url: database } = await startPostgres(owner);
    return startService(owner, { node: await startNode(owner), proofs, database });
  },
};

const some = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

for (const [name, open] of Object.entries(openers))
  describe(`on ${name}`, () => {
    let service: RunningService;
    let world: World;
    let templateId: string;

    before(async () => {
      service = await open();
      world = worldOf(service);
      templateId = await registerCard(world, 'Desk card');
    });

    async function issueMany(count: number, whom: string): Promise<string[]> {
      const { steps, issuer } = world;
      const made = some(count, async (index) => {
        const vcId = await steps.apply(person(`${whom} ${index}`), templateId);
        const created = await steps.create(issuer, vcId, templateId);
        ok(await postService(world.url, paths.submit, submitBody(issuer, vcId, created)));
        return vcId;
      });
      return Promise.all(made);
    }

    const statusOf = async (vcId: string): Promise<unknown> =>
      ok(await getService(world.url, `/cred/v1/vc/status?vcId=${vcId}`)).status;

    const revocationBlob = async (vcId: string): Promise<JsonObject> =>
      ok(await postService(world.url, paths.revokeBlob, revokeBody(world.issuer, vcId)));

    const revoke = (blob: JsonObject) =>
      postService(world.url, paths.revokeSubmit, signedBlobBody(world.issuer, blob));

    test(`each revokes ${perDesk} credentials: all are`, async () => {
      const vcIds = await issueMany(2 * perDesk, 'revoked');
      const { client, signer } = service.issuer;
      const one = (vcId: string) =>
        revokeCredential(client, { signer, vcId, remark: 'together', ledger: service.ledger });
      // The first desk takes one after the other, the second all at once.
      const desks = await Promise.all([
        (async () => {
          const done: unknown[] = [];
          for (const vcId of vcIds.slice(0, perDesk)) done.push((await one(vcId)).status);
          return done;
        })(),
        Promise.all(vcIds.slice(perDesk).map(async (vcId) => (await one(vcId)).status)),
      ]);
      assert.deepEqual(new Set(desks.flat()), new Set(['Revoked']));
      assert.deepEqual(new Set(await Promise.all(vcIds.map(statusOf))), new Set(['Revoked']));
      const actions = await Promise.all(
        vcIds.map(async (subject) => {
          const { entries } = await service.admin.listAuditEntries({ action: 'credential.revoke', subject });
          return entries.length;
        }),
      );
      assert.deepEqual(new Set(actions), new Set([1]), 'each once');
    });

    test('templates of both are registered', async () => {
      const { client, signer } = service.issuer;
      const credentialFormat = [attribute('fullName', 'string', 1)];
      const replies = await Promise.all(
        some(4, (index) => {
          const templateName = `Desk template ${index}`;
          return registerTemplate(client, { signer, templateName, credentialFormat, version: '1.0.0' });
        }),
      );
      assert.equal(new Set(replies.map(({ txHash }) => txHash)).size, 4);
    });

    test('a client that knows nothing of it is told what to sign, or asks for a new blob', async () => {
      const [first, second, third] = await issueMany(3, 'by hand');
      const [one, two, three] = [
        await revocationBlob(first as string),
        await revocationBlob(second as string),
        await revocationBlob(third as string),
      ];
      ok(await revoke(one));
      const told = await revoke(two);
      assert.deepEqual([told.status, told.body.code], [404, 'blobReplaced']);
      assert.match(String(told.body.hint), /Sign the `blob` of this answer/);
      const again = await revoke(two);
      assert.deepEqual([again.body.blobId, again.body.blob], [told.body.blobId, told.body.blob]);
      assert.notEqual(told.body.blobId, two.blobId);
      assert.equal(ok(await revoke(told.body)).vcId, second);
      assert.equal((await revoke(two)).body.code, 'blobUnknown', 'what replaced it is used');
      assert.equal((await revoke(three)).body.code, 'blobReplaced');
      assert.equal(ok(await revoke(await revocationBlob(third as string))).status, 'Revoked');
    });

    test('clients that ask for a new blob at every 404 all come to an end, and none is told of a failure', async () => {
      const vcIds = await issueMany(12, 'asked anew');
      const told = new Set<string>();
      const one = async (vcId: string): Promise<unknown> => {
        for (let blob = await revocationBlob(vcId); ; ) {
          const { status, body } = await revoke(blob);
          told.add(`${status} ${body.code ?? 'ok'}`);
          if (status === 404) blob = await revocationBlob(vcId);
          else if (status !== 503) return body.status;
        }
      };
      assert.deepEqual(new Set(await Promise.all(vcIds.map(one))), new Set(['Revoked']));
      const expected = ['200 ok', '404 blobReplaced', '503 overloaded'];
      assert.deepEqual(
        [...told].filter((answer) => !expected.includes(answer)),
        [],
      );
    });

    test('what another has done meanwhile is told as such', async () => {
      const [vcId] = await issueMany(1, 'twice');
      const [one, two] = [await revocationBlob(vcId as string), await revocationBlob(vcId as string)];
      ok(await revoke(one));
      assert.deepEqual((await revoke(two)).body.code, 'statusForbids');
      const { issuer, steps } = world;
      const draft = templateBody(issuer, { templateName: 'Desk rival' });
      const mine = ok(await steps.post(paths.templateBlob, draft, issuer));
      const theirs = ok(await steps.post(paths.templateBlob, draft, issuer));
      ok(await steps.post(paths.templateSubmit, signedBlobBody(issuer, mine)));
      const late = await steps.post(paths.templateSubmit, signedBlobBody(issuer, theirs));
      assert.equal(theirs.blob, mine.blob, 'the very same transaction');
      const subject = ok(late).templateId as string;
      const { entries } = await service.admin.listAuditEntries({ action: 'template.register', subject });
      assert.equal(entries.length, 1);
    });

    test('with the private key the service signs anew itself', async () => {
      const { issuer, steps } = world;
      const create = (index: number) => {
        const { issuerDid, ...draft } = templateBody(issuer, { templateName: `Left key ${index}` });
        const body = { ...draft, issuerDID: issuerDid, issuerPrivateKey: issuer.privateKey };
        return steps.post(paths.templateCreate, body, issuer);
      };
      const answers = await Promise.all(some(3, create));
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200],
      );
    });
  });
