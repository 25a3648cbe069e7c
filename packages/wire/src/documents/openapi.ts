/**
 * The OpenAPI 3.1 document of a route table, made from the table alone: each route at both of its paths, with GET
 * and POST; a route that needs a body only with POST. What is posted to a query are its parameters. Named schemas
 * become components.
 */
import { type CodeName, codeRows, codes } from '@symbolon/core/ledger/terms/codes';
import * as z from 'zod';
import { type ParameterTable, parameterSchema } from '../http/parameters.ts';
import type { Route, RouteTable } from '../http/route.ts';
import { refusal as refusalSchema } from '../ledger/schemas.ts';

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
  const body = route.body
    ? { required: true, content: jsonContent(schemaOf(route.body, schemas)) }
    : { required: false, content: jsonContent(parametersSchema(route.query)) };
  const post = operation(`${id}_post`, route, { schemas, requestBody: { requestBody: body } });
  return route.body ? { post } : { get: operation(`${id}_get`, route, { schemas }), post };
}

/** What is posted to a query: its parameters as members. */
const parametersSchema = (table: ParameterTable): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(table).map(([name, it]) => [name, parameterSchema(it)])),
  additionalProperties: false,
});

function operation(
  operationId: string,
  route: Route,
  { schemas, requestBody }: { schemas: Record<string, JsonSchema>; requestBody?: { requestBody: object } },
): Operation {
  // Whatever is asked, a parameter or member that is not known is refused.
  const answered = new Set<CodeName>(['success', 'invalidParameter', ...route.codes, 'internalError']);
  const numbers = [...answered].map((name) => codes[name]);
  return {
    operationId,
    tags: [route.group],
    summary: route.summary,
    description: `Answers error_code ${numbers.map(describeCode).join('; ')}.`,
    parameters: Object.entries(route.query).map(([name, parameter]) => ({
      name,
      in: 'query',
      required: false,
      description: parameter.description,
      schema: parameterSchema(parameter),
    })),
    ...requestBody,
    responses: {
      200: {
        description: 'Any outcome; error_code tells which',
        content: jsonContent(replySchema(route.reply, schemas)),
      },
      403: { description: 'Pages of this origin may not ask' },
      413: { description: 'The body is too large' },
      421: { description: 'The node does not go by the name that was asked for' },
      500: { description: 'Internal service defect' },
    },
    'x-error-codes': numbers,
  };
}

/** A refusal has an envelope, also where an answer has none. */
function replySchema(reply: z.ZodType, schemas: Record<string, JsonSchema>): JsonSchema {
  const schema = schemaOf(reply, schemas);
  const properties = (schema.properties ?? {}) as JsonSchema;
  return 'result' in properties || 'results' in properties
    ? schema
    : { anyOf: [schema, schemaOf(refusalSchema, schemas)] };
}

function describeCode(code: number): string {
  const row = codeRows.find((candidate) => candidate.code === code);
  return row ? `${code} (${row.meaning})` : String(code);
}

const jsonContent = (schema: JsonSchema) => ({ 'application/json': { schema } });

/** The schema inline, its named parts moved to the components. */
export function schemaOf(schema: z.ZodType, schemas: Record<string, JsonSchema>): JsonSchema {
  const generated = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const text = JSON.stringify(generated).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $schema: _, $defs, ...inline } = JSON.parse(text) as JsonSchema;
  Object.assign(schemas, $defs);
  return inline;
}
