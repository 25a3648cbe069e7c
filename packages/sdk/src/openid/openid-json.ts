/**
 * JSON of issuers and verifiers: no member twice, and what is wanted of it by name. What is not known is passed over, as
 * the standards have it.
 */
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { refuseDoubled } from '@symbolon/wire/json/json-members';
import { SdkError } from '../errors/errors.ts';

export const unreadable = (what: string, why: string): SdkError =>
  new SdkError('unexpectedReply', `${what} ${why}`, {
    hint: 'Nothing was accepted or shown. Tell whoever sent the link.',
  });

export function parseFields(text: string, what: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
    refuseDoubled(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  const fields = asObject(value);
  if (!fields) throw unreadable(what, 'is no JSON object');
  return fields;
}

export const textOrNothing = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

export function requireText(fields: Fields, name: string, what: string): string {
  const value = textOrNothing(fields[name]);
  if (value === undefined) throw unreadable(what, `has no ${name}`);
  return value;
}
