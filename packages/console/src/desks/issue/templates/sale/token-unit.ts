/** In which unit a token is written: as its contract says, so that nobody counts zeros. Pure. */
import type { LedgerReply } from '@symbolon/sdk/ledger/ledger-client';
import { isJsonObject, parseJsonOrNothing } from '@symbolon/wire/json/json';

export interface TokenUnit {
  readonly symbol: string;
  readonly decimals: number;
}

const symbolCharsMax = 32;
const decimalsMax = 30;

/** Null where what answers is no token. */
export function readTokenUnit({ result }: Pick<LedgerReply<'callContract'>, 'result'>): TokenUnit | null {
  const value = result?.query_rets?.[0]?.result?.value;
  const answer = typeof value === 'string' ? parseJsonOrNothing(value) : undefined;
  const info = isJsonObject(answer) ? answer.contractInfo : undefined;
  if (!isJsonObject(info)) return null;
  const { symbol } = info;
  const decimals = Number(info.decimals ?? Number.NaN);
  if (typeof symbol !== 'string' || symbol === '' || symbol.length > symbolCharsMax) return null;
  return Number.isInteger(decimals) && decimals >= 0 && decimals <= decimalsMax ? { symbol, decimals } : null;
}
