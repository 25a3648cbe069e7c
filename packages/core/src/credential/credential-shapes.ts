/**
 * The exact members of credentials, derived credentials and presentations, and the bounds of each. Only what can be
 * said of a member by itself: how members must agree with each other is in `frame-rules.ts`.
 */

import { isAttributeType, isFormatOf } from '../attributes/attribute-formats.ts';
import { encodeBase64Url, parseExactBase64Url } from '../basics/bytes.ts';
import { isInstantText } from '../basics/calendar.ts';
import {
  arrayOf,
  complain,
  exactObject,
  literal,
  literals,
  membersOf,
  placeIn,
  type Shape,
  textShape,
} from '../documents/document-shapes.ts';
import {
  type AttributeValue,
  type BbsCredentialProof,
  type CredentialFrame,
  type CredentialSubject,
  type DerivedCredential,
  type DerivedCredentialProof,
  type IssuerCredentialProof,
  type Presentation,
  proofTypes,
  type RangeClaim,
  type SignedAttribute,
  suites,
} from '../documents/model.ts';
import { credentialLimits } from '../limits/documents.ts';
import { attributeKeyPattern, isCleanName, isReservedKey, isVersion } from '../names/template-names.ts';
import { bbsSignatureBytes } from '../proofs/sizes.ts';
import { parseDetachedJws } from './jws.ts';

/** What every credential and presentation begins with. They are not covered by the BBS header, so they are fixed. */
export const documentContexts: readonly string[] = [
  'https://www.w3.org/ns/credentials/v2',
  'https://w3id.org/security/bbs/v1',
];
export const presentationTypes: readonly string[] = ['VerifiablePresentation'];

export const saltBytes = 32;
export const commitmentBytes = 48;

const identifierCharsMax = 96;
const multibaseStart = 'u';

export const encodeProofValue = (bytes: Uint8Array): string => `${multibaseStart}${encodeBase64Url(bytes)}`;

/** The bytes of `u` and base64url in its one form. */
export function parseProofValue(value: string): Uint8Array | undefined {
  return value.startsWith(multibaseStart) ? parseExactBase64Url(value.slice(1)) : undefined;
}

export const didShape = (didMethod: string): Shape<string> =>
  textShape({
    charsMax: identifierCharsMax,
    pattern: new RegExp(`^did:${didMethod}:[0-9a-f]{64}$`),
    wanted: `did:${didMethod}: and 64 lower-case hex digits`,
  });

const instant = textShape({
  charsMax: 20,
  wanted: 'an instant such as 2030-12-31T23:59:59Z',
  isValid: isInstantText,
});

const keyUrl = (didMethod: string, fragment: string): Shape<string> =>
  textShape({
    charsMax: identifierCharsMax + 32,
    pattern: new RegExp(`^did:${didMethod}:[0-9a-f]{64}#${fragment}$`),
    wanted: `the DID URL of a ${fragment.split('-')[0]}`,
  });
const controllerKeyUrl = (didMethod: string) => keyUrl(didMethod, 'controllerKey');
const delegateKeyUrl = (didMethod: string) => keyUrl(didMethod, 'delegateKey-(?:0|[1-9][0-9]{0,8})');

const attributeKey = textShape({
  charsMax: credentialLimits.attributeKeyCharsMax,
  pattern: attributeKeyPattern,
  wanted: 'an attribute key',
  // An attribute called `id` would stand where the holder stands.
  isValid: (key) => !isReservedKey(key),
});
const version = textShape({ charsMax: 64, wanted: 'a dotted number such as 1.0.0', isValid: isVersion });

