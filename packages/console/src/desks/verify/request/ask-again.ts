/** The same question once more, with ages as of today. What a form cannot say is asked as it was. */
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { isJsonObject, type JsonObject, type JsonValue } from '@symbolon/wire/json/json';
import { todayText } from '../today.ts';
import { draftOfAsked, readAsked } from './asked-claims.ts';
import { type BuiltRequest, buildRequest, type RequestDraft } from './request-draft.ts';

export interface AskedSession {
  readonly requirements: JsonObject;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly purpose?: string | undefined;
}

type Templates = Parameters<typeof buildRequest>[1];

/** Of which templates a session asked for credentials. */
export const templatesOfSession = ({
  requirements,
  createdAt,
}: Pick<AskedSession, 'requirements' | 'createdAt'>): readonly string[] =>
  readAsked(requirements, todayText(Date.parse(createdAt))).credentials.flatMap(
    ({ templateId }) => templateId ?? [],
  );

const minutesOf = ({ createdAt, expiresAt }: AskedSession): number =>
  Math.max(1, Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 60_000));

/**
 * What an earlier session asked, for as long as it had; undefined where a form does not say all of it. If it does, it
 * would have asked the same on that day.
 */
export function draftOfSession(session: AskedSession, templates: Templates): RequestDraft | undefined {
  const { requirements, purpose = '' } = session;
  const day = todayText(Date.parse(session.createdAt));
  const draft = draftOfAsked(readAsked(requirements, day), { purpose, minutes: minutesOf(session) });
  const { problems, body } = buildRequest(draft, templates, day);
  const isWhole =
    problems.length === 0 &&
    inOneOrder(body.requirements) === inOneOrder(requirements) &&
    Object.keys(requirements).every((name) => name === 'credentials' || name === 'trusted_issuers');
  return isWhole ? draft : undefined;
}

/** Credentials as they are asked for, whichever of their claims comes first. */
function inOneOrder({ credentials }: JsonObject): string {
  const inOrder = (one: JsonValue) =>
    isJsonObject(one) && Array.isArray(one.claims)
      ? { ...one, claims: one.claims.map((claim) => canonicalJson(claim)).toSorted() }
      : one;
  return canonicalJson(Array.isArray(credentials) ? credentials.map(inOrder) : credentials);
}

/** What opens such a session, as it was. */
export const requestOfSession = (session: AskedSession) => ({
  requirements: session.requirements,
  expirationMinutes: minutesOf(session),
  ...(session.purpose !== undefined && { purpose: session.purpose }),
});

export function askAgain(session: AskedSession, templates: Templates, now: number): BuiltRequest['body'] {
  const draft = draftOfSession(session, templates);
  return draft ? buildRequest(draft, templates, todayText(now)).body : requestOfSession(session);
}
