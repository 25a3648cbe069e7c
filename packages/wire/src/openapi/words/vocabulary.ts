/**
 * What members of requests and replies mean. A schema says what is special in its place (`describe`); what a member
 * means wherever it occurs stands once in a list of words. The lists are apart from the schemas, because clients carry
 * these and never print a document. A word is looked up by what it belongs to, the nearest first: the whole way from the
 * operation or component, then the member around it, then its operation or component, then its name alone.
 */

export interface JsonSchema {
  [keyword: string]: unknown;
}

/** By `name`, `around.name`, `Owner.name` or `Owner.way.to.name`. */
export type Words = Readonly<Record<string, string>>;

export interface Vocabulary {
  readonly words: Words;
  /** Components that describe documents which the routes themselves pass on whole: their names by member. */
  readonly documents: Words;
}

/** The schema with a description at each of its members. */
export const describeMembers = (schema: JsonSchema, owner: string, vocabulary: Vocabulary): JsonSchema =>
  describeIn(schema, [owner], vocabulary);

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listsOfSchemas = ['anyOf', 'oneOf', 'allOf'] as const;

function describeIn(schema: JsonSchema, way: readonly string[], vocabulary: Vocabulary): JsonSchema {
  const document = isOpen(schema) ? lookUp(way, vocabulary.documents) : undefined;
  if (document !== undefined) {
    const { description } = schema;
    return { $ref: `#/components/schemas/${document}`, ...(description !== undefined && { description }) };
  }
  const described: JsonSchema = { ...schema };
  const { properties, items, additionalProperties: others } = schema;
  for (const keyword of listsOfSchemas) {
    const list = schema[keyword];
    if (Array.isArray(list)) described[keyword] = list.map((part) => describeIn(part, way, vocabulary));
  }
  if (isSchema(items)) described.items = describeIn(items, way, vocabulary);
  if (isSchema(others) && Object.keys(others).length > 0)
    described.additionalProperties = describeIn(others, way, vocabulary);
  if (isSchema(properties))
    described.properties = Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [
        name,
        describeMember(member as JsonSchema, [...way, name], vocabulary),
      ]),
    );
  return described;
}

function describeMember(member: JsonSchema, way: readonly string[], vocabulary: Vocabulary): JsonSchema {
  const inside = describeIn(member, way, vocabulary);
  const description = inside.description ?? lookUp(way, vocabulary.words);
  return description === undefined ? inside : { ...inside, description };
}

/** Whether a schema says nothing of what is in it. */
function isOpen({
  description: _,
  additionalProperties: __,
  properties,
  type,
  ...rest
}: JsonSchema): boolean {
  const hasNone = properties === undefined || Object.keys(properties as object).length === 0;
  return hasNone && (type === undefined || type === 'object') && Object.keys(rest).length === 0;
}

export function lookUp(way: readonly string[], words: Words): string | undefined {
  const [name] = way.slice(-1);
  const places = [way.join('.'), way.slice(-2).join('.'), `${way[0]}.${name}`, name];
  return places.map((place) => words[place]).find((word) => word !== undefined);
}
