/**
 * Credentials and presentations of anybody, verified: data model, proofs by keys of whoever the document names, validity,
 * related resources, status. What this service issued is compared with the ledger itself; of others their own lists say.
 * Cheap checks come first: nothing is fetched for a document whose proofs do not hold.
 */
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import {
  credentialProblems,
  issuerOfDocument,
  presentationProblems,
  validityOf,
} from '@symbolon/formats/credential/data-model';
import { relatedResourceProblems } from '@symbolon/formats/credential/related-resources';
import { type ProofVerdict, verifyDocument } from '@symbolon/formats/data-integrity/verifying';
import type { StatusChecker } from '@symbolon/formats/status-lists/status-check';
import type { Caller } from '@symbolon/wire/http/service-route';
import type { VcApiPresentationCheck } from '@symbolon/wire/vc-api/vc-api-requests';
import { vcApiLimits } from '../limits/openid-limits.ts';
import {
  type Judgement,
  judgedAt,
  problemOfDocument,
  problemsOfProofs,
  type VcApiProblem,
} from './judgements.ts';
import { ownIssuerOf, recordProblems } from './recorded-credentials.ts';
import type { VcApiParts } from './vc-api-parts.ts';
import { proofTools } from './verification-tools.ts';

export interface VerifyingParts extends VcApiParts {
  /** Of lists of others. */
  readonly foreignStatuses: StatusChecker;
}

const refused = (problems: readonly VcApiProblem[], proofs: readonly ProofVerdict[] = []): Judgement => ({
  problems,
  warnings: [],
  proofs,
});

const asList = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

export async function judgeVcApiCredential(
  parts: VerifyingParts,
  credential: unknown,
  caller: Caller,
): Promise<Judgement> {
  const malformed = credentialProblems(credential).map((found) => problemOfDocument('malformed', found));
  if (malformed.length > 0) return refused(malformed);
  const fields = credential as Fields;
  const nowMs = parts.clock.nowMs();
  const issuer = issuerOfDocument(fields) ?? '';
  const expected = { purpose: 'assertionMethod', nowMs, controller: issuer } as const;
  const { proofs, isVerified } = await verifyDocument(
    fields,
    expected,
    proofTools(parts, caller, 'assertionMethod'),
  );
  const outOfTime = validityProblems(fields, nowMs);
  if (!isVerified || outOfTime.length > 0)
    return refused([...problemsOfProofs(proofs), ...outOfTime], proofs);
  const problems = [
    ...(await statusProblems(parts, fields, issuer)),
    ...(await resourceProblems(parts, fields)),
  ];
  return refused(problems, proofs);
}

function validityProblems(credential: Fields, nowMs: number): readonly VcApiProblem[] {
  const { fromMs, untilMs } = validityOf(credential);
  return [
    ...(fromMs !== undefined && fromMs > nowMs ? [problemOfDocument('notYetValid')] : []),
    ...(untilMs !== undefined && untilMs <= nowMs ? [problemOfDocument('noLongerValid')] : []),
  ];
}

async function statusProblems(
  parts: VerifyingParts,
  credential: Fields,
  issuer: string,
): Promise<readonly VcApiProblem[]> {
  const own = ownIssuerOf(parts, issuer);
  if (own !== undefined) return recordProblems(parts, credential, own);
  const { credentialStatus } = credential;
  if (credentialStatus === undefined) return [];
  const complaints = await parts.foreignStatuses.checkEntries(credentialStatus, issuer);
  return complaints.map((detail) => problemOfDocument('statusWrong', { detail }));
}

/** Texts alone: what is no text would not be the same bytes again. */
const resourceTypes = [
  'application/ld+json',
  'application/json',
  'application/schema+json',
  'application/vc',
  'text/plain',
  'text/html',
  'text/css',
  'image/svg+xml',
];

