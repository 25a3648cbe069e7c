/**
 * The OpenAPI document of the credential service: one operation a route, with its parameters, bodies, replies and each
 * fault that it may answer. Aliases and the sealed path are listed with it.
 */

import { Fault, type FaultName, faults } from '@symbolon/core/faults/faults';
import type * as z from 'zod';
import { problemReply } from '../credentials/replies.ts';
import {
  type BodyKind,
  faultsOf,
  type ServiceRoute,
  type ServiceRouteTable,
  sealedFaults,
  type TextShape,
} from '../http/service-route.ts';
import type { JsonObject } from '../json/json.ts';
import type { Example } from './examples.ts';
import { serviceTags, tagGroups } from './jobs.ts';
import {
  type ApiInfo,
  type ApiOperation,
  type ApiResponse,
  type DocumentTools,
  type JsonSchema,
  jsonContent,
  type OpenApiDocument,
  otherPathsText,
  paragraphs,
  SchemaWriter,
  withExample,
} from './openapi.ts';
import { documentSchemas } from './words/document-schemas.ts';
import { lookUp, type Vocabulary } from './words/vocabulary.ts';

const keySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key of the service' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'The same key, for clients whose Authorization header is taken',
  },
};
const grantSchemes = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token of the issuer: Bearer, or DPoP with a proof in the header DPoP',
  },
};
const securitySchemes = { ...keySchemes, ...grantSchemes };

/** How a body is written; JSON, if it is not in here. */
const bodyTypes: Readonly<Partial<Record<BodyKind, readonly string[]>>> = {
  form: ['application/x-www-form-urlencoded'],
  jsonOrJwt: ['application/json', 'application/jwt'],
};

export interface ServiceOperation extends ApiOperation {
  /** Where the same is served sealed. */
  readonly 'x-sealed-path'?: string;
}

/** What the operations of one document share while they are made. */
interface Making {
  readonly writer: SchemaWriter;
  readonly vocabulary: Vocabulary;
  readonly example: Example | undefined;
}

export function serviceOpenApiDocument(
  routes: ServiceRouteTable,
  info: ApiInfo,
  { vocabulary, examples }: DocumentTools,
): OpenApiDocument<ServiceOperation> {
  const writer = new SchemaWriter(vocabulary);
  writer.schemas.Problem = writer.write(problemReply, 'Problem');
  for (const schema of documentSchemas) writer.write(schema, 'document');
  const paths: OpenApiDocument<ServiceOperation>['paths'] = {};
  for (const [name, route] of Object.entries(routes)) {
    const path = templated(route.path);
    const making = { writer, vocabulary, example: examples[name] };
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route, making) };
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    tags: serviceTags(),
    'x-tagGroups': tagGroups(),
    paths,
    components: { schemas: writer.schemas, parameters: sealParameters, securitySchemes },
  };
}

const templated = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

function operation(name: string, route: ServiceRoute, making: Making): ServiceOperation {
  const { writer, example } = making;
  const { aliases = [] } = route;
  const sealedPath = route.sealedPath === undefined ? undefined : templated(route.sealedPath);
  const others = aliases.map((alias) => `${route.method} ${templated(alias)}`);
  return {
    operationId: name,
    tags: [route.group],
    summary: route.summary,
    description: paragraphs(
      accessText(route),
      otherPathsText(others),
      sealedPath === undefined ? '' : `Sealed at \`${route.method} ${sealedPath}\`: see Sealed requests.`,
    ),
    ...(others.length > 0 && { 'x-other-paths': others }),
    ...(sealedPath !== undefined && { 'x-sealed-path': sealedPath }),
    ...security(route),
    parameters: [
      ...textParameters(name, route.params, { where: 'path', ...making }),
      ...textParameters(name, route.query, { where: 'query', ...making }),
      ...headerParameters(route),
    ].map((parameter) => withExample(parameter, example)),
    ...(route.body && {
      requestBody: {
        required: true,
        content: typedContent(
          bodyTypes[route.bodyKind ?? 'json'] ?? ['application/json'],
          writer.write(route.body, name),
          example?.body,
        ),
      },
    }),
    responses: responses(name, route, making),
  };
}

