/**
 * Presentations that a holder derives alone, with the proof engine and the issuer's key: no service sees the whole
 * credential. What comes out is the same as what a service derives.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { parseBbsPublicKey } from '@symbolon/core/did/did';
import type { Presentation } from '@symbolon/core/documents/model';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import { disclosedNow } from '@symbolon/core/presentation/age-claims';
import {
  attachHolderSignature,
  buildUnsignedPresentation,
  holderSigningInput,
  planPresentation,
} from '@symbolon/core/presentation/presentation-derivation';
import type { ProofEngine, RangeParameters } from '@symbolon/core/proofs/proof-engine';
import { SdkError } from '../errors/errors.ts';
import { assertConsented, readPresentationOrder } from '../orders/presentation-order.ts';
import type { KnownIssuerKey } from '../verification/offline-verification.ts';
import { didOfSigner, type PresentationOrder } from './holder-flows.ts';

export interface LocalPresentationOrder extends Omit<PresentationOrder, 'rangeMethod'> {
  readonly issuerKeys: readonly KnownIssuerKey[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Loaded for this one call if left out. */
  readonly engine?: ProofEngine;
  /** Bulletproofs if left out, which every verifier takes; or the parameters of the verifier that asks. */
  readonly rangeParameters?: RangeParameters;
  readonly profile?: NetworkProfile;
}

/**
 * Throws the faults of `vp/create` for an order that cannot be met, and `ProofEngineError`. Whether the credential's
 * own signatures are good is not checked: a presentation of a bad one does not verify.
 */
export async function derivePresentation(order: LocalPresentationOrder): Promise<Presentation> {
  const { signer, issuerKeys, now, engine: given, rangeParameters, tellingRanges, ...asked } = order;
  const { profile = zetrixProfile, ...body } = asked;
  const { challenge, domain, disclosures } = readPresentationOrder(body, profile);
  assertConsented(disclosures, { tellingRanges, now });
  const sources = disclosures.map(({ parsed, ...disclosure }) => ({
    parsed,
    publicKey: keyFor(parsed.bbsProof.verificationMethod, issuerKeys),
    request: disclosedNow(disclosure, now),
  }));
  const created = instantTextOfUnixMs(now);
  const binding = {
    challenge,
    domain,
    created,
    rangeParameters: rangeParameters ?? ({ method: 'bulletproofs' } as const),
  };
  const plan = planPresentation(sources, binding, sha256);
  if (plan.holder !== didOfSigner(signer, profile)) {
    const hint = "Sign with the key of the credential's holder.";
    throw new SdkError('invalidArgument', 'the credential is of another holder', { hint });
  }
  const engine = given ?? (await (await import('../proofs/dock-engine.ts')).createDockEngine());
  try {
    const proofs: Uint8Array[] = [];
    for (const disclosure of plan.disclosures) proofs.push(await engine.derive(disclosure.order));
    const presentation = buildUnsignedPresentation(plan, proofs);
    return attachHolderSignature(presentation, await signer.sign(holderSigningInput(presentation)));
  } finally {
    if (!given) await engine.close();
  }
}

function keyFor(verificationMethod: string, known: readonly KnownIssuerKey[]): Uint8Array {
  const named = known.find((key) => key.verificationMethod === verificationMethod);
  const publicKey = named && parseBbsPublicKey(named.publicKeyMultibase);
  if (publicKey) return publicKey;
  const hint = 'Take the keys from the DID document of the issuer.';
  if (named)
    throw new SdkError('invalidArgument', 'the key that the credential names is none', {
      hint,
      members: ['publicKeyMultibase'],
    });
  throw new SdkError('invalidArgument', 'the key that the credential names is not given', {
    hint,
    members: ['issuerKeys', 'didDocument.verificationMethod', 'didDocument.assertionMethod'],
  });
}