const signedAttribute: Shape<SignedAttribute> = (value, place) => {
  const read = exactObject({
    key: attributeKey,
    type: textShape({ charsMax: 16, wanted: 'an attribute type' }),
    format: textShape({ charsMax: 32, wanted: 'an attribute format' }),
  })(value, place);
  if (!read) return undefined;
  const { key, type, format } = read;
  if (!isAttributeType(type)) return complain(placeIn(place, 'type'), 'must be an attribute type');
  return isFormatOf(type, format)
    ? { key, type, format }
    : complain(placeIn(place, 'format'), `must be a format of ${type}`);
};

const signedAttributes: Shape<readonly SignedAttribute[]> = (value, place) => {
  const read = arrayOf(signedAttribute, { min: 1, max: credentialLimits.attributesMax })(value, place);
  if (!read) return undefined;
  const isUnique = new Set(read.map(({ key }) => key)).size === read.length;
  return isUnique ? read : complain(place, 'must not name a key twice');
};

const credentialType: Shape<readonly string[]> = (value, place) =>
  Array.isArray(value) &&
  value.length === 2 &&
  value[0] === 'VerifiableCredential' &&
  typeof value[1] === 'string' &&
  isCleanName(value[1])
    ? ['VerifiableCredential', value[1]]
    : complain(place, 'must be ["VerifiableCredential", "<name of the template>"]');

const statusId = textShape({
  charsMax: 256,
  pattern: /^ledger:[a-z0-9][a-z0-9:.-]{0,63}:[1-9A-Za-z]{20,64}#did:[a-z0-9]{1,16}:[0-9a-f]{64}$/,
  wanted: 'ledger:<network>:<registry address>#<credential id>',
});

/** The members of every credential, whole or derived, without subject and proof. */
export const frameShapes = (didMethod: string) =>
  ({
    '@context': literals(documentContexts),
    id: didShape(didMethod),
    type: credentialType,
    issuer: didShape(didMethod),
    validFrom: instant,
    validUntil: instant,
    credentialSchema: exactObject({
      id: didShape(didMethod),
      type: literal('SymbolonTemplate2026'),
      version,
      attributes: signedAttributes,
    }),
    credentialStatus: exactObject({ id: statusId, type: literal('LedgerCredentialStatus2026') }),
  }) satisfies { readonly [Name in keyof CredentialFrame]: Shape<CredentialFrame[Name]> };

const isAttributeValue = (value: unknown): value is AttributeValue =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value));

/** Texts, numbers and booleans by key. Whether they fit the signed attributes is another question. */
export const subjectShape =
  (didMethod: string): Shape<CredentialSubject> =>
  (value, place) => {
    const members = membersOf(value);
    if (!members) return complain(place, 'must be an object');
    if (members.size > credentialLimits.attributesMax + 1) return complain(place, 'has too many members');
    const before = place.complaints.length;
    if (members.has('id')) didShape(didMethod)(members.get('id'), placeIn(place, 'id'));
    else complain(placeIn(place, 'id'), 'is missing');
    for (const [name, member] of members)
      if (!isAttributeValue(member))
        complain(placeIn(place, name), 'must be a text, a number, true or false');
    if (place.complaints.length > before) return undefined;
    return Object.fromEntries(members) as CredentialSubject;
  };

const proofValue = (bytesMin: number, bytesMax: number): Shape<string> =>
  textShape({
    charsMax: 1 + Math.ceil((bytesMax * 4) / 3),
    wanted: `"u" and the base64url form of ${bytesMin === bytesMax ? '' : 'at most '}${bytesMax} bytes`,
    isValid: (value) => {
      const length = parseProofValue(value)?.length ?? -1;
      return length >= bytesMin && length <= bytesMax;
    },
  });

const jws = (kind: 'issuer' | 'holder'): Shape<string> =>
  textShape({
    charsMax: 256,
    wanted: 'a detached JWS by Ed25519',
    isValid: (value) => parseDetachedJws(kind, value) !== undefined,
  });

