import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import type { Fields } from '@symbolon/core/basics/plain-values';
import { deriveDocument } from '../bbs-2023/bbs-2023.ts';
import { addBaseProof, addProof } from '../data-integrity/signing.ts';
import { contextUrls } from '../json-ld/contexts.ts';
import {
  bbsSigner,
  ed25519Signer,
  makeFormatWorld,
  nowMs,
  sampleCredential,
} from '../testing/format-world.ts';
import type { LdpCheck } from './ldp-checks.ts';
import { type LdpFacts, type LdpVerdict, verifyLdpPresentation } from './ldp-presentations.ts';

const world = await makeFormatWorld();
const { engine, load } = world;
after(() => engine.close());
const issuer = ed25519Signer(1);
const holder = ed25519Signer(2);
const other = ed25519Signer(3);
const bbsIssuer = await bbsSigner(engine, 4);
const sampleType = 'https://www.w3.org/ns/credentials/examples#SampleCredential';
const facts: LdpFacts = {
  ...{ now: nowMs, nonce: 'nonce', audience: 'x509_san_dns:verifier.example', needsHolder: true },
  kinds: [[sampleType]],
  tools: world,
  checkStatus: async () => [],
};

const plain = (value: object): Fields => JSON.parse(JSON.stringify(value));

async function issue(change: object = {}, signer = issuer): Promise<Fields> {
  const sample = sampleCredential(issuer.did);
  const subject = { id: holder.did, ...sample.credentialSubject };
  const credential = plain({ ...sample, credentialSubject: subject, ...change });
  return addProof(credential, { signer, load, purpose: 'assertionMethod' });
}

interface Shown {
  readonly signer?: typeof holder;
  readonly proof?: object;
  readonly change?: object;
}

async function present(credential: Fields, { signer = holder, proof, change }: Shown = {}): Promise<Fields> {
  const presentation = {
    '@context': [contextUrls.credentialsV2],
    type: ['VerifiablePresentation'],
    holder: holder.did,
    verifiableCredential: [credential],
    ...change,
  };
  const bound = { challenge: facts.nonce, domain: facts.audience };
  return addProof(plain(presentation), { signer, load, purpose: 'authentication', ...bound, ...proof });
}

const failedOf = ({ checks }: LdpVerdict): LdpCheck[] =>
  checks.filter(({ passed }) => passed === false).map(({ name }) => name);

async function finds(
  check: LdpCheck,
  element: unknown,
  change: Partial<LdpFacts> = {},
  words = /./,
): Promise<void> {
  const verdict = await verifyLdpPresentation(element, { ...facts, ...change });
  assert.deepEqual(failedOf(verdict), [check], JSON.stringify(verdict.checks));
  assert.equal(verdict.verified, false);
  assert.equal(verdict.credential, undefined, 'nothing is shown of what fails');
  assert.match(verdict.checks.find(({ name }) => name === check)?.words ?? '', words);
}

describe('a credential that its subject presents', () => {
  test('verifies, with all that it shows', async () => {
    const verdict = await verifyLdpPresentation(await present(await issue()), facts);
    assert.deepEqual(failedOf(verdict), [], JSON.stringify(verdict.checks));
    assert.ok(verdict.credential);
    assert.equal(verdict.credential.holder, holder.did);
    assert.equal(verdict.credential.issuer, issuer.did);
    assert.deepEqual(verdict.credential.selected, [], 'nothing of it was chosen');
    assert.equal('proof' in verdict.credential.credential, false);
  });

  test('one wrong thing, and the check that finds it', async () => {
    const credential = await issue();
    await finds('form', 'text');
    await finds('form', credential);
    await finds(
      'form',
      await present(credential, { change: { verifiableCredential: [credential, credential] } }),
    );
    await finds('form', await present(credential, { change: { holder: undefined } }), {}, /no holder/);
    await finds('challenge', await present(credential, { proof: { challenge: 'another' } }));
    await finds('challenge', await present(credential, { proof: { challenge: undefined } }));
    await finds('audience', await present(credential, { proof: { domain: 'verifier.example' } }));
    await finds('holderSignature', await present(credential, { signer: other }), {}, /not one of whoever/);
    await finds('holderSignature', await present(credential, { proof: { purpose: 'assertionMethod' } }));
    const shown = await present(credential);
    await finds('holderSignature', { ...shown, id: 'urn:uuid:8f5a1e44-0000-4000-8000-000000000000' });
    await finds(
      'holderKey',
      await present(await issue({ credentialSubject: { id: other.did, attribute0: 'x' } })),
    );
    await finds('issuerSignature', await present(await issue({}, other)), {}, /not one of whoever/);
    const changed = { ...credential, validFrom: '2025-01-01T00:00:00Z' };
    await finds('issuerSignature', await present(changed), {}, /does not fit/);
    await finds('validity', shown, { now: Date.parse('2025-12-31T23:00:00Z') }, /not valid yet/);
    await finds(
      'validity',
      await present(await issue({ validUntil: '2026-05-31T00:00:00Z' })),
      {},
      /Expired/,
    );
    await finds('credentialType', shown, {
      kinds: [['SampleCredential'], [sampleType, 'https://a.example/#B']],
    });
  });

  test('the status is asked for last, of what its issuer signed', async () => {
    const status = { type: 'BitstringStatusListEntry', statusPurpose: 'revocation' };
    const listed = await issue({
      credentialStatus: { ...status, statusListIndex: '5', statusListCredential: 'https://a.example/1' },
    });
    const asked: unknown[] = [];
    const checkStatus: LdpFacts['checkStatus'] = async (entries) => {
      asked.push(entries);
      return ['the credential is revoked'];
    };
    await finds('status', await present(listed), { checkStatus }, /revoked/);
    await finds('holderSignature', await present(listed, { signer: other }), { checkStatus });
    assert.equal(asked.length, 1);
  });
});

describe('a credential that shows itself, by bbs-2023', () => {
  const bare = { ...facts, needsHolder: false };

  async function derive(nonce = facts.nonce): Promise<Fields> {
    const credential = plain(sampleCredential(bbsIssuer.did));
    const mandatoryPointers = ['/issuer', '/validFrom'];
    const base = await addBaseProof(credential, { signer: bbsIssuer, mandatoryPointers, load });
    const selectivePointers = ['/credentialSubject/attribute3', '/credentialSubject/attribute5'];
    const presentationHeader = encodeUtf8(nonce);
    return deriveDocument(base, base.proof as Fields, {
      selectivePointers,
      presentationHeader,
      engine,
      load,
    });
  }

  test('verifies, with what its holder chose', async () => {
    const verdict = await verifyLdpPresentation(await derive(), bare);
    assert.deepEqual(failedOf(verdict), [], JSON.stringify(verdict.checks));
    assert.deepEqual(verdict.credential?.selected, [
      ['credentialSubject', 'attribute3'],
      ['credentialSubject', 'attribute5'],
    ]);
    assert.equal(verdict.credential?.holder, undefined);
  });

  test('for another occasion, or changed, is refused', async () => {
    await finds('challenge', await derive('another'), bare);
    const shown = await derive();
    const subject = { ...(shown.credentialSubject as Fields), attribute3: 'x' };
    await finds('issuerSignature', { ...shown, credentialSubject: subject }, bare);
    await finds('form', await present(shown), bare);
  });
});
