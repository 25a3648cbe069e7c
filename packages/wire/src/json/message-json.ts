/**
 * Protobuf messages as JSON, by reflection over their descriptors: wire names, defaults left out, 64-bit integers bare,
 * bytes as hex, an empty sub-message as null, keys in alphabetical order. Reading is lenient where the public clients
 * need it and answers errors as values. What is special about transactions is a set of rules given from outside
 * (`transaction-json.ts`).
 */
import {
  create,
  type DescField,
  type DescMessage,
  type Message,
  type MessageShape,
  ScalarType,
} from '@bufbuild/protobuf';
import { assert } from '@symbolon/core/basics/assert';
import { emptyBytes, encodeHex, parseHex } from '@symbolon/core/basics/bytes';
import { unknownName } from '@symbolon/core/basics/known-names';
import { int64Max, int64Min } from '@symbolon/core/limits/consensus';
import { jsonLimits } from '@symbolon/core/limits/documents';
import { isJsonObject, type JsonObject, type JsonValue, jsonInteger } from './json.ts';

/** Why a JSON value is not the message it should be: `<field>: <reason>`. */
export interface ReadError {
  readonly error: string;
  /** Of the field that is wrong; empty where it is the whole. */
  readonly path: string;
}

export const isReadError = (result: object): result is ReadError => 'error' in result;

/** What has been read so far: a reader that fails sets the problem and answers undefined. */
export interface JsonReading {
  elementsLeft: number;
  problem: { readonly path: string; readonly reason: string } | undefined;
}

export type MemberReader = (json: JsonValue, reading: JsonReading) => unknown;

/** Rewrites an object before its fields are read, or sets the problem. */
export type Fold = (object: JsonObject, reading: JsonReading) => JsonObject | undefined;

/** The member that is wrong, and what is wrong with it; undefined where nothing is. */
export type ReadingProblem = { readonly path: string; readonly reason: string } | undefined;

/** How messages of some types are read differently, by message type and `type.field` names. */
export interface ReadRules {
  /** How flat shapes become nested ones. */
  readonly folds?: Readonly<Record<string, Fold>>;
  /** Names that a fold takes and that are no fields: what a misspelt one may have meant. */
  readonly folded?: Readonly<Record<string, readonly string[]>>;
  readonly fields?: Readonly<Record<string, MemberReader>>;
  /** What an object must have, once it is folded. */
  readonly needs?: Readonly<Record<string, (object: JsonObject) => ReadingProblem>>;
  /** Refuses members that are not known; they are passed over, if left out. */
  readonly isExact?: true;
}

export type MessageReader = <Desc extends DescMessage>(
  schema: Desc,
  json: JsonValue | undefined,
) => MessageShape<Desc> | ReadError;

export function createMessageReader(rules: ReadRules): MessageReader {
  const plans = new Map<DescMessage, MemberReader>();

  const readerOf = (schema: DescMessage): MemberReader => {
    const known = plans.get(schema);
    if (known) return known;
    const reader = planMessage(schema, rules, readerOf);
    plans.set(schema, reader);
    return reader;
  };

  return <Desc extends DescMessage>(schema: Desc, json: JsonValue | undefined) => {
    const reading: JsonReading = { elementsLeft: jsonLimits.elementsMax, problem: undefined };
    const message = readerOf(schema)(json ?? null, reading);
    if (!reading.problem) return message as MessageShape<Desc>;
    const { path, reason } = reading.problem;
    return { error: path ? `${path}: ${reason}` : reason, path };
  };
}

/** Reads a message by the general rules alone. */
export const messageFromJson: MessageReader = createMessageReader({});

export function complainAt(reading: JsonReading, reason: string, path = ''): undefined {
  reading.problem = { path, reason };
}

function failWithin(reading: JsonReading, place: string): undefined {
  const { path, reason } = reading.problem ?? { path: '', reason: '' };
  const joint = path === '' || path.startsWith('[') ? '' : '.';
  reading.problem = { path: `${place}${joint}${path}`, reason };
}

