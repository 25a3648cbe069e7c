/**
 * Requirements that the standards publish, one by one over HTTP against a running service: a document with exactly one
 * thing wrong, signed by a stranger's own key, is refused, and its right form is verified. `requirements.json` says which
 * test is of which requirement.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Fields } from '@symbolon/core/basics/plain-values';
import { bitstringCredential, bitstringEntry } from '@symbolon/formats/status-lists/bitstring-list';
import { ownerOfSuite } from '../support/owner.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService } from '../support/service-http.ts';
import { worldOf } from '../support/service-world.ts';
import {
  problemTypes,
  signed,
  stranger,
  strangersCredential,
  strangersPresentation,
  vcApiOf,
} from '../support/vc-api.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner, 1);
const challenge = 'a-challenge-of-this-verifier';

let service: RunningService;
let api: ReturnType<typeof vcApiOf>;
/** What stands under addresses of this test. */
const served = new Map<string, { readonly type: string; readonly text: string }>();
const asked: string[] = [];
const others = createServer(({ url = '' }, answer) => {
  if (!url.startsWith('/lists/')) asked.push(url);
  const found = served.get(url);
  answer.writeHead(found ? 200 : 404, { 'content-type': found?.type ?? 'text/plain' });
  answer.end(found?.text ?? '');
});
let origin: string;

