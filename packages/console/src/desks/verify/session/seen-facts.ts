/** What a verifier can know of each attribute of a credential, by the version that it was issued under. Pure. */

/** As far as a verifier can know it, a value that was not given may as well be hidden: only a whole credential tells. */
export type SeenFate = 'shared' | 'proved' | 'hidden' | 'hiddenOrEmpty' | 'empty';

export interface SeenFact {
  readonly key: string;
  readonly fate: SeenFate;
}

export interface CredentialSeen {
  /** Of that version, in its order; undefined as long as it is not known. */
  readonly attributes: readonly { readonly key: string; readonly mandatory?: boolean }[] | undefined;
  readonly revealed: readonly string[];
  readonly proved: readonly string[];
  /** Whether it was given with all of its values. */
  readonly isWhole: boolean;
}

export function seenFacts({
  attributes = [],
  revealed,
  proved,
  isWhole,
}: CredentialSeen): readonly SeenFact[] {
  const optional = new Set(attributes.filter(({ mandatory }) => mandatory === false).map(({ key }) => key));
  const keys = new Set([...attributes.map(({ key }) => key), ...revealed, ...proved]);
  const unseen = (key: string): SeenFate =>
    isWhole ? 'empty' : optional.has(key) ? 'hiddenOrEmpty' : 'hidden';
  return [...keys].map((key) => ({
    key,
    fate: revealed.includes(key) ? 'shared' : proved.includes(key) ? 'proved' : unseen(key),
  }));
}

/** How much was seen, and of how much: nobody counts what is not there. */
export const countSeen = (facts: readonly SeenFact[]): { readonly seen: number; readonly all: number } => ({
  seen: facts.filter(({ fate }) => fate === 'shared' || fate === 'proved').length,
  all: facts.filter(({ fate }) => fate !== 'empty').length,
});
