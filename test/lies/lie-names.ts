/**
 * The names that count when a client refuses a lie: of these a refusal must say one, as a member that it names and not
 * as a word among others.
 *
 * - A member that was changed: its own name, not that of what it stands in. Where a whole object or list was changed,
 *   its members are gone or new, so theirs count as well.
 * - Something inside of a text that is an encoding (a transaction, a presentation, JSON): every name from the member that
 *   holds the text to the one inside.
 * - What a signature or a hash is of: one bit of it changed makes the signature wrong, and nobody can tell which. Then the
 *   member that holds the signature or the hash counts (`boundBy`). Where two answers contradict each other, a client
 *   cannot know which of them lies: then both count, and a client that names one should name the other as well.
 * - The answer as a whole, its status, and a refusal that a server forges: the route, because the rest of the words are
 *   the server's own.
 */
import { isJsonObject, type JsonValue } from '@symbolon/wire/json';
import type { Change } from './mutators.ts';
import type { Exchange } from './tape.ts';
import { openedText } from './well-made-lies.ts';

/** Members in which a server says that it refuses, and in what words. */
const refusalMembers = ['error_code', 'error_desc', 'code', 'message', 'messages', 'success'];

interface Binding {
  readonly route: string;
  /** The members under which everything is bound. */
  readonly under: readonly string[];
  /** Members that hold a signature or hash of it, or what it must agree with. */
  readonly by: readonly string[];
}

const boundBy: readonly Binding[] = [];

/** Elements of lists have positions, and no names. */
const isName = (text: string): boolean => !/^\d+$/.test(text);

/** The names that count for a change in an answer of a route. */
export function namesOfChange(route: string, { about, inText = 0, members = [] }: Change): string[] {
  const last = about.length - 1 - inText;
  const first = about.findLastIndex((name, index) => index <= last && isName(name));
  const isWhole = first === -1;
  const isRefusal = about.length === 1 && refusalMembers.includes(about[0] as string);
  const bound = boundBy.filter(
    (one) => one.route === route && one.under.every((name, index) => name === about[index]),
  );
  return [
    ...(isWhole ? [] : about.slice(first).filter(isName)),
    ...members,
    ...bound.flatMap(({ by }) => by),
    ...(isWhole || isRefusal ? [route] : []),
  ];
}

/** The names of members in which two answers to the same route differ. */
export function differingNames(one: Exchange | undefined, other: Exchange | undefined): string[] {
  return one && other ? [...new Set(differing(one.answer, other.answer))] : [];
}

function differing(left: JsonValue | undefined, right: JsonValue | undefined): string[] {
  if (left === right) return [];
  const [one, other] = [opened(left), opened(right)];
  if (!isContainer(one) || !isContainer(other)) return [];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.flatMap((name) => {
    const [mine, theirs] = [memberOf(one, name), memberOf(other, name)];
    if (JSON.stringify(mine, plain) === JSON.stringify(theirs, plain)) return [];
    return [...(isName(name) ? [name] : []), ...differing(mine, theirs)];
  });
}

const plain = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);
const isContainer = (value: JsonValue | undefined): value is Extract<JsonValue, object> =>
  isJsonObject(value) || Array.isArray(value);
const opened = (value: JsonValue | undefined): JsonValue | undefined =>
  typeof value === 'string' ? openedText(value) : value;
const memberOf = (value: object, name: string): JsonValue | undefined =>
  Object.hasOwn(value, name) ? (value as Readonly<Record<string, JsonValue>>)[name] : undefined;
