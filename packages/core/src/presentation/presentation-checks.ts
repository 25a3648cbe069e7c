/**
 * The six checks of a presentation (`spec/credential-service.md`, "Presentations"), as far as they go without
 * pairings: the answer names every failure and orders the proofs that are still to be computed. Pure: keys, status and
 * time are facts that the caller vouches for, so the same rules serve a service and a verifier without a network.
 * Whether an issuer deserves trust is the verifier's own question (`trust-rules.ts`); without an answer to it a verdict
 * only says that it was this issuer.
 *
 * Order: shape and sizes first (a fault, nothing else is looked at), then challenge, validity and status, then the
 * holder's signature. Proofs, which cost a thousand times more, are ordered only if that signature is good.
 */

import { isComplaint } from '../attributes/attribute-formats.ts';
import { type ReadRange, readRange } from '../attributes/attribute-ranges.ts';
import { isNormalValue } from '../attributes/attribute-values.ts';
import { encodeHex, equalBytes } from '../basics/bytes.ts';
import { unixMsOf } from '../basics/calendar.ts';
import { canonicalJsonBytes } from '../basics/jcs.ts';
import { keyOfDid } from '../credential/credential-assembly.ts';
import { frameOf, type PresentationBinding } from '../credential/credential-messages.ts';
import { canonicalSize } from '../credential/credential-parsing.ts';
import { parseProofValue, presentationShape } from '../credential/credential-shapes.ts';
import { didOfUrl, frameDisagreements } from '../credential/frame-rules.ts';
import { jwsSigningInput, parseDetachedJws } from '../credential/jws.ts';
import type { AttributeValue, DerivedCredential, Presentation } from '../documents/model.ts';
import { Fault, type FaultDetail } from '../faults/faults.ts';
import { credentialLimits } from '../limits/limits.ts';
import type { ProofOrder, RangeParameters } from '../proofs/proof-engine.ts';
import { answersOf, type Disclosure, disclosureComplaints } from './disclosure-rules.ts';
import { issuerKeyComplaint } from './issuer-key-rules.ts';
import { termProblems } from './ledger-terms.ts';
import type {
  CheckFailure,
  Examination,
  IssuerKey,
  StatusFact,
  VerificationFacts,
} from './presentation-facts.ts';
import { proofStatement } from './proof-statement.ts';
import { originOf, trustFailures } from './trust-rules.ts';

const publicKeyBytes = 96;

/** A presentation in exactly its shape. Throws the fault `presentationMalformed` with everything that is wrong. */
export function parsePresentation(
  value: unknown,
  { didMethod }: { readonly didMethod: string },
): Presentation {
  const complaints: FaultDetail[] = [];
  const size = canonicalSize(value);
  if (size === undefined || size > credentialLimits.presentationBytesMax)
    throw new Fault('presentationMalformed', { detail: 'The presentation is too large or not plain JSON' });
  const read = presentationShape(didMethod)(value, { pointer: '', complaints });
  if (!read) throw new Fault('presentationMalformed', { errors: complaints });
  const ranges = read.verifiableCredential.flatMap(({ proof }) => proof.ranges ?? []);
  if (ranges.length > credentialLimits.presentationRangesMax)
    throw new Fault('presentationMalformed', { detail: 'The presentation proves too many ranges' });
  return read;
}

/** Throws `presentationMalformed`; everything else that is wrong is a named failure. */
export function examinePresentation(value: unknown, facts: VerificationFacts): Examination {
  const presentation = parsePresentation(value, facts.profile);
  const credentials = presentation.verifiableCredential;
  const holderFailures = checkHolder(presentation, facts);
  const readings = credentials.map((credential) => readDisclosure(credential));
  const perCredential = credentials.flatMap((credential, position) =>
    [
      ...checkStatus(credential, facts),
      ...checkIssuerKey(credential, facts),
      ...checkRangeMethod(credential, facts),
      ...readings[position].failures,
      ...trustFailures(credential, position, facts.trust),
    ].map((failure) => ({ ...failure, credential: position })),
  );
  const disclosure = checkDisclosure(readings, facts.request);
  const failures = [
    ...checkBinding(presentation, facts),
    ...checkRepeated(credentials),
    ...perCredential,
    ...disclosure,
    ...holderFailures,
  ];
  const proofOrders =
    holderFailures.length > 0
      ? []
      : credentials.flatMap((credential, position) => {
          const order = orderProof(credential, readings[position], presentation.proof, facts);
          return order ? [{ credential: position, order }] : [];
        });
  const origins = credentials.map((_credential, position) => originOf(presentation, position, facts));
  const answers = facts.request && answersOf(readings, facts.request);
  return { presentation, failures, proofOrders, origins, ...(answers && { answers }) };
}

