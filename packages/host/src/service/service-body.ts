/**
 * Bodies of the service: forms, JWTs, and above all strict JSON (I-JSON, RFC 7493): what is signed must mean the same to everybody, so a member
 * that stands twice, a name that changes objects, a zero byte and half a character are refused instead of interpreted.
 */
import { Fault } from '@symbolon/core/faults/faults';
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import type { BodyKind } from '@symbolon/wire/http/service-route';
import { type JsonValue, parseJson } from '@symbolon/wire/json/json';
import { DoubledMember, refuseDoubled } from '@symbolon/wire/json/json-members';
import { isStorable, unstorableText } from '@symbolon/wire/json/storable-text';
import { serviceHttpLimits } from '../limits/server-limits.ts';

export function parseStrictJson(text: string | undefined, rules: JsonRules = {}): JsonValue {
  const { subject = theBody } = rules;
  if (text === undefined || text.trim() === '') throw malformedBody(`${subject} is empty or not UTF-8`);
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    throw malformedBody(`${subject} is not JSON`, error);
  }
  refuseAmbiguity(text, rules);
  return value;
}

/** Where nothing is kept, a zero byte is a character like others. */
interface JsonRules {
  readonly allowsZeroBytes?: boolean;
  /** What complaints begin with. */
  readonly subject?: string;
}

const theBody = 'the body';

/** Every kind of body that a route can have, by its reader. */
export const bodyReaders: Readonly<Record<BodyKind, (text: string | undefined) => JsonValue>> = {
  json: (text) => parseStrictJson(text),
  unstoredJson: (text) => parseStrictJson(text, { allowsZeroBytes: true }),
  form: parseForm,
  jsonOrJwt: parseJsonOrJwt,
};

/** Signed (three parts) or encrypted (five, of which that of the key may be empty). */
const compactJwt = /^[\w-]+\.[\w-]*\.[\w-]+(?:\.[\w-]+\.[\w-]+)?$/;

/** A text is a JWT, never JSON that is a text. */
function parseJsonOrJwt(text: string | undefined): JsonValue {
  if (text !== undefined && compactJwt.test(text)) return text;
  const value = parseStrictJson(text);
  if (typeof value === 'string') throw malformedBody(`${theBody} is neither a JSON object nor a JWT`);
  return value;
}

/**
 * `application/x-www-form-urlencoded` as OAuth has it (RFC 6749): a parameter without a value counts as not sent, and
 * one that is sent twice is refused, be it unknown.
 */
function parseForm(text = ''): JsonValue {
  const pairs = text === '' ? [] : text.split('&');
  if (pairs.length > serviceHttpLimits.formParametersMax)
    throw malformedBody(`${theBody} has too many parameters`);
  const values = new Map<string, string>();
  for (const pair of pairs) {
    const [name, ...rest] = pair.split('=');
    const key = formText(name);
    if (values.has(key)) throw malformedBody(`${theBody} has the parameter ${quoted(key)} twice`);
    values.set(key, formText(rest.join('=')));
  }
  return Object.fromEntries([...values].filter(([, value]) => value !== ''));
}

const quoted = (name: string): string => JSON.stringify(name.slice(0, credentialRequestLimits.nameCharsMax));

function formText(written: string): string {
  try {
    const text = decodeURIComponent(written.replaceAll('+', ' '));
    if (isStorable(text)) return text;
  } catch (error) {
    throw malformedBody(`${theBody} is not application/x-www-form-urlencoded`, error);
  }
  throw malformedBody(`${theBody} ${unstorableText}`);
}

const malformedBody = (detail: string, cause?: unknown) =>
  new Fault('requestMalformed', { detail, errors: [{ pointer: '', detail }], cause });

function refuseAmbiguity(text: string, { allowsZeroBytes = false, subject = theBody }: JsonRules): void {
  let members = 0;
  try {
    refuseDoubled(text, {
      string(content, { isName, isEscaped }) {
        // Only an escape can bring in what UTF-8 and JSON do not allow.
        const kept = allowsZeroBytes ? content.replaceAll('\0', '') : content;
        if (isEscaped && !isStorable(kept)) throw malformedBody(`${subject} ${unstorableText}`);
        if (isName && content === '__proto__') throw malformedBody(`${subject} has a member __proto__`);
      },
      next() {
        members++;
        if (members > serviceHttpLimits.jsonMembersMax)
          throw malformedBody(`${subject} has too many members`);
      },
    });
  } catch (error) {
    if (error instanceof DoubledMember)
      throw malformedBody(`${subject} has the member ${error.member} twice`);
    throw error;
  }
}
