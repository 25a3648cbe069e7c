/**
 * JSON-LD contexts from memory: nothing is fetched while it is measured. Those of credentials come with a package; the
 * four small ones that no package brings say what the libraries need of them and nothing more.
 */
import { contexts as credentialContexts } from '@digitalbazaar/credentials-context';

const sec = 'https://w3id.org/security#';
const idAndType = { id: '@id', type: '@type' };
const reference = (name) => ({ '@id': sec + name, '@type': '@id' });

const proofTerms = {
  '@version': 1.1,
  '@protected': true,
  ...idAndType,
  created: {
    '@id': 'http://purl.org/dc/terms/created',
    '@type': 'http://www.w3.org/2001/XMLSchema#dateTime',
  },
  nonce: `${sec}nonce`,
  proofPurpose: {
    '@id': `${sec}proofPurpose`,
    '@type': '@vocab',
    '@context': {
      '@version': 1.1,
      '@protected': true,
      ...idAndType,
      assertionMethod: reference('assertionMethod'),
    },
  },
  proofValue: `${sec}proofValue`,
  verificationMethod: reference('verificationMethod'),
};
const proofType = (name) => ({ '@id': sec + name, '@context': proofTerms });

const bbs2020 = {
  '@context': {
    '@version': 1.1,
    ...idAndType,
    BbsBlsSignature2020: proofType('BbsBlsSignature2020'),
    BbsBlsSignatureProof2020: proofType('BbsBlsSignatureProof2020'),
    Bls12381G2Key2020: `${sec}Bls12381G2Key2020`,
  },
};

const multikey = {
  '@context': {
    '@protected': true,
    ...idAndType,
    Multikey: {
      '@id': `${sec}Multikey`,
      '@context': {
        '@protected': true,
        ...idAndType,
        controller: reference('controller'),
        publicKeyMultibase: { '@id': `${sec}publicKeyMultibase`, '@type': `${sec}multibase` },
      },
    },
  },
};

const did = {
  '@context': {
    '@protected': true,
    ...idAndType,
    assertionMethod: { ...reference('assertionMethod'), '@container': '@set' },
    verificationMethod: reference('verificationMethod'),
  },
};

/** One of the libraries names it for keys of another kind. */
const jwk = { '@context': { publicKeyJwk: { '@id': `${sec}publicKeyJwk`, '@type': '@json' } } };

export const contexts = new Map([
  ...credentialContexts,
  ['https://w3id.org/security/bbs/v1', bbs2020],
  ['https://w3id.org/security/multikey/v1', multikey],
  ['https://w3id.org/security/suites/jws-2020/v1', jwk],
  ['https://www.w3.org/ns/did/v1', did],
]);
