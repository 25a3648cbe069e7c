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
import { isJsonObject, type JsonValue } from '@symbolon/wire/json/json';
import type { Change } from './mutators.ts';
import type { Exchange } from './tape.ts';
import { openedText } from './well-made-lies.ts';

/** Members in which a server says that it refuses, and in what words. */
const refusalMembers = ['code', 'message', 'messages', 'success'];

interface Binding {
  readonly route: string;
  /** The member in which everything is bound; the whole answer, if left out. */
  readonly member?: string;
  /** Members that hold a signature or hash of it, or what it must agree with. */
  readonly by: readonly string[];
}

const boundBy: readonly Binding[] = [
  // The issuer's signature is over all of the credential.
  { route: 'downloadCredential', by: ['jws'] },
  { route: 'applyForPaidCredential', member: 'verifiableCredential', by: ['jws'] },
  // A key of a DID document is found, or not, by all that its entry says.
  { route: 'resolveDid', member: 'verificationMethod', by: ['verificationMethod'] },
  // An entry of a DID log repeats the cost of its transaction.
  { route: 'testTransaction', member: 'gas_price', by: ['gasPrice'] },
  { route: 'testTransaction', member: 'fee_limit', by: ['feeLimit'] },
  // A note as text and as hex is one note.
  { route: 'getTransactionHistory', member: 'metadata_text', by: ['metadata'] },
  // The attributes of a template under the names that the service and credentials have for them.
  { route: 'getAccountMetaData', member: 'applyFormat', by: ['credentialFormat', 'attributes'] },
];

/** Elements of lists have positions, and no names. */
const isName = (text: string): boolean => !/^\d+$/.test(text);

/** The names that count for a change in an answer of a route. */
export function namesOfChange({ route, answer }: Exchange, made: Change): string[] {
  const { about, inText = 0, value } = made;
  const last = about.length - 1 - inText;
  const first = about.findLastIndex((name, index) => index <= last && isName(name));
  const isWhole = first === -1;
  const isRefusal =
    (about.length === 1 && refusalMembers.includes(about[0] as string)) ||
    ['error_code', 'error_desc'].includes(about.at(-1) as string);
  const bound = boundBy.filter(
    (one) => one.route === route && (one.member === undefined || about.includes(one.member)),
  );
  const inside = inText > 0 ? [] : changedInside(valueAt(answer, about), valueAt(value, about));
  return [
    ...(isWhole ? [] : about.slice(first).filter(isName)),
    ...inside,
    ...bound.flatMap(({ by }) => by),
    ...(isWhole || isRefusal ? [route] : []),
  ];
}

const valueAt = (value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>((at, name) => (isContainer(at) ? memberOf(at, name) : undefined), value);

/** Names inside of what was changed as a whole: those that differ, or all of the first where nothing is left to compare. */
function changedInside(before: JsonValue | undefined, after: JsonValue | undefined): string[] {
  const was = opened(before);
  if (!isContainer(was)) return [];
  return isContainer(opened(after)) ? differing(before, after) : Object.keys(was).filter(isName);
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
