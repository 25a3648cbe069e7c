/** Every member, parameter and header of both documents says in a sentence what it is. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ledgerRoutes } from '../ledger/routes.ts';
import { allRoutes } from './all-routes.ts';
import { ledgerOpenApiDocument } from './ledger-openapi.ts';
import type { JsonSchema, OpenApiDocument } from './openapi.ts';
import { serviceOpenApiDocument } from './service-openapi.ts';
import { ledgerVocabulary, serviceVocabulary } from './words/vocabularies.ts';
import type { Vocabulary, Words } from './words/vocabulary.ts';

const info = { title: 'Interface', version: '1' };
const examples = {};

interface Named {
  readonly place: string;
  readonly name: string;
  readonly description: unknown;
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whatever has a name of its own: members of schemas, parameters, headers, tags; with its description. */
function* namedIn(value: unknown, place: string, components: JsonSchema): Generator<Named> {
  if (Array.isArray(value)) {
    for (const [index, part] of value.entries()) yield* namedIn(part, `${place}/${index}`, components);
    return;
  }
  if (!isObject(value)) return;
  if (typeof value.in === 'string' && typeof value.name === 'string')
    yield { place, name: value.name, description: value.description };
  for (const [key, part] of Object.entries(value)) {
    if (key === 'example' || key === 'examples' || key === 'enum') continue;
    if ((key === 'properties' || key === 'headers') && isObject(part))
      for (const [name, member] of Object.entries(part)) {
        const { $ref, description } = member as { $ref?: string; description?: unknown };
        const target = $ref === undefined ? {} : (components[$ref.split('/').at(-1) as string] as JsonSchema);
        yield { place, name, description: description ?? target.description };
        yield* namedIn(member, `${place}/${name}`, components);
      }
    else yield* namedIn(part, key === 'schema' ? place : `${place}/${key}`, components);
  }
}

function* membersNamed(name: string, value: unknown): Generator<JsonSchema> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    const member = key === 'properties' && isObject(part) ? part[name] : undefined;
    if (isObject(member)) yield member;
    yield* membersNamed(name, part);
  }
}

const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');

/** Words that say nothing without others. */
const idle = new Set(['the', 'a', 'an', 'of', 'this', 'its', 'is', 'value', 'field', 'string', 'number']);

function problemOf({ name, description }: Named): string | undefined {
  if (typeof description !== 'string' || description.trim() === '') return 'has no description';
  const known = new Set([...wordsOf(name), ...idle]);
  const said = wordsOf(description).filter((word) => !known.has(word) && !known.has(word.replace(/s$/, '')));
  return said.length === 0 ? 'only repeats its name' : undefined;
}

function complaintsAbout(document: OpenApiDocument): string[] {
  const found = [...namedIn(document, '', document.components.schemas)];
  assert.ok(found.length > 300, 'members were found');
  return found.flatMap((named) => {
    const problem = problemOf(named);
    return problem === undefined ? [] : [`${named.place}: ${named.name} ${problem}`];
  });
}

const documents: Readonly<Record<string, (vocabulary: Vocabulary) => OpenApiDocument>> = {
  ledger: (vocabulary) => ledgerOpenApiDocument(ledgerRoutes, info, { vocabulary, examples }),
  service: (vocabulary) => serviceOpenApiDocument(allRoutes, info, { vocabulary, examples }),
};
const vocabularies: Readonly<Record<string, Vocabulary>> = {
  ledger: ledgerVocabulary,
  service: serviceVocabulary,
};

/** The words that a document was made without. */
function unusedWords(name: string): string[] {
  const { words, documents: shaped } = vocabularies[name];
  const used = new Set<string>();
  const watch = (list: Words) =>
    new Proxy(list, {
      get(target, word: string) {
        if (word in target) used.add(word);
        return target[word];
      },
    });
  documents[name]({ words: watch(words), documents: watch(shaped) });
  return [...Object.keys(words), ...Object.keys(shaped)].filter((word) => !used.has(word));
}

describe('descriptions', () => {
  for (const [name, made] of Object.entries(documents)) {
    it(`are at every member, parameter and header of the ${name}`, () => {
      const complaints = complaintsAbout(made(vocabularies[name]));
      assert.equal(complaints.length, 0, `${complaints.length} of them\n${complaints.join('\n')}`);
    });

    it(`of the ${name} are all used`, () => assert.deepEqual(unusedWords(name), []));
  }

  it('of the states of offers name those and no others', () => {
    const { paths } = documents.service(vocabularies.service);
    const described = Object.entries(paths)
      .filter(([path]) => /^\/cred\/v1\/offers/.test(path))
      .flatMap(([, operations]) => [...membersNamed('state', operations)])
      .filter((member) => Array.isArray(member.enum));
    assert.ok(described.length >= 4, 'states were found');
    for (const { description } of described)
      assert.doesNotMatch(String(description), /active|suspended|revoked/);
  });

  it('are missed where they are missing or say nothing', () => {
    assert.equal(problemOf({ place: '', name: 'vcId', description: undefined }), 'has no description');
    assert.equal(problemOf({ place: '', name: 'vcId', description: 'The vc id.' }), 'only repeats its name');
    assert.equal(problemOf({ place: '', name: 'vcId', description: 'Of the credential.' }), undefined);
  });
});
