/** What stands behind the question mark of the address, read by hand: whatever is not known is as if it were not there. */
import { useNavigate, useSearch } from '@tanstack/react-router';

const readText = (value: unknown): string | undefined => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? value : undefined;
};

/** One of a few; the first where the address names none of them. */
export const oneOf = <Name extends string>(value: unknown, names: readonly [Name, ...Name[]]): Name =>
  names.find((name) => name === readText(value)) ?? names[0];

export function useSearchWord<Name extends string>(
  name: string,
  names: readonly [Name, ...Name[]],
): readonly [value: Name, choose: (value: Name) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const choose = (value: Name): void => {
    const { [name]: _, ...rest } = search;
    const next = value === names[0] ? rest : { ...rest, [name]: value };
    void navigate({ to: '.', search: next, replace: true, resetScroll: false });
  };
  return [oneOf(search[name], names), choose];
}
