/**
 * What a request asks, read back from the requirements that wallets fetch: for the sentence over a draft, for the page of
 * a session, and for asking once more. Bounds on a date of birth are read as the ages that they stand for on that day.
 */
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { type AgeBounds, ageRange } from '@symbolon/core/attributes/attribute-ranges';
import type { AttributeValue } from '@symbolon/core/documents/model';
import type { ClaimQuery } from '@symbolon/core/presentation/dcql';
import type { JsonObject } from '@symbolon/wire/json/json';
import { parseDcql } from '@symbolon/wire/sessions/dcql-query';
import type { BuiltRequest, DraftClaim, DraftTrust, RequestDraft } from './request-draft.ts';

export interface AskedClaim {
  readonly key: string;
  /** `shared`: the value is needed; `proved`: a range will do. */
  readonly fate: 'shared' | 'proved';
  readonly min?: AttributeValue;
  readonly max?: AttributeValue;
  readonly age?: AgeBounds;
  readonly isRequired: boolean;
}

export interface AskedCredential {
  /** The template's, or a label that the request gave. */
  readonly id: string;
  readonly templateId?: string;
  readonly claims: readonly AskedClaim[];
  /** Issuers of this one alone, among those of the whole request. */
  readonly issuers?: readonly string[];
}

export interface AskedRequest {
  readonly credentials: readonly AskedCredential[];
  readonly trust: DraftTrust;
}

/** `day` is that on which it was asked. Throws the fault `queryInvalid` for what is no query. */
export function readAsked(requirements: JsonObject, day: string): AskedRequest {
  const { credentials, issuers: dids } = parseDcql(requirements, '');
  return {
    credentials: credentials.map(({ id, templateId, claims, issuers }) => ({
      id,
      ...(templateId !== undefined && { templateId }),
      claims: claims.map((claim) => askedClaim(claim, day)),
      ...(issuers && { issuers }),
    })),
    trust: dids ? { kind: 'issuers', dids } : { kind: 'anybody' },
  };
}

function askedClaim({ key, isRequired, constraints }: ClaimQuery, day: string): AskedClaim {
  const { minimum: min, maximum: max, values, constant, pattern } = constraints;
  const hasBounds = min !== undefined || max !== undefined;
  const needsValue = values !== undefined || constant !== undefined || pattern !== undefined;
  const age = hasBounds ? ageOf(key, { min, max }, day) : undefined;
  return {
    key,
    isRequired,
    fate: hasBounds && !needsValue ? 'proved' : 'shared',
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(age && { age }),
  };
}

/** What a draft asks. Where a range is meant and not said yet, or wrongly, its bounds are left out. */
export function askedOfDraft(
  { trust }: Pick<RequestDraft, 'trust'>,
  { body, problems }: BuiltRequest,
  day: string,
): AskedRequest {
  if (problems.some(({ name }) => name === 'noCredential')) return { credentials: [], trust };
  const unsaid = (templateId: string): readonly AskedClaim[] =>
    problems.flatMap(({ key, templateId: of }) =>
      key !== undefined && of === templateId ? [{ key, fate: 'proved', isRequired: true } as const] : [],
    );
  return {
    credentials: readAsked(body.requirements, day).credentials.map((one) => ({
      ...one,
      claims: [...one.claims, ...unsaid(one.id)],
    })),
    trust,
  };
}

/** Names under which a day of birth is asked for. Any other date that happens to be so many years ago is a date. */
const birthKey = /birth|born|^dob$|geburt|geboren/i;
const agesTried = Array.from({ length: 131 }, (_, years) => years);

function ageOf(
  key: string,
  { min, max }: { readonly min?: unknown; readonly max?: unknown },
  day: string,
): AgeBounds | undefined {
  if (!birthKey.test(key)) return undefined;
  const minAge =
    max === undefined ? undefined : agesTried.find((years) => birthsOf(years, undefined, day)?.max === max);
  const maxAge =
    min === undefined ? undefined : agesTried.find((years) => birthsOf(undefined, years, day)?.min === min);
  if ((max !== undefined && minAge === undefined) || (min !== undefined && maxAge === undefined))
    return undefined;
  return { ...(minAge !== undefined && { minAge }), ...(maxAge !== undefined && { maxAge }) };
}

function birthsOf(minAge: number | undefined, maxAge: number | undefined, day: string) {
  const births = ageRange(minAge, maxAge, day);
  return isComplaint(births) ? undefined : births;
}

/** A draft that asks the same, today. Parts that name no template cannot be drafted and are left out. */
export function draftOfAsked(
  { credentials, trust }: AskedRequest,
  { purpose, minutes }: Pick<RequestDraft, 'purpose' | 'minutes'>,
): RequestDraft {
  return {
    credentials: credentials.flatMap(({ templateId, claims }) =>
      templateId === undefined
        ? []
        : [{ templateId, claims: Object.fromEntries(claims.map((claim) => [claim.key, draftClaim(claim)])) }],
    ),
    trust,
    purpose,
    minutes,
  };
}

function draftClaim({ fate, age, min, max }: AskedClaim): DraftClaim {
  if (fate === 'shared') return { kind: 'show' };
  const texts = (low: unknown, high: unknown) => ({ min: String(low ?? ''), max: String(high ?? '') });
  return age ? { kind: 'age', ...texts(age.minAge, age.maxAge) } : { kind: 'range', ...texts(min, max) };
}