async function resourceProblems(
  { fetchDocument }: VcApiParts,
  credential: Fields,
): Promise<readonly VcApiProblem[]> {
  const problems = await relatedResourceProblems(credential, async (url, bytesMax) => {
    const { text } = await fetchDocument({ url, types: resourceTypes, bytesMax });
    return encodeUtf8(text);
  });
  return problems.map((problem) => problemOfDocument('resourceChanged', problem));
}

export async function judgeVcApiPresentation(
  parts: VerifyingParts,
  check: VcApiPresentationCheck,
  caller: Caller,
): Promise<Judgement> {
  const { presentation } = check;
  const malformed = presentationProblems(presentation).map((found) => problemOfDocument('malformed', found));
  if (malformed.length > 0) return refused(malformed);
  const fields: Fields = presentation;
  const credentials = asList(fields.verifiableCredential);
  if (credentials.length > vcApiLimits.credentialsMax)
    return refused([
      problemOfDocument('malformed', {
        pointer: '/verifiableCredential',
        detail: `has more than ${vcApiLimits.credentialsMax} credentials`,
      }),
    ]);
  const { problems, proofs } = await judgeHolder(parts, check, caller);
  if (problems.length > 0) return refused(problems, proofs);
  const judged: Judgement[] = [];
  for (const [index, credential] of credentials.entries()) {
    const place = Array.isArray(fields.verifiableCredential)
      ? `/verifiableCredential/${index}`
      : '/verifiableCredential';
    judged.push(judgedAt(place, await judgeVcApiCredential(parts, credential, caller)));
  }
  return {
    problems: judged.flatMap((one) => one.problems),
    warnings: check.isSigned ? otherSubjects(fields, credentials) : [],
    proofs,
  };
}

/** The presentation's own proofs, by keys of its holder. */
async function judgeHolder(
  parts: VerifyingParts,
  { presentation, isSigned, challenge, domain }: VcApiPresentationCheck,
  caller: Caller,
): Promise<Judgement> {
  const fields: Fields = presentation;
  const hasProof = fields.proof !== undefined;
  if (!isSigned && hasProof)
    return refused([
      problemOfDocument('malformed', {
        pointer: '/proof',
        detail: 'is there: send the presentation as verifiablePresentation, with the challenge',
      }),
    ]);
  if (!isSigned) return refused([]);
  const holder = asObject(fields.holder)?.id ?? fields.holder;
  const expected = {
    purpose: 'authentication',
    nowMs: parts.clock.nowMs(),
    ...(challenge !== undefined && { challenge }),
    ...(domain !== undefined && { domain }),
    ...(typeof holder === 'string' && { controller: holder }),
  } as const;
  const { proofs } = await verifyDocument(fields, expected, proofTools(parts, caller, 'authentication'));
  return refused([...problemsOfProofs(proofs), ...unexpectedDomain(fields, domain)], proofs);
}

/** What was made for somebody else is not good here, and who this is the caller has not said. */
function unexpectedDomain(presentation: Fields, domain: string | undefined): readonly VcApiProblem[] {
  if (domain !== undefined) return [];
  const isForSomebody = asList(presentation.proof).some((proof) => asObject(proof)?.domain !== undefined);
  return isForSomebody
    ? problemsOfProofs([
        {
          isVerified: false,
          problem: 'domainWrong',
          detail: 'it is for a domain: say yours in options.domain',
        },
      ])
    : [];
}

/** The standard leaves it open whether whoever shows a credential must be who it is about. */
function otherSubjects(presentation: Fields, credentials: readonly unknown[]): readonly VcApiProblem[] {
  const holder = asObject(presentation.holder)?.id ?? presentation.holder;
  return credentials.flatMap((credential, index) => {
    const subjects = asList(asObject(credential)?.credentialSubject).map((one) => asObject(one)?.id);
    const isOther = subjects.some((id) => id !== undefined && id !== holder);
    return isOther
      ? [problemOfDocument('anotherSubject', { pointer: `/verifiableCredential/${index}` })]
      : [];
  });
}
