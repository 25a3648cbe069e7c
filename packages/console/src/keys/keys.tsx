/**
 * The keyboard: one listener, one list of bindings, so that `?` can show them all and no two fight. A binding is one key
 * (`j`), a key with Control or Command (`mod+k`), or two keys one after the other (`g a`). While somebody types in a
 * field only bindings with `mod` count.
 */
import { createContext, type ReactNode, use, useEffect, useMemo, useRef, useState } from 'react';
import { bindingOf, type KeyBinding, type KeyGroup } from './bindings.ts';
import { createKeyReader } from './key-reader.ts';

interface KeyBoard {
  readonly bindings: readonly KeyBinding[];
  readonly add: (binding: KeyBinding) => () => void;
}

const KeyContext = createContext<KeyBoard | undefined>(undefined);

/** A box that is ticked takes no text, so keys mean there what they mean elsewhere. */
const takesText = (target: HTMLElement): boolean =>
  target instanceof HTMLInputElement
    ? !/^(checkbox|radio)$/.test(target.type)
    : /^(TEXTAREA|SELECT)$/.test(target.tagName);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || takesText(target));

/** Enter means what has the focus, where that is something to press. */
const isPressing = ({ key, target }: KeyboardEvent): boolean =>
  key === 'Enter' && target instanceof HTMLElement && target.closest('a, button, [role="menuitem"]') !== null;

export function KeysProvider({ children }: { readonly children: ReactNode }) {
  const [bindings, setBindings] = useState<readonly KeyBinding[]>([]);
  const current = useRef(bindings);
  current.current = bindings;
  useEffect(() => {
    const read = createKeyReader();
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || isPressing(event)) return;
      const pressed = read(
        event,
        current.current.map(({ keys }) => keys),
        isTyping(event.target) || document.querySelector('[role="dialog"]') !== null,
      );
      const binding = bindingOf(current.current, pressed);
      if (!binding) return;
      event.preventDefault();
      binding.act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const board = useMemo(
    () => ({
      bindings,
      add: (binding: KeyBinding) => {
        setBindings((before) => [...before, binding]);
        return () => setBindings((before) => before.filter((other) => other !== binding));
      },
    }),
    [bindings],
  );
  return <KeyContext value={board}>{children}</KeyContext>;
}

function useBoard(): KeyBoard {
  const board = use(KeyContext);
  if (!board) throw new Error('KeysProvider is missing');
  return board;
}

/** All bindings that hold now. */
export const useKeyBindings = (): readonly KeyBinding[] => useBoard().bindings;

/** Binds keys as long as the part is there. `act` may change from one drawing to the next. */
export function useKeys(wanted: readonly KeyBinding[]): void {
  const { add } = useBoard();
  const addRef = useRef(add);
  addRef.current = add;
  const acts = useRef(new Map<string, () => void>());
  acts.current = new Map(wanted.map(({ keys, act }) => [keys, act]));
  // Bindings are registered anew only when what the list shows changes, not with every new function.
  const shown = JSON.stringify(wanted.map(({ keys, title, group }) => [keys, title, group]));
  useEffect(() => {
    const rows = JSON.parse(shown) as [keys: string, title: string, group: KeyGroup][];
    const ends = rows.map(([keys, title, group]) =>
      addRef.current({ keys, title, group, act: () => acts.current.get(keys)?.() }),
    );
    return () => {
      for (const end of ends) end();
    };
  }, [shown]);
}
