/**
 * What a good verdict says of each credential, as people read it: what was seen, and whose word it is. An issuer is
 * named only with where the name comes from, and one that nobody asked for is told to be so.
 */
import { agesWithin } from '@symbolon/core/attributes/attribute-ranges';
import { ageInWords } from '@symbolon/core/presentation/age-claims';
import type { PresentedCredential } from '@symbolon/core/presentation/presentation-verdict';
import type { SignedFieldCredential } from '@symbolon/sdk/verification/signed-results';
import { isJsonObject } from '@symbolon/wire/json/json';
import { sentenceLines } from '../terminal/layout.ts';
import { printable, type Terminal } from '../terminal/terminal.ts';
import { shownValue } from './party-commands.ts';

/** As the service and the rules here say it. */
export type SeenCredential = Pick<
  PresentedCredential,
  | 'issuer'
  | 'issuerTrust'
  | 'holder'
  | 'template'
  | 'validFrom'
  | 'validUntil'
  | 'status'
  | 'revealed'
  | 'answersRequest'
> & { readonly ranges: readonly PresentedCredential['ranges'][number][] };

/** With ranges over these attributes told as ages: the verifier asked for ages by them, whatever they are called. */
export const withAges = (
  credentials: readonly SeenCredential[],
  { attributes, today }: { readonly attributes: readonly string[]; readonly today: string },
): readonly SeenCredential[] =>
  credentials.map((credential) => ({
    ...credential,
    ranges: credential.ranges.map((range) => {
      const age = attributes.includes(range.attribute) && agesWithin(range, today);
      return age ? { ...range, age, text: ageInWords(age) } : range;
    }),
  }));

/** With several credentials each has its number, so that nobody reads what one issuer says as another's. */
const numbered = (credentials: readonly SeenCredential[], position: number): string =>
  credentials.length === 1 ? '' : `[${position + 1}] `;

/** Of several, the one that shows what was asked for. */
const answerText = (credentials: readonly SeenCredential[], position: number): string =>
  credentials.length > 1 && credentials[position].answersRequest ? ': answers what you asked for' : '';

export function seenText(credentials: readonly SeenCredential[]): string {
  const seen = credentials.flatMap(({ revealed, ranges }, position) =>
    [
      ...Object.entries(revealed).map(([key, value]) => `${printable(key)} = ${shownValue(value)}`),
      ...ranges.map(
        ({ attribute, age, text }) => `${printable(attribute)}${age ? ':' : ''} ${printable(text)}`,
      ),
    ].map((text) => `${numbered(credentials, position)}${text}`),
  );
  return seen.length === 0 ? 'nothing but the credential itself' : seen.join(', ');
}

const sources = { trustList: 'your name for it', issuer: 'its own word' } as const;

export const originLines = (credentials: readonly SeenCredential[]): readonly string[] =>
  credentials.flatMap((credential, position) => {
    const { issuer, issuerTrust, template, status, holder } = credential;
    const name =
      issuer.name === undefined
        ? ''
        : `"${printable(issuer.name)}" (${sources[issuer.nameSource ?? 'issuer']}), `;
    const trust =
      issuerTrust === 'trusted'
        ? 'trusted'
        : 'not asked for: anybody can issue; say whom you trust with --trust';
    const title =
      template.name === undefined ? 'A template without a name of its own' : `"${printable(template.name)}"`;
    const place = status.ledgerSeq === undefined ? '' : `, ledger ${status.ledgerSeq}`;
    return [
      `  ${numbered(credentials, position)}${title} ${template.version}, ${template.id}${answerText(credentials, position)}`,
      `  issued by ${name}${issuer.id}: ${trust}`,
      `  valid ${credential.validFrom} to ${credential.validUntil}, ${status.state}${place}`,
      `  held by ${holder}`,
    ];
  });

/** What was seen of credentials in formats of the field. */
export function fieldSeenText(credentials: readonly SignedFieldCredential[]): string {
  const seen = credentials.flatMap(({ claims, queryId }) => {
    const { credentialSubject: subject } = claims;
    const { id: _, ...own } = isJsonObject(subject) ? subject : claims;
    const number = credentials.length === 1 ? '' : `[${printable(queryId)}] `;
    return Object.entries(own).map(
      ([key, value]) => `${number}${printable(key)} = ${shownValue(plainValue(value))}`,
    );
  });
  return seen.length === 0 ? 'nothing but the credential itself' : seen.join(', ');
}

const plainValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

export const fieldOriginLines = (credentials: readonly SignedFieldCredential[]): readonly string[] =>
  credentials.flatMap(({ types, format, issuer, issuerTrust, validFrom, validUntil, status, record }) => [
    `  ${printable(types.at(-1) ?? '')}, as ${printable(format)}`,
    `  issued by ${printable(record?.issuer ?? issuer)}: ${issuerTrust === 'trusted' ? 'trusted' : 'not asked for: anybody can issue; say whom you trust with --trust'}`,
    `  valid ${validFrom ?? 'always'} to ${validUntil ?? 'no end'}, ${record ? `${status} on the ledger` : status}`,
  ]);

const continuedIndent = 4;

/** The sentences of a verdict on a screen: one that is longer than a line goes on further in. */
export const verdictLines = (terminal: Terminal, sentences: readonly string[]): readonly string[] =>
  sentences.flatMap((sentence) => sentenceLines(terminal, sentence, continuedIndent));
