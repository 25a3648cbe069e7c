/**
 * Holds a value against a schema of a document: whether it fits, and whether it has members that the document does not
 * name. The first is asked of zod, which reads JSON Schema; the second is what no validator of open objects tells.
 */
import type { JsonSchema, OpenApiDocument } from '@symbolon/wire/openapi/openapi';
import * as z from 'zod';

type Components = OpenApiDocument['components']['schemas'];

/** Integers of 64 bits as large as the validator knows them: it counts in numbers of JavaScript. */
function withSafeNumbers(value: unknown): unknown {
  const text = JSON.stringify(value, (_, part) => {
    const isTooLarge = typeof part === 'bigint' || (Number.isInteger(part) && !Number.isSafeInteger(part));
    return isTooLarge ? Number.MAX_SAFE_INTEGER : part;
  });
  return text === undefined ? undefined : JSON.parse(text);
}

/** What is wrong with a value, each with its place; nothing if it fits. */
export function misfits(value: unknown, schema: JsonSchema, components: Components): string[] {
  const text = JSON.stringify({ ...schema, $defs: components });
  const local = JSON.parse(text.replaceAll('"#/components/schemas/', '"#/$defs/'));
  const { error } = z.fromJSONSchema(local).safeParse(withSafeNumbers(value));
  return (error?.issues ?? []).map(({ path, message }) => `/${path.join('/')}: ${message}`);
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every schema that a value may be of: what a reference names, and each form of a choice. */
function formsOf(schema: JsonSchema, components: Components): JsonSchema[] {
  const { $ref, anyOf, oneOf, allOf } = schema as {
    $ref?: string;
    anyOf?: JsonSchema[];
    oneOf?: JsonSchema[];
    allOf?: JsonSchema[];
  };
  const named = $ref === undefined ? [] : [components[$ref.split('/').at(-1) as string]];
  const parts = [...named, ...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])];
  return [schema, ...parts.flatMap((part) => formsOf(part, components))];
}

/** Members of a value that no form of the schema names. Where names are free, values are looked into if described. */
export function unnamedMembers(
  value: unknown,
  schemas: readonly JsonSchema[],
  components: Components,
): string[] {
  const forms = schemas.flatMap((schema) => formsOf(schema, components));
  const below = (part: unknown, next: readonly unknown[], name: string): string[] =>
    unnamedMembers(part, next.filter(isObject), components).map((place) => `/${name}${place}`);
  if (Array.isArray(value)) {
    const items = forms.map(({ items: item }) => item);
    return [...new Set(value.flatMap((part) => below(part, items, '*')))];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const named = forms.flatMap(({ properties }) =>
      isObject(properties) && name in properties ? [properties[name]] : [],
    );
    if (named.length > 0) return below(part, named, name);
    const free = forms.filter(({ propertyNames }) => propertyNames !== undefined);
    if (free.length === 0) return [`/${name}`];
    const values = free.map(({ additionalProperties }) => additionalProperties).filter(isObject);
    return values.some((schema) => Object.keys(schema).length > 0) ? below(part, values, '*') : [];
  });
}

/** The ways to all members of a value, each once; elements of an array are alike. */
export function memberPaths(value: unknown, place = ''): string[] {
  if (Array.isArray(value))
    return [...new Set(value.flatMap((part) => memberPaths(part, `${place}/*`)))].sort();
  if (!isObject(value)) return [];
  const paths = Object.entries(value).flatMap(([name, part]) => [
    `${place}/${name}`,
    ...memberPaths(part, `${place}/${name}`),
  ]);
  return [...new Set(paths)].sort();
}
