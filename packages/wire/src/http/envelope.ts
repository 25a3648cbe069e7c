/**
 * The response envelope of the ledger: every reply carries error_code, a number, and error_desc; the payload stands
 * under result. What a payload looks like is in the `*-replies.ts` files.
 */
import { codes, type LedgerRefusal, refuse } from '@symbolon/core/ledger/terms/codes';
import type { JsonObject, JsonValue } from '../json/json.ts';

export const successEnvelope = (result: JsonValue): JsonObject => ({
  error_code: codes.success,
  error_desc: '',
  result,
});

export const refusalEnvelope = (refusal: LedgerRefusal, result: JsonValue = null): JsonObject => ({
  error_code: refusal.code,
  error_desc: refusal.description,
  result,
});

/** What the request says is wrong. */
export const invalid = (what: string): LedgerRefusal => refuse('invalidParameter', what);

/** Tells a refusal from an answer or a request: nothing else has a numeric code and a description. */
export function isRefusal(value: unknown): value is LedgerRefusal {
  if (typeof value !== 'object' || value === null) return false;
  const { code, description } = value as Partial<LedgerRefusal>;
  return typeof code === 'number' && typeof description === 'string';
}
