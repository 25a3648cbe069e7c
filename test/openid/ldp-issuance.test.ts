/**
 * Credentials with proofs of data integrity by OpenID4VCI, with a real service and node: Digital Bazaar's packages, which
 * fetch contexts, keys and status lists as anybody does, verify what a wallet got and what it shows of it, until the
 * issuer revokes.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { createDocumentLoader } from '@symbolon/formats/json-ld/document-loader';
import { loadDataIntegrity } from '@symbolon/formats/testing/digital-bazaar';
import type { JsonObject } from '@symbolon/wire/json/json';
import { openidIssuer } from '../support/openid-issuer.ts';
import { ownerOfSuite } from '../support/owner.ts';
import {
  getDocument,
  makeWalletKey,
  readOffer,
  type WalletAnswer,
  walletFor,
} from '../support/raw-wallet.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { postService } from '../support/service-http.ts';
import { fewValues, ok, revokeBody, signedBlobBody } from '../support/service-steps.ts';
import { registerCard, worldOf } from '../support/service-world.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner, 1);

let service: RunningService;
let acts: ReturnType<typeof openidIssuer>;
let world: ReturnType<typeof worldOf>;
let others: Awaited<ReturnType<typeof loadDataIntegrity>>;

const fetched = async (url: string): Promise<object> => {
  const { status, body } = await getDocument(url);
  assert.equal(status, 200, url);
  return typeof body.text === 'string' ? (JSON.parse(body.text) as object) : body;
};

/** What is under an address of the service, or in the document of a did:web there. */
async function publishedUnder(origin: string, url: string): Promise<object | undefined> {
  if (url.startsWith(origin)) return fetched(url);
  const [did, fragment] = url.split('#');
  if (!did?.startsWith('did:web:')) return undefined;
  const segments = did.split(':').slice(3);
  const document = (await fetched(`${origin}/${segments.join('/')}/did.json`)) as Fields;
  if (fragment === undefined) return document;
  const method = (document.verificationMethod as Fields[]).find(({ id }) => id === url);
  return method && { '@context': 'https://w3id.org/security/multikey/v1', ...method };
}

before(async () => {
  service = await startService(owner, { proofs });
  world = worldOf(service);
  acts = openidIssuer(service.url, world.issuer, await registerCard(world, 'Field card'));
  others = await loadDataIntegrity(
    createDocumentLoader({ ownContext: (url) => publishedUnder(service.url, url) }),
  );
});

const credentialsOf = ({ status, body }: WalletAnswer): Fields[] => {
  assert.equal(status, 200, JSON.stringify(body));
  return (body.credentials as JsonObject[]).map(({ credential }) => asObject(credential) as Fields);
};

async function taken(format: string, count = 1) {
  const offer = await acts.offer({ txCode: false, formats: [format] });
  const wallet = walletFor(await readOffer(offer.link));
  const token = await wallet.token();
  const keys = Array.from({ length: count }, makeWalletKey);
  const credentials = credentialsOf(await wallet.ask(token, await wallet.proofs(keys)));
  return { offer, wallet, credentials };
}

async function change(act: 'suspend' | 'reinstate', vcId: string): Promise<void> {
  const { issuer, url } = world;
  const blob = ok(await postService(url, `/cred/v1/vc/${act}/create-blob`, revokeBody(issuer, vcId)));
  ok(await postService(url, `/cred/v1/vc/${act}/submit`, signedBlobBody(issuer, blob)));
}

const suites = [
  {
    format: 'bbs-2023',
    show: (credential: Fields) => others.deriveBbs(credential, ['/credentialSubject/fullName']),
    verify: (shown: Fields) => others.verifyBbs(shown),
  },
  {
    format: 'eddsa-rdfc-2022',
    show: async (credential: Fields) => credential,
    verify: (shown: Fields) => others.verifyEddsa(shown),
  },
];

