/** Why an answer was refused, once and in the reader's words: what says most, since when, and what to do about it. Pure. */
import { presentationChecks } from '@symbolon/core/documents/model';
import type { DeskSections, DeskWords } from '../../../words/desk-words.ts';

type ReasonName = keyof DeskSections['verify']['result']['reasons'];

/** `<check>: <words>`, as errors are written; other words are told as they are. */
export function readError(text: string): { readonly check: string | undefined; readonly detail: string } {
  const at = text.indexOf(': ');
  const check = at === -1 ? undefined : text.slice(0, at);
  const isKnown = check === 'request' || presentationChecks.some((name) => name === check);
  return isKnown ? { check, detail: text.slice(at + 2) } : { check: undefined, detail: text };
}

/** What the ledger says of a credential that its issuer has taken back, for now or for ever. */
export interface TakenBack {
  readonly state: 'revoked' | 'suspended';
  /** Milliseconds since 1970. */
  readonly since?: number;
  readonly block?: number;
  /** In the issuer's own words. */
  readonly reason?: string;
}

const takenBackForm = new RegExp(
  String.raw`^credential (?<state>revoked|suspended)(?: in ledger (?<block>\d+))?` +
    String.raw`(?: \((?:since (?<since>[^,\s)]+))?(?:(?:, )?transaction \w+)?(?:(?:, )?reason: (?<reason>.*?))?\))??` +
    String.raw`(?: \(credential \d+ of \d+\))?$`,
  's',
);

export function readTakenBack(detail: string): TakenBack | undefined {
  const { state, block, since, reason } = takenBackForm.exec(detail)?.groups ?? {};
  if (state !== 'revoked' && state !== 'suspended') return undefined;
  const at = since === undefined ? Number.NaN : Date.parse(since);
  return {
    state,
    ...(!Number.isNaN(at) && { since: at }),
    ...(block !== undefined && { block: Number(block) }),
    ...(reason !== undefined && { reason }),
  };
}

/** What a check of the status found where nobody has taken the credential back; the one that says most first. */
const otherStatus: readonly (readonly [ReasonName, RegExp])[] = [
  ['elsewhere', /^the credential says that it is recorded in another registry/],
  ['notOnLedger', /^the ledger does not know the credential/],
  ['expired', /^expired credential/],
  ['notYet', /^the credential is not valid yet/],
];

/**
 * Which reason says most, first: what is forged or copied is that before it is of a revoked credential. A challenge that
 * nobody said is no copy: it is a gap on the side of whoever checks, and comes when nothing else speaks against it.
 */
const weight = [
  'revealedAttributes',
  'challenge',
  'domain',
  'holderSignature',
  'bbsProof',
  'status',
  'disclosure',
  'request',
  'challengeMissing',
] as const;
type WeighedReason = (typeof weight)[number];

/** What is checked with what the ledger has of the credential. */
const ofRecord: ReadonlySet<string> = new Set(['revealedAttributes', 'bbsProof']);
const unrecorded =
  /^the credential says that it is recorded in another registry|^the ledger does not know the credential/;

/** What a failed check is weighed as. */
function weighed(check: string, detail: string): string {
  if (check !== 'challenge') return check;
  if (detail.includes('none was expected')) return 'challengeMissing';
  return detail.includes('domain') ? 'domain' : check;
}

export interface RefusalWords {
  /** Why, in our words: the reason that says most. */
  readonly reason: string;
  /** What whoever asked can do now. */
  readonly next: string;
  readonly takenBack: TakenBack | undefined;
  /** What the checks say, each in its own words, without what is told here. */
  readonly details: readonly string[];
  /** Attributes that were shown and not asked for. */
  readonly excess: readonly string[];
}

export function refusalWords(errors: readonly string[], words: DeskWords<'verify'>): RefusalWords {
  const { reasons, next } = words.verify.result;
  const read = errors
    .map(readError)
    .map(({ check, detail }) => ({ check: check && weighed(check, detail), detail }));
  const detailsOf = (name: string): readonly string[] =>
    read.filter(({ check }) => check === name).map(({ detail }) => detail);
  const taken = detailsOf('status').flatMap((detail) => readTakenBack(detail) ?? []);
  const takenBack = taken.find(({ state }) => state === 'revoked') ?? taken[0];
  // Without its record there is no key and no salt to check a proof with: that it fails tells of no change.
  const isUnknown = detailsOf('status').some((detail) => unrecorded.test(detail));
  const counts = (name: WeighedReason): boolean => !isUnknown || !ofRecord.has(name);
  const first = weight.find((name) => counts(name) && detailsOf(name).length > 0) ?? 'unknown';
  const name = first === 'status' && takenBack ? takenBack.state : nearerReason(first, detailsOf(first));
  // A new credential helps only where nothing but the status speaks against this one.
  const isStatusAlone = read.every(
    ({ check = '' }) => check === 'status' || (isUnknown && ofRecord.has(check)),
  );
  return {
    reason: reasons[name],
    next: next[first === 'status' && !isStatusAlone ? 'status' : name],
    takenBack,
    details: [...new Set(read.flatMap(({ detail }) => (readTakenBack(detail) ? [] : [sentence(detail)])))],
    excess: detailsOf('disclosure').flatMap(
      (detail) => /^(?!a range of )(?:.*: )?(\S+) was not asked for$/.exec(detail)?.[1] ?? [],
    ),
  };
}

/** The reason in particular, where the words of the check tell it. */
function nearerReason(check: WeighedReason | 'unknown', details: readonly string[]): ReasonName {
  const found = otherStatus.find(([, form]) => details.some((detail) => form.test(detail)));
  return check === 'status' && found ? found[0] : check;
}

const sentence = (text: string): string => {
  const trimmed = text.trim().replace(/\.$/, '');
  return `${trimmed.slice(0, 1).toUpperCase()}${trimmed.slice(1)}.`;
};
