/**
 * The sealed routes: a whole life of a credential through the SDK with one option, and through sealing that shares no
 * code with it; whatever part of a request or an answer is changed on its way, nothing is opened and nothing is told.
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { encodeBase58 } from '@symbolon/core/basics/bytes';
import { SdkError } from '@symbolon/sdk/index';
import { createCredentialClient } from '@symbolon/sdk/service/credential-client';
import { httpServiceTransport, type ServiceTransport } from '@symbolon/sdk/transport/service-transport';
import { parseJson, stringifyJson } from '@symbolon/wire/json/json';
import { type Answer, send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import {
  openSealed,
  type SealedParts,
  type SealTarget,
  seal,
  sealTargetOf,
} from '../support/service-http.ts';
import {
  applyBody,
  createBody,
  createSteps,
  downloadBody,
  paths,
  presentSubmitBody,
  sealedPath,
  submitBody,
} from '../support/service-steps.ts';
import { registerCard, sealedPost, type World, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let service: RunningService;
let world: World;
let templateId: string;
let target: SealTarget;

before(async () => {
  service = await startService(owner, { proofs });
  world = worldOf(service);
  templateId = await registerCard(world, 'Sealed card');
  target = await sealTargetOf(service.url);
});

const reveal = {
  revealAttributes: ['fullName'],
  rangeProof: [{ attribute: 'birthDate', max: '2008-01-01' }],
};

describe('a life of a credential', () => {
  test('through the SDK, with one option', async () => {
    const { issuer, holder, verifier } = world;
    const seen: { path: string; bodyText: string; answer: string }[] = [];
    const plain = httpServiceTransport(service.url);
    const watched: ServiceTransport = async (request) => {
      const answer = await plain(request);
      seen.push({ path: request.path, bodyText: request.bodyText ?? '', answer: answer.text });
      return answer;
    };
    const clientOf = ({ apiKey }: { apiKey: string }) =>
      createCredentialClient(watched, { apiKey, sealed: true });
    const [byIssuer, byHolder, byVerifier] = [clientOf(issuer), clientOf(holder), clientOf(verifier)];

    const { vcId, status } = await byHolder.applyForCredential(applyBody(holder, templateId) as never);
    assert.equal(status, 'Pending');
    const created = await byIssuer.createCredential(createBody(vcId, templateId) as never);
    const { vcObject } = await byIssuer.submitCredential(submitBody(issuer, vcId, created) as never);
    assert.deepEqual(await byHolder.downloadCredential(downloadBody(holder, vcId) as never), vcObject);
    const blob = await byHolder.createPresentation({ vc: vcObject, ...reveal });
    const { vpObject } = await byHolder.submitPresentation(presentSubmitBody(holder, blob) as never);
    const verdict = await byVerifier.verifyPresentation({ vp: vpObject });
    assert.equal(verdict.verified, true);
    assert.equal(verdict.vcDetails?.fullName, 'Aroha Ngata');

    const carried = seen.filter(({ path }) => path !== '/cred/v1/keys');
    assert.equal(carried.length, 7);
    for (const { path, bodyText, answer } of carried) {
      assert.match(path, /\/enc\//);
      for (const text of [bodyText, answer])
        assert.match(text, /^[\w-]+$/, `${path} carries nothing in clear`);
    }
  });

  test('through sealing that shares no code with the service', async () => {
    const { issuer } = world;
    const steps = createSteps(await sealedPost(service.url));
    const holder = person('sealed holder');
    const { vc } = await steps.issue({ issuer, holder }, templateId);
    const vp = await steps.present(holder, { vc, ...reveal });
    const answer = await steps.post(paths.verify, { vp });
    assert.ok(answer.isSealed);
    assert.equal(answer.body.verified, true, JSON.stringify(answer.body));
  });
});

const path = sealedPath(paths.verify);

const sendSealed = ({ headers, body }: Pick<SealedParts, 'headers' | 'body'>): Promise<Answer> =>
  send(`${service.url}${path}`, { method: 'POST', headers, body });

/** The text with one bit of one of its bytes changed. */
function flipped(text: string, place: number): string {
  const bytes = Buffer.from(text, 'base64url');
  const index = place < 0 ? bytes.length + place : place;
  bytes[index] = (bytes[index] as number) ^ 1;
  return bytes.toString('base64url');
}

type Spoil = (sealed: SealedParts) => Pick<SealedParts, 'headers' | 'body'>;

const withHeader =
  (name: string, change: (value: string) => string): Spoil =>
  ({ headers, body }) => ({ headers: { ...headers, [name]: change(headers[name] as string) }, body });
const withoutHeader =
  (name: string): Spoil =>
  ({ headers, body }) => ({
    headers: Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name)),
    body,
  });
const withBody =
  (change: (value: string) => string): Spoil =>
  ({ headers, body }) => ({ headers, body: change(body) });
const other = () => seal('{}', path, target);
const foreignRsa = () => generateKeyPairSync('rsa', { modulusLength: 3_072 }).publicKey;

