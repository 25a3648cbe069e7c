/**
 * Whether the ledger still says what was kept of it. It alone is asked: numbers of credentials are public, so that a forged
 * copy says nothing about what is kept of the genuine one.
 */
import type { Transport } from '@symbolon/sdk/transport/transport';
import type { CollectedFacts } from '@symbolon/sdk/verification/collected-facts';
import { type JsonValue, stringifyJson } from '@symbolon/wire/json/json';
import type { KeptFact } from './kept-facts.ts';
import { answersAnew } from './recorded-ledger.ts';

export interface LedgerNow {
  readonly node: Transport;
  readonly factsOf: (one: Pick<KeptFact, 'vcId' | 'issuer'>) => Promise<CollectedFacts>;
}

/** Numbers of the credentials about which it says something else now. Rejects where nobody answers. */
export async function outdatedIds(
  kept: readonly KeptFact[],
  { node, factsOf }: LedgerNow,
): Promise<readonly string[]> {
  const isOutdated = async (one: KeptFact): Promise<boolean> => {
    const { facts, replies } = one;
    if (facts && wordOf(facts) !== wordOf(await factsOf(one))) return true;
    return (
      replies !== undefined && stringifyJson(await answersAnew(node, replies)) !== stringifyJson(replies)
    );
  };
  const found = await Promise.all(kept.map(async (one) => ((await isOutdated(one)) ? [one.vcId] : [])));
  return [...new Set(found.flat())];
}

/** What decides a check, without when it was asked for. */
const wordOf = ({ issuerKeys, statuses }: CollectedFacts): string =>
  stringifyJson([issuerKeys, statuses] as unknown as JsonValue);
