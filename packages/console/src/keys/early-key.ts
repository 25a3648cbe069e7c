/** A person's key that was pressed before anybody knew who there is: it counts for a few seconds. */
import { useEffect, useRef } from 'react';

const rememberedMs = 5_000;

export function useEarlyKey<Person>(people: readonly Person[], onTake: (person: Person) => void): void {
  const pressed = useRef<{ readonly place: number; readonly at: number }>(undefined);
  const isKnown = people.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it counts once, when people are known.
  useEffect(() => {
    const early = pressed.current;
    pressed.current = undefined;
    const person = early && Date.now() - early.at < rememberedMs ? people[early.place] : undefined;
    if (person !== undefined) onTake(person);
    if (isKnown) return undefined;
    const onKey = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): void => {
      const isTyping = target instanceof HTMLElement && target.matches('input, textarea, select');
      const isOwn = /^[1-9]$/.test(key) && !ctrlKey && !metaKey && !altKey && !isTyping;
      pressed.current = isOwn ? { place: Number(key) - 1, at: Date.now() } : undefined;
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isKnown]);
}
