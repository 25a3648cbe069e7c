/** W3C's `bbs-2023` by Digital Bazaar: JSON-LD, selective disclosure, no ranges. Answers the benchmark's calls. */
import * as bbs from '@digitalbazaar/bbs-2023-cryptosuite';
import * as multikey from '@digitalbazaar/bls12-381-multikey';
import { DataIntegrityProof } from '@digitalbazaar/data-integrity';
import jsigs from 'jsonld-signatures';
import { answerWork } from '../rounds.ts';
import { shown, subject } from './attributes.mjs';
import { contexts } from './contexts.mjs';

const purpose = new jsigs.purposes.AssertionProofPurpose();
const key = await multikey.generateBbsKeyPair({
  algorithm: multikey.ALGORITHMS.BBS_BLS12381_SHA256,
  seed: new Uint8Array(32).fill(7),
});
key.controller = `did:key:${key.publicKeyMultibase}`;
key.id = `${key.controller}#${key.publicKeyMultibase}`;

const method = {
  '@context': 'https://w3id.org/security/multikey/v1',
  id: key.id,
  type: 'Multikey',
  controller: key.controller,
  publicKeyMultibase: key.publicKeyMultibase,
};
const documents = new Map([
  ...contexts,
  [key.id, method],
  [
    key.controller,
    {
      '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
      id: key.controller,
      verificationMethod: [method],
      assertionMethod: [key.id],
    },
  ],
]);
const documentLoader = async (url) => {
  if (!documents.has(url)) throw new Error(`no document ${url}`);
  return { document: documents.get(url), documentUrl: url, contextUrl: null };
};
const withSuite = (cryptosuite, signer) => ({
  suite: new DataIntegrityProof({ signer, cryptosuite }),
  purpose,
  documentLoader,
});

answerWork({
  issue: () =>
    jsigs.sign(
      {
        '@context': ['https://www.w3.org/ns/credentials/v2', { '@vocab': 'https://example.test/v#' }],
        type: ['VerifiableCredential'],
        issuer: key.controller,
        validUntil: '2031-01-01T00:00:00Z',
        credentialSubject: { ...subject },
      },
      withSuite(bbs.createSignCryptosuite({ mandatoryPointers: ['/issuer', '/validUntil'] }), key.signer()),
    ),
  derive: (credential) =>
    jsigs.derive(
      credential,
      withSuite(
        bbs.createDiscloseCryptosuite({
          selectivePointers: shown.map((name) => `/credentialSubject/${name}`),
        }),
      ),
    ),
  verify: async (derived) =>
    (await jsigs.verify(derived, withSuite(bbs.createVerifyCryptosuite()))).verified &&
    shown.every((name) => derived.credentialSubject[name] === subject[name]) &&
    !('attribute0' in derived.credentialSubject),
});
