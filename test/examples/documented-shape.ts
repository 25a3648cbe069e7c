/**
 * Holds a value against a schema of a document: whether it fits, and whether it has members that the document does not
 * name. The first is asked of zod, which reads JSON Schema; the second is what no validator of open objects tells.
 */
import type { JsonSchema, OpenApiDocument } from '@symbolon/wire/openapi/openapi';
import * as z from 'zod';

type Components = OpenApiDocument['components']['schemas'];

/** What is wrong with a value, each with its place; nothing if it fits. */
export function misfits(value: unknown, schema: JsonSchema, components: Components): string[] {
  const text = JSON.stringify({ ...schema, $defs: components });
  const local = JSON.parse(text.replaceAll('"#/components/schemas/', '"#/$defs/'));
  const { error } = z.fromJSONSchema(local).safeParse(value);
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

/** Members of a value that no form of the schema names. Where names are free, their values are looked into. */
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
    const free = forms.map(({ additionalProperties }) => additionalProperties).filter(isObject);
    const isTold = free.some((schema) => Object.keys(schema).length > 0 || 'description' in schema);
    return isTold ? below(part, free, '*') : [`/${name}`];
  });
}
