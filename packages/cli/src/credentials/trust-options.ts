/**
 * How people say whom they trust: `--trust` with a DID, with `@NAME` for a list that the service keeps, or with a JSON
 * file as `symbolon trust list show NAME --json` prints it, which also does without a network.
 */

import { unknownName } from '@symbolon/core/basics/known-names';
import { Fault } from '@symbolon/core/faults/faults';
import { credentialLimits, trustLimits } from '@symbolon/core/limits/documents';
import { parseStrictJson } from '@symbolon/host/service/service-body';
import { isJsonObject, type JsonValue } from '@symbolon/wire/json/json';
import { repeatedAt } from '@symbolon/wire/trust/named-once';
import { type Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { usageFailure } from '../terminal/failure.ts';
import { printable } from '../terminal/terminal.ts';
import { readDocumentText } from './document-files.ts';

export type TrustWord = { readonly did: string } | { readonly list: string } | { readonly file: string };

export interface TrustWords {
  readonly trust?: readonly TrustWord[];
}

const didPattern = /^did:[a-z0-9]+:[A-Za-z0-9._:%-]+$/;
const listPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export const addTrustOptions = (command: Command): Command =>
  command.option(
    '--trust <did or @list>',
    'an issuer that you trust, a list of them at the service, or a JSON file with one; repeatable',
    trustWord,
  );

function trustWord(text: string, before: readonly TrustWord[] = []): readonly TrustWord[] {
  if (didPattern.test(text)) return [...before, { did: text }];
  if (text.startsWith('@') && listPattern.test(text.slice(1))) return [...before, { list: text.slice(1) }];
  if (text.endsWith('.json')) return [...before, { file: text }];
  throw new InvalidArgumentError('It must be a DID, @NAME of a list, or a file that ends in .json.');
}

export function didOption(text: string): string {
  if (didPattern.test(text)) return text;
  throw new InvalidArgumentError('It must be a DID.');
}

export function listNameOption(text: string): string {
  const name = text.startsWith('@') ? text.slice(1) : text;
  if (listPattern.test(name)) return name;
  throw new InvalidArgumentError('It must be letters, digits, dots, underscores and hyphens, 64 at most.');
}

const text = z.string().min(1).max(credentialLimits.nameCharsMax);
const issuerShape = { did: text, name: text.optional(), templates: z.array(text).min(1).optional() };
const fileShape = {
  name: text.optional(),
  issuers: z.array(z.strictObject(issuerShape)).min(1).max(trustLimits.issuersMax),
};
const fileSchema = z.strictObject(fileShape);

type Trusted = z.output<typeof fileSchema>['issuers'][number];

/** As `vp/verify` and verification sessions take it. */
export interface TrustAsked {
  readonly trustedIssuers?: Trusted[];
  readonly trustList?: string;
}

/** Whom the words mean, with files read. */
export async function trustOf({ trust = [] }: TrustWords): Promise<TrustAsked> {
  const trusted: Trusted[] = [];
  const lists: string[] = [];
  for (const word of trust) {
    if ('did' in word) trusted.push({ did: word.did });
    else if ('list' in word) lists.push(word.list);
    else trusted.push(...(await readTrustFile(word.file)));
  }
  const repeated = repeatedIn(trusted.map(({ did }) => did));
  if (repeated !== undefined)
    throw usageFailure(
      `${printable(repeated)} is trusted twice.\nTwo words for one issuer may have different limits.\nName each issuer once, in a file or with --trust DID.`,
    );
  if (new Set(lists).size > 1)
    throw usageFailure(
      'Two lists are named.\nThe service looks at one list at a time.\nPut the issuers on one: symbolon trust list add NAME DID',
    );
  return {
    ...(trusted.length > 0 && { trustedIssuers: trusted }),
    ...(lists[0] !== undefined && { trustList: lists[0] }),
  };
}

async function readTrustFile(file: string): Promise<readonly Trusted[]> {
  const advice = 'Write one: symbolon trust list show NAME --json > trust.json';
  const refuse = (why: string) => usageFailure(`${file} is no list of trusted issuers.\n${why}\n${advice}`);
  const content = await readDocumentText(file, 'a list of trusted issuers', advice);
  let value: JsonValue;
  try {
    value = parseStrictJson(content, { subject: 'It' });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw refuse(`${error.message}.`);
  }
  const strange = strangeMember(value);
  if (strange !== undefined) throw refuse(strange);
  const read = fileSchema.safeParse(value);
  if (read.success) {
    const { issuers } = read.data;
    const repeated = [issuers.map(({ did }) => did), ...issuers.map(({ templates = [] }) => templates)]
      .map(repeatedIn)
      .find((one) => one !== undefined);
    if (repeated !== undefined) throw refuse(`${printable(repeated)} stands twice in it.`);
    return issuers;
  }
  throw refuse('It has a member "issuers": an array of {"did", "name", "templates"}.');
}

function repeatedIn(ids: readonly string[]): string | undefined {
  const index = repeatedAt(ids);
  return index === undefined ? undefined : ids[index];
}

/** A member that would be passed over is a condition that nobody holds. */
function strangeMember(value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const [fileNames, issuerNames] = [Object.keys(fileShape), Object.keys(issuerShape)];
  const strange = Object.keys(value).find((name) => !fileNames.includes(name));
  if (strange !== undefined)
    return issuerNames.includes(strange)
      ? `"${strange}" belongs into an issuer, and not beside "issuers".`
      : unknownName(strange, fileNames);
  const issuers = Array.isArray(value.issuers) ? value.issuers : [];
  const strangeOfIssuer = issuers
    .flatMap((issuer) => (isJsonObject(issuer) ? Object.keys(issuer) : []))
    .find((name) => !issuerNames.includes(name));
  return strangeOfIssuer === undefined ? undefined : unknownName(strangeOfIssuer, issuerNames);
}
