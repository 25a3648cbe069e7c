/**
 * Digital Bazaar's packages for data integrity, which share no line with ours but the primitives of selective disclosure:
 * for tests to agree with. They bring no types along.
 */

import type { Fields } from '@symbolon/core/basics/plain-values';
import { loadDigitalBazaar } from '@symbolon/core/proofs/testing/digital-bazaar';
import { createDocumentLoader, type DocumentLoader } from '../json-ld/document-loader.ts';

interface Suite {
  readonly name: string;
}
interface KeyPair {
  readonly publicKeyMultibase: string;
  controller: string;
  id: string;
  signer(): object;
}
interface Packages {
  readonly vc: {
    issue(options: object): Promise<Fields>;
    derive(options: object): Promise<Fields>;
    verifyCredential(options: object): Promise<{ verified: boolean; error?: { errors?: Error[] } }>;
  };
  readonly integrity: { DataIntegrityProof: new (options: object) => object };
  readonly bbs: {
    createSignCryptosuite(options: object): Suite;
    createDiscloseCryptosuite(options: object): Suite;
    createVerifyCryptosuite(): Suite;
  };
  readonly bls: {
    ALGORITHMS: { BBS_BLS12381_SHA256: string };
    generateBbsKeyPair(options: object): Promise<KeyPair>;
  };
  readonly eddsa: { cryptosuite: Suite };
  readonly lists: {
    checkStatus(options: object): Promise<{ verified: boolean; results?: { status: boolean }[] }>;
  };
  readonly ed25519: { generate(options: object): Promise<KeyPair> };
}

async function importPackages(): Promise<Packages> {
  // It finds for the signature package what that does not declare; the others find it then.
  await loadDigitalBazaar();
  const load = (name: string) => import(name);
  const [vc, integrity, bbs, bls, eddsa, ed25519, lists] = await Promise.all(
    [
      '@digitalbazaar/vc',
      '@digitalbazaar/data-integrity',
      '@digitalbazaar/bbs-2023-cryptosuite',
      '@digitalbazaar/bls12-381-multikey',
      '@digitalbazaar/eddsa-rdfc-2022-cryptosuite',
      '@digitalbazaar/ed25519-multikey',
      '@digitalbazaar/vc-bitstring-status-list',
    ].map(load),
  );
  return { vc, integrity, bbs, bls, eddsa, ed25519, lists };
}

function withIdentity(key: KeyPair): KeyPair {
  key.controller = `did:key:${key.publicKeyMultibase}`;
  key.id = `${key.controller}#${key.publicKeyMultibase}`;
  return key;
}

/** Whoever verifies what others publish brings the way to it. */
export async function loadDataIntegrity(documentLoader: DocumentLoader = createDocumentLoader()) {
  const { vc, integrity, bbs, bls, eddsa, ed25519, lists } = await importPackages();
  const suite = (cryptosuite: Suite, more: object = {}) =>
    new integrity.DataIntegrityProof({ cryptosuite, ...more });
  /** Whether none of the lists that it refers to has its bit set; each list with a proof by eddsa-rdfc-2022. */
  const isUnmarked = async (credential: object): Promise<boolean> => {
    const listSuite = suite(eddsa.cryptosuite);
    const { verified, results } = await lists.checkStatus({ credential, suite: listSuite, documentLoader });
    return verified && results?.every(({ status }) => !status) === true;
  };
  const verify = async (credential: object, cryptosuite: Suite): Promise<boolean> => {
    const { verified } = await vc.verifyCredential({
      credential,
      suite: suite(cryptosuite),
      documentLoader,
      checkStatus: async () => ({ verified: await isUnmarked(credential) }),
    });
    return verified;
  };
  return {
    bbsKey: async (seed: number) =>
      withIdentity(
        await bls.generateBbsKeyPair({
          algorithm: bls.ALGORITHMS.BBS_BLS12381_SHA256,
          seed: new Uint8Array(32).fill(seed),
        }),
      ),
    ed25519Key: async (seed: number) =>
      withIdentity(await ed25519.generate({ seed: new Uint8Array(32).fill(seed) })),
    issueBbs: (credential: object, key: KeyPair, mandatoryPointers: readonly string[]) =>
      vc.issue({
        credential: structuredClone(credential),
        suite: suite(bbs.createSignCryptosuite({ mandatoryPointers }), { signer: key.signer() }),
        documentLoader,
      }),
    deriveBbs: (verifiableCredential: object, selectivePointers: readonly string[]) =>
      vc.derive({
        verifiableCredential: structuredClone(verifiableCredential),
        suite: suite(bbs.createDiscloseCryptosuite({ selectivePointers })),
        documentLoader,
      }),
    verifyBbs: (credential: object) => verify(credential, bbs.createVerifyCryptosuite()),
    issueEddsa: (credential: object, key: KeyPair) =>
      vc.issue({
        credential: structuredClone(credential),
        suite: suite(eddsa.cryptosuite, { signer: key.signer() }),
        documentLoader,
      }),
    verifyEddsa: (credential: object) => verify(credential, eddsa.cryptosuite),
  };
}
