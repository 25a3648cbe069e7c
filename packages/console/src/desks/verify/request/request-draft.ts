/**
 * What a verifier is about to ask, as it is typed: of which templates, what to show, what only to prove, from whom, why
 * and for how long. Becomes the body of `requestVerification`, or what is wrong with it. Pure: the day is given.
 */
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { ageRange, readRange } from '@symbolon/core/attributes/attribute-ranges';
import {
  type AttributeType,
  type AttributeTypeCode,
  attributeTypeCodes,
  type SignedAttribute,
} from '@symbolon/core/documents/model';
import { credentialQueryLimits } from '@symbolon/core/limits/documents';
import { sessionLimits } from '@symbolon/core/limits/waiting';
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import type { JsonObject } from '@symbolon/wire/json/json';
import { readTypedDecimal } from '../../../text/decimals.ts';
import type { Language } from '../../../text/language.ts';
import { type NumberMark, numberMarks } from '../../../text/numbers.ts';
import { isMisspelt, type Misspelt, plainSpelling, readerSpelling } from '../../../text/typed-spelling.ts';
import { isIssuerDid } from '../issuer-dids.ts';

/** What is asked of one attribute; bounds stand as they were typed, empty where there is none. */
export type DraftClaim =
  | { readonly kind: 'show' }
  | { readonly kind: 'range'; readonly min: string; readonly max: string }
  | { readonly kind: 'age'; readonly min: string; readonly max: string };

export interface DraftCredential {
  readonly templateId: string;
  /** By the key of the attribute; an attribute that is not here stays hidden. */
  readonly claims: Readonly<Record<string, DraftClaim>>;
}

/** Whose credentials will do. */
export type DraftTrust =
  | { readonly kind: 'issuers'; readonly dids: readonly string[] }
  | { readonly kind: 'list'; readonly name: string }
  | { readonly kind: 'anybody' };

export interface RequestDraft {
  readonly credentials: readonly DraftCredential[];
  readonly trust: DraftTrust;
  readonly purpose: string;
  readonly minutes: number;
}

export const minuteChoices = [5, 10, 60, sessionLimits.sessionMinutesMax] as const;

export const emptyDraft: RequestDraft = {
  credentials: [],
  trust: { kind: 'issuers', dids: [] },
  purpose: '',
  minutes: sessionLimits.sessionMinutesDefault,
};

/** What keeps a draft from being asked, and of which attribute, where it is one's. */
export interface RequestProblem {
  readonly name:
    | 'noCredential'
    | 'templateUnknown'
    | 'noIssuer'
    | 'issuerWrong'
    | 'boundMissing'
    | 'boundWrong'
    | 'boundsCrossed'
    | 'ageWrong';
  readonly templateId?: string;
  readonly key?: string;
  /** Of a bound that is wrong. */
  readonly why?: Misspelt['why'];
}

const typeNames = new Map<AttributeTypeCode, AttributeType>(
  (Object.keys(attributeTypeCodes) as AttributeType[]).map((name) => [attributeTypeCodes[name], name]),
);

export type TemplateField = TemplateReply['credentialFormat'][number];

/** An attribute of a template as the rules of ranges know it. */
export const signedAttributeOf = ({ key, type, format }: TemplateField): SignedAttribute => ({
  key,
  type: typeNames.get(type) ?? 'text',
  format,
});

/** Which ways there are to ask for an attribute. */
export function claimKindsOf(field: TemplateField): readonly DraftClaim['kind'][] {
  const { type } = signedAttributeOf(field);
  if (type === 'date') return ['show', 'range', 'age'];
  return type === 'integer' || type === 'decimal' || type === 'dateTime' ? ['show', 'range'] : ['show'];
}

/** A new claim of a kind. */
export const blankClaim = (kind: DraftClaim['kind']): DraftClaim => {
  if (kind === 'show') return { kind };
  return kind === 'age' ? { kind, min: '18', max: '' } : { kind, min: '', max: '' };
};

/** A template more; its issuer is trusted along with it, where issuers are named. */
export function withTemplate(
  draft: RequestDraft,
  { templateId, issuerDid }: Pick<TemplateReply, 'templateId' | 'issuerDid'>,
): RequestDraft {
  if (draft.credentials.some((one) => one.templateId === templateId)) return draft;
  const { trust } = draft;
  return {
    ...draft,
    credentials: [...draft.credentials, { templateId, claims: {} }],
    trust:
      trust.kind === 'issuers' && !trust.dids.includes(issuerDid)
        ? { ...trust, dids: [...trust.dids, issuerDid] }
        : trust,
  };
}

export const withoutTemplate = (draft: RequestDraft, templateId: string): RequestDraft => ({
  ...draft,
  credentials: draft.credentials.filter((one) => one.templateId !== templateId),
});

/** One attribute asked for in another way; undefined leaves it hidden. */
export const withClaim = (
  draft: RequestDraft,
  { templateId, key, claim }: { templateId: string; key: string; claim: DraftClaim | undefined },
): RequestDraft => ({
  ...draft,
  credentials: draft.credentials.map((one) => {
    if (one.templateId !== templateId) return one;
    const { [key]: _before, ...others } = one.claims;
    return { ...one, claims: claim ? { ...others, [key]: claim } : others };
  }),
});

/** The same draft with its bounds spelled in another way. */
const respelled = (draft: RequestDraft, spell: (bound: string) => string): RequestDraft => ({
  ...draft,
  credentials: draft.credentials.map((one) => ({
    ...one,
    claims: Object.fromEntries(
      Object.entries(one.claims).map(([key, claim]) => [
        key,
        claim.kind === 'range' ? { ...claim, min: spell(claim.min), max: spell(claim.max) } : claim,
      ]),
    ),
  })),
});

