/** Verdicts of the VC-API: what is wrong with a document, by the types that the standards give each problem. */

import { given } from '@symbolon/core/basics/plain-values';
import type { FaultDetail } from '@symbolon/core/faults/faults';
import { type ProofComplaint, proofProblems } from '@symbolon/formats/data-integrity/proof-problems';
import type { ProofVerdict } from '@symbolon/formats/data-integrity/verifying';
import type { ServiceReplyOf } from '@symbolon/wire/http/service-route';
import { jsonAnswer } from '@symbolon/wire/http/text-replies';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { vcApiRoutes } from '@symbolon/wire/vc-api/vc-api-routes';

const model = 'https://www.w3.org/TR/vc-data-model#';
const lists = 'https://www.w3.org/ns/credentials/status-list#';

/** Type and title by name. */
const problems = {
  malformed: [`${model}MALFORMED_VALUE_ERROR`, 'The document is not what the data model wants'],
  resourceChanged: [`${model}MALFORMED_VALUE_ERROR`, 'A related resource is not what it was'],
  notYetValid: [`${model}RANGE_ERROR`, 'The credential is not valid yet'],
  noLongerValid: [`${model}RANGE_ERROR`, 'The credential is no longer valid'],
  statusWrong: [`${lists}STATUS_VERIFICATION_ERROR`, 'The status of the credential forbids its use'],
  notRecorded: [
    `${lists}STATUS_VERIFICATION_ERROR`,
    'The ledger does not have the credential as it is shown',
  ],
  anotherSubject: [`${model}MALFORMED_VALUE_ERROR`, 'The credential is about another than who presents it'],
} as const;

export interface VcApiProblem {
  readonly type: string;
  readonly title: string;
  readonly detail?: string;
  readonly pointer?: string;
}

export function problemOfDocument(
  name: keyof typeof problems,
  { detail, pointer }: Partial<FaultDetail> = {},
): VcApiProblem {
  const [type, title] = problems[name];
  return { type, title, ...given({ detail, pointer }) };
}

const problemOfProof = ({ problem, detail }: ProofComplaint): VcApiProblem => {
  const [type, title] = proofProblems[problem];
  return { type, title, ...given({ detail }) };
};

export interface Judgement {
  readonly problems: readonly VcApiProblem[];
  readonly warnings: readonly VcApiProblem[];
  /** Of the document's own proofs. */
  readonly proofs: readonly ProofVerdict[];
}

/** The same, as found at a place of a larger document. */
export const judgedAt = (place: string, { problems: found, ...rest }: Judgement): Judgement => ({
  ...rest,
  problems: found.map((problem) => ({ ...problem, pointer: `${place}${problem.pointer ?? ''}` })),
});

export const problemsOfProofs = (proofs: readonly ProofVerdict[]): readonly VcApiProblem[] =>
  proofs.flatMap((proof) => (proof.isVerified ? [] : [problemOfProof(proof)]));

const resultOf = (proof: ProofVerdict) =>
  proof.isVerified
    ? { verified: true, cryptosuite: proof.suite, verificationMethod: proof.verificationMethod }
    : { verified: false, problem: problemOfProof(proof) };

type VerdictReply = ServiceReplyOf<typeof vcApiRoutes.verifyCredentialByVcApi>;

/** A verdict that is not good is a refusal with status 400, unless the caller wants it told like any other. */
export function toldVerdict(judgement: Judgement, isToldAsResult: boolean): VerdictReply {
  const verdict = {
    verified: judgement.problems.length === 0,
    problemDetails: judgement.problems.map((problem) => ({ ...problem })),
    warnings: judgement.warnings.map((problem) => ({ ...problem })),
    results: judgement.proofs.map(resultOf),
  };
  const [first] = judgement.problems;
  if (first === undefined || isToldAsResult) return verdict;
  const { type, title, detail } = first;
  return jsonAnswer({ type, title, status: 400, ...given({ detail }), ...verdict } as unknown as JsonObject, {
    status: 400,
    contentType: 'application/problem+json',
  });
}
