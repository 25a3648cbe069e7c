/**
 * The six checks of a presentation (`docs/credentials.md`, "The six checks"), as far as they go without pairings: the
 * answer names every failure and orders the proofs that are still to be computed. Pure: keys, status and time are facts
 * that the caller vouches for, so the same rules serve a service and a verifier without a network. Whether an issuer
 * deserves trust is the verifier's own question (`trust-rules.ts`); without an answer to it a verdict only says that it
 * was this issuer.
 *
 * Proofs cost a thousand times more than all else, so they are ordered only if the holder's signature is good.
 */

import { type Complaint, isComplaint } from '../attributes/attribute-formats.ts';
import { type ReadRange, readRange } from '../attributes/attribute-ranges.ts';
import { isNormalValue } from '../attributes/attribute-values.ts';
import { encodeHex, equalBytes } from '../basics/bytes.ts';
import { unixMsOf } from '../basics/calendar.ts';
import { isSigned, keyOfDid } from '../credential/credential-assembly.ts';
import { frameOf } from '../credential/credential-messages.ts';
import { parseProofValue } from '../credential/credential-shapes.ts';
import { didOfUrl, frameDisagreements } from '../credential/frame-rules.ts';
import type { AttributeValue, CredentialFrame, DerivedCredential, Presentation } from '../documents/model.ts';
import type { ProofOrder, RangeParameters } from '../proofs/proof-engine.ts';
import { answersOf, type Disclosure, disclosureComplaints } from './disclosure-rules.ts';
import { issuerKeyComplaint, termProblems } from './ledger-terms.ts';
import type {
  CheckFailure,
  Examination,
  IssuerKey,
  StatusFact,
  VerificationFacts,
} from './presentation-facts.ts';
import type { ParsedPresentation } from './presentation-parsing.ts';
import { proofStatement } from './proof-statement.ts';
import { type CredentialOrigin, originOf, trustFailures } from './trust-rules.ts';

const publicKeyBytes = 96;

/** Whatever is wrong is a named failure. */
export function examinePresentation(parsed: ParsedPresentation, facts: VerificationFacts): Examination {
  const { presentation } = parsed;
  const credentials = presentation.verifiableCredential;
  const holderFailures = checkHolder(parsed, facts);
  const examined = credentials.map((_credential, position) =>
    examineCredential(presentation, position, facts),
  );
  const disclosures = examined.map(({ disclosure }) => disclosure);
  const failures = [
    ...checkBinding(presentation, facts),
    ...checkRepeated(credentials),
    ...examined.flatMap(({ failures }, credential) => failures.map((one) => ({ ...one, credential }))),
    // Without a request there is nothing to compare with.
    ...(facts.request ? disclosureComplaints(disclosures, facts.request) : []).map(
      (complaint): CheckFailure => ({ check: 'disclosure', ...complaint }),
    ),
    ...holderFailures,
  ];
  const proofOrders =
    holderFailures.length > 0
      ? []
      : examined.flatMap(({ order }, credential) => (order ? [{ credential, order }] : []));
  const origins = examined.map(({ origin }) => origin);
  const answers = facts.request && answersOf(disclosures, facts.request);
  return { presentation, failures, proofOrders, origins, ...(answers && { answers }) };
}

/** What is found about one credential by itself. */
interface ExaminedCredential {
  readonly failures: readonly CheckFailure[];
  readonly disclosure: Disclosure;
  readonly origin: CredentialOrigin;
  /** Check 2 as an order; none where a failure says already why there is nothing to compute. */
  readonly order?: ProofOrder;
}