const spoils: Readonly<Record<string, Spoil>> = {
  'a changed secretKey': withHeader('secretKey', (value) => flipped(value, 20)),
  'a shorter secretKey': withHeader('secretKey', (value) => value.slice(0, -8)),
  'a secretKey of another request': withHeader('secretKey', () => other().headers.secretKey as string),
  'a secretKey for another service': () =>
    seal('{}', path, {
      ...target,
      rsaPublicKeyPem: foreignRsa().export({ format: 'pem', type: 'spki' }).toString(),
    }),
  'a changed x25519PubKey': withHeader('x25519PubKey', (value) => flipped(value, 3)),
  'an x25519PubKey of low order': withHeader('x25519PubKey', () => encodeBase58(new Uint8Array(32))),
  'an x25519PubKey of another request': withHeader(
    'x25519PubKey',
    () => other().headers.x25519PubKey as string,
  ),
  'an unknown kid': withHeader('kid', () => 'nobody'),
  'a long kid': withHeader('kid', () => 'k'.repeat(200)),
  'a changed nonce': withBody((value) => flipped(value, 0)),
  'a changed text': withBody((value) => flipped(value, 12)),
  'a changed tag': withBody((value) => flipped(value, -1)),
  'a cut body': withBody((value) => value.slice(0, -4)),
  'a body too short for anything': withBody(() => 'AAAA'),
  'an empty body': withBody(() => ''),
  'a body that is not base64': withBody(() => '{"vp":{}}'),
  'a body of another request': withBody(() => other().body),
  'a request for another path': () => seal('{}', sealedPath(paths.present), target),
  'a request for the plain path': () => seal('{}', paths.verify, target),
  'a text that is not UTF-8': () => seal(Uint8Array.of(0x22, 0xff, 0x22), path, target),
};

describe('a request that was changed on its way', () => {
  /** All that may differ between two refusals is the id of the request. */
  const shown = ({ status, headers, text }: Answer) => {
    const { requestId, ...problem } = parseJson(text) as Record<string, string>;
    assert.equal(requestId, headers['x-request-id']);
    return { status, type: headers['content-type'], problem };
  };
  const uniform = {
    status: 400,
    type: 'application/problem+json; charset=utf-8',
    problem: {
      type: 'urn:symbolon:fault:sealMalformed',
      title: 'The sealed request cannot be opened',
      status: 400,
      code: 'sealMalformed',
      detail: 'The sealed request cannot be opened',
      hint: 'Fetch the keys of the service again; they may have been replaced.',
      help: '/docs/errors#sealmalformed',
    },
  };
  for (const [name, spoil] of Object.entries(spoils))
    test(name, async () => {
      assert.deepEqual(shown(await sendSealed(spoil(seal('{}', path, target)))), uniform);
    });

  test('what everybody sees to be missing is named, and nothing else differs', async () => {
    for (const [name, spoil] of [
      ['secretKey', withoutHeader('secretKey')],
      ['secretKey', withHeader('secretKey', () => '')],
      ['x25519PubKey', withoutHeader('x25519PubKey')],
    ] as const) {
      const problem = { ...uniform.problem, detail: `The header ${name} is missing` };
      assert.deepEqual(shown(await sendSealed(spoil(seal('{}', path, target)))), { ...uniform, problem });
    }
  });

  test('an unchanged one is opened, with any of its spellings', async () => {
    const sealed = seal('{}', path, target);
    const spelled: Spoil[] = [
      (it) => it,
      withoutHeader('kid'),
      withBody((value) => `"${value}"`),
      withHeader('x25519PubKey', (value) => encodeBase58(Buffer.from(value, 'base64url'))),
      withHeader('x25519PubKey', (value) => Buffer.from(value, 'base64url').toString('hex')),
    ];
    for (const spell of spelled) {
      const answer = await sendSealed(spell(sealed));
      assert.equal(answer.status, 400);
      assert.match(openSealed(answer.text, path, sealed.answerKey), /"requestMalformed"/);
    }
  });
});

describe('an answer that was changed on its way', () => {
  const ask = (change: (text: string) => string | Promise<string>, contentType?: string) => {
    const plain = httpServiceTransport(service.url);
    const changed: ServiceTransport = async (request) => {
      const answer = await plain(request);
      if (request.path === '/cred/v1/keys') return answer;
      return { ...answer, text: await change(answer.text), ...(contentType && { contentType, status: 200 }) };
    };
    const client = createCredentialClient(changed, { sealed: true });
    return client.verifyPresentation({ vp: { type: ['x'] } });
  };
  const isNotSealed = (error: unknown) => error instanceof SdkError && error.code === 'unexpectedReply';

  test('is refused by the client', async () => {
    await assert.rejects(
      ask((text) => flipped(text, 15)),
      isNotSealed,
    );
    await assert.rejects(
      ask((text) => flipped(text, -1)),
      isNotSealed,
    );
    await assert.rejects(
      ask((text) => text.slice(4)),
      isNotSealed,
    );
    await assert.rejects(
      ask(() => ''),
      isNotSealed,
    );
    const forged = stringifyJson({ verified: true, vcDetails: {} });
    await assert.rejects(
      ask(() => forged, 'application/json'),
      isNotSealed,
      'a verdict in clear is none',
    );
  });

  test('even by the answer to another request', async () => {
    const another = seal('{}', path, target);
    await assert.rejects(
      ask(async () => (await sendSealed(another)).text),
      isNotSealed,
    );
  });
});
