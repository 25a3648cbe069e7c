/** What judging one presented credential comes to, in whichever format it is. */
import type { WantedCredential } from '@symbolon/formats/oid4vp/presentation-query';
import type { Caller } from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { FieldChecks, FieldCredential } from '@symbolon/wire/sessions/field-replies';
import type { ResultCredential } from '@symbolon/wire/sessions/replies';
import type { OpenidTerms } from '../../sessions/sessions.ts';
import type { NamedIssuers } from './issuer-trust.ts';

/** What a presentation is held against. */
export interface Occasion {
  readonly nonce: string;
  readonly terms: OpenidTerms;
  readonly named: NamedIssuers;
  /** Who sends it, and pays for the proofs in it. */
  readonly caller: Caller;
}

export interface JudgedPresentation {
  /** Whether it was made for this occasion at all: what was not decides nothing. */
  readonly isBound: boolean;
  /** `<check>: <words>`; empty if all is well. */
  readonly errors: readonly string[];
  readonly checks: FieldChecks['checks'];
  /** What it shows, by key, if all is well. */
  readonly claims: JsonObject;
  /** One of the two, if all is well. */
  readonly field?: FieldCredential;
  readonly ours?: ResultCredential;
}

/** Of a presentation, with what it is to answer. */
export interface AskedElement {
  readonly wanted: WantedCredential;
  readonly element: unknown;
}

type Told = FieldChecks['checks'][number];

export const errorsOf = (checks: readonly Told[]): readonly string[] =>
  checks.filter(({ passed }) => passed === false).map(({ name, words }) => `${name}: ${words}`);

/** Checks that every format has behind its own. */
const commonTitles = {
  record: 'record on the ledger',
  issuer: 'issuer',
  disclosure: 'as asked for',
} as const;

export const commonCheck = (
  name: keyof typeof commonTitles,
  complaints: readonly string[],
  words: string,
): Told => {
  const text = complaints.join('; ');
  const told = text === '' ? words : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
  return { name, title: commonTitles[name], passed: text === '', words: told };
};

/** What fails shows nothing. */
export const failed = (isBound: boolean, checks: readonly Told[]): JudgedPresentation => ({
  isBound,
  checks,
  errors: errorsOf(checks),
  claims: {},
});

export const hasPassed = (checks: readonly Told[], name: string): boolean =>
  checks.some((check) => check.name === name && check.passed === true);