function planMessage(
  schema: DescMessage,
  rules: ReadRules,
  readerOf: (schema: DescMessage) => MemberReader,
): MemberReader {
  const { typeName } = schema;
  const fold = rules.folds?.[typeName];
  const needs = rules.needs?.[typeName];
  const names = new Set(schema.fields.map(({ name }) => name));
  const known = [...names, ...(rules.folded?.[typeName] ?? [])];
  const complain = (object: JsonObject): ReadingProblem => {
    const unknown = rules.isExact && Object.keys(object).find((name) => !names.has(name));
    return unknown === undefined ? needs?.(object) : { path: '', reason: unknownName(unknown, known) };
  };
  const fields = schema.fields.map((field) => ({
    name: field.name,
    localName: field.localName,
    read: rules.fields?.[`${typeName}.${field.name}`] ?? planField(field, readerOf),
  }));

  return (json, reading) => {
    if (!isJsonObject(json)) return complainAt(reading, 'must be an object');
    const object = fold ? fold(json, reading) : json;
    if (!object) return undefined;
    const complaint = complain(object);
    if (complaint) return complainAt(reading, complaint.reason, complaint.path);
    const message = create(schema) as Message & Record<string, unknown>;
    for (const { name, localName, read } of fields) {
      const value = object[name];
      if (value === undefined || value === null) continue;
      const content = read(value, reading);
      if (reading.problem) return failWithin(reading, name);
      message[localName] = content;
    }
    return message;
  };
}

function planField(field: DescField, readerOf: (schema: DescMessage) => MemberReader): MemberReader {
  if (field.fieldKind === 'scalar') return scalarReader(field.scalar);
  if (field.fieldKind === 'message') return (json, reading) => readerOf(field.message)(json, reading);
  assert(
    field.fieldKind === 'list' && field.listKind !== 'enum',
    `${field.name} has a kind without JSON form`,
  );
  if (field.listKind === 'scalar') return planList(scalarReader(field.scalar));
  const { message } = field;
  return planList((json, reading) => readerOf(message)(json ?? {}, reading));
}

function planList(readElement: MemberReader): MemberReader {
  return (json, reading) => {
    if (!Array.isArray(json)) return complainAt(reading, 'must be an array');
    reading.elementsLeft -= json.length;
    if (reading.elementsLeft < 0) return complainAt(reading, 'has too many elements');
    const elements: unknown[] = [];
    for (let index = 0; index < json.length; index++) {
      elements.push(readElement(json[index], reading));
      if (reading.problem) return failWithin(reading, `[${index}]`);
    }
    return elements;
  };
}

function scalarReader(type: ScalarType): MemberReader {
  const reader = scalarReaders[type];
  assert(reader, `scalar type ${type} has no JSON form`);
  return reader;
}

/** A lone surrogate has no UTF-8 form: encoding would silently turn it into another character. */
const loneSurrogate = /\p{Surrogate}/u;

export function readString(json: JsonValue, reading: JsonReading): string | undefined {
  if (json === null) return '';
  if (typeof json === 'bigint' || Number.isFinite(json)) return String(json);
  return readJsonString(json, reading);
}

/** A text that is written as one. */
export function readJsonString(json: JsonValue, reading: JsonReading): string | undefined {
  if (typeof json !== 'string') return complainAt(reading, 'must be a string');
  return loneSurrogate.test(json) ? complainAt(reading, 'is not Unicode text') : json;
}

export function readInt64(json: JsonValue, reading: JsonReading): bigint | undefined {
  const value = integerOf(json);
  if (value === undefined) return complainAt(reading, 'must be an integer');
  return value < int64Min || value > int64Max ? complainAt(reading, 'is beyond 64 bits') : value;
}

export function readInt32(json: JsonValue, reading: JsonReading): number | undefined {
  const value = integerOf(json);
  if (value === undefined) return complainAt(reading, 'must be an integer');
  return BigInt.asIntN(32, value) !== value ? complainAt(reading, 'is beyond 32 bits') : Number(value);
}

/** Decimal text counts as an integer; blank and null count as 0. Anything inexact is no integer. */
function integerOf(json: JsonValue): bigint | undefined {
  if (typeof json === 'number') return Number.isSafeInteger(json) ? BigInt(json) : undefined;
  if (typeof json === 'bigint') return json;
  if (json === null || json === '') return 0n;
  return typeof json === 'string' && /^-?[0-9]{1,20}$/.test(json) ? BigInt(json) : undefined;
}

/** Programs write truth values in several ways; blank and null count as false. */
const flags: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false, '': false };

