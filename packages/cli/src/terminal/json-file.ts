/** JSON that people or other programs wrote into files: a member that stands twice is refused, because either may be meant. */
import type { JsonValue } from '@symbolon/wire/json/json';
import { DoubledMember, parseUniqueJson } from '@symbolon/wire/json/json-members';
import { usageFailure } from './failure.ts';

/** Undefined for what is no JSON: the caller knows what was expected. */
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
