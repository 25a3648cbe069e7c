/** What refusals say over HTTP: where in the body as it was sent, which attribute, which method, which header. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { apiScopes, type ServiceRoute } from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, postService } from '../support/service-http.ts';
import {
  fewAttributes,
  fewValues,
  paths,
  signText,
  submitBody,
  templateBody,
} from '../support/service-steps.ts';
import { makeParty, registerCard, type World, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let service: RunningService;
let world: World;
let templateId: string;

before(async () => {
  service = await startService(owner, { proofs });
  world = worldOf(service);
  templateId = await registerCard(world, 'Refusal card');
});

const post = (path: string, body: JsonObject) => postService(service.url, path, body);
const pointers = ({ body }: { body: JsonObject }): unknown[] =>
  ((body.errors ?? []) as JsonObject[]).map(({ pointer }) => pointer);

describe('a pointer goes into the body as it was sent', () => {
  const holder = person('pointed at');
  const apply = async (metadata: JsonObject | JsonObject[]) => {
    const signData = signText(holder, JSON.stringify({ templateId, metadata }));
    const body = { templateId, metadata, signData, holderPublicKey: holder.publicKey } as JsonObject;
    return post(paths.apply, body);
  };

  test('of an array of keys and values, of an object, of the older form', async () => {
    const listed = await apply([
      { key: 'fullName', value: 'Aroha Ngata' },
      { key: 'birthDate', value: 'soon' },
    ]);
    assert.deepEqual(pointers(listed), ['/metadata/1/value']);
    assert.deepEqual(pointers(await apply({ ...fewValues, 'a/b': 'c' })), ['/metadata/a~1b']);
    const metadata = { ...fewValues, birthDate: 'soon' };
    const data = [{ templateId, metadata }];
    const older = { data, signData: signText(holder, JSON.stringify(data)), publicKey: holder.publicKey };
    assert.deepEqual(pointers(await post(paths.apply, older as JsonObject)), ['/data/0/metadata/birthDate']);
  });

  test('and the sentence names the attributes', async () => {
    const { body } = await apply([{ key: 'fulName', value: 'Aroha Ngata' }]);
    assert.equal(body.code, 'attributesInvalid');
    const detail = body.detail as string;
    for (const name of ['"fulName"', '"fullName"', 'birthDate is missing'])
      assert.ok(detail.includes(name), detail);
    assert.ok(!detail.includes('Aroha'), 'but no value');
  });

  test('of one range that is not in a list', async () => {
    const { issuer, holder: named, steps } = world;
    const { vc } = await steps.issue({ issuer, holder: named }, templateId);
    const one = { attribute: 'birthDate', min: 'soon' };
    const single = await post(paths.present, { vc, rangeProof: one });
    assert.equal(single.status, 400, single.text);
    assert.ok(
      pointers(single).every((pointer) => String(pointer).startsWith('/rangeProof')),
      single.text,
    );
    assert.ok(pointers(single).length > 0, single.text);
  });
});

describe('a pointer into a document', () => {
  test('begins where the document stands in the body', async () => {
    const { issuer, steps } = world;
    const holder = person('with one member more');
    const { vc } = await steps.issue({ issuer, holder }, templateId);
    const more = { ...vc, foo: 1 };
    assert.deepEqual(pointers(await post(paths.present, { vc: more })), ['/vc/foo']);
    const several = { vcs: [{ vc }, { vc: more }] } as JsonObject;
    assert.deepEqual(pointers(await post(paths.present, several)), ['/vcs/1/vc/foo']);
    const vp = { ...(await steps.present(holder, { vc, revealAttributes: ['fullName'] })), foo: 1 };
    assert.deepEqual(pointers(await post(paths.verify, { vp })), ['/vp/foo']);
    assert.deepEqual(pointers(await post(paths.verify, { vpObject: vp })), ['/vpObject/foo']);
  });

  test('of a template names the member and what it must be', async () => {
    const register = async (more: JsonObject) => {
      const [first] = fewAttributes as readonly JsonObject[];
      const attributes = [{ ...first, ...more }] as never;
      const body = templateBody(world.issuer, { templateName: 'Pointed card', attributes });
      const answer = await postService(service.url, paths.templateBlob, body, world.issuer);
      const [error] = answer.body.errors as JsonObject[];
      return `${answer.status} ${error?.pointer} ${error?.detail}`;
    };
    const place = '400 /credentialFormat/0';
    assert.equal(await register({ mandatory: 'yes' }), `${place}/mandatory must be true or false`);
    assert.equal(await register({ mandatory: undefined as never }), `${place}/mandatory is missing`);
    assert.match(await register({ type: 9 }), /^400 \/credentialFormat\/0\/type the type is none of/);
    const { text } = await getService(service.url, '/ztx/facilitator/settle/status');
    assert.match(text, /blobId: must be the hash of the transaction/);
  });
});

test('the hint of a wrong signature says what is signed there', async () => {
  const { issuer, steps } = world;
  const holder = person('signs something else');
  const signData = signText(holder, 'something else');
  const applied = { templateId, metadata: fewValues, signData, holderPublicKey: holder.publicKey };
  const { body: wrong } = await post(paths.apply, applied as JsonObject);
  assert.equal(wrong.code, 'signerMismatch');
  assert.match(wrong.hint as string, /UTF-8/);
  const vcId = await steps.apply(holder, templateId);
  const created = await steps.create(issuer, vcId, templateId);
  const order = { publicKeyMultibase: issuer.bbsPublicKey, data: ['plain'] };
  const plain = await postService(service.url, paths.bbsSign, order, issuer);
  const submitted = submitBody(issuer, vcId, { ...created, bbsBlsBase64: plain.body.signature as string });
  const { body: unfit } = await post(paths.submit, submitted);
  assert.equal(unfit.code, 'signatureInvalid');
  assert.match(unfit.hint as string, /bbs\/vc\/sign/);
});

describe('a parameter of the address that is not known', () => {
  const { did } = { did: `did:zid:${'ab'.repeat(32)}` };
  const ask = async (path: string) => {
    const { status, body } = await getService(service.url, path, { apiKey: world.issuer.apiKey });
    const [first] = (body.errors ?? []) as JsonObject[];
    return `${status} ${body.code} ${first?.pointer} ${first?.detail}`;
  };

  test('is refused with the name that was meant, with a value or without', async () => {
    const cases: [string, RegExp][] = [
      [`/cred/tds/templates?issuerDid=${did}`, /^400 requestMalformed \/query\/issuerDid .*"issuer"/],
      [`/cred/v1/vc/applications?holderDid=${did}`, /^400 requestMalformed \/query\/holderDid .*"holder"/],
      ['/cred/v1/vc/applications?stauts=Pending', /^400 requestMalformed \/query\/stauts .*"status"/],
      ['/cred/v1/vc/applications?stauts=', /^400 requestMalformed \/query\/stauts .*"status"/],
      [`/1.0/identifiers/${did}?versonId=0`, /^400 requestMalformed \/query\/versonId .*"versionId"/],
      [
        `/cred/v1/vc/status?vcId=${did}&issuerAddress=${world.issuer.address}`,
        /^400 requestMalformed \/query\/issuerAddress .*"issuer"/,
      ],
      ['/cred/v1/keys?kid=1', /^400 requestMalformed \/query\/kid .*nothing may stand here/],
    ];
    for (const [path, wanted] of cases) assert.match(await ask(path), wanted);
  });

  test('is refused on every route of ours', async () => {
    const wrong: string[] = [];
    const { apiKey } = await makeParty(service.served, 'of every scope', apiScopes);
    for (const [name, route] of Object.entries<ServiceRoute>(allRoutes)) {
      if (route.ignoresUnknown) continue;
      const path = `${route.path.replaceAll(/:\w+/g, 'x')}?notKnown=1`;
      const answer =
        route.method === 'POST'
          ? await postService(service.url, path, {}, { apiKey })
          : await getService(service.url, path, { apiKey, method: route.method });
      if (!/notKnown.* is not known here/.test(answer.text)) wrong.push(`${name}: ${answer.text}`);
    }
    assert.deepEqual(wrong, []);
  });
});

describe('a wrong method', () => {
  test('is 405 with the ones that there are', async () => {
    const ask = (method: string, path: string) => fetch(service.url + path, { method });
    for (const [method, path, allow] of [
      ['GET', paths.apply, 'POST'],
      ['POST', '/cred/tds/templates', 'GET, HEAD'],
      ['DELETE', `/cred/v1/vc/applications/${templateId}`, 'GET, HEAD'],
      ['POST', '/readyz', 'GET, HEAD'],
    ] as const) {
      const answer = await ask(method, path);
      const { code } = (await answer.json()) as JsonObject;
      assert.deepEqual([answer.status, code], [405, 'methodNotAllowed'], path);
      assert.equal(answer.headers.get('allow'), allow, path);
    }
    assert.equal((await ask('GET', '/cred/v2/vc')).status, 404);
  });
});

test('a header that a sealed request lacks is named', async () => {
  const send = async (headers: Record<string, string>) => {
    const answer = await fetch(`${service.url}/cred/v1/vc/enc/apply`, {
      method: 'POST',
      headers,
      body: 'AAAA',
    });
    return [answer.status, ((await answer.json()) as JsonObject).detail];
  };
  const [status, detail] = await send({});
  assert.equal(status, 400);
  assert.match(String(detail), /secretKey/);
  assert.match(String((await send({ secretKey: 'AAAA' }))[1]), /x25519PubKey/);
});

test('a wrong key at the facilitator is 401, whatever the payment is', async () => {
  for (const route of ['verify', 'settle']) {
    const answer = await postService(service.url, `/ztx/facilitator/${route}`, {}, { apiKey: 'sym_wrong' });
    assert.equal(answer.status, 401, answer.text);
    assert.equal(answer.body.code, 'notAuthenticated');
  }
});

test('a credential of another registry is said to be that', async () => {
  const { issuer, steps } = world;
  const holder = person('of another registry');
  const vcId = await steps.apply(holder, templateId);
  const created = await steps.create(issuer, vcId, templateId);
  const { vcObject } = await steps.submit(issuer, vcId, created);
  const text = JSON.stringify(vcObject).replaceAll(/(ledger:[^"#]*:)[0-9A-Za-z]+#/g, `$1${issuer.address}#`);
  const answer = await post(paths.present, { vc: JSON.parse(text) as JsonObject });
  assert.equal(answer.status, 404, answer.text);
  assert.match(answer.body.detail as string, /another registry/);
  const vp = await steps.present(holder, { vc: vcObject as JsonObject, revealAttributes: ['fullName'] });
  const moved = JSON.stringify(vp).replaceAll(/(ledger:[^"#]*:)[0-9A-Za-z]+#/g, `$1${issuer.address}#`);
  const verdict = await post(paths.verify, { vp: JSON.parse(moved) as JsonObject });
  assert.equal(verdict.body.verified, false);
  assert.ok(
    (verdict.body.errors as string[]).some((error) => error.includes('another registry')),
    verdict.text,
  );
});
