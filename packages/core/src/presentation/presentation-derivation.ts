/**
 * From credentials to a presentation: what is asked for is checked against each credential, the proofs to derive are
 * ordered as plain data, and their results are put together into what the holder signs. Only what is named is
 * revealed; a request that names nothing reveals nothing but the frame. Proofs are made by a proof engine, elsewhere.
 */

import { isComplaint } from '../attributes/attribute-formats.ts';
import { type ReadRange, readRange } from '../attributes/attribute-ranges.ts';
import { attributeInteger } from '../attributes/attribute-values.ts';
import { assert } from '../basics/assert.ts';
import { encodeHex, type Sha256 } from '../basics/bytes.ts';
import { canonicalJsonBytes } from '../basics/jcs.ts';
import { given } from '../basics/plain-values.ts';
import {
  credentialMessages,
  type DerivedProofTerms,
  frameOf,
  type PresentationBinding,
  subjectValue,
} from '../credential/credential-messages.ts';
import type { ParsedCredential } from '../credential/credential-parsing.ts';
import {
  documentContexts,
  encodeProofValue,
  parseProofValue,
  presentationTypes,
} from '../credential/credential-shapes.ts';
import { detachedJws, jwsSigningInput } from '../credential/jws.ts';
import {
  type AgeClaim,
  type AttributeValue,
  type CredentialFrame,
  type CredentialSubject,
  type DisclosureRequest,
  type HolderProofOptions,
  type Presentation,
  proofTypes,
  type RangeClaim,
  suites,
  type UnsignedCredential,
  type UnsignedPresentation,
} from '../documents/model.ts';
import { Fault, type FaultDetail } from '../faults/faults.ts';
import { credentialLimits } from '../limits/documents.ts';
import type { DeriveOrder, RangeParameters } from '../proofs/proof-engine.ts';
import { ageInWords } from './age-claims.ts';
import { proofStatement } from './proof-statement.ts';

export interface DerivationBinding extends PresentationBinding {
  readonly created: string;
  readonly rangeParameters: RangeParameters;
}

/** What a presentation says of one credential, whoever proves it. */
export interface ShownDisclosure {
  readonly frame: CredentialFrame;
  readonly subject: CredentialSubject;
  readonly terms: DerivedProofTerms;
}

/** What is derived from one credential. */
export interface DisclosurePlan extends ShownDisclosure {
  /** Keys in template order. */
  readonly revealed: readonly string[];
  readonly ranges: readonly RangeClaim[];
  readonly order: DeriveOrder;
}

export interface CredentialToPresent {
  readonly parsed: ParsedCredential;
  /** The issuer's published key that the credential's BBS proof names. */
  readonly publicKey: Uint8Array;
  readonly request: DisclosureRequest;
}

/** Throws the faults `attributeUnknown` and `rangeInvalid`. */
export function planDisclosure(
  { parsed, publicKey, request }: CredentialToPresent,
  binding: DerivationBinding,
  sha256: Sha256,
): DisclosurePlan {
  const { credential, bbsProof } = parsed;
  const { frame, subject, terms, revealed, ranges } = showDisclosure({ parsed, request }, binding, sha256);
  const statement = proofStatement(
    {
      frame,
      subject,
      terms,
      ranges,
      rangeParameters: ranges.length === 0 ? { method: 'bulletproofs' } : binding.rangeParameters,
      publicKey,
      commitment: bbsProof.commitment === undefined ? undefined : parseProofValue(bbsProof.commitment),
      binding,
    },
    sha256,
  );
  const signature = parseProofValue(bbsProof.proofValue) as Uint8Array;
  const messages = credentialMessages({ ...credential, salt: bbsProof.salt }, sha256);
  const order = { ...statement, messages, signature };
  return { frame, subject, revealed, ranges: ranges.map(({ claim }) => claim), terms, order };
}

