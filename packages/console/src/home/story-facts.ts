/** How far the story of the demo has come, as the ledger tells it: what was registered, issued and revoked, and in which block. Pure. */
import { isJsonObject, type JsonObject, type JsonValue, parseJsonOrNothing } from '@symbolon/wire/json/json';

/** An executed transaction, as far as it tells. */
export interface StoryRecord {
  readonly block: number;
  readonly hasFailed: boolean;
  readonly to: string | undefined;
  readonly input: string | undefined;
}

export interface StoryRegistries {
  /** Which template the story is about. */
  readonly templateId: string | undefined;
  readonly templateRegistry: string;
  readonly credentialRegistry: string;
}

/** Something that was done, how often, and in which blocks, the first one first. */
export interface StoryFact {
  readonly count: number;
  readonly blocks: readonly number[];
}

export interface StoryFacts {
  readonly registered: StoryFact | undefined;
  readonly issued: StoryFact | undefined;
  readonly revoked: StoryFact | undefined;
}

/** `records`: newest first. */
export function storyFacts(
  records: readonly StoryRecord[],
  { templateId, templateRegistry, credentialRegistry }: StoryRegistries,
): StoryFacts {
  const factOf = (
    to: string,
    method: string,
    countIn: (params: JsonObject) => number,
  ): StoryFact | undefined => {
    const counts = records
      .filter((record) => !record.hasFailed && record.to === to)
      .map((record) => ({ block: record.block, count: countOf(record.input, method, countIn) }))
      .filter(({ count }) => count > 0);
    if (counts.length === 0) return undefined;
    return {
      count: counts.reduce((sum, { count }) => sum + count, 0),
      blocks: [...new Set(counts.map(({ block }) => block))].toReversed(),
    };
  };
  return {
    registered: factOf(templateRegistry, 'addTemplate', (params) =>
      params.templateId === templateId ? 1 : 0,
    ),
    issued: factOf(credentialRegistry, 'issue', ({ entries }) => lengthOf(entries)),
    revoked: factOf(credentialRegistry, 'revoke', ({ credentials }) => lengthOf(credentials)),
  };
}

const lengthOf = (list: JsonValue | undefined): number => (Array.isArray(list) ? list.length : 0);

function countOf(input: string | undefined, method: string, countIn: (params: JsonObject) => number): number {
  const call = input === undefined ? undefined : parseJsonOrNothing(input);
  return isJsonObject(call) && call.method === method && isJsonObject(call.params) ? countIn(call.params) : 0;
}

/** How many transactions each of the newest blocks has, the oldest first; blocks without any count, too. */
export function blockCounts(records: readonly StoryRecord[], newest: number, blocks: number): number[] {
  const first = newest - blocks + 1;
  const counts = Array.from({ length: blocks }, () => 0);
  for (const { block } of records) {
    const at = block - first;
    if (at >= 0 && at < blocks) counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}