const typedContent = (types: readonly string[], schema: JsonSchema, example?: unknown) =>
  Object.fromEntries(types.map((type) => [type, jsonContent(schema, example)['application/json']]));

/** What is documented of a route, with what was answered to its example. */
function responses(name: string, route: ServiceRoute, making: Making): Record<string, ApiResponse> {
  const told = plainResponses(name, route, making.writer);
  const { example } = making;
  if (!example) return told;
  const { content, headers, ...rest } = told[example.status];
  const [first, ...others] = Object.entries(content);
  if (!first) return told;
  const [type, shape] = first;
  const shown = { ...Object.fromEntries([[type, { ...shape, example: example.reply }], ...others]) };
  const withHeaderExamples = headers && { headers: shownHeaders(headers, example) };
  return { ...told, [example.status]: { ...rest, ...withHeaderExamples, content: shown } };
}

const shownHeaders = (headers: object, { headers: came = {} }: Example): object =>
  Object.fromEntries(
    Object.entries(headers).map(([name, header]: [string, object]) => [
      name,
      name in came ? { ...header, example: came[name] } : header,
    ]),
  );

/** The reply and the faults, in the envelope of the route if it has one. */
function plainResponses(
  name: string,
  route: ServiceRoute,
  writer: SchemaWriter,
): Record<string, ApiResponse> {
  const reply = writer.write(route.reply, name);
  const { status: usual = 200 } = route;
  const types = usual === 204 ? [] : (route.replyTypes ?? ['application/json']);
  const content = typedContent(types, reply);
  if (!route.envelope) {
    const told = {
      [usual]: route.lastEvent === undefined ? { description: 'Done', content } : streamed(reply),
      ...faultResponses(faultsOf(route), route.replyTypes && content),
    };
    return withHeaders(
      withOtherStatuses(told, route, (own) => writer.write(own ?? route.reply, name)),
      route,
    );
  }
  const { success, failure } = route.envelope.describe(reply as JsonObject);
  const { refusalName } = route.envelope;
  const done = writer.describe(success, 'Envelope');
  writer.schemas[refusalName] ??= writer.describe(failure, refusalName);
  const refusal = { $ref: `#/components/schemas/${refusalName}` };
  const refused = wrappedRefusals(route, jsonContent(refusal));
  // Events come without the envelope, what is refused before them in it.
  if (route.lastEvent !== undefined) return { ...Object.fromEntries(refused), 200: streamed(reply) };
  // Custody answers 200 whatever happened and the facilitator says no with it, so a refusal is another form of that answer.
  const inSuccess = refused.find(([status]) => status === 200);
  const schema = inSuccess ? { anyOf: [done, refusal] } : done;
  const description = inSuccess ? `Done, or refused: ${inSuccess[1].description}` : 'Done';
  const told = {
    ...Object.fromEntries(refused),
    [usual]: { description, content: typedContent(types, schema) },
  };
  const schemaOf = (own: z.ZodType | undefined) => (own ? writer.write(own, name) : done);
  return withHeaders(withOtherStatuses(told, route, schemaOf), route);
}

const streamed = (schema: JsonSchema): ApiResponse => ({
  description: 'Events; each one is such a text',
  content: { 'text/event-stream': { schema } },
});

/** The answers that are no faults; where faults have the same status, their form is another one of that answer. */
function withOtherStatuses(
  told: Record<string, ApiResponse>,
  { otherStatuses = {} }: ServiceRoute,
  schemaOf: (reply: z.ZodType | undefined) => JsonSchema,
): Record<string, ApiResponse> {
  const added = Object.entries(otherStatuses).map(([status, { when, reply }]) => {
    const [schema, refused] = [schemaOf(reply), told[status]];
    if (!refused) return [status, { description: when, content: jsonContent(schema) }] as const;
    const [[type, shape]] = Object.entries(refused.content);
    const content = { [type]: { schema: { anyOf: [schema, (shape as { schema: JsonSchema }).schema] } } };
    return [status, { ...refused, description: `${when}; ${refused.description}`, content }] as const;
  });
  return { ...told, ...Object.fromEntries(added) };
}

