/**
 * A presentation as somebody sends it, read strictly and once: exact members, bounded sizes, and what its holder must
 * have signed. Everybody who works with it afterwards is handed the parsed one. Nothing is verified here: the checks are
 * in `presentation-checks.ts`.
 */

import { type Ed25519Question, keyOfDid } from '../credential/credential-assembly.ts';
import { canonicalSize } from '../credential/credential-parsing.ts';
import { presentationShape } from '../credential/credential-shapes.ts';
import { parseDetachedJws } from '../credential/jws.ts';
import type { Presentation } from '../documents/model.ts';
import { Fault, type FaultDetail } from '../faults/faults.ts';
import { credentialLimits } from '../limits/documents.ts';
import { holderSigningInput } from './presentation-derivation.ts';

declare const isParsed: unique symbol;

/** Only `parsePresentation` makes one. */
export interface ParsedPresentation {
  readonly [isParsed]: true;
  /** Rebuilt from known members only. */
  readonly presentation: Presentation;
  /** The bytes that must have been signed, the holder's key, and the signature that came along. */
  readonly holderSignature: Ed25519Question | undefined;
}

/**
 * Throws the fault `presentationMalformed` with everything that is wrong. `signedBytes`: what the holder's signature
 * covers where the presentation came in another form than its own, such as a JWT.
 */
export function parsePresentation(
  value: unknown,
  { didMethod }: { readonly didMethod: string },
  signedBytes?: Uint8Array,
): ParsedPresentation {
  const complaints: FaultDetail[] = [];
  const size = canonicalSize(value);
  if (size === undefined || size > credentialLimits.presentationBytesMax)
    throw new Fault('presentationMalformed', { detail: 'The presentation is too large or not plain JSON' });
  const presentation = presentationShape(didMethod)(value, { pointer: '', complaints });
  if (!presentation) throw new Fault('presentationMalformed', { errors: complaints });
  const ranges = presentation.verifiableCredential.flatMap(({ proof }) => proof.ranges ?? []);
  if (ranges.length > credentialLimits.presentationRangesMax)
    throw new Fault('presentationMalformed', { detail: 'The presentation proves too many ranges' });
  const { jws, ...options } = presentation.proof;
  const publicKey = keyOfDid(presentation.holder);
  const signature = parseDetachedJws('holder', jws);
  const message = signedBytes ?? holderSigningInput({ ...presentation, proof: options });
  const holderSignature = publicKey && signature && { publicKey, message, signature };
  return { presentation, holderSignature } as ParsedPresentation;
}
