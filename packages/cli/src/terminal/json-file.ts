/**
 * JSON that others wrote, into files or answers: what is none is the caller's to complain about, who knows what was
 * expected.
 */
import { isJsonObject, type JsonObject, type JsonValue, parseJsonOrNothing } from '@symbolon/wire/json/json';
import { DoubledMember, parseUniqueJson } from '@symbolon/wire/json/json-members';
import { usageFailure } from './failure.ts';

/** The object that a text is; undefined for anything else. */
export function parseJsonObject(text: string): JsonObject | undefined {
  const value = parseJsonOrNothing(text);
  return isJsonObject(value) ? value : undefined;
}

/** Of a file; undefined for what is no JSON. A member that stands twice is refused, because either may be meant. */
export function parseFileText(file: string, text: string): JsonValue | undefined {
  try {
    return parseUniqueJson(text);
  } catch (error) {
    if (!(error instanceof DoubledMember)) return undefined;
    const named = file === '-' ? 'Standard input' : file;
    throw usageFailure(
      `${named} has the member ${error.member} twice.\nWhich of them is meant nobody can know: leave one of them.`,
    );
  }
}
