import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Fields } from '@symbolon/core/basics/plain-values';
import { deriveDocument } from '../bbs-2023/bbs-2023.ts';
import { contextUrls } from '../json-ld/contexts.ts';
import { loadDataIntegrity } from '../testing/digital-bazaar.ts';
import {
  bbsSigner,
  ed25519Signer,
  makeFormatWorld,
  nowMs,
  sampleCredential,
} from '../testing/format-world.ts';
import { addBaseProof, addProof } from './signing.ts';
import { verifyDocument } from './verifying.ts';

const world = await makeFormatWorld();
const { engine, load } = world;
after(() => engine.close());
const other = await loadDataIntegrity();
const mandatoryPointers = ['/issuer'];
const selectivePointers = ['/credentialSubject/attribute3', '/credentialSubject/attribute5'];

const verifyOurs = async (document: Fields): Promise<boolean> => {
  const controller = String(document.issuer);
  const verdict = await verifyDocument(document, { purpose: 'assertionMethod', nowMs, controller }, world);
  return verdict.isVerified;
};

/** Documents of 1.1 name the context of proofs themselves. */
const olderCredential = (issuer: string) => ({
  ...sampleCredential(issuer),
  '@context': [contextUrls.credentialsV1, contextUrls.dataIntegrityV2, contextUrls.examplesV2],
  validFrom: undefined,
  issuanceDate: '2026-01-01T00:00:00Z',
});

const plain = (value: object): Fields => JSON.parse(JSON.stringify(value));

test('issuer, deriver and verifier are mixed in every way', async () => {
  const key = await other.bbsKey(9);
  const ours = await bbsSigner(engine, 9);
  assert.equal(key.controller, ours.did);
  const credential = plain(sampleCredential(ours.did));
  const issued = [
    await addBaseProof(credential, { signer: ours, mandatoryPointers, load }),
    await other.issueBbs(credential, key, mandatoryPointers),
  ];
  for (const [issuer, document] of issued.entries()) {
    const derived = [
      await deriveDocument(document, document.proof as Fields, { selectivePointers, engine, load }),
      await other.deriveBbs(document, selectivePointers),
    ];
    for (const [deriver, shown] of derived.entries()) {
      const label = `issuer ${issuer}, deriver ${deriver}`;
      assert.equal(await verifyOurs(shown), true, `${label}: ours`);
      assert.equal(await other.verifyBbs(shown), true, `${label}: theirs`);
      const changed = {
        ...shown,
        credentialSubject: { ...(shown.credentialSubject as Fields), attribute3: 'x' },
      };
      assert.equal(await verifyOurs(changed), false, `${label}: ours, changed`);
      assert.equal(await other.verifyBbs(changed), false, `${label}: theirs, changed`);
    }
  }
});

test('credentials of the data model 1.1 are mixed, too', async () => {
  const key = await other.bbsKey(9);
  // Their verifier wants the date that 1.1 wants, whatever is shown besides.
  const pointers = [...mandatoryPointers, '/issuanceDate'];
  const document = await other.issueBbs(plain(olderCredential(key.controller)), key, pointers);
  const shown = await deriveDocument(document, document.proof as Fields, { selectivePointers, engine, load });
  assert.equal(await verifyOurs(shown), true);
  assert.equal(await other.verifyBbs(shown), true);
});

test('eddsa-rdfc-2022: what one signs the other verifies, both ways', async () => {
  const key = await other.ed25519Key(4);
  const signer = ed25519Signer(4);
  assert.equal(key.controller, signer.did);
  for (const sample of [sampleCredential, olderCredential]) {
    const credential = plain(sample(signer.did));
    const theirs = await other.issueEddsa(credential, key);
    const ours = await addProof(credential, {
      signer,
      load,
      purpose: 'assertionMethod',
      created: '2026-01-02T00:00:00Z',
    });
    for (const document of [theirs, ours]) {
      assert.equal(await other.verifyEddsa(document), true);
      const verdict = await verifyDocument(
        document,
        { purpose: 'assertionMethod', nowMs: Date.now(), controller: signer.did },
        world,
      );
      assert.deepEqual(
        verdict.proofs.map(({ isVerified }) => isVerified),
        [true],
      );
      const changed = { ...document, issuer: { id: signer.did, name: 'Another' } };
      assert.equal(await other.verifyEddsa(changed), false);
      assert.equal(await verifyOurs(changed), false);
    }
  }
});