/** What is shown, without anything to prove it by. Throws the faults `attributeUnknown` and `rangeInvalid`. */
export function showDisclosure(
  { parsed, request }: Omit<CredentialToPresent, 'publicKey'>,
  binding: DerivationBinding,
  sha256: Sha256,
): ShownDisclosure & { readonly revealed: readonly string[]; readonly ranges: readonly ReadRange[] } {
  const { credential, bbsProof } = parsed;
  const revealed = readRevealed(credential, request);
  const ranges = readRanges(credential, request, revealed);
  const claims = ranges.map(({ claim }) => claim);
  const terms: DerivedProofTerms = {
    type: proofTypes.derived,
    cryptosuite: suites.bbs,
    created: binding.created,
    proofPurpose: 'assertionMethod',
    verificationMethod: bbsProof.verificationMethod,
    ...(claims.length === 0 ? {} : rangeTerms(claims, binding.rangeParameters, sha256)),
  };
  const shown: [string, AttributeValue | undefined][] = [
    ['id', credential.credentialSubject.id],
    ...revealed.map((key): [string, AttributeValue | undefined] => [
      key,
      subjectValue(credential.credentialSubject, key),
    ]),
  ];
  const subject = Object.fromEntries(shown) as CredentialSubject;
  return { frame: frameOf(credential), subject, terms, revealed, ranges };
}

function rangeTerms(
  ranges: readonly RangeClaim[],
  parameters: RangeParameters,
  sha256: Sha256,
): Pick<DerivedProofTerms, 'ranges' | 'rangeMethod' | 'rangeParameters'> {
  if (parameters.method === 'bulletproofs') return { ranges, rangeMethod: 'bulletproofs' };
  return {
    ranges,
    rangeMethod: 'set-membership',
    rangeParameters: encodeHex(sha256(parameters.parameters)),
  };
}

/** The keys to reveal, each once, in template order. The holder's `id` is always shown and need not be named. */
function readRevealed(
  credential: UnsignedCredential,
  { revealAttributes: asked, places }: DisclosureRequest,
): readonly string[] {
  const { attributes } = credential.credentialSchema;
  const keys = new Set(asked.filter((key) => key !== 'id'));
  const errors: FaultDetail[] = [];
  for (const [index, key] of asked.entries()) {
    const pointer = places?.revealAttributes[index] ?? `/revealAttributes/${index}`;
    if (key === 'id') continue;
    if (!attributes.some((attribute) => attribute.key === key))
      errors.push({ pointer, detail: 'is not an attribute of the credential' });
    else if (subjectValue(credential.credentialSubject, key) === undefined)
      errors.push({ pointer, detail: `the credential has no value of ${key}` });
  }
  if (errors.length > 0) throw new Fault('attributeUnknown', { errors: errors.slice(0, complaintsMax) });
  return attributes.map(({ key }) => key).filter((key) => keys.has(key));
}

const { complaintsMax } = credentialLimits;

/** The ranges to prove in template order, at most one for each attribute. */
function readRanges(
  credential: UnsignedCredential,
  { ranges: asked, ages = [], places }: DisclosureRequest,
  revealed: readonly string[],
): readonly ReadRange[] {
  if (asked.length > credentialLimits.rangesMax)
    throw new Fault('rangeInvalid', { detail: `At most ${credentialLimits.rangesMax} ranges can be proved` });
  const { attributes } = credential.credentialSchema;
  const read = new Map<string, ReadRange>();
  for (const [index, bounds] of asked.entries()) {
    const pointer = places?.ranges[index] ?? `/ranges/${index}`;
    const key = bounds.attribute;
    const refuse = (code: 'attributeUnknown' | 'rangeInvalid', detail: string): Fault =>
      new Fault(code, { detail: `${pointer}: ${detail}`, errors: [{ pointer, detail }] });
    const attribute = attributes.find((one) => one.key === key);
    if (!attribute) throw refuse('attributeUnknown', 'is not an attribute of the credential');
    const value = subjectValue(credential.credentialSubject, key);
    if (value === undefined) throw refuse('attributeUnknown', `the credential has no value of ${key}`);
    if (revealed.includes(key))
      throw refuse('rangeInvalid', `${key} is revealed, so a range of it proves nothing`);
    if (read.has(key)) throw refuse('rangeInvalid', `${key} has a range already`);
    const range = readRange(attribute, bounds);
    if (isComplaint(range)) throw refuse('rangeInvalid', `${key} ${range.complaint}`);
    const integer = attributeInteger(attribute, value);
    if (integer === undefined || integer < range.min || integer > range.max)
      throw refuse('rangeInvalid', outsideWords(key, ages));
    read.set(key, range);
  }
  return attributes.flatMap(({ key }) => read.get(key) ?? []);
}

