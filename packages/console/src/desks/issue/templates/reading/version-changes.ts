/** What differs between two versions of a template, attribute by attribute. */

export interface ComparedAttribute {
  readonly key: string;
  readonly label: string;
  readonly format: string;
  readonly mandatory: boolean;
}

export type AttributeChange =
  | { readonly change: 'added' | 'removed'; readonly attribute: ComparedAttribute }
  | {
      readonly change: 'changed';
      readonly attribute: ComparedAttribute;
      readonly before: ComparedAttribute;
      readonly members: readonly ('label' | 'format' | 'mandatory')[];
    }
  | { readonly change: 'moved' };

const members = ['label', 'format', 'mandatory'] as const;

/** Added and changed in the order of the new version, then what is gone, then whether the rest changed its order. */
export function changesBetween(
  before: readonly ComparedAttribute[],
  after: readonly ComparedAttribute[],
): readonly AttributeChange[] {
  const old = new Map(before.map((attribute) => [attribute.key, attribute]));
  const kept = new Set(after.map(({ key }) => key));
  const changes: AttributeChange[] = after.flatMap((attribute): AttributeChange[] => {
    const was = old.get(attribute.key);
    if (!was) return [{ change: 'added', attribute }];
    const differing = members.filter((member) => was[member] !== attribute[member]);
    return differing.length === 0 ? [] : [{ change: 'changed', attribute, before: was, members: differing }];
  });
  const removed = before.filter(({ key }) => !kept.has(key));
  changes.push(...removed.map((attribute) => ({ change: 'removed', attribute }) as const));
  const inBoth = (list: readonly ComparedAttribute[], other: ReadonlySet<string>) =>
    list.map(({ key }) => key).filter((key) => other.has(key));
  const then = inBoth(before, kept).join();
  const now = inBoth(after, new Set(old.keys())).join();
  return then === now ? changes : [...changes, { change: 'moved' }];
}

/** An attribute of the wire as versions are compared. */
export const comparedOf = (attribute: {
  readonly attribute: string;
  readonly key: string;
  readonly format: string;
  readonly mandatory: boolean;
}) => ({
  key: attribute.key,
  label: attribute.attribute,
  format: attribute.format,
  mandatory: attribute.mandatory,
});
