/**
 * The header `Idempotency-Key`: a request that is sent again with the same key is not done again but answered again.
 * This file knows the header, what makes two requests the same, and what a store of keys must do; the stores are the
 * services' own.
 */
import { createHash } from 'node:crypto';
import { Fault } from '@symbolon/core/faults/faults';
import type { ReplyHeaders } from '@symbolon/wire/http/service-route';
import { serviceHttpLimits } from '../limits/server-limits.ts';

/** An answer as it is kept. */
export interface KeptAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly headers?: ReplyHeaders;
}

export interface IdempotentRequest {
  readonly key: string;
  /** The API key's id, or where a caller without one calls from: keys of different callers never meet. */
  readonly caller: string;
  /** Equal for equal requests. */
  readonly fingerprint: string;
}

export type IdempotencyVerdict =
  /** Done before, and this was the answer. */
  | { readonly outcome: 'replay'; readonly answer: KeptAnswer }
  /** The key belongs to another request. */
  | { readonly outcome: 'mismatch' }
  /** Being done right now. */
  | { readonly outcome: 'inProgress' }
  /** To be done now; one of the two must follow. */
  | {
      readonly outcome: 'go';
      finish(answer: KeptAnswer): Promise<void>;
      /** It failed and changed nothing: whoever comes with the key next may try. */
      release(): Promise<void>;
    };

export interface IdempotencyStore {
  begin(request: IdempotentRequest): Promise<IdempotencyVerdict>;
}

/** The header's value, with or without the quotes that the standard gives it. */
export function readIdempotencyKey(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const bare = typeof header === 'string' ? header.replace(/^"(.*)"$/, '$1') : '';
  if (bare.length > serviceHttpLimits.idempotencyKeyCharsMax || !/^[\x21-\x7e]+$/.test(bare))
    throw new Fault('requestMalformed', { detail: 'the header Idempotency-Key is not valid' });
  return bare;
}

/** Of the route and what it was given, not of the path: plain and sealed, a request stays the same request. */
export function fingerprintOf(route: string, parts: readonly (string | undefined)[]): string {
  const hash = createHash('sha256').update(route);
  for (const part of parts) hash.update(part === undefined ? '\0-' : `\0+${part.length}:${part}`);
  return hash.digest('hex');
}
