/**
 * What an issuer decides on, over HTTP: a draft can be made anew until it is signed, is shown whole before that, and
 * holds what was ordered and nothing else.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { AttributeFormat } from '@symbolon/core/attributes/attribute-formats';
import { ProofEngineError } from '@symbolon/core/proofs/proof-engine';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, outcomeOf, postService } from '../support/service-http.ts';
import { attribute, createBody, fewAttributes, ok, paths, submitBody } from '../support/service-steps.ts';
import { makeParty, registerCard, type World, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let service: RunningService;
let world: World;
let templateId: string;

before(async () => {
  service = await startService(owner, { proofs });
  world = worldOf(service);
  templateId = await registerCard(world, 'Draft card');
});

const post = (path: string, body: JsonObject, apiKey = world.issuer.apiKey) =>
  postService(service.url, path, body, { apiKey });
const look = async (vcId: string): Promise<JsonObject> =>
  ok(await getService(service.url, `/cred/v1/vc/applications/${vcId}`, world.issuer));
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
    assert.equal(outcomeOf(await post(paths.submit, wrong)), '401 signerMismatch');
    const again = await world.steps.create(world.issuer, vcId, templateId);
    assert.equal((await world.steps.submit(world.issuer, vcId, again)).vcObject !== undefined, true);
    assert.notEqual(ours, publicKeyMultibase);
  });

  test('is worth nothing any more, and whoever signs it is told that there is a newer one', async () => {
    const vcId = await applied('two desks');
    const first = await world.steps.create(world.issuer, vcId, templateId);
    const second = await world.steps.create(world.issuer, vcId, templateId);
    const late = await post(paths.submit, submitBody(world.issuer, vcId, first));
    assert.equal(outcomeOf(late), '409 stateForbids');
    assert.match(late.body.detail as string, /created again/);
    await world.steps.submit(world.issuer, vcId, second);
    const over = await post(paths.create, createBody(vcId, templateId));
    assert.equal(outcomeOf(over), '409 stateForbids', 'what was issued stays as it is');
  });
});

describe('what the issuer sees before it signs', () => {
  test('is the whole draft, as vc/create answered it, until it is issued', async () => {
    const vcId = await applied('looked at');
    const order = { ...createBody(vcId, templateId), metadata: 'seen at the counter' };
    const created = ok(await post(paths.create, order));
    const { draft } = (await look(vcId)) as { draft: JsonObject };
    const { bbsMessages, metadata, expiresAt, ...same } = draft;
    assert.deepEqual(same, created);
    assert.equal(metadata, 'seen at the counter');
    assert.ok(Date.parse(expiresAt as string) > Date.now());
    assert.ok((bbsMessages as string[]).includes('fullName: Aroha Ngata'));
    await world.steps.submit(world.issuer, vcId, created);
    assert.equal((await look(vcId)).draft, undefined);
  });

  test('has nothing of metadata in it, which is context', async () => {
    const vcId = await applied('with context');
    const metadata = JSON.stringify({ fullName: 'Somebody Else', reference: 'A-17' });
    const created = ok(await post(paths.create, { ...createBody(vcId, templateId), metadata }));
    const { credential } = created.unsigned as { credential: JsonObject };
    assert.equal((credential.credentialSubject as JsonObject).fullName, 'Aroha Ngata');
  });

  test('is never made from an order that was not understood', async () => {
    const vcId = await applied('misunderstood');
    const refused = async (more: JsonObject): Promise<string> => {
      const { status, body } = await post(paths.create, { ...createBody(vcId, templateId), ...more });
      const [first] = (body.errors ?? []) as { pointer: string; detail: string }[];
      return `${status} ${body.code} ${first?.pointer} ${first?.detail}`;
    };
    assert.match(
      await refused({ issuanceDta: { fullName: 'A' } }),
      /^400 requestMalformed \/issuanceDta .*"issuanceData"/,
    );
    assert.match(
      await refused({ issuanceData: { fulName: 'A' } }),
      /^400 attributesInvalid \/issuanceData\/fulName .*"fullName"/,
    );
    assert.match(
      await refused({ issuanceData: '2030-01-01' }),
      /^400 requestMalformed \/issuanceData .*validFrom/,
    );
    assert.match(await refused({ validUntil: '2031-01-01' }), /^400 requestMalformed \/validUntil /);
    assert.equal((await look(vcId)).status, 'Pending');
  });
});

describe('the BBS+ signature for vc/submit', () => {
  const seed = 'cd'.repeat(32);

  test('is made by bbs/vc/sign with a vcId beside the messages, and by nothing else of its', async () => {
    const vcId = await applied('signed elsewhere');
    const created = await world.steps.create(world.issuer, vcId, templateId);
    const { draft } = (await look(vcId)) as { draft: { bbsMessages: string[] } };
    const order = { publicKeyMultibase: world.issuer.bbsPublicKey, data: draft.bbsMessages };
    const plain = ok(await post(paths.bbsSign, order)).signature as string;
    const wrong = submitBody(world.issuer, vcId, { ...created, bbsBlsBase64: plain });
    assert.equal(outcomeOf(await post(paths.submit, wrong)), '400 signatureInvalid');
    const { signature } = ok(await post(paths.bbsSign, { ...order, vcId }));
    await world.steps.submit(world.issuer, vcId, { ...created, bbsBlsBase64: signature as string });
    assert.equal(outcomeOf(await post(paths.bbsSign, { ...order, vcId })), '409 stateForbids');
  });

  test('is made over what was drafted, for its issuer alone', async () => {
    const vcId = await applied('not theirs');
    await world.steps.create(world.issuer, vcId, templateId);
    const { draft } = (await look(vcId)) as { draft: { bbsMessages: string[] } };
    const order = { vcId, publicKeyMultibase: world.issuer.bbsPublicKey, data: draft.bbsMessages };
    const changed = order.data.map((text) => text.replace('Aroha', 'Mira'));
    const other = await post(paths.bbsSign, { ...order, data: changed });
    assert.equal(outcomeOf(other), '400 requestMalformed');
    assert.equal((other.body.errors as JsonObject[])[0].pointer, '/data');
    const { publicKeyMultibase, privateKeyMultibase } = ok(await post(paths.bbsCreate, { seed }));
    const foreign = { ...order, publicKeyMultibase, privateKeyMultibase } as JsonObject;
    const { apiKey } = await makeParty(service.served, 'stranger');
    const stranger = await post(paths.bbsSign, foreign, apiKey);
    assert.equal(outcomeOf(stranger), '403 issuerMismatch');
  });
});

describe('what bbs/vc/sign is asked for with a vcId', () => {
  const points = attribute('points', 'integer', 3, false);
  let withOptional: string;
  before(async () => {
    const attributes = [...fewAttributes, points];
    const order = { templateName: 'Optional card', attributes };
    withOptional = (await world.steps.registerTemplate(world.issuer, order)).templateId as string;
  });
  const drafted = async (name: string) => {
    const vcId = await world.steps.apply(person(name), withOptional);
    const created = await world.steps.create(world.issuer, vcId, withOptional);
    const { draft } = (await look(vcId)) as { draft: { bbsMessages: string[] } };
    return { vcId, created, data: draft.bbsMessages };
  };

  test('may hold the message of an attribute that is not there, which has a zero byte', async () => {
    const { vcId, created, data } = await drafted('without points');
    assert.ok(
      data.some((text) => text.includes('\u0000')),
      'the text of what is absent',
    );
    const order = { vcId, publicKeyMultibase: world.issuer.bbsPublicKey, data };
    const { signature } = ok(await post(paths.bbsSign, order));
    await world.steps.submit(world.issuer, vcId, { ...created, bbsBlsBase64: signature as string });
  });

  test('is refused where it is not understood, and with a key that no submit would take', async () => {
    const { vcId, data } = await drafted('misspelt');
    const order = { publicKeyMultibase: world.issuer.bbsPublicKey, data };
    const misspelt = await post(paths.bbsSign, { ...order, vcID: vcId });
    assert.equal(outcomeOf(misspelt), '400 requestMalformed');
    assert.match(misspelt.text, /\/vcID.*did you mean \\"vcId\\"/);
    const { publicKeyMultibase } = ok(await post(paths.bbsCreate, { seed: 'ef'.repeat(32) }));
    const unpublished = await post(paths.bbsSign, { vcId, data, publicKeyMultibase } as JsonObject);
    assert.equal(outcomeOf(unpublished), '403 keyNotPublished');
    ok(await post(paths.bbsSign, { data: ['plain'], publicKeyMultibase } as JsonObject));
  });
});

describe('an order of which a part would be dropped', () => {
  let vcId: string;
  before(async () => {
    vcId = await applied('ordered in other words');
  });
  const refused = async (more: JsonObject, path: string = paths.create): Promise<string> => {
    const { status, body } = await post(path, { ...createBody(vcId, templateId), ...more });
    const [first] = (body.errors ?? []) as { pointer: string; detail: string }[];
    return `${status} ${body.code} ${first?.pointer} ${first?.detail}`;
  };
  const name = { key: 'fullName', value: 'Mira' };

  test('is refused by the name of that part', async () => {
    const cases: [JsonObject, RegExp][] = [
      [{ data: [name] }, /^400 requestMalformed \/data\/0\/key .*"metadata"/],
      [
        { data: [{ issuanceData: { fullName: 'Mira' } }] },
        /^400 requestMalformed \/data\/0\/issuanceData .*"metadata"/,
      ],
      [{ data: [{ name: 'Mira' }] }, /^400 requestMalformed \/data\/0\/name .*"metadata"/],
      [
        { data: [{ templateId, expiredDate: '2031-01-01' }] },
        /^400 requestMalformed \/data\/0\/expiredDate /,
      ],
      [
        { issuanceData: [{ ...name, source: 'passport' }] },
        /^400 requestMalformed \/issuanceData\/0\/source /,
      ],
      [
        { issuanceData: [{ templateId: `did:zid:${'ab'.repeat(32)}`, metadata: { fullName: 'Mira' } }] },
        /^400 requestMalformed \/issuanceData\/0\/templateId says something else/,
      ],
      [
        { issuanceData: [{ templateId, metadata: { fullName: 'Mira' }, expiredDate: '2031-01-01' }] },
        /^400 requestMalformed \/issuanceData\/0\/expiredDate /,
      ],
    ];
    for (const [more, wanted] of cases) assert.match(await refused(more), wanted);
    assert.match(
      await refused({}, `${paths.create}?validFrom=2031-01-01`),
      /^400 requestMalformed \/query\/validFrom /,
    );
    assert.equal((await look(vcId)).status, 'Pending');
  });

  test("is refused where nothing is to stand instead of the holder's value", async () => {
    for (const fullName of [null, '', '  ']) {
      const listed = await refused({ issuanceData: [{ key: 'fullName', value: fullName }] });
      assert.match(listed, /^400 attributesInvalid \/issuanceData\/0\/value fullName .*applied with/);
      const named = await refused({ issuanceData: { fullName } });
      assert.match(named, /^400 attributesInvalid \/issuanceData\/fullName fullName /);
    }
    assert.equal((await look(vcId)).status, 'Pending');
  });

  test("is read whole in the words of the family's wallets", async () => {
    const { vcId: id, validUntil } = { vcId, validUntil: '2031-01-01' };
    const data = [{ templateId, metadata: { fullName: 'Mira Example' }, tds: null }];
    const created = ok(await post(paths.create, { vcId: id, validUntil, data }));
    const { credential } = created.unsigned as { credential: JsonObject };
    assert.equal((credential.credentialSubject as JsonObject).fullName, 'Mira Example');
  });
});

test('proof threads that are busy are no defect: 503, to be tried again', async () => {
  const busy = () => Promise.reject(new ProofEngineError('overloaded', 'no thread was free in time'));
  const crowded = new Proxy(proofs, {
    get(pool, member) {
      const of = (caller: string) => ({
        ...pool.inNameOf(caller),
        ...(isBusy && { commit: busy, sign: busy }),
      });
      return member === 'inNameOf' ? of : Reflect.get(pool, member, pool);
    },
  });
  let isBusy = false;
  const other = await startService(owner, { proofs: crowded });
  const { steps, issuer } = worldOf(other);
  const registered = await steps.registerTemplate(issuer, { templateName: 'Busy card' });
  const id = registered.templateId as string;
  const vcId = await steps.apply(person('in a queue'), id);
  isBusy = true;
  const orders: [string, JsonObject][] = [
    [paths.create, createBody(vcId, id)],
    [paths.bbsSign, { publicKeyMultibase: issuer.bbsPublicKey, data: ['plain'] }],
  ];
  for (const [path, body] of orders) {
    const answer = await postService(other.url, path, body, { apiKey: issuer.apiKey });
    assert.equal(outcomeOf(answer), '503 overloaded', answer.text);
    assert.match(String(answer.headers['retry-after']), /^[1-9]/);
  }
  isBusy = false;
  await steps.create(issuer, vcId, id);
});

describe('an attribute that is declared as text', () => {
  test('has the type of its format where a text would have no order', async () => {
    const declared = (key: string, format: AttributeFormat) => ({
      attribute: key,
      key,
      format,
      type: 1 as const,
      mandatory: true,
    });
    const attributes = [declared('born', 'date'), declared('points', 'integer'), declared('paid', 'decimal')];
    const registered = await world.steps.registerTemplate(world.issuer, {
      templateName: 'Declared card',
      attributes,
    });
    const id = registered.templateId as string;
    const template = ok(await getService(service.url, `/cred/tds/templates/${id}`, world.issuer));
    const types = (template.credentialFormat as JsonObject[]).map(({ type }) => type);
    assert.deepEqual(types, [5, 3, 4]);
    const { vc } = await world.steps.issue({ issuer: world.issuer, holder: world.holder }, id, {
      born: '1990-05-17',
      points: '250',
      paid: '12.50',
    });
    const rangeProof = [{ attribute: 'born', max: '2000-01-01' }];
    ok(await postService(service.url, paths.present, { vc, rangeProof }));
  });
});
