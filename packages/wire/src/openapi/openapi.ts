/**
 * The OpenAPI 3.1 documents, made from the route tables alone; named schemas become components. Of the ledger: each
 * route at both of its paths, with GET and POST; a route that needs a body only with POST; what is posted to a query
 * are its parameters. Of the service: every path of every route, plain, alias and sealed, with its parameters, bodies,
 * replies and each fault that it may answer.
 */
import { Fault, type FaultName, faults } from '@symbolon/core/faults/faults';
import { type CodeName, codeRows, codes } from '@symbolon/core/ledger/terms/codes';
import * as z from 'zod';
import { problemReply } from '../credentials/replies.ts';
import type { LedgerRoute, RouteTable } from '../http/ledger-route.ts';
import { type ParameterTable, parameterSchema } from '../http/parameters.ts';
import {
  commonFaults,
  faultsOf,
  type ServiceRoute,
  type ServiceRouteTable,
  sealedFaults,
  type TextShape,
} from '../http/service-route.ts';
import type { JsonObject } from '../json/json.ts';
import { refusal as refusalSchema } from '../ledger/schemas.ts';

export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
}

export interface JsonSchema {
  [keyword: string]: unknown;
}
type Schemas = Record<string, JsonSchema>;

export interface OpenApiDocument<Described extends ApiOperation = ApiOperation> {
  readonly openapi: '3.1.0';
  readonly info: ApiInfo;
  readonly servers?: readonly { readonly url: string }[];
  readonly tags?: readonly { readonly name: string }[];
  readonly paths: Record<string, Record<string, Described>>;
  readonly components: {
    readonly schemas: Schemas;
    readonly securitySchemes?: Record<string, object>;
  };
}

export interface ApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly Record<string, readonly string[]>[];
  readonly parameters: readonly object[];
  readonly requestBody?: object;
  readonly responses: Record<string, object>;
}

export interface LedgerOperation extends ApiOperation {
  readonly description: string;
  readonly 'x-error-codes': readonly number[];
}

const jsonContent = (schema: JsonSchema) => ({ 'application/json': { schema } });

/** The schema inline, its named parts moved to the components. */
function schemaOf(schema: z.ZodType, schemas: Schemas): JsonSchema {
  const generated = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const text = JSON.stringify(generated).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $schema: _, $defs, ...inline } = JSON.parse(text) as JsonSchema;
  Object.assign(schemas, $defs);
  return inline;
}

export function openApiDocument(routes: RouteTable, info: ApiInfo): OpenApiDocument<LedgerOperation> {
  const schemas: Schemas = {};
  const paths: OpenApiDocument<LedgerOperation>['paths'] = {};
  for (const [name, route] of Object.entries(routes)) {
    for (const spelling of [name, ...(route.aliases ?? [])]) {
      paths[`/${spelling}`] = pathItem(spelling, route, schemas);
      paths[`/v1/${route.group}/${spelling}`] = pathItem(`v1_${spelling}`, route, schemas);
    }
  }
  return { openapi: '3.1.0', info, paths, components: { schemas } };
}

function pathItem(id: string, route: LedgerRoute, schemas: Schemas): Record<string, LedgerOperation> {
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
  route: LedgerRoute,
  { schemas, requestBody }: { schemas: Schemas; requestBody?: { requestBody: object } },
): LedgerOperation {
  // Whatever is asked, a parameter or member that is not known is refused.
  const answered = new Set<CodeName>([
    'success',
    'invalidParameter',
    ...(route.codes ?? []),
    'internalError',
  ]);
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
function replySchema(reply: z.ZodType, schemas: Schemas): JsonSchema {
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

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key of the service' },
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
};

export function serviceOpenApiDocument(routes: ServiceRouteTable, info: ApiInfo): OpenApiDocument {
  const schemas: Schemas = { Problem: schemaOf(problemReply, {}) };
  const paths: OpenApiDocument['paths'] = {};
  const add = (path: string, method: string, operation: ApiOperation) => {
    const template = path.replaceAll(/:(\w+)/g, '{$1}');
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation };
  };
  for (const [name, route] of Object.entries(routes)) {
    add(route.path, route.method, plainOperation(name, route, schemas));
    for (const [index, alias] of (route.aliases ?? []).entries())
      add(alias, route.method, plainOperation(`${name}Alias${index + 1}`, route, schemas));
    if (route.sealedPath !== undefined)
      add(route.sealedPath, route.method, sealedOperation(`${name}Sealed`, route));
  }
  const groups = [...new Set(Object.values(routes).map(({ group }) => group))];
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    tags: groups.map((name) => ({ name })),
    paths,
    components: { schemas, securitySchemes },
  };
}

function plainOperation(operationId: string, route: ServiceRoute, schemas: Schemas): ApiOperation {
  return {
    operationId,
    tags: [route.group],
    summary: route.summary,
    ...access(route),
    parameters: [
      ...textParameters(route.params, 'path'),
      ...textParameters(route.query, 'query'),
      ...headerParameters(route),
    ],
    ...(route.body && {
      requestBody: { required: true, content: jsonContent(schemaOf(route.body, schemas)) },
    }),
    responses: plainResponses(route, schemas),
  };
}

