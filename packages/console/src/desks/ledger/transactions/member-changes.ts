/** What changed in a value of the state: member by member where both are JSON objects, else as a whole. Pure. */
import { isJsonObject, type JsonValue, parseJsonOrNothing, stringifyJson } from '@symbolon/wire/json/json';

export interface MemberChange {
  /** Undefined for the value as a whole. */
  readonly name: string | undefined;
  /** Undefined where there was nothing. */
  readonly before: string | undefined;
  /** Undefined where nothing is left. */
  readonly after: string | undefined;
}

const shownCharsMax = 160;

/** Moments of the ledger are microseconds since 1970, which nobody reads. */
const momentName = /At$/;
const momentForm = /^1\d{15}$/;

const textOf = (value: JsonValue | undefined, name = ''): string | undefined => {
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? value : stringifyJson(value);
  if (momentName.test(name) && momentForm.test(text))
    return `${new Date(Number(text) / 1_000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return text.length > shownCharsMax ? `${text.slice(0, shownCharsMax)}…` : text;
};

export function memberChanges(
  before: string | undefined,
  after: string | undefined,
): readonly MemberChange[] {
  const [old, next] = [before, after].map((text) =>
    text === undefined ? undefined : parseJsonOrNothing(text),
  );
  const [oldMembers, nextMembers] = [old, next].map((value) => (isJsonObject(value) ? value : undefined));
  const isReadable = (before === undefined || oldMembers) && (after === undefined || nextMembers);
  if (!isReadable) return [{ name: undefined, before: textOf(before), after: textOf(after) }];
  const names = [...new Set([...Object.keys(oldMembers ?? {}), ...Object.keys(nextMembers ?? {})])];
  const changes = names
    .map((name) => ({
      name,
      before: oldMembers && Object.hasOwn(oldMembers, name) ? oldMembers[name] : undefined,
      after: nextMembers && Object.hasOwn(nextMembers, name) ? nextMembers[name] : undefined,
    }))
    .filter((change) => stringifyJson(change.before ?? null) !== stringifyJson(change.after ?? null));
  return changes.map(({ name, before: was, after: is }) => ({
    name,
    before: textOf(was, name),
    after: textOf(is, name),
  }));
}
