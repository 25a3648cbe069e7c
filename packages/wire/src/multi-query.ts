/**
 * multiQuery: several calls in one request (reference §1.13). Every item goes through the same bound routes as a
 * request of its own; an unknown one answers null, a failing one does not fail the batch, and a batch inside a
 * batch is refused because it could multiply without end.
 */
import { type Refusal, refuse } from '@symbolon/core/ledger/codes';
import { queryLimits } from '@symbolon/core/limits';
import { refusalEnvelope } from './envelope.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from './json.ts';
import { type BoundRoute, type RouteCall, splitUrl } from './route.ts';

export interface MultiQueryItem {
  readonly name: string;
  readonly call: RouteCall;
}

export interface MultiQueryRequest {
  /** undefined stands for an item that names nothing. */
  readonly items: readonly (MultiQueryItem | undefined)[];
}

export function readMultiQuery(_query: object, body: JsonObject): MultiQueryRequest | Refusal {
  const { items } = body;
  if (!Array.isArray(items)) return refuse('invalidParameter', 'items: must be an array');
  if (items.length > queryLimits.multiQueryItemsMax)
    return refuse('invalidParameter', `items: at most ${queryLimits.multiQueryItemsMax}`);
  return { items: items.map(readItem) };
}

function readItem(item: JsonValue): MultiQueryItem | undefined {
  if (!isJsonObject(item) || typeof item.url !== 'string') return undefined;
  const { name, query } = splitUrl(item.url);
  const { jsonData } = item;
  return {
    name,
    call: typeof jsonData === 'string' ? { query, bodyText: jsonData } : { query, body: jsonData },
  };
}

export const multiQueryRefused = ({ code, description }: Refusal): JsonObject => ({
  error_code: code,
  error_desc: description,
  results: null,
});

const nested = stringifyJson(refusalEnvelope(refuse('invalidParameter', 'multiQuery cannot be nested')));
const tooMuch = stringifyJson(
  refusalEnvelope(
    refuse('invalidParameter', 'the answers before this one are too large together: ask again'),
  ),
);
const broken = stringifyJson(refusalEnvelope(refuse('internalError')));

export interface MultiQueryOptions {
  readonly routes: ReadonlyMap<string, BoundRoute>;
  /** Told of a handler that threw, which its caller sees only as an internal error. */
  readonly onFailure: (name: string, error: unknown) => void;
}

/** One item after the other: a batch must not take the node for itself. */
export async function answerMultiQuery(
  request: MultiQueryRequest,
  options: MultiQueryOptions,
): Promise<string> {
  const results: string[] = [];
  let length = 0;
  for (const item of request.items) {
    const isFull = length > queryLimits.multiQueryReplyCharsMax;
    const answer = item ? (isFull ? tooMuch : await answerItem(item, options)) : 'null';
    length += answer.length;
    results.push(answer);
  }
  return `{"error_code":0,"error_desc":"","results":[${results.join(',')}]}`;
}

async function answerItem({ name, call }: MultiQueryItem, options: MultiQueryOptions): Promise<string> {
  if (name === 'multiQuery') return nested;
  const route = options.routes.get(name);
  if (!route) return 'null';
  try {
    return await route(call);
  } catch (error) {
    options.onFailure(name, error);
    return broken;
  }
}
