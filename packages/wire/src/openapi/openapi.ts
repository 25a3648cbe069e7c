/**
 * What an OpenAPI 3.1 document is here, and what both documents are made with. They come from the route tables alone:
 * `ledger-openapi.ts`, `service-openapi.ts`. A route is one operation, however many paths lead to it; the others are
 * listed with it. Named schemas become components; what a schema does not say of its members itself is looked up in the
 * vocabulary (`words/`).
 */
import * as z from 'zod';
import type { Example, Examples } from './examples.ts';
import { describeMembers, type JsonSchema, type Vocabulary } from './words/vocabulary.ts';

export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
}

export type { JsonSchema };
export type Schemas = Record<string, JsonSchema>;

/** Operations that one job needs. */
export interface ApiTag {
  readonly name: string;
  /** How viewers show the name. */
  readonly 'x-displayName'?: string;
  readonly description: string;
}

export interface OpenApiDocument<Described extends ApiOperation = ApiOperation> {
  readonly openapi: '3.1.0';
  readonly info: ApiInfo;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly ApiTag[];
  /** Tags by who needs them, as viewers group them. */
  readonly 'x-tagGroups'?: readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly paths: Record<string, Record<string, Described>>;
  readonly components: {
    readonly schemas: Schemas;
    readonly parameters?: Record<string, object>;
    readonly securitySchemes?: Record<string, object>;
  };
}

export interface ApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  /** Methods and paths that lead to the same. */
  readonly 'x-other-paths'?: readonly string[];
  readonly security?: readonly Record<string, readonly string[]>[];
  readonly parameters: readonly object[];
  readonly requestBody?: object;
  readonly responses: Record<string, ApiResponse>;
}

export interface ApiResponse {
  readonly description: string;
  readonly headers?: object;
  readonly content: Readonly<Record<string, object>>;
}

/** What a document is made with beside its routes. */
export interface DocumentTools {
  readonly vocabulary: Vocabulary;
  readonly examples: Examples;
}

/** Collects the components of one document while its operations are made. */
export class SchemaWriter {
  readonly schemas: Schemas = {};
  readonly #vocabulary: Vocabulary;
  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** The schema inline, its named parts moved to the components. `owner` is whose members they are. */
  write(schema: z.ZodType, owner: string): JsonSchema {
    const generated = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const text = JSON.stringify(generated).replaceAll('"#/$defs/', '"#/components/schemas/');
    const { $schema: _, $defs = {}, ...inline } = JSON.parse(text) as JsonSchema;
    for (const [name, part] of Object.entries($defs as Schemas)) this.#keep(name, part);
    const { id } = inline;
    return typeof id === 'string' ? this.#keep(id, inline) : this.describe(inline, owner);
  }

  /** The same for what is JSON Schema already. */
  describe(schema: JsonSchema, owner: string): JsonSchema {
    return describeMembers(schema, owner, this.#vocabulary);
  }

  /** A component, which is written once, and what refers to it. */
  #keep(name: string, { id: _, ...schema }: JsonSchema): JsonSchema {
    this.schemas[name] ??= this.describe(schema, name);
    return { $ref: `#/components/schemas/${name}` };
  }
}

export const jsonContent = (schema: JsonSchema, example?: unknown) => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});

/** A sentence on the other ways to an operation. */
export const otherPathsText = (paths: readonly string[]): string =>
  paths.length === 0 ? '' : `Also at ${paths.map((path) => `\`${path}\``).join(', ')}.`;

/** Parts of a description, those that are empty left out. */
export const paragraphs = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join('\n\n');

/** The parameter with the value that it has in an example. */
export const withExample = <Described extends { readonly name: string }>(
  parameter: Described,
  example: Example | undefined,
): Described => {
  const value = example?.parameters?.[parameter.name];
  return value === undefined ? parameter : { ...parameter, example: value };
};