/** With the headers that the answers have. */
function withHeaders(
  told: Record<string, ApiResponse>,
  { replyHeaders = {} }: ServiceRoute,
): Record<string, ApiResponse> {
  const added = Object.entries(replyHeaders).map(([status, shapes]) => {
    const headers = shapes.map(({ name, description }) => [
      name,
      { description, schema: { type: 'string' } },
    ]);
    const { headers: others, ...response } = told[status];
    return [status, { ...response, headers: { ...others, ...Object.fromEntries(headers) } }] as const;
  });
  return { ...told, ...Object.fromEntries(added) };
}

/** What a route refuses inside of its envelope, by status. */
function wrappedRefusals(route: ServiceRoute, content: ApiResponse['content']) {
  const names = [...new Set(faultsOf(route))];
  return [...new Set(names.map((name) => wrappedStatus(route, name)))].map((status) => {
    const description = described(names.filter((name) => wrappedStatus(route, name) === status));
    return [status, { description, ...waitHeader(status), content }] as const;
  });
}

const wrappedStatus = ({ envelope }: ServiceRoute, name: FaultName): number =>
  envelope?.failure(new Fault(name), '').status ?? faults[name][0];

/** What a sealed request has beside the headers of its route; body and answer are texts. */
const sealParameters = Object.fromEntries(
  [
    {
      name: 'secretKey',
      required: true,
      description: 'The AES key of the request, encrypted with the RSA key of the service (OAEP), base64url',
    },
    {
      name: 'x25519PubKey',
      required: true,
      description: "The caller's X25519 public key of this request: base58, base64url or hex",
    },
    {
      name: 'kid',
      required: false,
      description: 'Which keys of the service were used, as GET /cred/v1/keys names them',
    },
  ].map((parameter) => [parameter.name, { ...parameter, in: 'header', schema: { type: 'string' } }]),
);

/** What sealed requests may be refused with before they are opened. */
export const sealedRefusals = (): string => described(sealedFaults);

function accessText({ access, scope, isKeyInBody }: ServiceRoute): string {
  if (access === 'open') return 'Needs no API key.';
  if (access === 'grant') return 'Needs an access token of the issuer, as Bearer or DPoP.';
  const who =
    access === 'optionalKey'
      ? 'An API key is optional; one that is shown must be good.'
      : `Needs an API key${scope === undefined ? '' : ` with the scope \`${scope}\``}.`;
  return isKeyInBody ? `${who} The key may also stand in the body, as member authorization.` : who;
}

function security({ access }: ServiceRoute): Pick<ApiOperation, 'security'> {
  if (access === 'open') return {};
  const schemes = Object.keys(access === 'grant' ? grantSchemes : keySchemes).map((scheme) => ({
    [scheme]: [],
  }));
  return { security: access === 'optionalKey' ? [...schemes, {}] : schemes };
}

interface ParameterPlace extends Making {
  readonly where: 'path' | 'query';
}

function textParameters(
  owner: string,
  shape: TextShape | undefined,
  { where, writer, vocabulary }: ParameterPlace,
) {
  return Object.entries(shape?.shape ?? {}).map(([name, schema]) => {
    const description = schema.description ?? lookUp([owner, name], vocabulary.words);
    return {
      name,
      in: where,
      required: where === 'path' || !schema.safeParse(undefined).success,
      ...(description !== undefined && { description }),
      schema: writer.write(schema, owner),
    };
  });
}

const headerParameters = ({ isIdempotent, headers = [] }: ServiceRoute) => [
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
const waitHeader = (status: number): Pick<ApiResponse, 'headers'> =>
  status === 429 || status === 503
    ? { headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } } }
    : {};

/** One response for each status; which faults have it stands in its description. A route may have forms of its own. */
function faultResponses(
  names: readonly FaultName[],
  ownForms: ApiResponse['content'] = {},
): Record<string, ApiResponse> {
  const responses: Record<string, ApiResponse> = {};
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
