/** What a contract calls itself, where it says that it is a token. Its own word, as anybody may have written it. Pure. */
import type { LedgerReply } from '@symbolon/sdk/ledger/ledger-client';
import { isJsonObject, parseJsonOrNothing } from '@symbolon/wire/json/json';

export interface TokenName {
  readonly name: string;
  readonly symbol: string;
}

const charsMax = { name: 64, symbol: 32 } as const;

const isName = (text: unknown, max: number): text is string =>
  typeof text === 'string' && text.trim() !== '' && text.length <= max;

/** Null where what answers says nothing that a name could be. */
export function readTokenName({ result }: Pick<LedgerReply<'callContract'>, 'result'>): TokenName | null {
  const value = result?.query_rets?.[0]?.result?.value;
  const answer = typeof value === 'string' ? parseJsonOrNothing(value) : undefined;
  const info = isJsonObject(answer) ? answer.contractInfo : undefined;
  if (!isJsonObject(info)) return null;
  const { name, symbol } = info;
  return isName(name, charsMax.name) && isName(symbol, charsMax.symbol) ? { name, symbol } : null;
}
