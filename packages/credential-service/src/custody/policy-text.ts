/** Policies as JSON text in the account's row: amounts as decimal text, because they reach beyond exact numbers. */
import type { CustodyPolicy } from '@symbolon/core/custody/custody-policy';

export const writePolicy = (policy: CustodyPolicy): string =>
  JSON.stringify({
    ...policy,
    dailyAmountMax: policy.dailyAmountMax === null ? null : String(policy.dailyAmountMax),
  });

export function readPolicy(text: string): CustodyPolicy {
  const stored = JSON.parse(text) as Omit<CustodyPolicy, 'dailyAmountMax'> & {
    dailyAmountMax: string | null;
  };
  const { dailyAmountMax } = stored;
  return { ...stored, dailyAmountMax: dailyAmountMax === null ? null : BigInt(dailyAmountMax) };
}
