/**
 * The verdict on a presentation: an examination and the results of the proofs it ordered become yes or no, every
 * failing check by name, and for a yes what was shown. Anything short of every check passing is a no.
 */
import { assert } from '../assert.ts';
import { subjectValue } from './credential-messages.ts';
import {
  type AttributeValue,
  type DerivedCredential,
  type PresentationCheck,
  presentationChecks,
  type RangeClaim,
} from './model.ts';
import type { CheckFailure, Examination } from './presentation-facts.ts';
import { isFrameName } from './template-names.ts';

export interface CheckResult {
  /** `notChecked`: something earlier failed, so there was no point or no way. */
  readonly state: 'ok' | 'failed' | 'notChecked';
  readonly failures: readonly string[];
}

/** What one credential of a good presentation says, and who says it. */
export interface PresentedCredential {
  readonly id: string;
  /** The template's name. */
  readonly name: string;
  readonly issuer: string;
  readonly holder: string;
  readonly validFrom: string;
  readonly validUntil: string;
  readonly template: { readonly id: string; readonly version: string };
  readonly revealed: Readonly<Record<string, AttributeValue>>;
  readonly ranges: readonly RangeClaim[];
}

export interface Verdict {
  readonly verified: boolean;
  readonly checks: Readonly<Record<PresentationCheck, CheckResult>>;
  /** `<check>: <plain words>`, in the order of the checks. Empty if verified. */
  readonly errors: readonly string[];
  /**
   * Only if verified: values by key; for an attribute of which a range was proved, a note that says so. With several
   * credentials, a key that more than one of them discloses stands as `<position>.<key>` for each, from position 0.
   */
  readonly vcDetails?: Readonly<Record<string, AttributeValue>>;
  /** Only if verified, in the presentation's order: the same without mixing what different issuers say. */
  readonly credentials?: readonly PresentedCredential[];
}

/** `proofResults` has one answer for each order, in the same order. */
export function concludeVerdict(examination: Examination, proofResults: readonly boolean[]): Verdict {
  const { presentation, proofOrders } = examination;
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
  if (!isVerified) return { verified: false, checks, errors };
  return {
    verified: true,
    checks,
    errors: [],
    vcDetails: detailsOf(credentials),
    credentials: credentials.map(presented),
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
export function rangeNote({ min, max }: RangeClaim): string {
  const sides = [min === undefined ? '' : `>= ${min}`, max === undefined ? '' : `<= ${max}`];
  return `range proof ok: ${sides.filter((side) => side !== '').join(' and ')}`;
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
  const holdersOfKey = new Map<string, number>();
  for (const [key] of entries.flat()) holdersOfKey.set(key, (holdersOfKey.get(key) ?? 0) + 1);
  return Object.fromEntries(
    entries.flatMap((ones, position) =>
      ones.map(([key, value]) => [holdersOfKey.get(key) === 1 ? key : `${position}.${key}`, value]),
    ),
  );
}

const presented = (credential: DerivedCredential): PresentedCredential => ({
  id: credential.id,
  name: credential.type[1],
  issuer: credential.issuer,
  holder: credential.credentialSubject.id,
  validFrom: credential.validFrom,
  validUntil: credential.validUntil,
  template: { id: credential.credentialSchema.id, version: credential.credentialSchema.version },
  revealed: Object.fromEntries(revealedValues(credential)),
  ranges: credential.proof.ranges ?? [],
});