/** Check 6: what the presentation was made for is what this verifier expects, both or neither. */
function checkBinding(
  { proof }: Presentation,
  { expectedChallenge, expectedDomain }: VerificationFacts,
): readonly CheckFailure[] {
  const compare = (
    what: string,
    shown: string | undefined,
    expected: string | undefined,
  ): string | undefined => {
    if (shown === expected) return undefined;
    if (expected === undefined) return `the presentation is for a ${what}, and none was expected`;
    return shown === undefined ? `the presentation has no ${what}` : `the ${what} is another than expected`;
  };
  return [
    compare('challenge', proof.challenge, expectedChallenge),
    compare('domain', proof.domain, expectedDomain),
  ].flatMap((detail) => (detail === undefined ? [] : [{ check: 'challenge' as const, detail }]));
}

/** Check 1: the key is the holder's DID itself, and every credential is the holder's. */
function checkHolder(
  presentation: Presentation,
  { verifyEd25519 }: VerificationFacts,
): readonly CheckFailure[] {
  const { holder, verifiableCredential } = presentation;
  const failures: CheckFailure[] = [];
  const fail = (detail: string, credential?: number): number =>
    failures.push({ check: 'holderSignature', detail, ...(credential === undefined ? {} : { credential }) });
  if (didOfUrl(presentation.proof.verificationMethod) !== holder)
    fail("the signature is by a key that is not the holder's");
  for (const [position, { credentialSubject }] of verifiableCredential.entries())
    if (credentialSubject.id !== holder) fail('the credential is of another holder', position);
  const { jws, ...options } = presentation.proof;
  const publicKey = keyOfDid(holder);
  const signature = parseDetachedJws('holder', jws);
  const signed = jwsSigningInput('holder', canonicalJsonBytes({ ...presentation, proof: options }));
  if (!publicKey || !signature || verifyEd25519(publicKey, signed, signature) !== true)
    fail('invalid holder signature');
  return failures;
}

/** Check 5. A credential is valid from its first instant until just before its last. */
function checkStatus(credential: DerivedCredential, facts: VerificationFacts): readonly CheckFailure[] {
  const details = frameDisagreements(credential).map(({ detail }) => detail);
  const [from, until] = [unixMsOf(credential.validFrom), unixMsOf(credential.validUntil)];
  // Written so that a time that is no number fails.
  if (from === undefined || !(facts.now >= from)) details.push('the credential is not valid yet');
  if (until === undefined || !(facts.now < until)) details.push('expired credential');
  const frame = frameOf(credential);
  const fact = facts.status(frame);
  if (fact?.status !== 'active') details.push(statusWords(fact));
  if (isRecorded(fact)) {
    const rule = { didMethod: facts.profile.didMethod, sha256: facts.sha256 };
    details.push(...termProblems(frame, fact.terms, facts.template(frame), rule).map(({ detail }) => detail));
  }
  return details.map((detail) => ({ check: 'status', detail }));
}

/** About what the ledger does not know there is nothing more to say. */
const isRecorded = (fact: StatusFact | undefined): fact is StatusFact =>
  fact !== undefined && fact.status !== 'unknown';

