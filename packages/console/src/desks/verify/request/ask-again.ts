/** The same question once more, with ages as of today. What a form cannot say is asked as it was. */
import { canonicalJson } from '@symbolon/core/basics/jcs';
import type { JsonObject } from '@symbolon/wire/json/json';
import { todayText } from '../today.ts';
import { draftOfAsked, readAsked } from './asked-claims.ts';
import { type BuiltRequest, buildRequest, type RequestDraft } from './request-draft.ts';

export interface AskedSession {
  readonly requirements: JsonObject;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly purpose?: string | undefined;
}

/** What an earlier session asked, for as long as it had. */
export function draftOfSession({
  requirements,
  createdAt,
  expiresAt,
  purpose = '',
}: AskedSession): RequestDraft {
  const opened = Date.parse(createdAt);
  const minutes = Math.max(1, Math.round((Date.parse(expiresAt) - opened) / 60_000));
  return draftOfAsked(readAsked(requirements, todayText(opened)), { purpose, minutes });
}

type Templates = Parameters<typeof buildRequest>[1];

export function askAgain(session: AskedSession, templates: Templates, now: number): BuiltRequest['body'] {
  const draft = draftOfSession(session);
  const { requirements } = session;
  const before = buildRequest(draft, templates, todayText(Date.parse(session.createdAt)));
  // Whether the form says all of it: then it would have said the same on that day.
  const { credentials } = before.body.requirements;
  const isWhole =
    before.problems.length === 0 &&
    canonicalJson(credentials) === canonicalJson(requirements.credentials) &&
    Object.keys(requirements).every((name) => name === 'credentials' || name === 'trusted_issuers');
  if (isWhole) return buildRequest(draft, templates, todayText(now)).body;
  const { expirationMinutes, purpose } = before.body;
  return { requirements, expirationMinutes, ...(purpose !== undefined && { purpose }) };
}
