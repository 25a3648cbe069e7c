/** Which binding a key means where several have it, and how keys are written. Pure. */

export type KeyGroup = 'anywhere' | 'lists' | 'page';

export interface KeyBinding {
  readonly keys: string;
  /** What it does, for the list. */
  readonly title: string;
  readonly group: KeyGroup;
  readonly act: () => void;
}

/** The binding of a page prevails over that of the frame, whichever was registered first; else the newest. */
export function bindingOf(bindings: readonly KeyBinding[], keys: string | undefined): KeyBinding | undefined {
  const bound = bindings.filter((one) => one.keys === keys);
  return bound.findLast(({ group }) => group === 'page') ?? bound.at(-1);
}

/** Those that do something now, each key once. */
export const heldBindings = (bindings: readonly KeyBinding[]): readonly KeyBinding[] =>
  bindings.filter((one) => bindingOf(bindings, one.keys) === one);

/** As it stands on the keyboard; `control` is what the reader's keyboard calls that key. */
export function spelledKey(key: string, control: string): string {
  if (key.startsWith('mod+')) return `${control} ${key.slice('mod+'.length).toUpperCase()}`;
  return key.length === 1 ? key.toUpperCase() : key;
}