function statusWords(fact: StatusFact | undefined): string {
  if (fact?.isElsewhere) return 'the credential says that it is recorded in another registry';
  if (fact?.status !== 'revoked' && fact?.status !== 'suspended')
    return 'the ledger does not know the credential';
  const more = [
    fact.since === undefined ? '' : `since ${fact.since}`,
    fact.transaction === undefined ? '' : `transaction ${fact.transaction}`,
    fact.reason === undefined ? '' : `reason: ${fact.reason}`,
  ].filter((part) => part !== '');
  const place = fact.ledgerSeq === undefined ? '' : ` in ledger ${fact.ledgerSeq}`;
  return `credential ${fact.status}${place}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
}

/** The issuer's key, if there is one that may be relied upon for this credential; else why not. */
function findIssuerKey(
  credential: DerivedCredential,
  facts: VerificationFacts,
): { readonly key?: IssuerKey; readonly detail?: string } {
  const { verificationMethod } = credential.proof;
  if (didOfUrl(verificationMethod) !== credential.issuer)
    return { detail: "the key named is not the issuer's" };
  const key = facts.issuerKeys(credential.issuer, verificationMethod);
  if (key?.publicKey.length !== publicKeyBytes) return { detail: "the issuer's key is not known" };
  if (!isNamed(facts.namedKeys?.bbs, key.publicKey))
    return { detail: "the issuer's BBS+ key is not the one that was named" };
  if (!isNamed(facts.namedKeys?.ed25519, keyOfDid(credential.issuer)))
    return { detail: "the issuer's Ed25519 key is not the one that was named" };
  const detail = issuerKeyComplaint(key, facts.status(frameOf(credential)), facts.now);
  return detail === undefined ? { key } : { detail };
}

const isNamed = (named: Uint8Array | undefined, key: Uint8Array | undefined): boolean =>
  named === undefined || (key !== undefined && equalBytes(named, key));

function checkIssuerKey(credential: DerivedCredential, facts: VerificationFacts): readonly CheckFailure[] {
  const { detail } = findIssuerKey(credential, facts);
  return detail === undefined ? [] : [{ check: 'bbsProof', detail }];
}

interface Reading extends Disclosure {
  readonly failures: readonly CheckFailure[];
  readonly bounds: readonly ReadRange[];
}

/** Check 3 as far as the document goes: every value shown is one that could have been signed, in its one spelling. */
function readDisclosure(credential: DerivedCredential): Reading {
  const { attributes } = credential.credentialSchema;
  const failures: CheckFailure[] = [];
  const revealed = new Map<string, AttributeValue>();
  for (const [key, value] of Object.entries(credential.credentialSubject)) {
    if (key === 'id') continue;
    const attribute = attributes.find((one) => one.key === key);
    if (!attribute)
      failures.push({
        check: 'revealedAttributes',
        detail: 'a value is shown that is no attribute of the credential',
      });
    else if (!isNormalValue(attribute, value))
      failures.push({ check: 'revealedAttributes', detail: `${key} is not as it was signed` });
    else revealed.set(key, value);
  }
  const ranges = credential.proof.ranges ?? [];
  const bounds: ReadRange[] = [];
  let last = -1;
  for (const claim of ranges) {
    const index = attributes.findIndex(({ key }) => key === claim.attribute);
    const range = index < 0 ? undefined : readRange(attributes[index], claim);
    const isExact =
      range !== undefined &&
      !isComplaint(range) &&
      range.claim.min === claim.min &&
      range.claim.max === claim.max;
    // In template order, so that no attribute has two; and never about a value that is shown.
    if (isExact && index > last && !revealed.has(claim.attribute)) bounds.push(range);
    else failures.push({ check: 'bbsProof', detail: `the range of ${claim.attribute} is not valid` });
    last = Math.max(last, index);
  }
  return { attributes, revealed, ranges, failures, bounds };
}

/** Whoever asks for two credentials does not mean the same one twice. */
function checkRepeated(credentials: readonly DerivedCredential[]): readonly CheckFailure[] {
  const names = credentials.map(({ id, issuer }) => `${issuer} ${id}`);
  return names.flatMap((name, position) =>
    names.indexOf(name) < position
      ? [{ check: 'disclosure', detail: 'the same credential is presented twice', credential: position }]
      : [],
  );
}

/** Check 4. Without a request there is nothing to compare with. */
function checkDisclosure(
  readings: readonly Reading[],
  request: VerificationFacts['request'],
): readonly CheckFailure[] {
  if (request === undefined) return [];
  return disclosureComplaints(readings, request).map((complaint) => ({ check: 'disclosure', ...complaint }));
}

function findRangeParameters(
  { ranges, rangeMethod, rangeParameters }: DerivedCredential['proof'],
  { ownRangeParameters = [], sha256 }: VerificationFacts,
): RangeParameters | undefined {
  if (ranges === undefined)
    return rangeMethod === undefined && rangeParameters === undefined
      ? { method: 'bulletproofs' }
      : undefined;
  if (rangeMethod === 'bulletproofs')
    return rangeParameters === undefined ? { method: rangeMethod } : undefined;
  if (rangeMethod !== 'set-membership') return undefined;
  const parameters = ownRangeParameters.find((own) => encodeHex(sha256(own)) === rangeParameters);
  return parameters && { method: rangeMethod, parameters };
}

function checkRangeMethod({ proof }: DerivedCredential, facts: VerificationFacts): readonly CheckFailure[] {
  if (findRangeParameters(proof, facts)) return [];
  const detail =
    proof.ranges !== undefined && proof.rangeMethod === 'set-membership'
      ? "ranges are proved with parameters that are not this verifier's own"
      : 'it is not clear how ranges are proved';
  return [{ check: 'bbsProof', detail }];
}

/** Check 2 as an order. Undefined where a failure above says already why there is nothing to compute. */
function orderProof(
  credential: DerivedCredential,
  reading: Reading,
  binding: PresentationBinding,
  facts: VerificationFacts,
): ProofOrder | undefined {
  const { key } = findIssuerKey(credential, facts);
  const rangeParameters = findRangeParameters(credential.proof, facts);
  const { proofValue, ...terms } = credential.proof;
  const proof = parseProofValue(proofValue);
  const frame = frameOf(credential);
  const commitment = facts.status(frame)?.terms?.commitment;
  if (!key || !rangeParameters || !proof || reading.failures.length > 0) return undefined;
  const statement = proofStatement(
    {
      frame,
      subject: credential.credentialSubject,
      terms,
      ranges: reading.bounds,
      rangeParameters,
      publicKey: key.publicKey,
      commitment,
      binding: { challenge: binding.challenge, domain: binding.domain },
    },
    facts.sha256,
  );
  return { ...statement, proof };
}
