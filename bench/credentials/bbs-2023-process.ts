/**
 * W3C's `bbs-2023` by us, over the same document and the same choices as the library's round: its base proof by the engine's
 * signature, derived and verified by the draft's proofs on WebAssembly. Answers the benchmark's calls.
 */
import type { Fields } from '@symbolon/core/basics/plain-values';
import { generateSecretKey } from '@symbolon/core/proofs/scalars';
import { deriveDocument, verifyDerivedProof } from '@symbolon/formats/bbs-2023/bbs-2023';
import { addBaseProof } from '@symbolon/formats/data-integrity/signing';
import { didOfKey, methodOfKey } from '@symbolon/formats/json-ld/did-key';
import { createDocumentLoader } from '@symbolon/formats/json-ld/document-loader';
import { createDockEngine } from '@symbolon/sdk/proofs/dock-engine';
import { answerWork } from './rounds.ts';

const asked = new URL('./peer/attributes.mjs', import.meta.url).href;
const { shown, subject } = (await import(asked)) as {
  readonly shown: readonly string[];
  readonly subject: Readonly<Record<string, string>>;
};
const engine = await createDockEngine();
const load = createDocumentLoader();
const secretKey = generateSecretKey(new Uint8Array(32).fill(7)) as Uint8Array;
const publicKey = await engine.publicKeyOf(secretKey.slice());
const key = { keyType: 'bls12381g2', publicKey } as const;

answerWork<Fields, Fields>({
  issue: () =>
    addBaseProof(
      {
        '@context': ['https://www.w3.org/ns/credentials/v2', { '@vocab': 'https://example.test/v#' }],
        type: ['VerifiableCredential'],
        issuer: didOfKey(key),
        validUntil: '2031-01-01T00:00:00Z',
        credentialSubject: { ...subject },
      },
      {
        signer: {
          verificationMethod: methodOfKey(key),
          publicKey,
          sign: ({ header, messages }) =>
            engine.sign({
              interface: 'plain',
              publicKey,
              header,
              messages: messages.map((bytes) => ({ bytes })),
              secretKey: secretKey.slice(),
            }),
        },
        mandatoryPointers: ['/issuer', '/validUntil'],
        load,
      },
    ),
  derive: (credential) =>
    deriveDocument(credential, credential.proof as Fields, {
      selectivePointers: shown.map((name) => `/credentialSubject/${name}`),
      engine,
      load,
    }),
  verify: (document) => verifyDerivedProof(document, document.proof as Fields, { publicKey, engine, load }),
});