export function readFlag(json: JsonValue, reading: JsonReading): boolean | undefined {
  const word = typeof json === 'object' ? (json ?? '') : String(json).toLowerCase();
  if (typeof word === 'string' && Object.hasOwn(flags, word)) return flags[word];
  return complainAt(reading, 'must be true or false');
}

export function readBytes(json: JsonValue, reading: JsonReading): Uint8Array | undefined {
  if (json === null) return emptyBytes;
  const bytes = typeof json === 'string' ? parseHex(json) : undefined;
  return bytes ?? complainAt(reading, 'must be hex of even length');
}

const scalarReaders: Partial<Record<ScalarType, MemberReader>> = {
  [ScalarType.STRING]: readString,
  [ScalarType.INT64]: readInt64,
  [ScalarType.INT32]: readInt32,
  [ScalarType.BOOL]: readFlag,
  [ScalarType.BYTES]: readBytes,
};

/** How messages of some types are written differently, by `type.field` names. */
export interface WriteRules {
  /** Fields that are shown also where they have their default: zero, or a part without members. */
  readonly always?: readonly string[];
  /** A second member beside a field, made from its content; undefined leaves it out. */
  readonly beside?: Readonly<Record<string, { readonly name: string; readonly write: Writer }>>;
}

export type MessageWriter = <Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
) => JsonObject;

/** Answers undefined for what is left out. */
export type Writer = (value: unknown) => JsonValue | undefined;
interface MemberWriter {
  readonly name: string;
  readonly localName: string;
  readonly write: Writer;
}

export function createMessageWriter(rules: WriteRules = {}): MessageWriter {
  const always = new Set(rules.always);
  const plans = new WeakMap<DescMessage, readonly MemberWriter[]>();

  const planOf = (schema: DescMessage): readonly MemberWriter[] => {
    const known = plans.get(schema);
    if (known) return known;
    const plan = schema.fields
      .flatMap((field): MemberWriter[] => {
        const { localName, name } = field;
        const place = `${schema.typeName}.${name}`;
        const beside = rules.beside?.[place];
        const own = { name, localName, write: fieldWriter(field, always.has(place), write) };
        return beside ? [own, { ...beside, localName }] : [own];
      })
      .sort((left, right) => (left.name < right.name ? -1 : 1));
    plans.set(schema, plan);
    return plan;
  };

  const write = (schema: DescMessage, message: unknown): JsonObject => {
    const object: JsonObject = {};
    const content = message as Record<string, unknown>;
    for (const { name, localName, write: writeMember } of planOf(schema)) {
      const json = writeMember(content[localName]);
      if (json !== undefined) object[name] = json;
    }
    return object;
  };
  return write;
}

/** The message as the family's nodes show it, defaults left out. */
export const messageToJson: MessageWriter = createMessageWriter();

type WriteMessage = (schema: DescMessage, message: unknown) => JsonObject;

function fieldWriter(field: DescField, isAlways: boolean, write: WriteMessage): Writer {
  if (field.fieldKind === 'scalar')
    return (value) => (!isAlways && isDefault(value) ? undefined : scalarToJson(value));
  if (field.fieldKind === 'message') {
    const { message } = field;
    const part = (value: unknown) => orNull(write(message, value));
    return isAlways
      ? (value) => write(message, value ?? create(message))
      : (value) => (value === undefined ? undefined : part(value));
  }
  assert(
    field.fieldKind === 'list' && field.listKind !== 'enum',
    `${field.name} has a kind without JSON form`,
  );
  const element: (value: unknown) => JsonValue =
    field.listKind === 'scalar' ? scalarToJson : (value) => orNull(write(field.message, value));
  return (value) => {
    const elements = value as readonly unknown[];
    return elements.length === 0 ? undefined : elements.map(element);
  };
}

function orNull(object: JsonObject): JsonObject | null {
  for (const _ in object) return object;
  return null;
}

const isDefault = (value: unknown): boolean =>
  value === '' || value === 0n || value === 0 || value === false || (value as Uint8Array).length === 0;

function scalarToJson(value: unknown): JsonValue {
  if (typeof value === 'bigint') return jsonInteger(value);
  return value instanceof Uint8Array ? encodeHex(value) : (value as string | number | boolean);
}
