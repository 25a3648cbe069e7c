/**
 * Templates over HTTP: registered with a blob or with a private key, in versions, read by anybody, and under a name
 * that one issuer alone has.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, postService } from '../support/service-http.ts';
import {
  type Issuer,
  ok,
  paths,
  signedBlobBody,
  templateBody,
  twelveAttributes,
} from '../support/service-steps.ts';
import { fund, makeParty, type World, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let service: RunningService;
let world: World;
let rival: Issuer;

before(async () => {
  service = await startService(owner, { proofs });
  world = worldOf(service);
  rival = { ...(await makeParty(world, 'rival')), bbsPublicKey: '' };
  await fund(world.client, [rival]);
});

const read = async (path: string): Promise<JsonObject> => ok(await getService(service.url, path));
const code = async (path: string): Promise<unknown> => (await getService(service.url, path)).body.code;

describe('a template', () => {
  test('is read as it was registered, in every version', async () => {
    const { steps, issuer } = world;
    const order = { templateName: 'Passport', attributes: twelveAttributes };
    const { templateId, txHash } = await steps.registerTemplate(issuer, order);
    const second = await steps.registerTemplate(issuer, { templateName: 'passport', version: '1.10.0' });
    assert.equal(second.templateId, templateId, 'the same for every version');
    const path = `/cred/tds/templates/${templateId}`;
    assert.deepEqual(await read(`${path}?version=1.0.0`), {
      templateId,
      templateName: 'Passport',
      issuerDid: issuer.did,
      credentialFormat: twelveAttributes,
      version: '1.0.0',
      txHash,
    });
    assert.equal((await read(path)).version, '1.10.0');
    const { versions } = await read(`/cred/tds/templates/${templateId}/history`);
    assert.deepEqual(
      (versions as JsonObject[]).map(({ version }) => version),
      ['1.10.0', '1.0.0'],
    );
    for (const version of ['1.9.0', '1.10.0', '0.1']) {
      const draft = templateBody(issuer, { templateName: 'Passport', version });
      const answer = await postService(service.url, paths.templateBlob, draft, issuer);
      assert.equal(answer.body.code, 'templateExists', `${version} is not higher`);
    }
  });

  test('has a JSON Schema', async () => {
    const { templates } = await read('/cred/tds/templates?q=passport');
    const [{ templateId }] = templates as [JsonObject];
    const schema = await read(`/cred/tds/templates/${templateId}/schema?version=1.0.0`);
    assert.equal(schema.$schema, 'https://json-schema.org/draft/2020-12/schema');
    const keys = twelveAttributes.map(({ key }) => key);
    assert.deepEqual(Object.keys(schema.properties as JsonObject), ['id', ...keys]);
    assert.deepEqual(schema.required, ['id', ...keys.filter((key) => key !== 'remark')]);
  });

  test('that nobody registered is unknown', async () => {
    const path = `/cred/tds/templates/did:zid:${'0'.repeat(64)}`;
    for (const part of ['', '/schema', '/history']) assert.equal(await code(path + part), 'templateUnknown');
    assert.equal(await code('/cred/tds/templates?limit=0'), 'requestMalformed');
    assert.equal(await code('/cred/tds/templates?cursor=nonsense'), 'requestMalformed');
  });

  test('is found by part of its name, by issuer, and page by page', async () => {
    const { steps, issuer } = world;
    for (const templateName of ['Boat licence', 'Boat insurance', 'Car licence'])
      await steps.registerTemplate(issuer, { templateName });
    await steps.registerTemplate(rival, { templateName: 'Boat tax 100%' });
    const names = (page: JsonObject) => (page.templates as JsonObject[]).map((it) => it.templateName);
    assert.deepEqual(names(await read('/cred/tds/templates?q=BOAT')), [
      'Boat insurance',
      'Boat licence',
      'Boat tax 100%',
    ]);
    assert.deepEqual(names(await read('/cred/tds/templates?q=100%25')), ['Boat tax 100%']);
    assert.deepEqual(names(await read(`/cred/tds/templates?issuer=${rival.did}`)), ['Boat tax 100%']);
    const seen: unknown[] = [];
    let next: unknown = '';
    for (let pages = 0; next !== undefined && pages < 10; pages++) {
      const cursor = next === '' ? '' : `&cursor=${encodeURIComponent(String(next))}`;
      const page = await read(`/cred/tds/templates?q=licence&limit=1${cursor}`);
      seen.push(...names(page));
      next = page.nextCursor;
    }
    assert.deepEqual(seen, ['Boat licence', 'Car licence']);
  });
});

describe('a name', () => {
  test('that two issuers want at the same time goes to one of them', async () => {
    const { issuer, steps } = world;
    const rivals = [issuer, rival];
    const blobs = await Promise.all(
      rivals.map(async (who) => {
        const draft = templateBody(who, { templateName: 'Rare name' });
        return ok(await steps.post(paths.templateBlob, draft, who));
      }),
    );
    const answers = await Promise.all(
      rivals.map((who, index) =>
        steps.post(paths.templateSubmit, signedBlobBody(who, blobs[index] as JsonObject)),
      ),
    );
    const told = answers.map(({ status, body }) => body.code ?? status).sort();
    assert.deepEqual(told, [200, 'templateExists']);
    const { templates } = await read('/cred/tds/templates?q=rare');
    assert.equal((templates as JsonObject[]).length, 1);
  });

  test('is free again when the ledger did not take the template', async () => {
    const { issuer, steps } = world;
    const draft = templateBody(issuer, { templateName: 'Late name' });
    const late = ok(await steps.post(paths.templateBlob, draft, issuer));
    await steps.registerTemplate(issuer, { templateName: 'Faster name' });
    const stale = await steps.post(paths.templateSubmit, signedBlobBody(issuer, late));
    assert.equal(stale.body.code, 'blobReplaced', 'the account has sent another transaction since');
    await steps.registerTemplate(rival, { templateName: 'Late name' });
  });
});

describe('with a private key', () => {
  const create = (issuer: Issuer, more: JsonObject = {}) => {
    const { issuerDid, ...draft } = templateBody(issuer, { templateName: 'Keyed card' });
    const body = { ...draft, issuerDID: issuerDid, issuerPrivateKey: issuer.privateKey, ...more };
    return postService(service.url, paths.templateCreate, body, issuer);
  };

  test('a template is registered in one step', async () => {
    const answer = ok(await create(world.issuer));
    assert.deepEqual(Object.keys(answer).sort(), ['templateId', 'txHash']);
    assert.equal((await create(world.issuer)).body.code, 'templateExists');
  });

  test('of somebody else, or of nobody, it is not', async () => {
    const templateName = 'Stolen card';
    const stolen = await create(world.issuer, { templateName, issuerPrivateKey: rival.privateKey });
    assert.equal(`${stolen.status} ${stolen.body.code}`, '401 signerMismatch');
    const broken = await create(world.issuer, { templateName, issuerPrivateKey: 'privateness' });
    assert.equal(`${broken.status} ${broken.body.code}`, '400 requestMalformed');
    assert.ok(!JSON.stringify(broken.body).includes('privateness'), 'what may be a key is not repeated');
  });

  test('no private key is taken where the operator forbids it', async () => {
    service = await service.restart({ config: { acceptPrivateKeys: false } });
    world = worldOf(service);
    const answer = await create(world.issuer, { templateName: 'Forbidden card' });
    assert.equal(`${answer.status} ${answer.body.code}`, '401 notAllowed');
    assert.ok(!service.logged().includes(world.issuer.privateKey));
  });
});
