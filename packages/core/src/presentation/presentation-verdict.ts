/**
 * The verdict on a presentation: an examination and the results of the proofs it ordered become yes or no, every
 * failing check by name, and for a yes what was shown. Anything short of every check passing is a no.
 */

import type { AgeBounds } from '../attributes/attribute-ranges.ts';
import { assert } from '../basics/assert.ts';
import { subjectValue } from '../credential/credential-messages.ts';
import {
  type AttributeValue,
  type DerivedCredential,
  type PresentationCheck,
  presentationChecks,
  type RangeClaim,
} from '../documents/model.ts';
import { isFrameName } from '../names/template-names.ts';
import { ageInWords, type ProvedAge } from './age-claims.ts';
import type { CheckFailure, Examination } from './presentation-facts.ts';
import type { CredentialOrigin, IssuerTrust, NameSource } from './trust-rules.ts';

export interface CheckResult {
  /** `notChecked`: something earlier failed, so there was no point or no way. */
  readonly state: 'ok' | 'failed' | 'notChecked';
  readonly failures: readonly string[];
}

/** A range that was proved, as programs and as people read it. */
export interface ProvedRange extends RangeClaim {
  /** Where the bounds are those of an age on the day of the presentation. */
  readonly age?: AgeBounds;
  /** Such as `18 or older` or `>= 100`. */
  readonly text: string;
}

/** What one credential of a good presentation says, and who says it. */
export interface PresentedCredential {
  readonly id: string;
  /** A name is there only with where it comes from, and only if it does not look like another issuer's. */
  readonly issuer: { readonly id: string; readonly name?: string; readonly nameSource?: NameSource };
  /** `not asked`: the verifier did not say whom it trusts, so this may be anybody. */
  readonly issuerTrust: IssuerTrust;
  readonly holder: string;
  /** Without a name where it looks like a name that another issuer has. */
  readonly template: { readonly id: string; readonly name?: string; readonly version: string };
  readonly validFrom: string;
  readonly validUntil: string;
  readonly status: CredentialOrigin['status'];
  readonly revealed: Readonly<Record<string, AttributeValue>>;
  readonly ranges: readonly ProvedRange[];
  /** Where the verifier said what it asked for: whether this credential answers it. Any other shows nothing. */
  readonly answersRequest?: boolean;
}

/** What a credential of a refused presentation says of itself: nothing of it is confirmed, and no value is told. */
export interface ClaimedCredential
  extends Pick<DerivedCredential, 'id' | 'issuer' | 'validFrom' | 'validUntil'> {
  readonly template: { readonly id: string; readonly version: string };
  /** What the ledger says of this id under this issuer. */
  readonly status: CredentialOrigin['status'];
}

/** What the six checks say of a presentation. */
export interface Verdict {
  readonly verified: boolean;
  readonly checks: Readonly<Record<PresentationCheck, CheckResult>>;
  /** `<check>: <plain words>`, in the order of the checks. Empty if verified. */
  readonly errors: readonly string[];
  /**
   * Only if verified: values by key; for an attribute of which a range was proved, a note that says so. With several
   * credentials every key is `<position>.<key>`, from position 0, so that nobody reads what one issuer says as another's.
   */
  readonly vcDetails?: Readonly<Record<string, AttributeValue>>;
  /** Only if verified, in the presentation's order: the same with who says it. */
  readonly credentials?: readonly PresentedCredential[];
  /** Only if not verified, in the presentation's order: what was refused. */
  readonly claimed?: readonly ClaimedCredential[];
}

/** `proofResults` has one answer for each order, in the same order. */
export function concludeVerdict(examination: Examination, proofResults: readonly boolean[]): Verdict {
  const { presentation, proofOrders, origins, answers } = examination;
  const credentials = presentation.verifiableCredential;
  assert(proofResults.length === proofOrders.length, 'there is one result for each proof');
  const failures = [
    ...examination.failures,
    ...proofOrders.flatMap(({ credential }, index) =>
      proofResults[index] === true ? [] : proofFailures(credentials[credential], credential),
    ),
  ];
  const proved = new Set(
    proofOrders.filter((_order, index) => proofResults[index] === true).map(({ credential }) => credential),
  );
  const isEveryProved = credentials.every((_credential, position) => proved.has(position));
  const textOf = (failure: CheckFailure): string => failureText(failure, credentials.length);
  const results = presentationChecks.map((check): [PresentationCheck, CheckResult] => {
    const texts = failures.filter((failure) => failure.check === check).map(textOf);
    const needsProof = check === 'bbsProof' || check === 'revealedAttributes';
    const passed = needsProof && !isEveryProved ? 'notChecked' : 'ok';
    return [check, { state: texts.length > 0 ? 'failed' : passed, failures: texts }];
  });
  const checks = Object.fromEntries(results) as Record<PresentationCheck, CheckResult>;
  const errors = results.flatMap(([check, result]) => result.failures.map((text) => `${check}: ${text}`));
  const isVerified =
    failures.length === 0 && isEveryProved && results.every(([, { state }]) => state === 'ok');
  if (!isVerified) {
    const claims = credentials.map((credential, position) => claimed(credential, origins[position]));
    return { verified: false, checks, errors, claimed: claims };
  }
  return {
    verified: true,
    checks,
    errors: [],
    vcDetails: detailsOf(credentials),
    credentials: credentials.map((credential, position) => ({
      ...presented(credential, origins[position]),
      ...(answers && { answersRequest: answers[position] }),
    })),
  };
}

