/**
 * Requests that were done and whose answer was lost, by a crash for one. The shell answers a repetition only where it
 * kept the answer; what it cannot know is found here, in what the request itself has left: whoever comes again with the
 * same idempotency key and the same request gets the same answer, anybody else is told that it was done.
 */

import { equalBytes } from '@symbolon/core/bytes';
import { parseDetachedJws } from '@symbolon/core/credential/jws';
import type { Credential } from '@symbolon/core/credential/model';
import type { AttributeValues } from '@symbolon/core/credential/template-rules';
import type { SubmissionRequest } from '@symbolon/wire/credential-requests';
import type { Call } from '@symbolon/wire/service-route';
import type { ServiceParts } from '../service-parts.ts';
import { type Application, findPendingApplication } from '../store/applications.ts';
import { findCredential } from '../store/credentials.ts';
import { places } from '../vault/places.ts';
import type { CredentialDraft } from './credential-drafts.ts';
import { openDocument } from './sealed-documents.ts';

/** What an application keeps sealed. */
export interface AppliedDocument {
  readonly values: AttributeValues;
  /** The idempotency key it came with. */
  readonly repeatKey?: string;
}

export const repeatKeyOf = ({ idempotencyKey }: Call): { readonly repeatKey?: string } =>
  idempotencyKey === undefined ? {} : { repeatKey: idempotencyKey };

const isRepeat = ({ repeatKey }: { readonly repeatKey?: string }, { idempotencyKey }: Call): boolean =>
  repeatKey !== undefined && repeatKey === idempotencyKey;

interface Applying extends Pick<Application, 'holder' | 'templateId'> {
  readonly values: AttributeValues;
}

/** The identifier that this very application was given before. */
export async function repeatedApplication(
  { database, vault }: ServiceParts,
  { values, ...choice }: Applying,
  call: Call,
): Promise<string | undefined> {
  const pending = await findPendingApplication(database.kysely, choice);
  if (!pending?.attributes) return undefined;
  const place = places.applicationAttributes(pending.vcId);
  const applied = await openDocument<AppliedDocument>(vault, pending.attributes, place);
  const isSame = isRepeat(applied, call) && JSON.stringify(applied.values) === JSON.stringify(values);
  return isSame ? pending.vcId : undefined;
}

/** The draft that this very creation made before, as long as it waits for its signature. */
export async function repeatedDraft(
  { vault, clock }: ServiceParts,
  { vcId, state, draft: sealed, draftExpiresAt }: Application,
  call: Call,
): Promise<CredentialDraft | undefined> {
  if (call.idempotencyKey === undefined || state !== 'approved' || !sealed) return undefined;
  if (draftExpiresAt === null || draftExpiresAt <= clock.nowMs()) return undefined;
  const draft = await openDocument<CredentialDraft>(vault, sealed, places.applicationDraft(vcId));
  return isRepeat(draft, call) ? draft : undefined;
}

/** The credential that this very signature issued before, as long as it is stored. */
export async function repeatedSubmission(
  { database, vault }: ServiceParts,
  { vcId, signature }: SubmissionRequest,
  call: Call,
): Promise<{ readonly credential: Credential; readonly downloadExpiresAt: number } | undefined> {
  if (call.idempotencyKey === undefined) return undefined;
  const stored = await findCredential(database.kysely, vcId);
  if (!stored?.credential) return undefined;
  const credential = await openDocument<Credential>(vault, stored.credential, places.credential(vcId));
  const [, { jws }] = credential.proof;
  const earlier = parseDetachedJws('issuer', jws);
  const isSame = earlier !== undefined && equalBytes(earlier, signature);
  return isSame ? { credential, downloadExpiresAt: stored.downloadExpiresAt } : undefined;
}