const bbsProofMembers = (didMethod: string) => ({
  type: literal(proofTypes.bbs),
  cryptosuite: literal(suites.bbs),
  created: instant,
  proofPurpose: literal('assertionMethod'),
  verificationMethod: delegateKeyUrl(didMethod),
  proofValue: proofValue(bbsSignatureBytes, bbsSignatureBytes),
});

const contentsMembers = {
  salt: proofValue(saltBytes, saltBytes),
  commitment: proofValue(commitmentBytes, commitmentBytes),
};

export const bbsProofShape = (didMethod: string): Shape<BbsCredentialProof> =>
  exactObject(bbsProofMembers(didMethod), contentsMembers);

/** A single proof with everything in it, as older clients keep it: its `jws` says nothing that is relied upon. */
export const singleProofShape =
  (didMethod: string): Shape<BbsCredentialProof> =>
  (value, place) => {
    const read = exactObject(bbsProofMembers(didMethod), { ...contentsMembers, jws: jws('issuer') })(
      value,
      place,
    );
    if (!read) return undefined;
    const { jws: _unused, ...proof } = read;
    return proof;
  };

export const issuerProofShape = (didMethod: string): Shape<IssuerCredentialProof> =>
  exactObject({
    type: literal(proofTypes.ed25519),
    cryptosuite: literal(suites.ed25519),
    created: instant,
    proofPurpose: literal('assertionMethod'),
    verificationMethod: controllerKeyUrl(didMethod),
    registryEntry: exactObject({
      credential: didShape(didMethod),
      template: didShape(didMethod),
      templateVersion: version,
      validFrom: instant,
      validUntil: instant,
    }),
    jws: jws('issuer'),
  });

const bound: Shape<AttributeValue> = (value, place) =>
  isAttributeValue(value) && !(typeof value === 'string' && value.length > 64)
    ? value
    : complain(place, 'must be a bound in the spelling of the attribute');

const rangeClaim: Shape<RangeClaim> = exactObject({ attribute: attributeKey }, { min: bound, max: bound });

const derivedProofShape = (didMethod: string): Shape<DerivedCredentialProof> =>
  exactObject(
    {
      type: literal(proofTypes.derived),
      cryptosuite: literal(suites.bbs),
      created: instant,
      proofPurpose: literal('assertionMethod'),
      verificationMethod: delegateKeyUrl(didMethod),
      proofValue: proofValue(1, credentialLimits.derivedProofBytesMax),
    },
    {
      ranges: arrayOf(rangeClaim, { min: 1, max: credentialLimits.rangesMax }),
      rangeMethod: literal('bulletproofs', 'set-membership'),
      rangeParameters: textShape({
        charsMax: 64,
        pattern: /^[0-9a-f]{64}$/,
        wanted: 'the SHA-256 of range parameters in hex',
      }),
    },
  );

const derivedCredentialShape = (didMethod: string): Shape<DerivedCredential> =>
  exactObject({
    ...frameShapes(didMethod),
    credentialSubject: subjectShape(didMethod),
    proof: derivedProofShape(didMethod),
  });

const textOfAtMost = (charsMax: number): Shape<string> =>
  textShape({ charsMax, wanted: `a text of at most ${charsMax} characters` });

export const presentationShape = (didMethod: string): Shape<Presentation> =>
  exactObject({
    '@context': literals(documentContexts),
    type: literals(presentationTypes),
    holder: didShape(didMethod),
    verifiableCredential: arrayOf(derivedCredentialShape(didMethod), {
      min: 1,
      max: credentialLimits.presentedCredentialsMax,
    }),
    proof: exactObject(
      {
        type: literal(proofTypes.ed25519),
        cryptosuite: literal(suites.ed25519),
        created: instant,
        proofPurpose: literal('authentication'),
        verificationMethod: controllerKeyUrl(didMethod),
        jws: jws('holder'),
      },
      {
        challenge: textOfAtMost(credentialLimits.challengeCharsMax),
        domain: textOfAtMost(credentialLimits.domainCharsMax),
      },
    ),
  });
