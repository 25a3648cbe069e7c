/**
 * The lies that are told about a tape, made from it and from the route tables: every value of every answer changed in
 * every way that is known, members that a route can answer and this one did not, other status codes, and answers to
 * something else that was ordered, one at a time and all together.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '@symbolon/wire/json/json';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';
import type { Random } from '../crash/seeded-random.ts';
import { differingNames, namesOfChange } from './lie-names.ts';
import { type Change, change } from './mutators.ts';
import { makeInput } from './statements.ts';
import type { Exchange, Lie, Tape } from './tape.ts';
import { everyChangeOf, everyQuietChangeOf } from './well-made-lies.ts';

export function liesAbout(tape: Tape, other: Tape | undefined, random: Random): Lie[] {
  const single = tape.flatMap((exchange, index) =>
    changesOfAnswer(exchange, random).map((made) => singleLie(tape, index, made)),
  );
  return [
    ...single,
    ...statusLies(tape),
    ...feeLies(tape),
    ...draftLies(tape, random),
    ...(other ? swaps(tape, other) : []),
  ];
}

const placeOf = (tape: Tape, index: number): string => {
  const { server, route } = tape[index] as Exchange;
  const before = tape.slice(0, index).filter((one) => one.route === route).length;
  return `${server} ${route}${before === 0 ? '' : ` (${before + 1})`}`;
};

function singleLie(tape: Tape, index: number, made: Change): Lie {
  const { name, about, value } = made;
  const answer = value === undefined ? null : value;
  return {
    name: `${placeOf(tape, index)} ${about.join('.')}: ${name}`,
    about: namesOfChange(tape[index] as Exchange, made),
    tell: (told) => told.map((one, at) => (at === index ? { ...one, answer } : one)),
  };
}

function changesOfAnswer({ server, route, answer }: Exchange, random: Random): Change[] {
  return [...everyChangeOf(answer, random), ...membersNotTold(server, route, answer)];
}

/** A route's own words for success and failure. */
const statusLies = (tape: Tape): Lie[] =>
  tape.flatMap(({ server, route, status }, index) =>
    server === 'node'
      ? []
      : [200, 402, 500]
          .filter((other) => other !== status)
          .map((other) => ({
            name: `${placeOf(tape, index)}: status ${other}`,
            about: [route],
            tell: (told: Tape) => told.map((one, at) => (at === index ? { ...one, status: other } : one)),
          })),
  );

/** Both terms that a payment's cost follows from, changed together. */
const feeLies = (tape: Tape): Lie[] =>
  tape.flatMap(({ route, answer }, index) =>
    route !== 'testTransaction'
      ? []
      : ([1_000, 1_000_000_000] as const).map((times) => ({
          name: `${placeOf(tape, index)}: price and limit ${times} times`,
          about: ['fee_limit', 'gas_price'],
          tell: (told: Tape) =>
            told.map((one, at) => (at === index ? { ...one, answer: dearer(answer, times) } : one)),
        })),
  );

function dearer(value: JsonValue, times: number): JsonValue {
  if (Array.isArray(value)) return value.map((one) => dearer(one, times));
  if (!isJsonObject(value)) return value;
  const told = Object.entries(value).map(([name, one]) => {
    const isPrice = name === 'fee_limit' || name === 'gas_price';
    const isNumber = typeof one === 'number' || typeof one === 'bigint';
    return [name, isPrice && isNumber ? BigInt(one) * BigInt(times) : dearer(one, times)];
  });
  return Object.fromEntries(told);
}

/** A draft of something else, with a text to sign that fits it to the last bit. */
function draftLies(tape: Tape, random: Random): Lie[] {
  return tape.flatMap(({ route, answer }, index) => {
    const { unsigned } = isJsonObject(answer) ? answer : {};
    if (route !== 'createCredential' || !isJsonObject(unsigned)) return [];
    return everyQuietChangeOf(unsigned, random).flatMap((made) => {
      const { name, value } = made;
      const about = ['unsigned', ...made.about];
      const { credential, proofOptions, salt } = isJsonObject(value) ? value : {};
      if (!isJsonObject(credential) || !isJsonObject(proofOptions) || typeof salt !== 'string') return [];
      const input = makeInput(credential, proofOptions, salt);
      const whole = {
        ...(answer as JsonObject),
        unsigned: value ?? null,
        ed25519Blob: `${issuerHead}${input}`,
      };
      return input === ''
        ? []
        : [singleLie(tape, index, { ...made, about, name: `${name}, text and all`, value: whole })];
    });
  });
}