/** Whoever changed a value leaves a proof that does not verify: then no value shown is known to be signed. */
function proofFailures(credential: DerivedCredential, position: number): readonly CheckFailure[] {
  const failure: CheckFailure = { check: 'bbsProof', detail: 'BBS+ proof invalid', credential: position };
  if (revealedKeys(credential).length === 0) return [failure];
  const detail = 'the values shown are not confirmed by the proof';
  return [failure, { check: 'revealedAttributes', detail, credential: position }];
}

const failureText = ({ detail, credential }: CheckFailure, count: number): string =>
  credential === undefined || count === 1 ? detail : `${detail} (credential ${credential + 1} of ${count})`;

/** In the order of the template, which the issuer signed. */
const revealedKeys = ({ credentialSchema, credentialSubject }: DerivedCredential): readonly string[] =>
  credentialSchema.attributes
    .map(({ key }) => key)
    .filter((key) => subjectValue(credentialSubject, key) !== undefined);

/** Such as `range proof ok: >= 18`. */
export const rangeNote = (range: RangeClaim): string => `range proof ok: ${boundsText(range)}`;

function boundsText({ min, max }: RangeClaim): string {
  const sides = [min === undefined ? '' : `>= ${min}`, max === undefined ? '' : `<= ${max}`];
  return sides.filter((side) => side !== '').join(' and ');
}

function provedRange(range: RangeClaim, proved: ProvedAge | undefined): ProvedRange {
  if (!proved) return { ...range, text: boundsText(range) };
  const { isWhole, ...age } = proved;
  return isWhole
    ? { ...range, age, text: ageInWords(age) }
    : { ...range, text: `${boundsText(range)}, so ${ageInWords(age)}` };
}

function revealedValues(credential: DerivedCredential): readonly [string, AttributeValue][] {
  return revealedKeys(credential).map((key) => [key, credential.credentialSubject[key]]);
}

/** Old templates may have an attribute `issuer`: nobody shall take it for the issuer. */
const detailName = (key: string): string => (isFrameName(key) ? `credentialSubject.${key}` : key);

function detailsOf(credentials: readonly DerivedCredential[]): Readonly<Record<string, AttributeValue>> {
  const entries = credentials.map((credential): readonly [string, AttributeValue][] => [
    ...revealedValues(credential).map(([key, value]): [string, AttributeValue] => [detailName(key), value]),
    ...(credential.proof.ranges ?? []).map((range): [string, string] => [
      detailName(range.attribute),
      rangeNote(range),
    ]),
  ]);
  const isOne = credentials.length === 1;
  return Object.fromEntries(
    entries.flatMap((ones, position) =>
      ones.map(([key, value]) => [isOne ? key : `${position}.${key}`, value]),
    ),
  );
}

const claimed = (
  { id, issuer, credentialSchema, validFrom, validUntil }: DerivedCredential,
  { status }: CredentialOrigin,
): ClaimedCredential => ({
  id,
  issuer,
  template: { id: credentialSchema.id, version: credentialSchema.version },
  validFrom,
  validUntil,
  status,
});

const presented = (credential: DerivedCredential, origin: CredentialOrigin): PresentedCredential => ({
  id: credential.id,
  issuer: { id: credential.issuer, ...origin.issuerName },
  issuerTrust: origin.issuerTrust,
  holder: credential.credentialSubject.id,
  template: {
    id: credential.credentialSchema.id,
    ...(origin.templateName !== undefined && { name: origin.templateName }),
    version: credential.credentialSchema.version,
  },
  validFrom: credential.validFrom,
  validUntil: credential.validUntil,
  status: origin.status,
  revealed: Object.fromEntries(revealedValues(credential)),
  ranges: (credential.proof.ranges ?? []).map((range) =>
    provedRange(range, origin.ages.get(range.attribute)),
  ),
});
