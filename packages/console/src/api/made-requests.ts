/**
 * Requests with which something was done in this tab, the newest first, each with the id under which the service knows it.
 * The clients note them (`clients.ts`), so that no act can be forgotten; signatures and secrets are not kept.
 */
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import type { RouteRequest, ServiceRouteName } from '../code/code-request.ts';
import { isOpenName } from '../code/open-names.ts';
import { isSecretName } from '../code/secret-names.ts';

export interface MadeRequest {
  readonly request: RouteRequest;
  /** As the service answered it; undefined where it has none, as the ledger. */
  readonly requestId: string | undefined;
  readonly at: number;
}

/** Routes that only read although they have a body, and those of signing in, which is no act of a page. */
const noActs: ReadonlySet<string> = new Set<ServiceRouteName>([
  'listOwnApplications',
  'downloadCredential',
  'downloadExtended',
  'showApplication',
  'getRevocationStatus',
  'previewOffer',
  'quotePaidCredential',
  'makeSignInChallenge',
  'signIn',
  'signOut',
]);

export const isAct = (name: string, method: string): boolean => method !== 'GET' && !noActs.has(name);

const madeMax = 5;
const readers = new Set<() => void>();
let made: readonly MadeRequest[] = [];

function set(next: readonly MadeRequest[]): void {
  made = next;
  for (const reader of readers) reader();
}

export const readMadeRequests = (): readonly MadeRequest[] => made;

export function watchMadeRequests(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

export function noteMadeRequest(request: RouteRequest, requestId: string | undefined): void {
  const { given } = request;
  const noted = given === undefined ? request : { ...request, given: withoutSecrets(given) };
  set([{ request: noted, requestId, at: Date.now() }, ...made].slice(0, madeMax));
}

/** When somebody leaves, or locks what the requests were made of. */
export function forgetMadeRequests(): void {
  if (made.length > 0) set([]);
}

const withoutSecrets = (given: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      isOpenName(name) || (isSecretName(name) && typeof value !== 'boolean') ? '' : inside(value),
    ]),
  );

function inside(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inside);
  return typeof value === 'object' && value !== null ? withoutSecrets(value) : value;
}
