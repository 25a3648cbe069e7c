/**
 * JSON that is almost what a route expects: a value of the wrong kind somewhere inside, a member too few or twice,
 * numbers and texts from beyond every edge. It is built as text, because half of it has no value in any language.
 */
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '@symbolon/wire/json/json';
import type { Random } from '../crash/seeded-random.ts';

/** Values as they are written, right and wrong ones. */
const oddTexts: readonly string[] = [
  ...['null', 'true', 'false', '[]', '{}', '""', '0', '-1', '-0', '0.5', '1e400', '-1e400', '1E-400'],
  ...['9007199254740993', '9223372036854775807', '9223372036854775808', '-9223372036854775809'],
  ...[
    '18446744073709551616',
    '4294967296',
    '2147483648',
    '9'.repeat(100),
    '9'.repeat(500),
    '1.00',
    '01',
    '+1',
  ],
  ...['NaN', 'Infinity', 'undefined', "'single'", '"unfinished', '[', '{', '[,]', '{"a"}', '{"a":}', '[1,]'],
  ...[
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\u0000"',
    '"\\uffff"',
    '"\\ud83d\\ude00"',
    '"\u2028"',
    '"\t"',
    '"\\x41"',
  ],
  ...['"1"', '"-1"', '"007"', '"1e3"', '"9223372036854775808"', '"true"', '"null"', '" 1"', '"0x10"'],
  ...['"../../x"', '"%00"', '"__proto__"', '"constructor"', '"ff"', '"f"', '"zz"', '{"__proto__":{"a":1}}'],
  '['.repeat(200),
  `${'['.repeat(40)}${']'.repeat(40)}`,
  `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`,
  `"${'x'.repeat(5_000)}"`,
  `"${'00'.repeat(40_000)}"`,
  `"${'é'.repeat(3_000)}"`,
  `[${'0,'.repeat(3_000)}0]`,
  `{${Array.from({ length: 300 }, (_, index) => `"${index}":${index % 256}`).join(',')}}`,
];

const oddNames = [
  '__proto__',
  'constructor',
  'toString',
  '',
  'items',
  'a\u0000b',
  'ITEMS',
  'type',
  'x'.repeat(300),
];

interface Place {
  /** Written so far inside, counted down to the value that is changed. */
  left: number;
}

function countValues(value: JsonValue): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + countValues(one), 1);
  if (!isJsonObject(value)) return 1;
  return Object.values(value).reduce<number>((sum, one) => sum + countValues(one), 1);
}

type Spoil = (value: JsonValue, random: Random) => string;

/** Ways to write a value wrongly. */
const spoils: readonly Spoil[] = [
  (_value, random) => random.pick(oddTexts),
  (_value, random) => random.pick(oddTexts),
  (_value, random) => random.pick(oddTexts),
  (value) => `[${stringifyJson(value)}]`,
  (value) => `{"0":${stringifyJson(value)}}`,
  (value) => `[${Array.from({ length: 130 }, () => stringifyJson(value)).join(',')}]`,
  (value) => JSON.stringify(stringifyJson(value)),
  (value, random) => (isJsonObject(value) ? spoilMembers(value, random) : random.pick(oddTexts)),
  (value, random) => (isJsonObject(value) ? spoilMembers(value, random) : random.pick(oddTexts)),
];

/** A member left out, written twice, renamed or added. */
function spoilMembers(object: JsonObject, random: Random): string {
  const members = Object.entries(object).map(
    ([name, value]) => [name, stringifyJson(value)] as [string, string],
  );
  const at = random.below(members.length);
  const [name, text] = members[at] ?? ['a', '1'];
  const how = random.below(4);
  if (how === 0) members.splice(at, 1);
  else if (how === 1) members.push([name, random.chance(0.5) ? text : random.pick(oddTexts)]);
  else if (how === 2) members[at] = [random.pick(oddNames), text];
  else members.push([random.pick(oddNames), random.pick(oddTexts)]);
  return `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
}

function write(value: JsonValue, place: Place, random: Random): string {
  place.left -= 1;
  if (place.left === 0) return random.pick(spoils)(value, random);
  if (Array.isArray(value)) return `[${value.map((one) => write(one, place, random)).join(',')}]`;
  if (!isJsonObject(value)) return stringifyJson(value);
  const members = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}:${write(one, place, random)}`,
  );
  return `{${members.join(',')}}`;
}

/** The value as text, spoiled in one place. */
export function spoilJson(value: JsonValue, random: Random): string {
  return write(value, { left: 1 + random.below(countValues(value)) }, random);
}

/** The bytes, spoiled without regard to what they mean. */
export function spoilBytes(bytes: Uint8Array, random: Random): Uint8Array {
  const how = random.below(4);
  if (how === 0) return bytes.slice(0, random.below(bytes.length + 1));
  const changed = [...bytes];
  for (let changes = 1 + random.below(3); changes > 0; changes--) {
    const at = random.below(changed.length + 1);
    if (how === 1) changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
    else if (how === 2) changed.splice(at, 0, random.below(256));
    else changed.splice(at, 1 + random.below(10));
  }
  return Uint8Array.from(changed);
}