/** The reply and the faults, in the envelope of the route if it has one. */
function plainResponses(route: ServiceRoute, schemas: Schemas): Record<string, object> {
  const reply = schemaOf(route.reply, schemas);
  const types = route.replyTypes ?? ['application/json'];
  const content = Object.fromEntries(types.map((type) => [type, { schema: reply }]));
  if (!route.envelope)
    return {
      200: route.lastEvent === undefined ? { description: 'Done', content } : streamed(reply),
      ...otherResponses(route, reply),
      ...faultResponses(faultsOf(route), route.replyTypes && content),
    };
  const { success, failure } = route.envelope.describe(reply as JsonObject);
  const refused = wrappedRefusals(route, jsonContent(failure));
  // Events come without the envelope, what is refused before them in it.
  if (route.lastEvent !== undefined) return { ...Object.fromEntries(refused), 200: streamed(reply) };
  // Custody answers 200 whatever happened and the facilitator says no with it, so a refusal is another form of that answer.
  const inSuccess = refused.find(([status]) => status === 200);
  const schema = inSuccess ? { anyOf: [success, failure] } : success;
  const description = inSuccess ? `Done, or refused: ${inSuccess[1].description}` : 'Done';
  return {
    ...otherResponses(route, success as JsonSchema),
    ...Object.fromEntries(refused),
    200: { description, content: jsonContent(schema) },
  };
}

const streamed = (schema: JsonSchema) => ({
  description: 'Events; each one is such a text',
  content: { 'text/event-stream': { schema } },
});

const otherResponses = ({ otherStatuses = {} }: ServiceRoute, schema: JsonSchema): Record<string, object> =>
  Object.fromEntries(
    Object.entries(otherStatuses).map(([status, description]) => [
      status,
      { description, content: jsonContent(schema) },
    ]),
  );

/** What a route refuses inside of its envelope, by status. */
function wrappedRefusals(route: ServiceRoute, content: object) {
  const names = [...new Set(faultsOf(route))];
  return [...new Set(names.map((name) => wrappedStatus(route, name)))].map((status) => {
    const description = described(names.filter((name) => wrappedStatus(route, name) === status));
    return [status, { description, content }] as const;
  });
}

const wrappedStatus = ({ envelope }: ServiceRoute, name: FaultName): number =>
  envelope?.failure(new Fault(name), '').status ?? faults[name][0];

const sealedText = { 'text/plain': { schema: { type: 'string' } } };

const sealParameters = [
  {
    name: 'secretKey',
    required: true,
    description: 'The AES key under the RSA key of the service, base64url',
  },
  { name: 'x25519PubKey', required: true, description: "The caller's X25519 public key" },
  { name: 'kid', required: false, description: 'Which keys of the service were used' },
].map((parameter) => ({ ...parameter, in: 'header', schema: { type: 'string' } }));

function sealedOperation(operationId: string, route: ServiceRoute): ApiOperation {
  return {
    operationId,
    tags: [route.group],
    summary: `${route.summary} (sealed)`,
    description: `Body and answer are those of ${route.path}, sealed: base64url of IV, ciphertext and tag.`,
    ...access(route),
    parameters: [...sealParameters, ...headerParameters(route)],
    requestBody: { required: true, content: sealedText },
    responses: sealedResponses(route),
  };
}

/** What is refused before it is opened is a problem, in clear; all else has the status that it has without a seal. */
function sealedResponses(route: ServiceRoute): Record<string, Response> {
  const done = { description: 'Done; the answer is sealed', content: sealedText };
  if (!route.envelope) return { 200: done, ...faultResponses([...faultsOf(route), ...sealedFaults]) };
  const inClear = faultResponses([...sealedFaults, ...commonFaults]);
  const responses: Record<string, Response> = { 200: done, ...inClear };
  for (const [status, inside] of wrappedRefusals(route, sealedText)) {
    const other = responses[status];
    responses[status] = other
      ? {
          description: `${other.description}; ${inside.description}`,
          content: { ...other.content, ...inside.content },
        }
      : inside;
  }
  return responses;
}

interface Response {
  readonly description: string;
  readonly content: object;
}

function access({ access, scope, isKeyInBody }: ServiceRoute): Partial<ApiOperation> {
  if (access === 'open') return {};
  const security = Object.keys(securitySchemes).map((scheme) => ({ [scheme]: [] }));
  const needed = scope === undefined ? '' : `Needs an API key with the scope ${scope}. `;
  const inBody = isKeyInBody ? 'The key may also stand in the body, as member authorization.' : '';
  const description = (needed + inBody).trim();
  return {
    security: access === 'optionalKey' ? [...security, {}] : security,
    ...(description !== '' && { description }),
  };
}

function textParameters(shape: TextShape | undefined, where: 'path' | 'query'): object[] {
  return Object.entries(shape?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: where,
    required: where === 'path' || !schema.safeParse(undefined).success,
    ...(schema.description !== undefined && { description: schema.description }),
    schema: schemaOf(schema, {}),
  }));
}

const headerParameters = ({ isIdempotent, headers = [] }: ServiceRoute): object[] => [
  ...headers.map((header) => ({ ...header, in: 'header', required: false, schema: { type: 'string' } })),
  ...(isIdempotent
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description: 'A request sent again with the same key is answered again, not done again',
          schema: { type: 'string', maxLength: 255 },
        },
      ]
    : []),
];

const described = (names: readonly FaultName[]): string =>
  names.map((name) => `${name}: ${faults[name][1]}`).join('; ');

/** Where waiting helps, the answer says how long. */
const waitHeader = (status: number): object =>
  status === 429 || status === 503
    ? { headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } } }
    : {};

/** One response for each status; which faults have it stands in its description. A route may have forms of its own. */
function faultResponses(names: readonly FaultName[], ownForms: object = {}): Record<string, Response> {
  const responses: Record<string, Response> = {};
  const content = {
    ...ownForms,
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  };
  for (const name of new Set(names)) {
    const [status] = faults[name];
    const same = [...new Set(names)].filter((other) => faults[other][0] === status);
    responses[status] ??= { description: described(same), ...waitHeader(status), content };
  }
  return responses;
}
