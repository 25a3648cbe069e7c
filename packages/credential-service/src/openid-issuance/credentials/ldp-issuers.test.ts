/** What stands under addresses of the service is given to others' verifier by hand: credentials, keys and lists are real. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { delegatedDocument, webDid } from '@symbolon/core/did/foreign-document';
import type { Template } from '@symbolon/core/documents/model';
import { createDocumentLoader } from '@symbolon/formats/json-ld/document-loader';
import type { ProvenKey } from '@symbolon/formats/oid4vci/key-proofs';
import { bitstringCredential } from '@symbolon/formats/status-lists/bitstring-list';
import type { SlotStatus, StatusPurpose } from '@symbolon/formats/status-lists/slots';
import { loadDataIntegrity } from '@symbolon/formats/testing/digital-bazaar';
import { createDockEngine } from '@symbolon/sdk/proofs/dock-engine';
import type { JsonObject } from '@symbolon/wire/json/json';
import {
  did,
  freshClock,
  freshVault,
  issuer,
  sqliteRecords,
  start,
  template,
} from '../../database/testing/records.ts';
import { eddsaSigner, secureWhole } from '../../ldp-credentials/issuer-proofs.ts';
import { contextOf, contextPlaceOf } from '../../ldp-credentials/template-contexts.ts';
import { createIssuerKeys } from '../../standards/issuer-keys.ts';
import { listUri } from '../../status-lists/list-requests.ts';
import { createLdpIssuers } from './ldp-issuers.ts';

const publicUrl = 'https://issuer.example';
const name = issuer.slice(-64);
const identity = { did: issuer, name, identifier: `${publicUrl}/oid4vci/${name}` };
const card: Template = {
  ...template('Field card'),
  attributes: [
    { key: 'fullName', label: 'Name', type: 'text', format: 'text', mandatory: true },
    { key: 'points', label: 'Points', type: 'integer', format: 'integer', mandatory: false },
  ],
};
const dataset = {
  id: did('d'),
  issuer,
  template: card.id,
  templateVersion: card.version,
  validFrom: '2026-06-01T10:20:30Z',
  validUntil: '2099-06-01T10:20:30Z',
  values: { fullName: 'Aroha Ngata', points: 7 },
  salt: 'ab'.repeat(32),
};
const holderKey = (fill: string): ProvenKey => ({
  key: { crv: 'Ed25519', kty: 'OKP', x: Buffer.alloc(32, fill).toString('base64url') },
});

async function opened(context: TestContext) {
  const engine = await createDockEngine();
  context.after(() => engine.close());
  const parts = { database: await sqliteRecords(context), vault: freshVault(), clock: freshClock() };
  const keys = createIssuerKeys({ ...parts, proofs: engine });
  const webDidOf = () => webDid(publicUrl, ['oid4vci', name]);
  const proving = { keys, proofs: engine, webDidOf };
  const marked = new Map<number, SlotStatus>();

  const listAt = async (url: string): Promise<object | undefined> => {
    const [list, purpose] = url.split('/').slice(-2) as [string, StatusPurpose];
    const uri = listUri(publicUrl)({ issuer, list: Number(list) }, purpose);
    if (uri !== url) return undefined;
    const order = { uri, issuer: webDidOf(), purpose, marked, at: Date.now() };
    return secureWhole(await bitstringCredential(order), { signer: await eddsaSigner(proving, issuer) });
  };
  const published = async (url: string): Promise<object | undefined> => {
    const { contextUrl } = contextPlaceOf(publicUrl, card);
    if (url === contextUrl) return contextOf(publicUrl, card);
    if (url.startsWith(`${publicUrl}/status/`)) return listAt(url);
    const document = delegatedDocument(webDidOf(), {
      alsoKnownAs: [issuer],
      keys: await keys.publicKeys(issuer),
    });
    if (url === document.id) return document;
    const method = document.verificationMethod?.find(({ id }) => id === url);
    return method && { '@context': 'https://w3id.org/security/multikey/v1', ...method };
  };
  const others = await loadDataIntegrity(createDocumentLoader({ ownContext: published }));
  const formats = createLdpIssuers({ ...proving, publicUrl });
  const issue = async (suite: string, holders: readonly ProvenKey[]) => {
    const format = formats.find((one) => one.name === suite);
    assert.ok(format);
    const slots = holders.map((_, index) => ({ list: 0, slot: 40 + index }));
    const order = { issuer: identity, template: card, dataset, holders, slots, now: start };
    return (await format.issue(order)).map((credential) => asObject(credential) as Fields);
  };
  return { others, issue, marked, formats, keys };
}

describe('credentials with proofs of data integrity', () => {
  test('bbs-2023: others show a part and verify it, and refuse what is changed or marked in a list', async (context) => {
    const { others, issue, marked } = await opened(context);
    const [credential] = (await issue('bbs-2023', [holderKey('1')])) as [Fields];
    const shown = await others.deriveBbs(credential, ['/credentialSubject/fullName']);
    const subject = shown.credentialSubject as Fields;
    assert.deepEqual(Object.keys(subject).toSorted(), ['fullName', 'id']);
    assert.equal(await others.verifyBbs(shown), true);
    const changed = { ...shown, credentialSubject: { ...subject, fullName: 'Eve' } };
    assert.equal(await others.verifyBbs(changed), false);
    marked.set(41, 'invalid');
    assert.equal(await others.verifyBbs(shown), true, 'a neighbour was revoked');
    for (const status of ['invalid', 'suspended'] as const) {
      marked.set(40, status);
      assert.equal(await others.verifyBbs(shown), false, status);
    }
    marked.delete(40);
    assert.equal(await others.verifyBbs(shown), true);
  });

  test('eddsa-rdfc-2022: the whole is verified until its key has ended', async (context) => {
    const { others, issue, keys } = await opened(context);
    const [credential] = (await issue('eddsa-rdfc-2022', [holderKey('1')])) as [Fields];
    assert.equal(await others.verifyEddsa(credential), true);
    assert.equal(await others.verifyEddsa({ ...credential, validUntil: '2100-01-01T00:00:00Z' }), false);
    await keys.rotate(issuer, 'ed25519');
    assert.equal(await others.verifyEddsa(credential), true);
    await keys.end(issuer, 'ed25519-1');
    assert.equal(await others.verifyEddsa(credential), false);
  });

  test('a batch has holders and places of its own, and nothing else that differs but the proofs', async (context) => {
    const { issue } = await opened(context);
    const batch = await issue('bbs-2023', [holderKey('1'), { ...holderKey('2'), did: 'did:example:holder' }]);
    const [one, other] = batch as [Fields, Fields];
    assert.match(String((one.credentialSubject as Fields).id), /^did:key:z6Mk/);
    assert.equal((other.credentialSubject as Fields).id, 'did:example:holder');
    assert.deepEqual(
      batch.map(({ credentialStatus }) =>
        (credentialStatus as Fields[]).map(({ statusPurpose, statusListIndex }) => [
          statusPurpose,
          statusListIndex,
        ]),
      ),
      ['40', '41'].map((slot) => ['revocation', 'suspension'].map((purpose) => [purpose, slot])),
    );
    const common = ({ credentialSubject, credentialStatus: _, proof: __, ...rest }: Fields) => ({
      ...rest,
      credentialSubject: { ...(credentialSubject as Fields), id: '' },
    });
    assert.deepEqual(common(one), common(other));
    assert.deepEqual([one.validFrom, one.validUntil], ['2026-06-01T00:00:00Z', '2099-06-01T00:00:00Z']);
    assert.equal('created' in (one.proof as Fields), false);
  });

  test('configurations name context, type and suite; a template that the data model cannot say has none', async (context) => {
    const { formats, issue } = await opened(context);
    for (const { name: suite, configurationOf } of formats) {
      const [credential] = (await issue(suite, [holderKey('1')])) as [Fields];
      const configuration = configurationOf(card, identity) as JsonObject;
      assert.deepEqual(configuration.credential_definition, {
        '@context': credential['@context'],
        type: credential.type,
      });
      assert.deepEqual(configuration.credential_signing_alg_values_supported, [suite]);
      const taken = { ...card, attributes: [{ ...card.attributes[0], key: 'exp' }] } as Template;
      assert.equal(configurationOf(taken, identity), undefined);
    }
  });
});
