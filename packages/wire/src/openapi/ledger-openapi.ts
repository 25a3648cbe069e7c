/**
 * The OpenAPI document of the ledger: one operation a route. A query is shown as GET, with its parameters in the
 * address, what takes a body as POST.
 */
import { type CodeName, codeRows, codes } from '@symbolon/core/ledger/terms/codes';
import type { z } from 'zod';
import type { LedgerRoute, RouteTable } from '../http/ledger-route.ts';
import { parameterSchema } from '../http/parameters.ts';
import { refusal as refusalSchema } from '../ledger/schemas.ts';
import type { Example } from './examples.ts';
import { ledgerTags } from './jobs.ts';
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

export interface LedgerOperation extends ApiOperation {
  readonly 'x-error-codes': readonly number[];
}

export function ledgerOpenApiDocument(
  routes: RouteTable,
  info: ApiInfo,
  { vocabulary, examples }: DocumentTools,
): OpenApiDocument<LedgerOperation> {
  const writer = new SchemaWriter(vocabulary);
  const paths: OpenApiDocument<LedgerOperation>['paths'] = {};
  for (const [name, route] of Object.entries(routes))
    paths[`/v1/${route.group}/${name}`] = {
      [route.body ? 'post' : 'get']: operation(name, route, { writer, example: examples[name] }),
    };
  const tags = Object.values(ledgerTags);
  const { schemas } = writer;
  return { openapi: '3.1.0', info, servers: [{ url: '/' }], tags, paths, components: { schemas } };
}

interface Making {
  readonly writer: SchemaWriter;
  readonly example: Example | undefined;
}

function operation(name: string, route: LedgerRoute, { writer, example }: Making): LedgerOperation {
  // Whatever is asked, a parameter or member that is not known is refused.
  const answered = new Set<CodeName>([
    'success',
    'invalidParameter',
    ...(route.codes ?? []),
    'internalError',
  ]);
  const numbers = [...answered].map((code) => codes[code]);
  const spellings = [name, ...(route.aliases ?? [])];
  const others = [
    ...spellings.slice(1).map((spelling) => `/v1/${route.group}/${spelling}`),
    ...spellings.map((spelling) => `/${spelling}`),
  ];
  return {
    operationId: name,
    tags: [ledgerTags[route.group].name],
    summary: route.summary,
    description: paragraphs(
      route.body ? '' : postText(route),
      otherPathsText(others),
      `Answers error_code ${numbers.map(describeCode).join('; ')}.`,
    ),
    'x-other-paths': others,
    parameters: Object.entries(route.query).map(([parameter, shape]) =>
      withExample(
        {
          name: parameter,
          in: 'query',
          required: false,
          description: shape.description,
          schema: parameterSchema(shape),
        },
        example,
      ),
    ),
    ...(route.body && {
      requestBody: {
        required: true,
        content: jsonContent(writer.write(route.body, name), example?.body),
      },
    }),
    responses: responses(route, name, { writer, example }),
    'x-error-codes': numbers,
  };
}

const postText = ({ query }: LedgerRoute): string =>
  Object.keys(query).length === 0
    ? 'POST does the same.'
    : 'POST does the same, with the parameters as members of a JSON body.';

/** What is refused before it reaches a route, by status. */
const refusedBefore: Readonly<Record<number, string>> = {
  403: 'Pages of this origin may not ask',
  413: 'The body is too large',
  421: 'The node does not go by the name that was asked for',
  500: 'Internal service defect',
};

function responses(route: LedgerRoute, name: string, { writer, example }: Making) {
  const told: Record<string, ApiResponse> = {
    200: {
      description: 'Any outcome; error_code tells which',
      content: jsonContent(replySchema(route.reply, name, writer), example?.reply),
    },
  };
  const refused = jsonContent(writer.write(refusalSchema, 'Refusal'));
  for (const [status, description] of Object.entries(refusedBefore))
    told[status] = { description, content: refused };
  return told;
}

/** A refusal has an envelope, also where an answer has none. */
function replySchema(reply: z.ZodType, name: string, writer: SchemaWriter): JsonSchema {
  const schema = writer.write(reply, name);
  const properties = (schema.properties ?? {}) as JsonSchema;
  return 'result' in properties || 'results' in properties
    ? schema
    : { anyOf: [schema, writer.write(refusalSchema, 'Refusal')] };
}

function describeCode(code: number): string {
  const row = codeRows.find((candidate) => candidate.code === code);
  return row ? `${code} (${row.meaning})` : String(code);
}
