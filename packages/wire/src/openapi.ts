/**
 * The OpenAPI 3.1 document of a route table, made from the table alone: each route at both of its paths, with GET
 * and POST; a route that needs a body only with POST, because a GET body has no meaning there. Named schemas
 * become components.
 */
import { type CodeName, codeRows, codes } from '@symbolon/core/ledger/codes';
import * as z from 'zod';
import type { Route, RouteTable } from './route.ts';

export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
}

export interface JsonSchema {
  [keyword: string]: unknown;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: ApiInfo;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, JsonSchema> };
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly object[];
  readonly requestBody?: object;
  readonly responses: Record<string, object>;
  readonly 'x-error-codes': readonly number[];
}

export function openApiDocument(routes: RouteTable, info: ApiInfo): OpenApiDocument {
  const schemas: Record<string, JsonSchema> = {};
  const paths: OpenApiDocument['paths'] = {};
  for (const [name, route] of Object.entries(routes)) {
    for (const spelling of [name, ...(route.aliases ?? [])]) {
      paths[`/${spelling}`] = pathItem(spelling, route, schemas);
      paths[`/v1/${route.group}/${spelling}`] = pathItem(`v1_${spelling}`, route, schemas);
    }
  }
  return { openapi: '3.1.0', info, paths, components: { schemas } };
}

function pathItem(id: string, route: Route, schemas: Record<string, JsonSchema>): Record<string, Operation> {
  const post = operation(`${id}_post`, route, schemas);
  return route.body ? { post } : { get: operation(`${id}_get`, route, schemas), post };
}

function operation(operationId: string, route: Route, schemas: Record<string, JsonSchema>): Operation {
  const answered: CodeName[] = ['success', ...route.codes, 'internalError'];
  const numbers = answered.map((name) => codes[name]);
  return {
    operationId,
    tags: [route.group],
    summary: route.summary,
    description: `Answers error_code ${numbers.map(describeCode).join('; ')}.`,
    parameters: Object.entries(route.query.shape).map(([name, schema]) => ({
      name,
      in: 'query',
      required: false,
      description: schema.description ?? '',
      schema: { type: 'string' },
    })),
    ...(route.body && { requestBody: { required: true, content: jsonContent(route.body, schemas) } }),
    responses: {
      200: { description: 'Any outcome; error_code tells which', content: jsonContent(route.reply, schemas) },
      413: { description: 'The body is too large' },
      500: { description: 'Internal service defect' },
    },
    'x-error-codes': numbers,
  };
}

function describeCode(code: number): string {
  const row = codeRows.find((candidate) => candidate.code === code);
  return row ? `${code} (${row.meaning})` : String(code);
}

const jsonContent = (schema: z.ZodType, schemas: Record<string, JsonSchema>) => ({
  'application/json': { schema: schemaOf(schema, schemas) },
});

/** The schema inline, its named parts moved to the components. */
export function schemaOf(schema: z.ZodType, schemas: Record<string, JsonSchema>): JsonSchema {
  const generated = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const text = JSON.stringify(generated).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $schema: _, $defs, ...inline } = JSON.parse(text) as JsonSchema;
  Object.assign(schemas, $defs);
  return inline;
}