before(async () => {
  await new Promise<void>((resolve) => others.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(others.address() as AddressInfo).port}`;
  const config = { foreignDocuments: { allowLoopback: true } };
  service = await startService(owner, { proofs, config });
  api = vcApiOf(service.url, worldOf(service).issuer);
});
after(() => others.close());

const outcomeOfCredential = async (document: object): Promise<string> => {
  const answer = await api.verify(document);
  return answer.status === 200 ? 'verified' : `${answer.status} ${problemTypes(answer)[0]}`;
};
const malformed = '400 MALFORMED_VALUE_ERROR';

/** What is changed of a credential that is good; a member that is undefined is taken away. */
const wrongMembers: readonly (readonly [name: string, change: Fields])[] = [
  ['@context is there', { '@context': undefined }],
  [
    '@context begins with that of credentials',
    { '@context': ['https://www.w3.org/ns/credentials/examples/v2'] },
  ],
  ['type is there', { type: undefined }],
  ['type has VerifiableCredential', { type: ['ExampleCredential'] }],
  ['id is an address', { id: 'no address' }],
  ['id is one text', { id: ['urn:a:1', 'urn:a:2'] }],
  ['issuer is there', { issuer: undefined }],
  ['issuer is an address', { issuer: 'nobody' }],
  ['issuer as an object has an id', { issuer: { name: 'Stranger' } }],
  ['credentialSubject is there', { credentialSubject: undefined }],
  ['credentialSubject is no text', { credentialSubject: 'did:example:subject' }],
  ['credentialSubject says something', { credentialSubject: {} }],
  ['validFrom is a date and time', { validFrom: '2020-01-01' }],
  ['validUntil is a date and time', { validUntil: 'tomorrow' }],
  ['validUntil is not before validFrom', { validUntil: '2019-01-01T00:00:00Z' }],
  ['credentialStatus has a type', { credentialStatus: { id: 'urn:a:status' } }],
  ['credentialSchema has an id', { credentialSchema: { type: 'JsonSchema' } }],
  ['credentialSchema has a type', { credentialSchema: { id: 'https://a.example/schema' } }],
  ['refreshService has a type', { refreshService: { id: 'https://a.example/refresh' } }],
  ['termsOfUse has a type', { termsOfUse: { id: 'https://a.example/terms' } }],
  ['evidence has a type', { evidence: { id: 'https://a.example/evidence' } }],
  ['name is a text', { name: 7 }],
  ['description is a text', { description: { text: 'x' } }],
  ['relatedResource holds objects', { relatedResource: ['https://a.example/r'] }],
  ['relatedResource has a digest', { relatedResource: [{ id: 'https://a.example/r' }] }],
];

describe('data model 2.0', () => {
  test('a credential with nothing wrong is verified', async () => {
    assert.equal(await outcomeOfCredential(await signed(strangersCredential)), 'verified');
  });

  for (const [name, change] of wrongMembers)
    test(name, async () => {
      const good = await signed(strangersCredential);
      assert.equal(await outcomeOfCredential({ ...good, ...change }), malformed);
    });

  test('validFrom has come', async () => {
    const document = await signed({ ...strangersCredential, validFrom: '2099-01-01T00:00:00Z' });
    assert.equal(await outcomeOfCredential(document), '400 RANGE_ERROR');
  });

  test('validUntil has not come', async () => {
    const document = await signed({ ...strangersCredential, validUntil: '2021-01-01T00:00:00Z' });
    assert.equal(await outcomeOfCredential(document), '400 RANGE_ERROR');
  });

  test('a term that no context defines is refused', async () => {
    const good = await signed(strangersCredential);
    const [first] = good['@context'] as string[];
    const other = { ...good, '@context': [first] };
    assert.equal(await outcomeOfCredential(other), '400 PROOF_TRANSFORMATION_ERROR');
  });

  test('a context that is not known here is refused, and not fetched', async () => {
    const good = await signed(strangersCredential);
    const other = { ...good, '@context': [...(good['@context'] as string[]), `${origin}/own`] };
    assert.equal(await outcomeOfCredential(other), '400 PROOF_TRANSFORMATION_ERROR');
    assert.deepEqual(asked, []);
  });

  test('a presentation is verified with every credential in it', async () => {
    const good = await signed(strangersCredential);
    const outcome = async (credentials: readonly object[]) => {
      const document = strangersPresentation(credentials);
      const shown = await signed(document, { purpose: 'authentication', challenge });
      return (await api.verifyPresentation(shown, { challenge })).status;
    };
    assert.equal(await outcome([good]), 200);
    assert.equal(await outcome([good, { ...good, validFrom: '2020-01-02T00:00:00Z' }]), 400);
  });

  test('type of a presentation has VerifiablePresentation', async () => {
    const document = { ...strangersPresentation([]), type: ['Presentation'] };
    assert.equal((await api.verifyPresentation(document, { challenge })).status, 400);
  });
});

/** Of the one proof of a good credential. */
const wrongProofs: readonly (readonly [name: string, change: Fields, problem: string])[] = [
  ['proof has a known type', { type: 'UnknownProof' }, 'PROOF_VERIFICATION_ERROR'],
  ['cryptosuite is known', { cryptosuite: 'eddsa-rdfc-2021' }, 'PROOF_VERIFICATION_ERROR'],
  ['proofPurpose is that of credentials', { proofPurpose: 'authentication' }, 'PROOF_VERIFICATION_ERROR'],
  ['proofValue begins with z', { proofValue: 'u1234' }, 'PROOF_VERIFICATION_ERROR'],
  ['proofValue has 64 bytes', { proofValue: 'z1234' }, 'PROOF_VERIFICATION_ERROR'],
  ['created is a date and time', { created: 'today' }, 'PROOF_VERIFICATION_ERROR'],
  ['expires has not come', { expires: '2020-01-01T00:00:00Z' }, 'PROOF_VERIFICATION_ERROR'],
  ['verificationMethod is there', { verificationMethod: undefined }, 'PROOF_VERIFICATION_ERROR'],
  [
    'verificationMethod can be found',
    { verificationMethod: 'did:key:z6Mk#z6Mk' },
    'INVALID_VERIFICATION_METHOD',
  ],
  ['previousProof is there', { previousProof: 'urn:proof:none' }, 'PROOF_VERIFICATION_ERROR'],
];

describe('eddsa-rdfc-2022', () => {
  for (const [name, change, problem] of wrongProofs)
    test(name, async () => {
      const good = await signed(strangersCredential);
      const document = { ...good, proof: { ...(good.proof as object), ...change } };
      assert.equal(await outcomeOfCredential(document), `400 ${problem}`);
    });

  test('a document without a proof is not verified', async () => {
    assert.equal(await outcomeOfCredential(strangersCredential), '400 PROOF_VERIFICATION_ERROR');
  });

  test("the key is the issuer's", async () => {
    const document = await signed({ ...strangersCredential, issuer: 'did:example:another' });
    assert.equal(await outcomeOfCredential(document), '400 INVALID_VERIFICATION_METHOD');
  });

  test('of a set of proofs all hold', async () => {
    const both = await signed(await signed(strangersCredential), { created: '2026-01-01T00:00:00Z' });
    assert.equal(await outcomeOfCredential(both), 'verified');
    const [first, second] = both.proof as [Fields, Fields];
    const broken = { ...both, proof: [first, { ...second, created: '2026-01-02T00:00:00Z' }] };
    assert.equal(await outcomeOfCredential(broken), '400 PROOF_VERIFICATION_ERROR');
  });

  test('a chain of proofs holds with the proof before it alone', async () => {
    const first = await signed(strangersCredential, { id: 'urn:proof:1' });
    const chain = await signed(first, { id: 'urn:proof:2', previousProofs: ['urn:proof:1'] });
    assert.equal(await outcomeOfCredential(chain), 'verified');
    const [, last] = chain.proof as [Fields, Fields];
    assert.equal(await outcomeOfCredential({ ...chain, proof: last }), '400 PROOF_VERIFICATION_ERROR');
  });
});

let lists = 0;

interface ListOrder {
  readonly purpose?: 'revocation' | 'suspension';
  readonly list?: Fields;
  readonly entry?: Fields;
}

/** A credential with slot 5 of a list in which slot 6 is revoked, both changed as told. */
async function listed({ purpose = 'revocation', list = {}, entry = {} }: ListOrder): Promise<Fields> {
  lists += 1;
  const uri = `${origin}/lists/${lists}`;
  const marked = new Map([[6, 'invalid' as const]]);
  const order = { uri, issuer: stranger.did, purpose, marked, at: Date.now() };
  const document = await signed({ ...(await bitstringCredential(order)), ...list });
  served.set(`/lists/${lists}`, { type: 'application/vc', text: JSON.stringify(document) });
  const credentialStatus = { ...bitstringEntry(uri, 'revocation', 5), ...entry };
  return signed({ ...strangersCredential, credentialStatus });
}

const wrongLists: readonly (readonly [name: string, order: ListOrder])[] = [
  ['a slot that is set is revoked', { entry: { statusListIndex: '6' } }],
  ['statusListIndex is in the list', { entry: { statusListIndex: '131072' } }],
  ['statusPurpose of list and entry are one', { purpose: 'suspension' }],
  ['the list is of the issuer of the credential', { list: { issuer: 'did:example:another' } }],
  ['the list is a BitstringStatusListCredential', { list: { type: ['VerifiableCredential'] } }],
  ['the list says its own address', { list: { id: 'https://a.example/another' } }],
  [
    'the list has not expired',
    { list: { validUntil: '2021-01-01T00:00:00Z', validFrom: '2020-01-01T00:00:00Z' } },
  ],
  ['the list can be had', { entry: { statusListCredential: 'https://127.0.0.1:1/none' } }],
];

describe('bitstring status lists', () => {
  test('a slot that is not set is valid', async () => {
    assert.equal(await outcomeOfCredential(await listed({})), 'verified');
  });

  for (const [name, order] of wrongLists)
    test(name, async () => {
      assert.equal(await outcomeOfCredential(await listed(order)), '400 STATUS_VERIFICATION_ERROR');
    });
});

describe('VC-API', () => {
  test('a verdict that is not good is an answer where it is asked for as one', async () => {
    for (const option of ['returnResults', 'returnProblemDetails']) {
      const { status, body } = await api.verify(strangersCredential, { [option]: true });
      assert.deepEqual([status, body.verified], [200, false]);
    }
  });

  test('an option that is not known is refused', async () => {
    const { status, text } = await api.verify(strangersCredential, { chalenge: 'x' });
    assert.equal(status, 400, text);
  });

  test('a body that is no request is refused, never a failure', async () => {
    for (const body of [{}, { verifiableCredential: null }, { verifiableCredential: 'x' }])
      for (const path of ['/credentials/verify', '/presentations/verify', '/credentials/derive'])
        assert.equal((await api.post(path, body)).status, 400, path);
  });
});

describe('DID resolution', () => {
  test('contentType of the metadata is the one of the header', async () => {
    const { did } = worldOf(service).issuer;
    for (const accept of ['application/did-resolution', 'application/json']) {
      const { headers, body } = await getService(service.url, `/1.0/identifiers/${did}`, {
        headers: { accept },
      });
      const { contentType } = body.didResolutionMetadata as Fields;
      assert.equal(String(headers['content-type']).split(';')[0], contentType);
    }
  });
});
