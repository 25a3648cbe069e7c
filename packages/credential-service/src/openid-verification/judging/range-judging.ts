/** A presentation of one of our own credentials (`symbolon-bbs-2026`): the six checks, by the rules of every session. */

import type { DerivedCredential } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { tellChecks } from '@symbolon/core/presentation/check-words';
import { judgeAnswer } from '@symbolon/core/presentation/dcql-matching';
import type { ParsedPresentation } from '@symbolon/core/presentation/presentation-parsing';
import type { WantedCredential } from '@symbolon/formats/oid4vp/presentation-query';
import { sessionQueryOf } from '@symbolon/formats/oid4vp/query-answering';
import { bestChoice } from '@symbolon/formats/oid4vp/query-matching';
import { judgePresentation } from '../../presentations/presentation-judging.ts';
import { credentialsOf } from '../../sessions/wallet-answer.ts';
import type { OpenidVerifyingParts } from '../parts/verification-parts.ts';
import { ledgerIssuersOf } from './issuer-trust.ts';
import {
  type AskedElement,
  commonCheck,
  errorsOf,
  failed,
  type JudgedPresentation,
  type Occasion,
} from './judged.ts';

export async function judgeRanges(
  parts: OpenidVerifyingParts,
  { wanted, element }: AskedElement,
  { nonce, terms, named, caller }: Occasion,
): Promise<JudgedPresentation> {
  const parsed = parsedOrNothing(parts, element);
  const credentials = parsed?.presentation.verifiableCredential ?? [];
  const [credential] = credentials;
  if (!parsed || !credential || credentials.length > 1)
    return failed(false, [commonCheck('disclosure', ['it is no presentation of one credential'], '')]);
  const { challenge } = parsed.presentation.proof;
  const issuers = ledgerIssuersOf(named);
  const verdict = await judgePresentation(
    parts,
    parsed,
    {
      ...{ challenge: nonce, domain: terms.clientId, asked: undefined },
      trust: [{ ...(issuers && { issuers }), ...(named.templates && { templates: named.templates }) }],
    },
    caller,
  );
  const other = rangeAnswerComplaints(wanted, credential);
  const failures = other.map((detail) => ({ check: 'disclosure' as const, detail }));
  const checks = tellChecks(verdict, { asked: 'contents', hasChallenge: true, failures });
  const errors = [...new Set([...verdict.errors, ...other.map((detail) => `disclosure: ${detail}`)])];
  if (!verdict.verified || errors.length > 0)
    return { ...failed(challenge === nonce, checks), errors: errors.length > 0 ? errors : errorsOf(checks) };
  const answers = [{ queryId: wanted.id, credential: 0 }];
  const [ours] = credentialsOf(verdict, { answers }, parsed.presentation);
  return { isBound: true, errors: [], checks, claims: { ...verdict.vcDetails }, ...(ours && { ours }) };
}

function parsedOrNothing(
  { format, profile }: Pick<OpenidVerifyingParts, 'format' | 'profile'>,
  element: unknown,
): ParsedPresentation | undefined {
  try {
    return format.parsePresentation(element, profile);
  } catch (error) {
    if (error instanceof Fault && error.code === 'presentationMalformed') return undefined;
    throw error;
  }
}

/** What does not answer: another template, a value or range that is missing or wider than asked. */
export function rangeAnswerComplaints(
  wanted: WantedCredential,
  credential: DerivedCredential,
): readonly string[] {
  const { id } = credential.credentialSchema;
  if (!wanted.kinds.flat().some((one) => one.toLowerCase() === id.toLowerCase()))
    return ['the credential is of another template'];
  return bestChoice(wanted, (claims) =>
    judgeAnswer(sessionQueryOf(wanted, claims), [credential]).failures.map(({ detail }) => detail),
  );
}