function outsideWords(key: string, ages: readonly AgeClaim[]): string {
  const age = ages.find(({ attribute }) => attribute === key);
  return age
    ? `the credential does not say ${ageInWords(age)}, by ${key}`
    : `the value of ${key} is not in the range`;
}

/** What a presentation says, whoever proves it. */
export interface ShownPresentation {
  readonly holder: string;
  readonly binding: PresentationBinding & Pick<DerivationBinding, 'created'>;
  readonly disclosures: readonly ShownDisclosure[];
}

export interface PresentationPlan extends ShownPresentation {
  readonly binding: DerivationBinding;
  readonly disclosures: readonly DisclosurePlan[];
}

/** Several credentials in one presentation are all of the same holder: the one who signs it. */
export function planPresentation(
  credentials: readonly CredentialToPresent[],
  binding: DerivationBinding,
  sha256: Sha256,
): PresentationPlan {
  const { presentedCredentialsMax } = credentialLimits;
  if (credentials.length < 1 || credentials.length > presentedCredentialsMax)
    throw new Fault('credentialMalformed', {
      detail: `A presentation has 1 to ${presentedCredentialsMax} credentials`,
    });
  const disclosures = credentials.map((credential) => planDisclosure(credential, binding, sha256));
  const rangeCount = disclosures.reduce((count, { ranges }) => count + ranges.length, 0);
  if (rangeCount > credentialLimits.presentationRangesMax)
    throw new Fault('rangeInvalid', {
      detail: `At most ${credentialLimits.presentationRangesMax} ranges can be proved in one presentation`,
    });
  const holder = disclosures[0].subject.id;
  if (disclosures.some(({ subject }) => subject.id !== holder))
    throw new Fault('credentialMalformed', { detail: 'The credentials are of different holders' });
  return { holder, binding, disclosures };
}

/** What the holder signs: the presentation with its proof but the signature. Proofs are in the plan's order. */
export function buildUnsignedPresentation(
  { holder, binding, disclosures }: ShownPresentation,
  proofs: readonly Uint8Array[],
): UnsignedPresentation {
  assert(proofs.length === disclosures.length, 'there is one proof for each credential');
  const { created, challenge, domain } = binding;
  const proof: HolderProofOptions = {
    type: proofTypes.ed25519,
    cryptosuite: suites.ed25519,
    created,
    proofPurpose: 'authentication',
    verificationMethod: `${holder}#controllerKey`,
    ...given({ challenge, domain }),
  };
  return {
    '@context': documentContexts,
    type: presentationTypes,
    holder,
    verifiableCredential: disclosures.map(({ frame, subject, terms }, index) => ({
      ...frame,
      credentialSubject: subject,
      proof: { ...terms, proofValue: encodeProofValue(proofs[index]) },
    })),
    proof,
  };
}

/** The bytes that the holder signs with Ed25519. */
export const holderSigningInput = (presentation: UnsignedPresentation): Uint8Array =>
  jwsSigningInput('holder', canonicalJsonBytes(presentation));

export const attachHolderSignature = (
  presentation: UnsignedPresentation,
  signature: Uint8Array,
): Presentation => ({
  ...presentation,
  proof: { ...presentation.proof, jws: detachedJws('holder', signature) },
});
