/**
 * A whole credential as somebody sends it, read strictly: exact members, bounded sizes, values in normal form, and
 * everything that must agree agrees. Signatures are not checked here.
 */
import { Fault, type FaultDetail } from '../faults.ts';
import { CanonicalJsonError, canonicalJson, canonicalJsonBytes } from '../jcs.ts';
import { credentialLimits } from '../limits.ts';
import { isNormalValue } from './attribute-values.ts';
import { frameOf, subjectValue } from './credential-messages.ts';
import {
  bbsProofShape,
  frameShapes,
  issuerProofShape,
  singleProofShape,
  subjectShape,
} from './credential-shapes.ts';
import { complain, exactObject, type Place, placeIn, type Shape } from './document-shapes.ts';
import { didOfUrl, frameDisagreements } from './frame-rules.ts';
import { issuerProofOptions } from './issuer-proof-options.ts';
import type {
  BbsCredentialProof,
  CredentialSubject,
  IssuerCredentialProof,
  UnsignedCredential,
} from './model.ts';

export interface ParsedCredential {
  /** Rebuilt from known members only, attributes in template order. */
  readonly credential: UnsignedCredential;
  readonly bbsProof: BbsCredentialProof;
  /** Missing when the credential came with a single proof. */
  readonly issuerProof?: IssuerCredentialProof;
}

/** The canonical size of a value from outside; undefined if it has no canonical form. */
export function canonicalSize(value: unknown): number | undefined {
  try {
    return canonicalJsonBytes(value).length;
  } catch (error) {
    if (error instanceof CanonicalJsonError) return undefined;
    throw error;
  }
}

/** Throws the fault `credentialMalformed` with everything that is wrong. */
export function parseCredential(
  value: unknown,
  { didMethod }: { readonly didMethod: string },
): ParsedCredential {
  const complaints: FaultDetail[] = [];
  const size = canonicalSize(value);
  if (size === undefined || size > credentialLimits.credentialBytesMax)
    throw new Fault('credentialMalformed', { detail: 'The credential is too large or not plain JSON' });
  const read = exactObject({
    ...frameShapes(didMethod),
    credentialSubject: subjectShape(didMethod),
    proof: proofsShape(didMethod),
  })(value, { pointer: '', complaints });
  if (!read) throw malformed(complaints);
  const place: Place = { pointer: '', complaints };
  for (const { pointer, detail } of frameDisagreements(read)) complain({ pointer, complaints }, detail);
  const credential: UnsignedCredential = {
    ...frameOf(read),
    credentialSubject: subjectInOrder(read, placeIn(place, 'credentialSubject')),
  };
  checkProofs(credential, read.proof, placeIn(place, 'proof'));
  if (complaints.length > 0) throw malformed(complaints);
  return { credential, ...read.proof };
}

type Proofs = Omit<ParsedCredential, 'credential'>;

/** Clients that model credentials drop members they do not know, and then wonder. */
const malformed = (errors: readonly FaultDetail[]): Fault =>
  new Fault('credentialMalformed', {
    errors,
    ...(errors.some(({ detail }) => detail === 'is missing')
      ? {
          detail:
            'Members of the credential are missing: it must be sent with every member it was issued with',
        }
      : {}),
  });

const proofsShape =
  (didMethod: string): Shape<Proofs> =>
  (value, place) => {
    if (!Array.isArray(value)) {
      const bbsProof = singleProofShape(didMethod)(value, place);
      return bbsProof && { bbsProof };
    }
    if (value.length < 1 || value.length > 2)
      return complain(place, 'must be an object or an array of two proofs');
    const bbsProof = bbsProofShape(didMethod)(value[0], placeIn(place, 0));
    if (value.length === 1) return bbsProof && { bbsProof };
    const issuerProof = issuerProofShape(didMethod)(value[1], placeIn(place, 1));
    return bbsProof && issuerProof && { bbsProof, issuerProof };
  };

function subjectInOrder(
  { credentialSchema, credentialSubject }: Pick<UnsignedCredential, 'credentialSchema' | 'credentialSubject'>,
  place: Place,
): CredentialSubject {
  const { attributes } = credentialSchema;
  for (const key of Object.keys(credentialSubject))
    if (key !== 'id' && !attributes.some((attribute) => attribute.key === key))
      complain(placeIn(place, key), 'is not an attribute of this credential');
  const members: [string, unknown][] = [['id', credentialSubject.id]];
  for (const attribute of attributes) {
    const value = subjectValue(credentialSubject, attribute.key);
    if (value === undefined) continue;
    if (isNormalValue(attribute, value)) members.push([attribute.key, value]);
    else complain(placeIn(place, attribute.key), `is not a value of type ${attribute.type} as it is signed`);
  }
  return Object.fromEntries(members) as CredentialSubject;
}

function checkProofs(credential: UnsignedCredential, { bbsProof, issuerProof }: Proofs, place: Place): void {
  if (didOfUrl(bbsProof.verificationMethod) !== credential.issuer)
    complain(place, "names a key that is not the issuer's");
  if ((bbsProof.salt === undefined) !== (bbsProof.commitment === undefined))
    complain(place, 'has a salt without a commitment, or the other way round');
  if (!issuerProof) return;
  const { jws: _signature, ...options } = issuerProof;
  if (canonicalJson(options) !== canonicalJson(issuerProofOptions(credential, options.created)))
    complain(place, 'is about another credential');
}