/** A draft that is kept, or was asked, as its reader would type it; and back, to be kept for readers of any language. */
export const draftForReader = (draft: RequestDraft, language: Language): RequestDraft =>
  respelled(draft, (bound) => readerSpelling(bound, language));
export const draftToKeep = (draft: RequestDraft, language: Language): RequestDraft =>
  respelled(draft, (bound) => readTypedDecimal(bound, numberMarks[language].point) ?? bound);

export const credentialsMax = credentialQueryLimits.credentialsMax;

type Templates = ReadonlyMap<string, Pick<TemplateReply, 'credentialFormat'>>;

export interface BuiltRequest {
  readonly body: {
    readonly requirements: JsonObject;
    readonly expirationMinutes: number;
    readonly purpose?: string;
    readonly trustedIssuers?: string[];
    readonly trustList?: string;
  };
  readonly problems: readonly RequestProblem[];
}

/**
 * The request, and everything that is wrong with it: it is sent only without problems. `today` as 2026-11-17; `point` is
 * that of whoever types, while what is saved or was asked has a point.
 */
export function buildRequest(
  draft: RequestDraft,
  templates: Templates,
  today: string,
  point: NumberMark = '.',
): BuiltRequest {
  const problems: RequestProblem[] = [];
  if (draft.credentials.length === 0) problems.push({ name: 'noCredential' });
  const { trust } = draft;
  if (trust.kind === 'issuers' && trust.dids.length === 0 && draft.credentials.length > 0)
    problems.push({ name: 'noIssuer' });
  if (trust.kind === 'issuers' && !trust.dids.every(isIssuerDid)) problems.push({ name: 'issuerWrong' });
  const credentials = draft.credentials.map(({ templateId, claims }) => {
    const fields = templates.get(templateId)?.credentialFormat ?? [];
    // A claim that is lost on the way would ask for less than was meant.
    const keys = new Set(fields.map(({ key }) => key));
    if (!templates.has(templateId) || !Object.keys(claims).every((key) => keys.has(key)))
      problems.push({ name: 'templateUnknown', templateId });
    const asked = fields.flatMap((field): JsonObject[] => {
      const claim = claims[field.key];
      if (!claim) return [];
      const read = constraintsOf(field, claim, { today, point });
      if ('problem' in read) {
        // A claim without bounds would ask for the value, which nobody meant.
        problems.push({ ...read.problem, templateId, key: field.key });
        return [];
      }
      const { constraints } = read;
      return [{ path: ['credentialSubject', field.key], ...(claim.kind !== 'show' && { constraints }) }];
    });
    return { id: templateId, format: 'ldp_vc', claims: asked };
  });
  const purpose = draft.purpose.trim();
  return {
    problems,
    body: {
      requirements: { credentials },
      expirationMinutes: draft.minutes,
      ...(purpose !== '' && { purpose }),
      // Also where nobody is named yet: left out, it would ask for anybody's.
      ...(trust.kind === 'issuers' && { trustedIssuers: [...trust.dids] }),
      ...(trust.kind === 'list' && { trustList: trust.name }),
    },
  };
}

/** Why it cannot be asked, first of all; undefined where it can. A template that is still read is not unknown. */
export function whatHinders(
  problems: readonly RequestProblem[],
  { isRead }: { readonly isRead: boolean },
): RequestProblem | 'reading' | undefined {
  const said = problems.find(({ name }) => isRead || name !== 'templateUnknown');
  return said ?? (problems.length > 0 ? 'reading' : undefined);
}

function constraintsOf(
  field: TemplateField,
  claim: DraftClaim,
  { today, point }: { readonly today: string; readonly point: NumberMark },
): { readonly constraints: JsonObject } | { readonly problem: RequestProblem } {
  if (claim.kind === 'show') return { constraints: {} };
  const [min, max] = [claim.min, claim.max].map((text) => text.trim()) as [string, string];
  if (min === '' && max === '') return { problem: { name: 'boundMissing' } };
  if (claim.kind === 'age') {
    const births = ageRange(yearsOf(min), yearsOf(max), today);
    return isComplaint(births) ? { problem: { name: 'ageWrong' } } : { constraints: boundsJson(births) };
  }
  const attribute = signedAttributeOf(field);
  const spelled = (typed: string) => (typed === '' ? '' : plainSpelling(attribute.type, typed, point));
  const [least, most] = [spelled(min), spelled(max)];
  if (isMisspelt(least)) return { problem: { name: 'boundWrong', ...least } };
  if (isMisspelt(most)) return { problem: { name: 'boundWrong', ...most } };
  const given = { ...(least !== '' && { min: least }), ...(most !== '' && { max: most }) };
  for (const one of Object.values(given))
    if (isComplaint(readRange(attribute, { min: one }))) return { problem: { name: 'boundWrong' } };
  if (isComplaint(readRange(attribute, given))) return { problem: { name: 'boundsCrossed' } };
  return { constraints: boundsJson(given) };
}

const yearsOf = (text: string): number | undefined => (text === '' ? undefined : Number(text));

const boundsJson = ({ min, max }: { readonly min?: string; readonly max?: string }): JsonObject => ({
  ...(min !== undefined && { minimum: boundJson(min) }),
  ...(max !== undefined && { maximum: boundJson(max) }),
});

/** Whole numbers as numbers, because wallets compare them so; dates and decimals as text. */
const boundJson = (text: string): string | number =>
  /^-?(0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : text;
