/**
 * A template that is being built, kept in this tab until it is registered or discarded: a reload or another page costs
 * nobody their work. It is no secret, and whoever signs in next in this tab has drafts of their own.
 */
import { parseJsonOrNothing } from '@symbolon/wire/json/json';
import { type BuiltTemplate, blankTemplate, bodyOf, draftOfBody } from './template-draft.ts';

export interface DraftPlace {
  readonly issuer: string;
  /** The template of which it is a new version; undefined for a new one. */
  readonly templateId: string | undefined;
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const nameOf = ({ issuer, templateId = 'new' }: DraftPlace): string =>
  `symbolon-template-draft ${issuer} ${templateId}`;

export function keptDraft(place: DraftPlace, store: Store = sessionStorage): BuiltTemplate | undefined {
  const text = store.getItem(nameOf(place));
  const body = text === null ? undefined : parseJsonOrNothing(text);
  return body === undefined ? undefined : draftOfBody(body, blankTemplate());
}

/** False where the browser has no room for it. */
export function keepDraft(place: DraftPlace, draft: BuiltTemplate, store: Store = sessionStorage): boolean {
  try {
    store.setItem(nameOf(place), JSON.stringify(bodyOf(draft)));
    return true;
  } catch {
    return false;
  }
}

export const dropDraft = (place: DraftPlace, store: Store = sessionStorage): void =>
  store.removeItem(nameOf(place));
