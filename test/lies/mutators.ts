/**
 * Lies about one value: for every kind of value others of the same kind, which mean something, and what is of no kind at
 * all. A text that is an encoding of something (a transaction, a presentation, JSON) is opened, changed inside, and
 * closed again (`well-made-lies.ts`): what comes out is as well made as what an honest server sends.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '@symbolon/wire/json/json';
import type { Random } from '../crash/seeded-random.ts';
import { person } from '../support/people.ts';
import { didOf } from '../support/service-world.ts';

/** Another value in place of one. */
export interface Change {
  readonly name: string;
  /** The members that it is about, from the outside in. */
  readonly about: readonly string[];
  /** How many of these, the last ones, are inside of a text that is an encoding of something. */
  readonly inText?: number;
  readonly value: JsonValue | undefined;
}

/** To whom lies lead. */
export const liar = person('who gains from lies');
export const liarDid = didOf(liar);

export const change = (
  name: string,
  value: JsonValue | undefined,
  about: readonly string[] = [],
): Change => ({ name, about, value });

const otherHash = 'c0ffee'.padEnd(64, '0');
const isDid = /^did:zid:[0-9a-f]{64}$/;
const isAddress = /^ZTX3[1-9A-HJ-NP-Za-km-z]{30,}$/;
const isHash = /^[0-9a-fA-F]{64}$/;
const isHex = /^(?:[0-9a-fA-F]{2}){33,}$/;
const isInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
const isDay = /^\d{4}-\d{2}-\d{2}$/;
const isNumberText = /^-?\d{1,18}$/;
const isBase64 = /^[A-Za-z0-9+/_=-]{40,}$/;

/** Values of the same kind that a text could have been. */
function otherTexts(text: string, random: Random): Change[] {
  if (isDid.test(text)) return [change('another DID', liarDid)];
  if (isAddress.test(text)) return [change('another address', liar.address)];
  if (isHash.test(text)) return [change('another hash', otherHash)];
  if (isInstant.test(text))
    return [
      change('a later instant', '2098-01-01T00:00:00Z'),
      change('an earlier instant', '1990-01-01T00:00:00Z'),
    ];
  if (isDay.test(text)) return [change('another day', '1970-01-01')];
  if (isNumberText.test(text))
    return [
      change('nought', '0'),
      change('one more', String(BigInt(text) + 1n)),
      change('a thousand times', `${text}000`),
      change('negative', `-${text}`),
    ];
  if (isHex.test(text)) return [flipped(text, random), change('a byte more', `${text}00`)];
  if (isBase64.test(text)) return [flippedLetter(text, random)];
  const fragment = /^(did:zid:[0-9a-f]{64})(#.*)$/.exec(text);
  if (fragment)
    return [
      change("another's key", `${liarDid}${fragment[2]}`),
      change('another key', `${fragment[1]}#delegateKey-99`),
    ];
  return [change('another word', `${text} of another`)];
}

function flipped(hex: string, random: Random): Change {
  const at = 2 * random.below(hex.length / 2);
  const byte = Number.parseInt(hex.slice(at, at + 2), 16) ^ (1 << random.below(8));
  return change(
    `byte ${at / 2} changed`,
    `${hex.slice(0, at)}${byte.toString(16).padStart(2, '0')}${hex.slice(at + 2)}`,
  );
}

function flippedLetter(text: string, random: Random): Change {
  const at = 1 + random.below(text.length - 4);
  return change(
    `letter ${at} changed`,
    `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`,
  );
}

const numbers = (value: number | bigint): Change[] => [
  change('nought', 0),
  change('one more', BigInt(value) + 1n),
  change('a thousand times', BigInt(value) * 1_000n + 1_000n),
  change('the most there is', 2n ** 63n - 1n),
  change('negative', -1),
  change('as text', String(value)),
];

function lists(list: readonly JsonValue[]): Change[] {
  const [first, ...rest] = list;
  if (first === undefined) return [change('not empty', ['one'])];
  return [
    change('emptied', []),
    change('the first left out', rest),
    change('the first doubled', [first, ...list]),
    ...(rest.length > 0 ? [change('turned round', [...list].reverse())] : []),
  ];
}

const members = (object: JsonObject): Change[] => [
  change('a member more', { ...object, another: 'member' }),
  change('emptied', {}),
];

/** Lies about the value itself. */
export function changesOf(value: JsonValue, random: Random): Change[] {
  const gone = [change('left out', undefined), change('null', null)];
  if (typeof value === 'string')
    return [...otherTexts(value, random), change('empty', ''), change('a number', 7), ...gone];
  if (typeof value === 'number' || typeof value === 'bigint') return [...numbers(value), ...gone];
  if (typeof value === 'boolean') return [change('the contrary', !value), ...gone];
  if (value === null) return [change('something', 'something'), change('an object', {})];
  if (Array.isArray(value)) return [...lists(value), ...gone];
  return isJsonObject(value) ? [...members(value), ...gone] : [];
}

/** Lies about a value that leave everything else about it as it is: the kind that goes unnoticed. */
export const quietChangesOf = (value: JsonValue, random: Random): Change[] => {
  if (typeof value === 'string') return otherTexts(value, random);
  if (typeof value === 'number' || typeof value === 'bigint') return [change('one more', Number(value) + 1)];
  return changesOf(value, random).filter(({ name }) => name !== 'null');
};

export type Kinds = (value: JsonValue, random: Random) => readonly Change[];

/** Lies about a value and everything inside it. */
export function changesWithin(value: JsonValue, kinds: Kinds, random: Random): Change[] {
  const entries = Array.isArray(value)
    ? [...value.entries()]
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  const inner = entries.flatMap(([name, one]) =>
    changesWithin(one, kinds, random).map((made) => ({
      ...made,
      about: [String(name), ...made.about],
      value: withMember(value as JsonObject | JsonValue[], name, made.value),
    })),
  );
  return [...kinds(value, random), ...inner];
}

function withMember(
  container: JsonObject | JsonValue[],
  name: string | number,
  value: JsonValue | undefined,
): JsonValue {
  if (Array.isArray(container))
    return container.flatMap((one, index) => (index !== name ? [one] : value === undefined ? [] : [value]));
  const entries = Object.entries(container).flatMap(([key, one]): [string, JsonValue][] =>
    key !== name ? [[key, one]] : value === undefined ? [] : [[key, value]],
  );
  return Object.fromEntries(entries);
}
