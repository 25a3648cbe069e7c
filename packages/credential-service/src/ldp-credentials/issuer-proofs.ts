/**
 * Proofs of data integrity by the keys that the service has for an issuer. Whoever verifies finds them in the document
 * of the issuer's `did:web`.
 */
import type { Fields } from '@symbolon/core/basics/plain-values';
import { Fault } from '@symbolon/core/faults/faults';
import type { ProofEngine } from '@symbolon/core/proofs/proof-engine';
import { mandatoryPointersOf } from '@symbolon/formats/credential/credential-builder';
import { addBaseProof, addProof, type BytesSigner } from '@symbolon/formats/data-integrity/signing';
import { createDocumentLoader, type DocumentLoader } from '@symbolon/formats/json-ld/document-loader';
import type { IssuerKeys } from '../standards/issuer-keys.ts';

export interface ProvingParts {
  readonly keys: Pick<IssuerKeys, 'currentKey' | 'sign' | 'bbsKey'>;
  readonly proofs: Pick<ProofEngine, 'sign'>;
  readonly webDidOf: (issuer: string) => string;
}

/** One signs for as long as a batch takes. */
export async function eddsaSigner({ keys, webDidOf }: ProvingParts, issuer: string): Promise<BytesSigner> {
  const { kid } = await keys.currentKey(issuer, 'ed25519');
  return {
    verificationMethod: `${webDidOf(issuer)}#${kid}`,
    suite: 'eddsa-rdfc-2022',
    async sign(message) {
      const signed = await keys.sign(issuer, 'ed25519', message);
      if (signed.kid !== kid)
        throw new Fault('overloaded', { detail: 'The key of the issuer was changed meanwhile' });
      return signed.signature;
    },
  };
}

/** A proof that shows the whole document whenever it is shown. */
export const secureWhole = (
  document: object,
  { signer, load = publishedContexts }: { readonly signer: BytesSigner; readonly load?: DocumentLoader },
): Promise<Fields> => addProof(document, { signer, load, purpose: 'assertionMethod' });

const publishedContexts = createDocumentLoader();

export interface SecuringByParts {
  readonly documents: readonly Fields[];
  readonly load: DocumentLoader;
  /** Pointers to what is always shown beside what is of every credential. */
  readonly alwaysShown?: readonly string[];
}

/** Base proofs over documents, from which their holders show parts; in their order. */
export async function secureByParts(
  { keys, proofs, webDidOf }: ProvingParts,
  issuer: string,
  { documents, load, alwaysShown = [] }: SecuringByParts,
): Promise<readonly Fields[]> {
  const { kid, publicKey, secretKey } = await keys.bbsKey(issuer);
  const signer = {
    verificationMethod: `${webDidOf(issuer)}#${kid}`,
    publicKey,
    sign: (order: { readonly header: Uint8Array; readonly messages: readonly Uint8Array[] }) =>
      proofs.sign({
        interface: 'plain',
        publicKey,
        secretKey,
        header: order.header,
        messages: order.messages.map((bytes) => ({ bytes })),
      }),
  };
  try {
    const secured: Fields[] = [];
    for (const document of documents)
      secured.push(
        await addBaseProof(document, {
          signer,
          load,
          mandatoryPointers: [...new Set([...mandatoryPointersOf(document), ...alwaysShown])],
        }),
      );
    return secured;
  } finally {
    secretKey.fill(0);
  }
}
