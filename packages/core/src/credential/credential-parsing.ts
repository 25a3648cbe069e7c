/**
 * A whole credential as somebody sends it, read strictly: exact members, bounded sizes, values in normal form, and
 * everything that must agree agrees. Signatures are not checked here.
 */

import { isNormalValue } from '../attributes/attribute-values.ts';
import { CanonicalJsonError, canonicalJson, canonicalJsonBytes } from '../basics/jcs.ts';
import { complain, exactObject, type Place, placeIn, type Shape } from '../documents/document-shapes.ts';
import type {
  BbsCredentialProof,
  CredentialSubject,
  IssuerCredentialProof,
  RegistryEntryTerms,
  UnsignedCredential,
} from '../documents/model.ts';
import { Fault, type FaultDetail } from '../faults/faults.ts';
import { credentialLimits } from '../limits/documents.ts';
import { frameOf, subjectValue } from './credential-messages.ts';
import {
  bbsProofShape,
  frameShapes,
  issuerProofShape,
  singleProofShape,
  subjectShape,
} from './credential-shapes.ts';
import { didOfUrl, frameDisagreements } from './frame-rules.ts';
import { issuerProofOptions } from './issuer-proof-options.ts';

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
  for (const { pointer, against, detail } of frameDisagreements(read))
    for (const one of [pointer, against]) complain({ pointer: one, complaints }, detail);
  const credential: UnsignedCredential = {
    ...frameOf(read),
    credentialSubject: subjectInOrder(read, placeIn(place, 'credentialSubject')),
  };
  checkProofs(credential, read.proof, placeIn(place, 'proof'));
  if (complaints.length > 0) throw malformed(complaints);
  return { credential, ...read.proof };
}

type Proofs = Omit<ParsedCredential, 'credential'>;

/** Clients with a model of their own lose members that it does not have: the fault says what went wrong. */
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
  const unknown = Object.keys(credentialSubject).filter(
    (key) => key !== 'id' && !attributes.some((attribute) => attribute.key === key),
  );
  for (const [index, key] of unknown.entries()) {
    complain(placeIn(place, key), 'is not an attribute of this credential');
    if (index === 0)
      complain({ ...place, pointer: '/credentialSchema/attributes' }, 'does not have every attribute shown');
  }
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
  const bbsPlace = issuerProof ? placeIn(place, 0) : place;
  if (didOfUrl(bbsProof.verificationMethod) !== credential.issuer) {
    complain(placeIn(bbsPlace, 'verificationMethod'), "names a key that is not the issuer's");
    complain({ ...place, pointer: '/issuer' }, 'is not whose key the proof names');
  }
  if ((bbsProof.salt === undefined) !== (bbsProof.commitment === undefined))
    complain(
      placeIn(bbsPlace, bbsProof.salt === undefined ? 'salt' : 'commitment'),
      'is missing: salt and commitment go together',
    );
  if (issuerProof) checkIssuerProof(credential, issuerProof, placeIn(place, 1));
}

/** Where the terms that an issuer's proof repeats stand in the credential itself. */
const termPointers: Readonly<Record<keyof RegistryEntryTerms, string>> = {
  credential: '/id',
  template: '/credentialSchema/id',
  templateVersion: '/credentialSchema/version',
  validFrom: '/validFrom',
  validUntil: '/validUntil',
};

function checkIssuerProof(
  credential: UnsignedCredential,
  { jws: _signature, ...options }: IssuerCredentialProof,
  place: Place,
): void {
  const { registryEntry, ...expected } = issuerProofOptions(credential, options.created);
  const isOther = 'is about another credential';
  for (const name of Object.keys(termPointers) as (keyof RegistryEntryTerms)[]) {
    if (options.registryEntry[name] === registryEntry[name]) continue;
    complain(placeIn(placeIn(place, 'registryEntry'), name), isOther);
    complain({ ...place, pointer: termPointers[name] }, "is not what the issuer's proof says");
  }
  for (const name of Object.keys(expected) as (keyof typeof expected)[])
    if (options[name] !== expected[name]) complain(placeIn(place, name), isOther);
  // Any other difference counts, too.
  if (
    place.complaints.length === 0 &&
    canonicalJson(options) !== canonicalJson({ ...expected, registryEntry })
  )
    complain(place, isOther);
}
