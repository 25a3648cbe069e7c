/**
 * What a page shows beside what is proven. A proof is of one block; so what the page's route answers is read along with it,
 * for the same block, and only then is another value a contradiction. Pure.
 */
import type { AccountEntry } from './account-entry.ts';
import type { ProvenEntry } from './proof-steps.ts';

/** As the page has it from the ordinary routes; undefined where they say that there is nothing. */
export type ShownEntry = AccountEntry | { readonly kind: 'metadata'; readonly value: string } | undefined;

/**
 * `same`: the page shows what is proven. `differs`: the node answers otherwise than it proves. `outdated`: it proves how it
 * was in a block that is not the newest. `since`: it answered as it proves, and says something else since, of which nothing is proven. `unclear`:
 * blocks came while it was read, so nothing can be said.
 */
export type Comparison = 'same' | 'differs' | 'outdated' | 'since' | 'unclear';

export interface ShownAndProven {
  readonly proven: ProvenEntry | undefined;
  /** Read along with the proof. */
  readonly answered: ShownEntry;
  /** Whether no block came between the two. */
  readonly isSameBlock: boolean;
  /** Whether there were newer blocks before it was asked for. */
  readonly isOutdated: boolean;
  /** What stands on the page at this moment. */
  readonly shown: ShownEntry;
}

export function compareShown({
  proven,
  answered,
  isSameBlock,
  isOutdated,
  shown,
}: ShownAndProven): Comparison {
  if (isOutdated) return 'outdated';
  const answersSo = isEqual(proven, answered);
  if (isSameBlock && !answersSo) return 'differs';
  if (isEqual(proven, shown)) return 'same';
  return answersSo ? 'since' : 'unclear';
}

const accountFields = ['balance', 'nonce', 'control', 'contract'] as const;

function isEqual(proven: ProvenEntry | undefined, shown: ShownEntry): boolean {
  if (proven === undefined || shown === undefined) return proven === shown;
  if (proven.kind === 'account' && shown.kind === 'account')
    return accountFields.every((field) => proven[field] === shown[field]);
  return proven.kind === 'metadata' && shown.kind === 'metadata' && proven.value === shown.value;
}
