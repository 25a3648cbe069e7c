/** `BbsBlsSignature2020` by MATTR: JSON-LD, selective disclosure, no ranges. Answers the benchmark's calls. */
import { createRequire } from 'node:module';
import mattr from '@mattrglobal/jsonld-signatures-bbs';
import { answerWork } from '../rounds.ts';
import { shown, subject } from './attributes.mjs';
import { contexts } from './contexts.mjs';

// The version that came with it, not the newer one of the other library.
const require = createRequire(createRequire(import.meta.url).resolve('@mattrglobal/jsonld-signatures-bbs'));
const { extendContextLoader, purposes, sign, verify } = require('jsonld-signatures');

const controller = 'did:example:issuer';
const id = `${controller}#key`;
const key = await mattr.Bls12381G2KeyPair.generate({ id, controller, seed: new Uint8Array(32).fill(7) });
const method = {
  '@context': 'https://w3id.org/security/v2',
  id,
  type: 'Bls12381G2Key2020',
  controller,
  publicKeyBase58: key.publicKey,
};
const documents = new Map([
  ...contexts,
  [id, method],
  [controller, { '@context': 'https://w3id.org/security/v2', id: controller, assertionMethod: [id] }],
]);
const documentLoader = extendContextLoader(async (url) => {
  if (!documents.has(url)) throw new Error(`no document ${url}`);
  return { document: documents.get(url), documentUrl: url, contextUrl: null };
});

const context = [
  'https://www.w3.org/2018/credentials/v1',
  'https://w3id.org/security/bbs/v1',
  { '@vocab': 'https://example.test/v#' },
];
const purpose = new purposes.AssertionProofPurpose();

answerWork({
  issue: () =>
    sign(
      {
        '@context': context,
        id: 'https://example.test/credentials/1',
        type: ['VerifiableCredential'],
        issuer: controller,
        issuanceDate: '2026-01-01T00:00:00Z',
        expirationDate: '2031-01-01T00:00:00Z',
        credentialSubject: { ...subject },
      },
      { suite: new mattr.BbsBlsSignature2020({ key }), purpose, documentLoader },
    ),
  derive: (credential) =>
    mattr.deriveProof(
      credential,
      {
        '@context': context,
        type: ['VerifiableCredential'],
        credentialSubject: { '@explicit': true, ...Object.fromEntries(shown.map((name) => [name, {}])) },
      },
      { suite: new mattr.BbsBlsSignatureProof2020(), documentLoader },
    ),
  verify: async (derived) =>
    (await verify(derived, { suite: new mattr.BbsBlsSignatureProof2020(), purpose, documentLoader }))
      .verified &&
    shown.every((name) => derived.credentialSubject[name] === subject[name]) &&
    !('attribute0' in derived.credentialSubject),
});
