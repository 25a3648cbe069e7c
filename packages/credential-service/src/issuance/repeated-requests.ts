/**
 * Requests that were done and whose answer was lost, by a crash for one. The shell answers a repetition only where it
 * kept the answer; what it cannot know is found here, in what the request itself has left. A request counts as repeated
 * only if body, idempotency key and caller are the same. Without a key this holds for a submission until its answer
 * arrived, and for an application, which gets its id again.
 */
import { equalTexts } from '@symbolon/core/basics/bytes';
import type { Credential } from '@symbolon/core/documents/model';
import { rateCaller } from '@symbolon/host/service/service-access';
import type { ReplayedCall } from '@symbolon/host/service/service-call';
import { sha256Hex } from '@symbolon/host/work/sha256';
import type { Call } from '@symbolon/wire/http/service-route';
import type { AllRoutes } from '@symbolon/wire/openapi/all-routes';
import type { AuditEvent } from '../audit/audit-entry.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import type { ApplicationRow } from './application-rows.ts';
import { findCredential } from './credential-rows.ts';
import { handOver } from './stored-credentials.ts';

type MarkedCall = Pick<Call, 'caller' | 'idempotencyKey' | 'rawBody'>;

/** Equal for equal requests alone; null for one that cannot be repeated, because it has no idempotency key. */
export const markOf = (route: keyof AllRoutes, call: MarkedCall): string | null =>
  call.idempotencyKey === undefined ? null : wholeMark(route, call);

/**
 * Of a submission also without a key: its body holds the BBS+ signature, which is never public, so until the answer has
 * got through whoever sends all of it again is the submitter.
 */
export const submitMarkOf = (call: MarkedCall): string | null => wholeMark('submitCredential', call);

/** Equal for equal requests alone, with or without a key. */
export function wholeMark(
  route: keyof AllRoutes,
  { caller, idempotencyKey, rawBody }: MarkedCall,
): string | null {
  if (rawBody === undefined) return null;
  const whole = JSON.stringify([route, rateCaller(caller), idempotencyKey ?? null, rawBody]);
  return sha256Hex(whole);
}

export const isSameMark = (left: string | null | undefined, right: string | null): boolean =>
  typeof left === 'string' && right !== null && equalTexts(left, right);

/** The credential that this very submission issued before, as long as it is stored; once, if it has no key. */
export async function repeatedSubmission(
  parts: Pick<ServiceParts, 'database' | 'vault' | 'clock' | 'audit'>,
  { vcId, state, submitMark, submitAnsweredAt }: ApplicationRow,
  call: Call,
): Promise<{ readonly credential: Credential; readonly downloadExpiresAt: number } | undefined> {
  if (state !== 'issued' || !isSameMark(submitMark, submitMarkOf(call))) return undefined;
  if (call.idempotencyKey === undefined && submitAnsweredAt !== null) return undefined;
  const stored = await findCredential(parts.database.kysely, vcId);
  const credential = stored && (await handOver(parts, stored, call.caller));
  return credential && { credential, downloadExpiresAt: stored.downloadExpiresAt };
}

/** What the audit log says of an answer that the shell kept and gives again. */
export function replayEvent({ caller, request }: ReplayedCall): AuditEvent {
  const { vcId, blobId } = request as { readonly vcId?: unknown; readonly blobId?: unknown };
  const subject = [vcId, blobId].find((id) => typeof id === 'string');
  return {
    actor: caller,
    action: 'answer.repeat',
    ...(subject !== undefined && { subject: subject as string }),
  };
}
