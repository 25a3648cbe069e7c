/** The terms of issuing at once, as somebody types them: read into what the service takes, or what is wrong. Pure. */
import { parseLedgerDid } from '@symbolon/core/did/did';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { paymentLimits } from '@symbolon/core/limits/payments';
import { readUntil } from '../../validity/read-validity.ts';

export interface TypedPolicy {
  readonly perDayMax: string;
  /** A day, until whose end it holds. */
  readonly until: string;
  readonly validDays: string;
  /** One DID a line; everybody where there is none. */
  readonly holders: string;
  readonly allowReissue: boolean;
}

export interface ReadPolicy {
  readonly perDayMax: number;
  readonly until: string;
  readonly validSeconds: number;
  readonly holders?: string[];
  readonly allowReissue: boolean;
}

export type PolicyMember = 'perDayMax' | 'until' | 'validDays' | 'holders';

const daySeconds = 86_400;
const wholeNumber = (text: string, max: number): number | undefined => {
  const value = /^[1-9][0-9]{0,9}$/.test(text.trim()) ? Number(text.trim()) : 0;
  return value >= 1 && value <= max ? value : undefined;
};

export const validDaysMax = paymentLimits.autoIssueValidSecondsMax / daySeconds;

/** The terms, or the members that cannot be read. */
export function readTypedPolicy(
  typed: TypedPolicy,
  now: number,
): { readonly policy: ReadPolicy } | { readonly wrong: readonly PolicyMember[] } {
  const perDayMax = wholeNumber(typed.perDayMax, paymentLimits.autoIssuePerDayMax);
  const validDays = wholeNumber(typed.validDays, validDaysMax);
  const end = readUntil(typed.until, now);
  const until = 'wrong' in end ? undefined : end.validUntil;
  const holders = typed.holders.split(/[\s,;]+/).filter((one) => one !== '');
  const areHolders =
    holders.length <= paymentLimits.autoIssueHoldersMax &&
    holders.every((did) => parseLedgerDid(did.toLowerCase(), zetrixProfile) !== undefined);
  const wrong: PolicyMember[] = [
    ...(perDayMax === undefined ? (['perDayMax'] as const) : []),
    ...(until === undefined ? (['until'] as const) : []),
    ...(validDays === undefined ? (['validDays'] as const) : []),
    ...(areHolders ? [] : (['holders'] as const)),
  ];
  if (perDayMax === undefined || validDays === undefined || until === undefined || !areHolders)
    return { wrong };
  return {
    policy: {
      perDayMax,
      until,
      validSeconds: validDays * daySeconds,
      allowReissue: typed.allowReissue,
      ...(holders.length > 0 && { holders: holders.map((did) => did.toLowerCase()) }),
    },
  };
}

interface SetPolicy {
  readonly perDayMax: number;
  readonly until: string;
  readonly validSeconds: number;
  readonly holders: readonly string[] | null;
  readonly allowReissue: boolean;
}

/** What a form begins with: what is set, or what most would set. */
export const typedPolicy = (set: SetPolicy | null, now: number): TypedPolicy => ({
  perDayMax: String(set?.perDayMax ?? 100),
  until: (set?.until ?? new Date(now + 90 * daySeconds * 1_000).toISOString()).slice(0, 10),
  validDays: String(Math.max(1, Math.round((set?.validSeconds ?? 365 * daySeconds) / daySeconds))),
  holders: set?.holders?.join('\n') ?? '',
  allowReissue: set?.allowReissue ?? false,
});
