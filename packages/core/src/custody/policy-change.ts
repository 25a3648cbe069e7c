/**
 * Whether a change of an account's policy lets its key sign more than before. The password alone makes a policy
 * stricter; whatever loosens it is approved by somebody else too, so that whoever finds out the password gets no
 * further than the caps.
 */
import { assetCap, type CustodyPolicy } from './custody-policy.ts';

type Cap = bigint | number | null;

/** Null stands for no cap at all. */
const isRaised = (before: Cap, after: Cap): boolean => before !== null && (after === null || after > before);

/** No asset is called so: it stands for all that neither policy names. */
const anyOther = '';

/** The member of the policy that allows more, or nothing. */
export function loosenedBy(before: CustodyPolicy, after: CustodyPolicy): keyof CustodyPolicy | undefined {
  if (after.operations.some((name) => !before.operations.includes(name))) return 'operations';
  if (after.messages && !before.messages) return 'messages';
  for (const member of ['dailyAmountMax', 'dailyCountMax', 'until'] as const)
    if (isRaised(before[member], after[member])) return member;
  const assets = [
    anyOther,
    ...Object.keys(after.dailyAssetMax ?? {}),
    ...Object.keys(before.dailyAssetMax ?? {}),
  ];
  return assets.some((asset) => isRaised(assetCap(before, asset), assetCap(after, asset)))
    ? 'dailyAssetMax'
    : undefined;
}
