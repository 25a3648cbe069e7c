/**
 * Requests that somebody asks again and again, kept in this browser under the DID of who is signed in: names and
 * conditions are no secrets, and the service has no place for them. What is read back, from the browser or from a file,
 * is checked: somebody may have changed it.
 */
import { sessionLimits } from '@symbolon/core/limits/waiting';
import * as z from 'zod';
import { credentialsMax, type RequestDraft } from '../request/request-draft.ts';

export interface SavedRequest {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
  readonly draft: RequestDraft;
}

export const savedLimits = { requestsMax: 100, nameCharsMax: 80, fileBytesMax: 512 * 1024 } as const;

const text = z.string().max(256);
const bounds = { min: text, max: text };
const claim = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('show') }),
  z.object({ kind: z.literal('range'), ...bounds }),
  z.object({ kind: z.literal('age'), ...bounds }),
]);
const trust = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('issuers'), dids: z.array(text).max(100) }),
  z.object({ kind: z.literal('list'), name: text }),
  z.object({ kind: z.literal('anybody') }),
]);
export const requestDraftForm = z.object({
  credentials: z.array(z.object({ templateId: text, claims: z.record(text, claim) })).max(credentialsMax),
  trust,
  purpose: z.string().max(sessionLimits.purposeCharsMax),
  minutes: z.int().min(1).max(sessionLimits.sessionMinutesMax),
});
const savedRequest = z.object({
  id: text.min(1),
  name: z.string().min(1).max(savedLimits.nameCharsMax),
  savedAt: z.number(),
  draft: requestDraftForm,
});
const savedList = z.array(savedRequest).max(savedLimits.requestsMax);

/** Names the form of an exported file. */
const fileForm = 'symbolon-saved-requests-1';
const savedFile = z.object({ form: z.literal(fileForm), requests: savedList });

/** Whatever keeps texts by name: the browser's `localStorage`. */
export type TextStore = Pick<Storage, 'getItem' | 'setItem'>;

const placeOf = (did: string): string => `symbolon-saved-requests:${did}`;

/** Newest first. What cannot be read counts as nothing. */
export function readSaved(store: TextStore, did: string): readonly SavedRequest[] {
  const read = savedList.safeParse(jsonOf(store.getItem(placeOf(did)) ?? '[]'));
  return read.success ? read.data : [];
}

function writeSaved(
  store: TextStore,
  did: string,
  requests: readonly SavedRequest[],
): readonly SavedRequest[] {
  store.setItem(placeOf(did), JSON.stringify(requests));
  return requests;
}

/** Under a name that stands once: what had it before is replaced, under its id. Undefined where there is no room. */
export function saveRequest(
  store: TextStore,
  did: string,
  request: SavedRequest,
): readonly SavedRequest[] | undefined {
  const all = readSaved(store, did);
  const id = all.find(({ name }) => name === request.name)?.id ?? request.id;
  const others = all.filter(({ name }) => name !== request.name);
  return others.length >= savedLimits.requestsMax
    ? undefined
    : writeSaved(store, did, [{ ...request, id }, ...others]);
}

export const forgetRequest = (store: TextStore, did: string, id: string): readonly SavedRequest[] =>
  writeSaved(
    store,
    did,
    readSaved(store, did).filter((one) => one.id !== id),
  );

export const savedFileText = (requests: readonly SavedRequest[]): string =>
  `${JSON.stringify({ form: fileForm, requests }, undefined, 2)}\n`;

/** The requests of a file beside those that are there; of the same name the file's. Undefined for what is no such file, or too much. */
export function importSaved(
  store: TextStore,
  did: string,
  fileText: string,
): readonly SavedRequest[] | undefined {
  if (fileText.length > savedLimits.fileBytesMax) return undefined;
  const read = savedFile.safeParse(jsonOf(fileText));
  if (!read.success) return undefined;
  const names = new Set(read.data.requests.map(({ name }) => name));
  const all = [...read.data.requests, ...readSaved(store, did).filter(({ name }) => !names.has(name))];
  return all.length > savedLimits.requestsMax ? undefined : writeSaved(store, did, all);
}

function jsonOf(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
}