/** What precedes the digests. */
const issuerHead = Buffer.from(
  `${Buffer.from('{"alg":"EdDSA","b64":false,"crit":["b64"]}').toString('base64url')}.`,
).toString('hex');

/** What servers answered to another order: one answer of it, or all. */
function swaps(tape: Tape, other: Tape): Lie[] {
  const sameAs = (index: number): Exchange | undefined => {
    const { server, route } = tape[index] as Exchange;
    const nth = tape.slice(0, index).filter((one) => one.route === route).length;
    return other.filter((one) => one.server === server && one.route === route)[nth];
  };
  const swapped = (told: Tape, isMeant: (index: number) => boolean): Tape =>
    told.map((one, index) => {
      const instead = isMeant(index) ? sameAs(index) : undefined;
      return instead ? { ...one, answer: instead.answer } : one;
    });
  const one = tape.map((_exchange, index) => ({
    name: `${placeOf(tape, index)}: the answer to another order`,
    about: differingNames(tape[index], sameAs(index)),
    tell: (told: Tape) => swapped(told, (at) => at === index),
  }));
  const all = {
    name: 'every answer is to another order',
    about: [...new Set(one.flatMap(({ about }) => about))],
    tell: (told: Tape) => swapped(told, () => true),
  };
  return [...one, all];
}

/** As much of a schema as is needed to find its members. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, SchemaLike>>;
  readonly innerType?: SchemaLike;
  readonly element?: SchemaLike;
  readonly options?: readonly SchemaLike[];
  readonly values?: readonly JsonValue[];
  readonly entries?: Readonly<Record<string, string>>;
}
interface SchemaLike {
  readonly _zod: { readonly def: Definition };
}

function membersNotTold(server: Exchange['server'], route: string, answer: JsonValue): Change[] {
  if (server === 'node') {
    const row = (ledgerRoutes as Readonly<Record<string, { readonly reply: unknown }>>)[route];
    return row ? absent(row.reply as SchemaLike, answer) : [];
  }
  const row = allRoutes[route as keyof typeof allRoutes];
  const schema = row.reply as unknown as SchemaLike;
  if (!('envelope' in row) || !isJsonObject(answer)) return absent(schema, answer);
  const inside = Object.entries(answer).find(([, value]) => isJsonObject(value));
  if (!inside) return [];
  return absent(schema, inside[1]).map(({ name, about, value }) => ({
    name,
    about: [inside[0], ...about],
    value: { ...answer, [inside[0]]: value ?? null },
  }));
}

/** Members that the schema knows and the value does not have, each put in. */
function absent(schema: SchemaLike, value: JsonValue): Change[] {
  const { type, innerType, shape, element } = schema._zod.def;
  if (innerType && (type === 'optional' || type === 'nullable')) return absent(innerType, value);
  if (type === 'array' && element && Array.isArray(value) && value[0] !== undefined)
    return absent(element, value[0]).map((made) => ({
      ...made,
      about: ['0', ...made.about],
      value: [made.value ?? null, ...value.slice(1)],
    }));
  if (!shape || !isJsonObject(value)) return [];
  return Object.entries(shape).flatMap(([name, member]) =>
    Object.hasOwn(value, name)
      ? absent(member, value[name] as JsonValue).map((made) => ({
          ...made,
          about: [name, ...made.about],
          value: { ...value, [name]: made.value ?? null },
        }))
      : [change('put in', { ...value, [name]: sampleOf(member) }, [name])],
  );
}

function sampleOf({ _zod: { def } }: SchemaLike): JsonValue {
  const { type, innerType, element, options, values, entries, shape } = def;
  if (innerType) return sampleOf(innerType);
  if (element) return [sampleOf(element)];
  if (options?.[0]) return sampleOf(options[0]);
  if (values) return values[0] ?? null;
  if (entries) return Object.values(entries)[0] ?? '';
  if (shape) return samplesOf(shape);
  const samples: Readonly<Record<string, JsonValue>> = {
    number: 1,
    bigint: 1,
    custom: 1,
    boolean: true,
    record: {},
  };
  return samples[type] ?? '1';
}

const samplesOf = (shape: Readonly<Record<string, SchemaLike>>): JsonObject =>
  Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, sampleOf(member)]));
