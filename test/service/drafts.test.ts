/**
 * What an issuer decides on, over HTTP: a draft can be made anew until it is signed, is shown whole before that, and
 * holds what was ordered and nothing else.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, postService } from '../support/service-http.ts';
import { createBody, ok, paths, submitBody } from '../support/service-steps.ts';
import { type World, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let service: RunningService;
let world: World;
let templateId: string;

before(async () => {
  service = await startService(owner, { proofs });
  world = worldOf(service);
  const registered = await world.steps.registerTemplate(world.issuer, { templateName: 'Draft card' });
  templateId = registered.templateId as string;
});

const post = (path: string, body: JsonObject, apiKey = world.issuer.apiKey) =>
  postService(service.url, path, body, { apiKey });
const look = async (vcId: string): Promise<JsonObject> =>
  ok(await getService(service.url, `/cred/v1/vc/applications/${vcId}`, world.issuer));
const told = ({ status, body }: { status: number; body: JsonObject }): string =>
  `${status} ${body.code ?? 'ok'}`;
const applied = (name: string) => world.steps.apply(person(name), templateId);

describe('a draft that was not signed', () => {
  test('is made anew at once, as the issuer orders it then', async () => {
    const vcId = await applied('decided twice');
    await world.steps.create(world.issuer, vcId, templateId);
    const order = { ...createBody(vcId, templateId), issuanceData: { fullName: 'Āroha Ngāta' } };
    const again = ok(await post(paths.create, order));
    const { vcObject } = await world.steps.submit(world.issuer, vcId, again);
    const { fullName } = (vcObject as JsonObject).credentialSubject as JsonObject;
    assert.equal(fullName, 'Āroha Ngāta');
  });

  test('is made anew after a signature that was refused', async () => {
    const vcId = await applied('signed wrongly');
    const created = await world.steps.create(world.issuer, vcId, templateId);
    const { bbsPublicKey: ours, ...others } = world.issuer;
    const { publicKeyMultibase } = ok(
      await post(paths.bbsCreate, { seed: 'ab'.repeat(32) }, world.issuer.apiKey),
    );
    const wrong = submitBody({ ...others, bbsPublicKey: publicKeyMultibase as string }, vcId, created);
    assert.equal(told(await post(paths.submit, wrong)), '401 signerMismatch');
    const again = await world.steps.create(world.issuer, vcId, templateId);
    assert.equal((await world.steps.submit(world.issuer, vcId, again)).vcObject !== undefined, true);
    assert.notEqual(ours, publicKeyMultibase);
  });

  test('is worth nothing any more, and whoever signs it is told that there is a newer one', async () => {
    const vcId = await applied('two desks');
    const first = await world.steps.create(world.issuer, vcId, templateId);
    const second = await world.steps.create(world.issuer, vcId, templateId);
    const late = await post(paths.submit, submitBody(world.issuer, vcId, first));
    assert.equal(told(late), '409 stateForbids');
    assert.match(late.body.detail as string, /created again/);
    await world.steps.submit(world.issuer, vcId, second);
    const over = await post(paths.create, createBody(vcId, templateId));
    assert.equal(told(over), '409 stateForbids', 'what was issued stays as it is');
  });
});
