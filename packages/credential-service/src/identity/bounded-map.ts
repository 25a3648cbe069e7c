/**
 * A map that forgets what was not asked for longest when it is full. For what can be read again: identifiers come
 * from anybody, so nothing may be kept for every one of them.
 */
export interface BoundedMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  clear(): void;
  readonly size: number;
}

export function createBoundedMap<Value>(entriesMax: number): BoundedMap<Value> {
  const values = new Map<string, Value>();
  return {
    get(key) {
      const value = values.get(key);
      if (value === undefined) return undefined;
      // A map remembers the order of insertion.
      values.delete(key);
      values.set(key, value);
      return value;
    },
    set(key, value) {
      values.delete(key);
      values.set(key, value);
      if (values.size > entriesMax) values.delete(values.keys().next().value as string);
    },
    clear: () => values.clear(),
    get size() {
      return values.size;
    },
  };
}
