/**
 * Bodies of the service as strict JSON (I-JSON, RFC 7493): what is signed must mean the same to everybody, so a member
 * that stands twice, a name that changes objects, a zero byte and half a character are refused instead of interpreted.
 */
import { Fault } from '@symbolon/core/faults';
import { serviceHttpLimits } from '@symbolon/core/limits';
import { endOfString, type JsonValue, parseJson } from '@symbolon/wire/json';
import { isStorable, unstorableText } from '@symbolon/wire/storable-text';

export interface BodyRules {
  /** Where nothing of it is kept: a zero byte then is a character like others. */
  readonly allowsZeroBytes?: boolean;
}

export function parseStrictJson(text: string | undefined, rules: BodyRules = {}): JsonValue {
  if (text === undefined || text.trim() === '') throw malformedBody('the body is empty or not UTF-8');
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    throw malformedBody('the body is not JSON', error);
  }
  refuseAmbiguity(text, rules);
  return value;
}

const malformedBody = (detail: string, cause?: unknown) =>
  new Fault('requestMalformed', { detail, errors: [{ pointer: '', detail }], cause });

/** Walks over text that is known to be JSON. */
function refuseAmbiguity(text: string, rules: BodyRules): void {
  /** The names of each open object, innermost last; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  let isNameNext = false;
  let members = 0;
  for (let index = 0; index < text.length; index++) {
    switch (text[index]) {
      case '{':
        open.push(new Set());
        isNameNext = true;
        break;
      case '[':
        open.push(undefined);
        isNameNext = false;
        break;
      case '}':
      case ']':
        open.pop();
        isNameNext = false;
        break;
      case ',':
        isNameNext = open.at(-1) !== undefined;
        members++;
        break;
      case '"': {
        const end = endOfString(text, index);
        const content = readString(text.slice(index, end + 1), rules);
        if (isNameNext) addName(open.at(-1) as Set<string>, content);
        isNameNext = false;
        index = end;
        break;
      }
      default:
    }
    if (members > serviceHttpLimits.jsonMembersMax) throw malformedBody('the body has too many members');
  }
}

/** Only an escape can bring in what UTF-8 and JSON do not allow. */
function readString(quoted: string, { allowsZeroBytes }: BodyRules): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  const content = JSON.parse(quoted) as string;
  if (!isStorable(allowsZeroBytes ? content.replaceAll('\0', '') : content))
    throw malformedBody(`the body ${unstorableText}`);
  return content;
}

function addName(names: Set<string>, name: string): void {
  if (name === '__proto__') throw malformedBody('the body has a member __proto__');
  if (names.has(name))
    throw malformedBody(`the body has the member ${JSON.stringify(name.slice(0, 64))} twice`);
  names.add(name);
}
