/**
 * What can be set: walks a zod schema and lists every setting with its path, its environment name, how a text becomes a
 * value of its type, and whether it is secret. Knows nothing about where values come from.
 */
import { assert } from '@symbolon/core/basics/assert';
import { z } from 'zod';

export type Schema = z.core.$ZodType;

export interface Setting {
  readonly path: readonly string[];
  readonly env: string;
  readonly schema: Schema;
  readonly secret: boolean;
  readonly isEmptyMeant: boolean;
  readonly description: string | undefined;
}

/** The parts of a zod definition this file reads; which are present depends on `type`. */
interface Definition {
  readonly type: string;
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly element?: Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
}

const definitionOf = (schema: Schema) => schema._zod.def as unknown as Definition;

/** Marks a setting whose value must never be printed: not in errors, not in logs. */
export function secret<S extends z.ZodType>(schema: S): S {
  return schema.meta({ ...schema.meta(), secret: true });
}

/** Marks a setting whose empty text in the environment is a value; elsewhere it is as if it were not set. */
export function emptyIsMeant<S extends z.ZodType>(schema: S): S {
  return schema.meta({ ...schema.meta(), emptyIsMeant: true });
}

/** The layers of a schema, outside in: a default around an optional around a number, say. */
function layersOf(schema: Schema): Schema[] {
  const { type, innerType, in: input } = definitionOf(schema);
  const next = innerType ?? (type === 'pipe' ? input : undefined);
  return next ? [schema, ...layersOf(next)] : [schema];
}

const innermost = (schema: Schema) => layersOf(schema).at(-1) as Schema;

/** The named parts of an object schema, through defaults and the like; undefined for everything else. */
export function shapeOf(schema: Schema): Readonly<Record<string, Schema>> | undefined {
  const { type, shape } = definitionOf(innermost(schema));
  return type === 'object' ? shape : undefined;
}

const upperSnake = (name: string) => name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();

export const envNameOf = (prefix: string, path: readonly string[]) => prefix + path.map(upperSnake).join('_');

/** Every setting of a schema in its order; two settings that would share an environment name are a bug. */
export function listSettings(schema: Schema, prefix: string): Setting[] {
  const walk = (part: Schema, path: readonly string[], hidden: boolean): Setting[] => {
    const notes = layersOf(part).map((layer) => z.globalRegistry.get(layer));
    const isSecret = hidden || notes.some((note) => note?.secret === true);
    const shape = shapeOf(part);
    if (shape) return Object.entries(shape).flatMap(([key, inner]) => walk(inner, [...path, key], isSecret));
    const description = notes.find((note) => note?.description !== undefined)?.description;
    const isEmptyMeant = notes.some((note) => note?.emptyIsMeant === true);
    const env = envNameOf(prefix, path);
    return [{ path, env, schema: part, secret: isSecret, isEmptyMeant, description }];
  };
  assert(shapeOf(schema), 'a configuration is an object');
  const settings = walk(schema, [], false);
  const names = new Set(settings.map(({ env }) => env));
  assert(names.size === settings.length, 'two settings share an environment name');
  return settings;
}

export type SettingReading = { readonly value: unknown } | { readonly problem: string };

const numberText = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;
const integerText = /^[+-]?\d+$/;

const booleanTexts: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

function readList(element: Schema | undefined, text: string): SettingReading {
  if (text.startsWith('[')) return readJson(text, 'must be a list: items with commas between them, or JSON');
  const items = text.split(',').map((item) => item.trim());
  const readings = items
    .filter((item) => item !== '')
    .map((item) => (element ? readSettingText(element, item) : { value: item }));
  const wrong = readings.find((reading) => 'problem' in reading);
  return wrong ?? { value: readings.map((reading) => 'value' in reading && reading.value) };
}

function readJson(text: string, problem: string): SettingReading {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem };
  }
}

/** Reads a text from the environment as a value of the setting's type. */
export function readSettingText(schema: Schema, text: string): SettingReading {
  const definition = definitionOf(innermost(schema));
  switch (definition.type) {
    case 'number':
      return numberText.test(text) ? { value: Number(text) } : { problem: 'must be a number' };
    case 'bigint':
      return integerText.test(text) ? { value: BigInt(text) } : { problem: 'must be a whole number' };
    case 'boolean':
      return Object.hasOwn(booleanTexts, text)
        ? { value: booleanTexts[text] }
        : { problem: 'must be true or false' };
    case 'array':
      return readList(definition.element, text);
    case 'record':
      return readJson(text, 'must be a JSON object');
    case 'string':
    case 'enum':
    case 'literal':
      return { value: text };
    default: {
      const reading = readJson(text, '');
      return 'value' in reading ? reading : { value: text };
    }
  }
}

/** Reads a JSON value: whole numbers and texts of digits serve where a 64-bit integer is wanted. */
export function readJsonValue(schema: Schema, value: unknown): unknown {
  const wantsBigint = definitionOf(innermost(schema)).type === 'bigint';
  if (wantsBigint && typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (wantsBigint && typeof value === 'string' && integerText.test(value)) return BigInt(value);
  return value;
}
