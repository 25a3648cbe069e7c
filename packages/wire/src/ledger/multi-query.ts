/**
 * multiQuery: several calls in one request. Every item goes through the same bound routes as a request of its own, and
 * every answer carries an envelope. One that fails or is no query does not fail the batch; a batch inside a batch is
 * refused because it could multiply without end.
 */
import { unknownName } from '@symbolon/core/basics/known-names';
import { codes, type LedgerRefusal, refuse } from '@symbolon/core/ledger/terms/codes';
import { queryLimits } from '@symbolon/core/limits/requests';
import { invalid, isRefusal, refusalEnvelope } from '../http/envelope.ts';
import { type BoundRoute, type RouteCall, splitUrl } from '../http/ledger-route.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../json/json.ts';
import { refuseUnknown } from './requests.ts';
import { multiQueryItem } from './schemas.ts';

export interface MultiQueryItem {
  readonly name: string;
  readonly call: RouteCall;
}

export interface MultiQueryRequest {
  /** A refusal stands for an item that is no query. */
  readonly items: readonly (MultiQueryItem | LedgerRefusal)[];
}

export function readMultiQuery(_query: object, body: JsonObject): MultiQueryRequest | LedgerRefusal {
  const { items } = body;
  const unknown = refuseUnknown(body, ['items']);
  if (unknown) return unknown;
  if (!Array.isArray(items)) return invalid('items: must be an array');
  if (items.length > queryLimits.multiQueryItemsMax)
    return invalid(`items: at most ${queryLimits.multiQueryItemsMax}`);
  return { items: items.map(readItem) };
}

/** Blank is what a client sends that has none. */
const methods = ['GET', 'POST', ''];

/** Names a server: whose answer it is would be misunderstood. */
const otherServer = /^[^?]*[:\\]|^\/\//;

function readItem(item: JsonValue): MultiQueryItem | LedgerRefusal {
  if (!isJsonObject(item)) return invalid('an item must be an object');
  const unknown = refuseUnknown(item, Object.keys(multiQueryItem.shape));
  if (unknown) return unknown;
  const { url, method = 'GET', jsonData } = item;
  if (typeof url !== 'string' || url === '') return invalid('url: must name a query');
  if (otherServer.test(url)) return invalid('url: must name a query of this node');
  const isMethod = method === null || (typeof method === 'string' && methods.includes(method.toUpperCase()));
  if (!isMethod) return invalid('method: must be GET or POST');
  const { name, query } = splitUrl(url);
  return {
    name,
    call: typeof jsonData === 'string' ? { query, bodyText: jsonData } : { query, body: jsonData },
  };
}

export const multiQueryRefused = ({ code, description }: LedgerRefusal): JsonObject => ({
  error_code: code,
  error_desc: description,
  results: null,
});

const refused = (refusal: LedgerRefusal): string => stringifyJson(refusalEnvelope(refusal));

const nested = refused(invalid('multiQuery cannot be nested'));
const tooMuch = refused(invalid('the answers before this one are too large together: ask again'));
const broken = refused(refuse('internalError'));

export interface MultiQueryOptions {
  readonly routes: ReadonlyMap<string, BoundRoute>;
  /** Told of a handler that threw, which its caller sees only as an internal error. */
  readonly onFailure: (name: string, error: unknown) => void;
  /** Resolves when others have had their turn. */
  readonly nextTurn: () => Promise<void>;
}

/** One item after the other, and others in between: a batch must not take the node for itself. */
export async function answerMultiQuery(
  request: MultiQueryRequest,
  options: MultiQueryOptions,
): Promise<string> {
  const results: string[] = [];
  let length = 0;
  for (const item of request.items) {
    const isFull = length > queryLimits.multiQueryReplyCharsMax;
    const answer = isRefusal(item) ? refused(item) : isFull ? tooMuch : await answerItem(item, options);
    length += answer.length;
    results.push(answer);
    await options.nextTurn();
  }
  return `{"error_code":0,"error_desc":"","results":[${results.join(',')}]}`;
}

async function answerItem({ name, call }: MultiQueryItem, options: MultiQueryOptions): Promise<string> {
  if (name === 'multiQuery') return nested;
  const route = options.routes.get(name);
  if (!route) return refused(refuse('notFound', unknownName(name, [...options.routes.keys()])));
  try {
    return enveloped(await route(call));
  } catch (error) {
    options.onFailure(name, error);
    return broken;
  }
}

const envelopeStart = '{"error_code":';

/**
 * The few answers that have no envelope of their own get its members before their own, where clients still find these.
 */
function enveloped(answer: string): string {
  if (answer.startsWith(envelopeStart)) return answer;
  const value = parseJson(answer);
  if (!isJsonObject(value) || 'error_code' in value) return answer;
  return stringifyJson({ error_code: codes.success, error_desc: '', ...value });
}
