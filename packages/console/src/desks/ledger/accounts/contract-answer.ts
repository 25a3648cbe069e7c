/** What a contract has answered, and which methods its code seems to have. Pure. */
import type { LedgerReply } from '@symbolon/sdk/ledger/ledger-client';
import { type JsonValue, stringifyJson } from '@symbolon/wire/json/json';

export type ContractAnswer =
  | { readonly value: string; readonly steps: number | undefined }
  | { readonly problem: string };

export function answerOf({ result }: Pick<LedgerReply<'callContract'>, 'result'>): ContractAnswer {
  const [first] = result?.query_rets ?? [];
  if (first?.error !== undefined) return { problem: textOf(first.error) };
  const value = first?.result?.value;
  return { value: value === undefined ? '' : textOf(value), steps: result?.stat.step };
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : stringifyJson(value as JsonValue);

const codeCharsMax = 262_144;
const methodsMax = 12;

/**
 * Contracts of this family compare `method` with texts, or switch on it. It is a help for whoever types, so it may miss
 * some and may name some that cannot be asked.
 */
export function methodsIn(code: string): readonly string[] {
  const query = code.slice(0, codeCharsMax).split(/function\s+query\b/)[1] ?? '';
  const named = query.matchAll(/(?:method\s*===\s*|case\s+)['"]([A-Za-z_]\w{0,63})['"]/g);
  return [...new Set([...named].map(([, name]) => name as string))].slice(0, methodsMax);
}