describe('credentials with proofs of data integrity', () => {
  for (const { format, show, verify } of suites) {
    test(`${format}: others show and verify it until it is revoked, which both lists say`, async () => {
      const { offer, credentials } = await taken(format);
      const [credential] = credentials as [Fields];
      const shown = await show(credential);
      assert.equal(await verify(shown), true);
      const changed = {
        ...shown,
        credentialSubject: { ...(shown.credentialSubject as object), fullName: 'Eve' },
      };
      assert.equal(await verify(changed), false);
      await world.steps.revoke(world.issuer, offer.vcId);
      await until('others refuse it', async () => !(await verify(shown)));
    });
  }

  test('a suspension is in the list of its own, and ends', async () => {
    const { offer, credentials } = await taken('eddsa-rdfc-2022');
    const [credential] = credentials as [Fields];
    await change('suspend', offer.vcId);
    await until('others refuse it', async () => !(await others.verifyEddsa(credential)));
    await change('reinstate', offer.vcId);
    await until('others take it again', () => others.verifyEddsa(credential));
  });

  test('they say what was offered, of the key that was proved, in whole days and places of their own', async () => {
    const { credentials, wallet } = await taken('bbs-2023', 3);
    const issuer = wallet.offer.issuer.slice(-64);
    for (const { credentialSubject, validFrom, validUntil, issuer: named } of credentials) {
      const { id, ...values } = credentialSubject as Fields;
      assert.match(String(id), /^did:key:zDn/);
      assert.deepEqual(Object.keys(values).toSorted(), Object.keys(fewValues).toSorted());
      assert.match(`${validFrom} ${validUntil}`, /^\S+T00:00:00Z \S+T00:00:00Z$/);
      assert.match(String(named), new RegExp(`^did:web:.*:oid4vci:${issuer}$`));
    }
    const slots = credentials.map(({ credentialStatus }) =>
      (credentialStatus as Fields[]).map(({ statusListIndex }) => statusListIndex),
    );
    assert.equal(new Set(slots.map(([revocation]) => revocation)).size, 3);
    for (const [revocation, suspension] of slots) assert.equal(revocation, suspension);
    assert.equal(
      new Set(credentials.map(({ credentialSubject }) => (credentialSubject as Fields).id)).size,
      3,
    );
  });

  test('the metadata name context and type, which credentials have', async () => {
    const { credentials, wallet } = await taken('bbs-2023');
    const path = wallet.offer.issuer.slice(service.url.length);
    const metadata = await fetched(`${service.url}/.well-known/openid-credential-issuer${path}`);
    const supported = (metadata as JsonObject).credential_configurations_supported as JsonObject;
    const configuration = supported[wallet.offer.configurations[0] as string] as JsonObject;
    assert.equal(configuration.format, 'ldp_vc');
    const [credential] = credentials as [Fields];
    assert.deepEqual(configuration.credential_definition, {
      '@context': credential['@context'],
      type: credential.type,
    });
    const [, context = ''] = credential['@context'] as string[];
    const [template, version] = context.split('/').slice(-2) as [string, string];
    assert.ok((await service.stranger.getCredentialContext({ template, version }))['@context']);
    const gone = await getDocument(context.replace(version, '9.9.9'));
    assert.equal(gone.status, 404);
  });

  test('a list that is no list, or of no purpose here, is not there', async () => {
    const { credentials } = await taken('bbs-2023');
    const [entry] = (credentials[0] as Fields).credentialStatus as Fields[];
    const uri = String((entry as Fields).statusListCredential);
    const [issuer, list] = uri.split('/').slice(-3) as [string, string];
    const purpose = 'suspension';
    const text = await service.stranger.getStatusListOfPurpose({ issuer, list, purpose });
    assert.equal(JSON.parse(String(text)).credentialSubject.statusPurpose, purpose);
    for (const other of [uri.replace('revocation', 'refresh'), uri.replace('/0/', '/1/'), `${uri}?time=1`])
      assert.ok([404, 501].includes((await getDocument(other)).status), other);
  });
});
