/**
 * What a verifier says to the SDK, in names that the SDK does not know: TypeScript objects to most of them, JavaScript to
 * none. Each is refused before anything is sent or checked, with a name that is known.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { SdkError } from '../errors/errors.ts';
import { askVerdict, type PresentationQuestion } from '../flows/verifier-flows.ts';
import { factsForm, type OfflineFacts } from './collected-facts.ts';
import { verifyPresentationOffline } from './offline-verification.ts';

const presentation = { type: ['VerifiablePresentation'] };
const facts: OfflineFacts = {
  form: factsForm,
  fetchedAt: '1970-01-01T00:00:00Z',
  issuerKeys: [],
  statuses: [],
};

/** The foreign name, and the name of ours that the answer must hold. */
const foreign: Readonly<Record<string, string>> = {
  nonce: 'challenge',
  challange: 'challenge',
  expectedChallenge: 'challenge',
  expected_domain: 'domain',
  audience: 'domain',
  requests: 'request',
  rangeProofs: 'request',
  ages: 'request',
  minAge: 'request',
  revealAttributes: 'request',
  dcql_query: 'request',
  allowed_issuers: '',
  acceptedIssuers: '',
  trust_list: '',
};

const isRefusal = (name: string, ours: string) => (error: unknown) => {
  assert.ok(error instanceof SdkError, String(error));
  assert.equal(error.code, 'invalidArgument');
  assert.ok(error.message.includes(`"${name}" is not known here`), error.message);
  assert.ok(ours === '' || error.message.includes(`"${ours}"`), error.message);
  return true;
};

describe('facts of a verifier without a service', () => {
  const ask = (question: object, document: object = {}) =>
    verifyPresentationOffline(presentation, {
      facts: { ...facts, ...document },
      takenFrom: 'self',
      now: 0,
      ...question,
    });
  const check = (document: object) => ask({}, document);

  test('a condition that is not known is refused', async () => {
    for (const [name, ours] of Object.entries({ ...foreign, registries: 'registry', time: '' }))
      await assert.rejects(ask({ [name]: 'x' }), isRefusal(name, ours));
    await assert.rejects(check({ issuer_keys: 'x' }), isRefusal('issuer_keys', 'issuerKeys'));
  });

  test('so is what is said of a key or a status in another name', async () => {
    const key = { verificationMethod: 'did:zid:1#delegateKey-1', publicKeyMultibase: 'z1' };
    await assert.rejects(
      check({ issuerKeys: [{ ...key, valid_until: '2020-01-01T00:00:00Z' }] }),
      isRefusal('valid_until', 'validUntil'),
    );
    const status = { vcId: 'did:zid:1', issuer: 'did:zid:2', status: 'Active' };
    await assert.rejects(check({ statuses: [{ ...status, revoked: true }] }), isRefusal('revoked', ''));
  });

  test('inside of the request, and null, as by the service', async () => {
    for (const more of [
      { request: { rangeProofs: [] } },
      { request: [{ ages: [] }] },
      { request: null },
      { request: { age: [] } },
      { request: { rangeProof: [] } },
      { challenge: null },
    ])
      await assert.rejects(
        ask(more),
        (error: unknown) => error instanceof Fault && error.code === 'requestMalformed',
      );
  });

  test('a restriction that is null, or an issuer that is none, is refused', async () => {
    const did = `did:zid:${'ab'.repeat(32)}`;
    for (const trustedIssuers of [
      [{ did, templates: null }],
      [{ did, name: null }],
      ['did:zid:abc'],
      [did.slice(1)],
    ])
      await assert.rejects(
        ask({ trustedIssuers }),
        (error: unknown) => error instanceof Fault && error.code === 'requestMalformed',
      );
  });

  test('a key that is said twice, differently, and a record with more in it than is known', async () => {
    const key = { verificationMethod: 'did:zid:1#delegateKey-1', publicKeyMultibase: 'z1' };
    const isTwice = (error: unknown) => error instanceof SdkError && /twice/.test(error.message);
    const worse = { ...key, compromisedSince: '2020-01-01T00:00:00Z' };
    for (const issuerKeys of [
      [worse, key],
      [key, worse],
    ])
      await assert.rejects(check({ issuerKeys }), isTwice);
    const status = { vcId: 'did:zid:1', issuer: 'did:zid:2', status: 'Active', record: { revoked: true } };
    await assert.rejects(check({ statuses: [status] }), isRefusal('revoked', ''));
  });

  test('facts without keys, statuses or a time are none', async () => {
    const isNamed = (name: string) => (error: unknown) =>
      error instanceof SdkError && error.message.includes(name);
    for (const name of ['issuerKeys', 'statuses'])
      await assert.rejects(check({ [name]: undefined }), isNamed(name));
    for (const name of ['facts', 'now']) await assert.rejects(ask({ [name]: undefined }), isNamed(name));
  });

  test('what a file with facts says about itself is no condition', async () => {
    const file = { form: factsForm, fetchedAt: '1970-01-01T00:00:00Z', basis: { service: 'x' } };
    const isMalformed = (error: unknown) => error instanceof Fault && error.code === 'presentationMalformed';
    await assert.rejects(check(file), isMalformed);
  });
});

describe('a question to the service', () => {
  const sent: object[] = [];
  const client = {
    verifyPresentation: async (body: object) => {
      sent.push(body);
      return { verified: true, vcDetails: {}, credentials: [] };
    },
  };
  const ask = (question: object) => askVerdict(client, question as PresentationQuestion);

  test('is sent as it is, or not at all', async () => {
    await ask({ presentation, challenge: 'c' });
    assert.deepEqual(sent, [{ vp: presentation, challenge: 'c' }]);
    const names = { ...foreign, vp: 'presentation', vpObject: 'presentation' };
    for (const [name, ours] of Object.entries(names))
      await assert.rejects(ask({ presentation, [name]: 'x' }), isRefusal(name, ours));
    assert.equal(sent.length, 1);
  });
});
