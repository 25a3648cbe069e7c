/** A caller of the VC-API over HTTP, and what a stranger signs with data integrity. */
import type { Fields } from '@symbolon/core/basics/plain-values';
import { addProof, type SigningOptions } from '@symbolon/formats/data-integrity/signing';
import { contextUrls } from '@symbolon/formats/json-ld/contexts';
import { createDocumentLoader } from '@symbolon/formats/json-ld/document-loader';
import { ed25519Signer } from '@symbolon/formats/testing/format-world';
import type { JsonObject } from '@symbolon/wire/json/json';
import { postService, type ServiceAnswer } from './service-http.ts';
import type { Party } from './service-steps.ts';

/** Of the instance of somebody's DID. */
export function vcApiOf(url: string, { did, apiKey }: Pick<Party, 'did' | 'apiKey'>) {
  const base = `/vc-api/${did.slice(-64)}`;
  const post = (path: string, body: object, key: string = apiKey): Promise<ServiceAnswer> =>
    postService(url, `${base}${path}`, body as JsonObject, { apiKey: key });
  return {
    base,
    post,
    issue: (credential: object, options?: object) =>
      post('/credentials/issue', { credential, ...(options && { options }) }),
    derive: (verifiableCredential: object, selectivePointers: readonly string[]) =>
      post('/credentials/derive', { verifiableCredential, options: { selectivePointers } }),
    verify: (verifiableCredential: object, options?: object) =>
      post('/credentials/verify', { verifiableCredential, ...(options && { options }) }),
    present: (presentation: object, options: object) => post('/presentations', { presentation, options }),
    verifyPresentation: (verifiablePresentation: object, options: object) =>
      post('/presentations/verify', { verifiablePresentation, options }),
    status: (order: object) => post('/credentials/status', order),
  };
}

/** Types of what is wrong, without what they all begin with. */
export const problemTypes = ({ body }: ServiceAnswer): string[] =>
  (body.problemDetails as { readonly type: string }[]).map(({ type }) => type.slice(type.indexOf('#') + 1));

export const stranger = ed25519Signer(7);
export const load = createDocumentLoader();

/** A credential of a stranger that nothing is wrong with, without a proof. */
export const strangersCredential: Fields = {
  '@context': [contextUrls.credentialsV2, contextUrls.examplesV2],
  id: 'https://stranger.example/credentials/1',
  type: ['VerifiableCredential', 'ExampleCredential'],
  issuer: stranger.did,
  validFrom: '2020-01-01T00:00:00Z',
  credentialSubject: { id: 'did:example:subject', degree: 'Bachelor' },
};

/** By the stranger's key, unless told. */
export const signed = (document: object, more: Partial<SigningOptions> = {}): Promise<Fields> =>
  addProof(document, { signer: stranger, load, purpose: 'assertionMethod', ...more });

export const strangersPresentation = (credentials: readonly object[]): Fields => ({
  '@context': [contextUrls.credentialsV2],
  type: ['VerifiablePresentation'],
  holder: stranger.did,
  verifiableCredential: credentials,
});