function examineCredential(
  presentation: Presentation,
  position: number,
  facts: VerificationFacts,
): ExaminedCredential {
  const credential = presentation.verifiableCredential[position];
  const frame = frameOf(credential);
  const fact = facts.status(frame);
  const key = usableKey(credential, fact, facts);
  const rangeParameters = knownParameters(credential.proof, facts);
  const { bounds, failures: unreadable, ...disclosure } = readDisclosure(credential);
  const failures = [
    ...checkStatus(frame, fact, facts),
    ...[key, rangeParameters].flatMap((found): CheckFailure[] =>
      isComplaint(found) ? [{ check: 'bbsProof', detail: found.complaint }] : [],
    ),
    ...unreadable,
    ...trustFailures(credential, position, facts.trust),
  ];
  const origin = originOf(credential, { position, created: presentation.proof.created, fact }, facts);
  const { proofValue, ...terms } = credential.proof;
  const proof = parseProofValue(proofValue);
  if (isComplaint(key) || isComplaint(rangeParameters) || !proof || unreadable.length > 0)
    return { failures, disclosure, origin };
  const { challenge, domain } = presentation.proof;
  const statement = proofStatement(
    {
      frame,
      subject: credential.credentialSubject,
      terms,
      ranges: bounds,
      rangeParameters,
      publicKey: key.publicKey,
      commitment: fact?.terms?.commitment,
      binding: { challenge, domain },
    },
    facts.sha256,
  );
  return { failures, disclosure, origin, order: { ...statement, proof } };
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
  { presentation, holderSignature }: ParsedPresentation,
  { verifyEd25519 }: VerificationFacts,
): readonly CheckFailure[] {
  const { holder, verifiableCredential, proof } = presentation;
  const failures: CheckFailure[] = [];
  const fail = (detail: string, credential?: number): number =>
    failures.push({ check: 'holderSignature', detail, ...(credential === undefined ? {} : { credential }) });
  if (didOfUrl(proof.verificationMethod) !== holder)
    fail("the signature is by a key that is not the holder's");
  for (const [position, { credentialSubject }] of verifiableCredential.entries())
    if (credentialSubject.id !== holder) fail('the credential is of another holder', position);
  if (!holderSignature || !isSigned(holderSignature, verifyEd25519)) fail('invalid holder signature');
  return failures;
}

/** Check 5. A credential is valid from its first instant until just before its last. */
function checkStatus(
  frame: CredentialFrame,
  fact: StatusFact | undefined,
  { now, profile, sha256, template }: VerificationFacts,
): readonly CheckFailure[] {
  const details = frameDisagreements(frame).map(({ detail }) => detail);
  const [from, until] = [unixMsOf(frame.validFrom), unixMsOf(frame.validUntil)];
  // Written so that a time that is no number fails.
  if (from === undefined || !(now >= from)) details.push('the credential is not valid yet');
  if (until === undefined || !(now < until)) details.push('expired credential');
  if (fact?.status !== 'active') details.push(statusWords(fact));
  // About what the ledger does not know there is nothing more to say.
  if (fact && fact.status !== 'unknown') {
    const rule = { didMethod: profile.didMethod, sha256 };
    details.push(...termProblems(frame, fact.terms, template(frame), rule).map(({ detail }) => detail));
  }
  return details.map((detail) => ({ check: 'status', detail }));
}

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
function usableKey(
  { issuer, proof: { verificationMethod } }: DerivedCredential,
  fact: StatusFact | undefined,
  { issuerKeys, namedKeys, now }: VerificationFacts,
): IssuerKey | Complaint {
  if (didOfUrl(verificationMethod) !== issuer) return { complaint: "the key named is not the issuer's" };
  const key = issuerKeys(issuer, verificationMethod);
  if (key?.publicKey.length !== publicKeyBytes) return { complaint: "the issuer's key is not known" };
  if (!isNamed(namedKeys?.bbs, key.publicKey))
    return { complaint: "the issuer's BBS+ key is not the one that was named" };
  if (!isNamed(namedKeys?.ed25519, keyOfDid(issuer)))
    return { complaint: "the issuer's Ed25519 key is not the one that was named" };
  const complaint = issuerKeyComplaint(key, fact, now);
  return complaint === undefined ? key : { complaint };
}

const isNamed = (named: Uint8Array | undefined, key: Uint8Array | undefined): boolean =>
  named === undefined || (key !== undefined && equalBytes(named, key));

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

/** How the ranges of a proof are checked; else why they cannot be. */
function knownParameters(
  { ranges, rangeMethod, rangeParameters }: DerivedCredential['proof'],
  { ownRangeParameters = [], sha256 }: VerificationFacts,
): RangeParameters | Complaint {
  if (ranges && rangeMethod === 'set-membership') {
    const parameters = ownRangeParameters.find((own) => encodeHex(sha256(own)) === rangeParameters);
    if (parameters) return { method: rangeMethod, parameters };
    return { complaint: "ranges are proved with parameters that are not this verifier's own" };
  }
  // Without ranges the engine is told the same method, and does nothing by it.
  const isClear = rangeParameters === undefined && rangeMethod === (ranges && 'bulletproofs');
  return isClear ? { method: 'bulletproofs' } : { complaint: 'it is not clear how ranges are proved' };
}
