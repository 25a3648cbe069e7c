/** Policies as JSON text in the account's row: amounts as decimal text, because they reach beyond exact numbers. */
import type { CustodyPolicy } from '@symbolon/core/custody/custody-policy';

export const writePolicy = (policy: CustodyPolicy): string =>
  JSON.stringify(policy, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

export function readPolicy(text: string): CustodyPolicy {
  const stored = JSON.parse(text) as Omit<CustodyPolicy, 'dailyAmountMax' | 'dailyAssetMax'> & {
    dailyAmountMax: string | null;
    /** Older policies name no assets. */
    dailyAssetMax?: Readonly<Record<string, string>> | null;
  };
  const { dailyAmountMax, dailyAssetMax = null } = stored;
  return {
    ...stored,
    dailyAmountMax: dailyAmountMax === null ? null : BigInt(dailyAmountMax),
    dailyAssetMax:
      dailyAssetMax &&
      Object.fromEntries(Object.entries(dailyAssetMax).map(([asset, max]) => [asset, BigInt(max)])),
  };
}
