/**
 * Every example of both documents is played against the demo: in an order that works, with fresh ids and signatures of
 * the demo's people. What is answered must have the documented status and shape, without a member that the document
 * does not name; and what the documents show must be the same requests and replies, as `npm run examples` wrote them.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ledgerDocument, serviceDocument } from '@symbolon/wire/openapi/documents';
import type { Example } from '@symbolon/wire/openapi/examples';
import type { ApiOperation, JsonSchema, OpenApiDocument } from '@symbolon/wire/openapi/openapi';
import { ownerOfSuite } from '../support/owner.ts';
import { memberPaths, misfits, unnamedMembers } from './documented-shape.ts';
import type { Played } from './player.ts';
import { playAll } from './plays.ts';

const owner = ownerOfSuite();
let played: Awaited<ReturnType<typeof playAll>>;
before(async () => {
  played = await playAll(owner);
});

interface ShownContent {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}
/** Documents of others, and facts of many kinds: what is in these is said where they are described. */
const openPlaces =
  /^\/(entries\/\*\/details|presentation_submission|results\/\*\/result|result\/fieldCredentials\/\*\/claims)\//;

/** An answer without a body has none. */
const firstOf = (content: object): ShownContent =>
  (Object.values(content)[0] as ShownContent | undefined) ?? { schema: {}, example: '' };

/** What a document shows as the example of an operation. */
function shownIn({ parameters, requestBody, responses }: ApiOperation, status: number): Example {
  const named = (parameters as { name: string; example?: string }[]).flatMap(({ name, example }) =>
    example === undefined ? [] : [[name, example] as const],
  );
  const body = requestBody && firstOf((requestBody as { content: object }).content).example;
  const headers = Object.entries(responses[status].headers ?? {}).flatMap(
    ([header, { example }]: [string, { example?: string }]) =>
      example === undefined ? [] : [[header, example] as const],
  );
  return {
    ...(named.length > 0 && { parameters: Object.fromEntries(named) }),
    ...(body !== undefined && { body }),
    status,
    reply: firstOf(responses[status].content).example,
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
  };
}

const operationsOf = ({ paths }: OpenApiDocument): ApiOperation[] =>
  Object.values(paths).flatMap((item) => Object.values(item));

/** What is wrong with an example; a text, such as events, has no members. */
function problemsOf(document: OpenApiDocument, operation: ApiOperation, example: Example): string[] {
  const { schemas } = document.components;
  const against = (value: unknown, { schema }: ShownContent): string[] =>
    typeof value === 'string' || value === undefined
      ? []
      : [
          ...misfits(value, schema, schemas),
          ...unnamedMembers(value, [schema], schemas)
            .filter((place) => !openPlaces.test(place))
            .map((place) => `${place} is not documented`),
        ];
  const { requestBody, responses } = operation;
  const known = (operation.parameters as { name: string }[]).map(({ name }) => name);
  const { headers: named = {} } = responses[example.status];
  return [
    ...Object.keys(example.headers ?? {}).filter((name) => !(name in named)),
    ...Object.keys(example.parameters ?? {}).filter((name) => !known.includes(name)),
    ...(requestBody ? against(example.body, firstOf((requestBody as { content: object }).content)) : []),
    ...against(example.reply, firstOf(responses[example.status].content)),
  ];
}

function holdDocument(name: string, document: OpenApiDocument, playedOf: () => Played): void {
  describe(`the examples of the ${name}`, () => {
    test('are there for every operation, and for nothing else', () => {
      const names = operationsOf(document).map(({ operationId }) => operationId);
      assert.deepEqual(Object.keys(playedOf()).sort(), names.sort());
    });

    test('are answered with the documented status and shape', () => {
      for (const operation of operationsOf(document)) {
        const example = playedOf()[operation.operationId] as Example;
        assert.deepEqual(problemsOf(document, operation, example), [], operation.operationId);
      }
    });

    test('are shown as they are played: where not, `npm run examples` writes them anew', () => {
      for (const operation of operationsOf(document)) {
        const example = playedOf()[operation.operationId] as Example;
        const shown = shownIn(operation, example.status);
        assert.deepEqual(problemsOf(document, operation, shown), [], operation.operationId);
        assert.deepEqual(memberPaths(shown), memberPaths(example), operation.operationId);
      }
    });
  });
}

holdDocument('ledger', ledgerDocument('1'), () => played.ledger);
holdDocument('service', serviceDocument('1'), () => played.service);

test('a value that does not fit, and a member that nobody documented, are found', () => {
  const schema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  assert.deepEqual(misfits({ id: 'x' }, schema, {}), []);
  assert.equal(misfits({ id: 1 }, schema, {}).length, 1);
  assert.deepEqual(unnamedMembers({ id: 'x', other: 1 }, [schema], {}), ['/other']);
});
