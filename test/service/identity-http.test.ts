/**
 * `GET /1.0/identifiers/{did}` over HTTP, as W3C DID Resolution says: an issuer publishes, rotates and gives up, and
 * whoever asks sees the document of the time they ask for, in the form they accept.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { encodeMultikey } from '@symbolon/core/did/did';
import { type Signer, signerFromSeed } from '@symbolon/sdk/index';
import { deactivateDid, publishService, rotateKey } from '@symbolon/sdk/transactions/did-keys';
import type { JsonObject } from '@symbolon/wire/json/json';
import { type Answer, json, send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { postService } from '../support/service-http.ts';
import { createBody, type Issuer, ok, paths, submitBody } from '../support/service-steps.ts';
import { didOf, makeIssuer, type World, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let service: RunningService;
let world: World;
let issuer: Issuer;
let signer: Signer;

before(async () => {
  service = await startService(owner, { proofs });
  world = worldOf(service);
  issuer = await makeIssuer(world, 'changing issuer');
  signer = await signerFromSeed(issuer.seed);
});

const resolve = (
  did: string,
  { query = '', accept }: { query?: string; accept?: string } = {},
): Promise<Answer> =>
  send(`${service.url}/1.0/identifiers/${encodeURIComponent(did)}${query}`, {
    headers: accept ? { accept } : {},
  });

type Method = { id: string; type: string; publicKeyMultibase: string };
const methodsOf = (answer: Answer): Method[] => {
  const { didDocument } = json(answer);
  return ((didDocument as JsonObject).verificationMethod ?? []) as unknown as Method[];
};
const errorOf = (answer: Answer): string => {
  const { error } = json(answer).didResolutionMetadata as JsonObject;
  return String((error as JsonObject).type ?? error);
};

describe('a document', () => {
  test('has the account key and the published BBS+ key, in the form that is accepted', async () => {
    const answer = await resolve(issuer.did);
    assert.equal(answer.status, 200);
    assert.match(answer.headers['content-type'] as string, /^application\/did-resolution/);
    const methods = methodsOf(answer);
    assert.ok(methods.some(({ id }) => id === `${issuer.did}#controllerKey`));
    const bbs = methods.find(({ type }) => type === 'Bls12381G2Key2020');
    assert.equal(bbs?.publicKeyMultibase, issuer.bbsPublicKey);
    for (const accept of ['application/did', 'application/did+ld+json']) {
      const plain = await resolve(issuer.did, { accept });
      assert.ok((plain.headers['content-type'] as string).startsWith(accept));
      assert.equal(json(plain).id, issuer.did);
    }
    assert.equal((await resolve(issuer.did, { accept: 'image/png' })).status, 406);
  });

  test('of a key alone needs no ledger', async () => {
    const did = `did:key:${encodeMultikey('ed25519', new Uint8Array(32).fill(9))}`;
    const answer = await resolve(did);
    assert.equal(answer.status, 200);
    assert.equal((json(answer).didDocument as JsonObject).id, did);
  });

  test('is there for a key without an account, too', async () => {
    const did = didOf(person('without an account'));
    const { didDocument, didDocumentMetadata } = json(await resolve(did));
    assert.equal((didDocument as JsonObject).id, did);
    assert.deepEqual(didDocumentMetadata, { versionId: '0' });
  });

  test('is not there for what is no identifier, or of another method', async () => {
    const cases: [number, string, RegExp][] = [
      [400, 'did:zid:12', /INVALID_DID/],
      [400, 'nobody', /INVALID_DID/],
      [501, 'did:web:example.org', /METHOD_NOT_SUPPORTED/],
    ];
    for (const [status, did, type] of cases) {
      const answer = await resolve(did);
      assert.equal(answer.status, status, did);
      assert.match(errorOf(answer), type);
    }
    assert.equal((await resolve(issuer.did, { query: '?versionTime=yesterday' })).status, 400);
    assert.equal((await resolve(issuer.did, { query: '?versionId=999999' })).status, 404);
  });

  test('leads to a service, and nowhere else', async () => {
    const endpoint = 'https://issuer.example/desk/';
    await publishService(world.client, { signer, id: 'desk', type: 'IssuerDesk', serviceEndpoint: endpoint });
    const answer = await resolve(issuer.did, { query: '?service=desk&relativeRef=hours' });
    assert.deepEqual([answer.status, answer.headers.location], [303, `${endpoint}hours`]);
    const away = await resolve(issuer.did, {
      query: `?service=desk&relativeRef=${encodeURIComponent('//evil.example')}`,
    });
    assert.equal(away.status, 400);
    assert.equal((await resolve(issuer.did, { query: '?service=nothing' })).status, 404);
  });
});

describe('a key that is rotated', () => {
  test('signs what was created before no more, and is still seen at its time', async () => {
    const { steps } = world;
    const { templateId } = await steps.registerTemplate(issuer, { templateName: 'Rotation card' });
    const holder = person('holder of rotation');
    const earlier = await steps.issue({ issuer, holder }, templateId as string);
    const vp = await steps.present(holder, { vc: earlier.vc, revealAttributes: ['fullName'] });
    const vcId = await steps.apply(holder, templateId as string);
    const created = ok(
      await postService(service.url, paths.create, createBody(vcId, templateId as string), issuer),
    );
    const { didDocumentMetadata } = json(await resolve(issuer.did));
    const versionId = String((didDocumentMetadata as JsonObject).versionId);

    // Documents change by the second.
    await delay(1_100);
    const made = ok(await postService(service.url, paths.bbsCreate, { seed: '99'.repeat(32) }, issuer));
    const publicKeyMultibase = made.publicKeyMultibase as string;
    await rotateKey(world.client, { signer, number: 1, type: 'Bls12381G2Key2020', publicKeyMultibase });

    const now = methodsOf(await resolve(issuer.did)).map((method) => method.publicKeyMultibase);
    assert.ok(now.includes(publicKeyMultibase) && !now.includes(issuer.bbsPublicKey));
    const then = methodsOf(await resolve(issuer.did, { query: `?versionId=${versionId}` }));
    assert.ok(then.some((method) => method.publicKeyMultibase === issuer.bbsPublicKey));
    const late = await postService(service.url, paths.submit, submitBody(issuer, vcId, created));
    assert.equal(`${late.status} ${late.body.code}`, '401 signerMismatch');
    assert.equal(
      ok(await steps.post(paths.verify, { vp })).verified,
      true,
      'what it signed in its time is good',
    );
  });
});

describe('an identifier that is given up', () => {
  test('has no keys any more, and what it issued is trusted no more', async () => {
    const { steps } = world;
    const leaving = await makeIssuer(world, 'leaving issuer');
    const { templateId } = await steps.registerTemplate(leaving, { templateName: 'Last card' });
    const holder = person('last holder');
    const { vc } = await steps.issue({ issuer: leaving, holder }, templateId as string);
    const vp = await steps.present(holder, { vc, revealAttributes: ['fullName'] });
    await deactivateDid(world.client, { signer: await signerFromSeed(leaving.seed) });
    const answer = await resolve(leaving.did);
    assert.equal(answer.status, 410);
    assert.equal((json(answer).didDocumentMetadata as JsonObject).deactivated, true);
    assert.deepEqual(methodsOf(answer), []);
    const { verified, errors } = ok(await steps.post(paths.verify, { vp }));
    assert.equal(verified, false);
    assert.match(String(errors), /^bbsProof: /);
  });
});
