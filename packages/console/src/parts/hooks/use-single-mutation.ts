/**
 * A mutation of which one at a time is under way: the second click of a double click begins nothing. A button that is
 * disabled while it is pending is disabled only when the page is drawn again, which is too late for that.
 */
import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

export function useSingleMutation<Data, Given = void>(
  options: UseMutationOptions<Data, Error, Given>,
): UseMutationResult<Data, Error, Given> {
  const isUnderWay = useRef(false);
  const mutation = useMutation<Data, Error, Given>({
    ...options,
    onSettled: (...told) => {
      isUnderWay.current = false;
      return options.onSettled?.(...told);
    },
  });
  const begin = mutation.mutate;
  const mutate: typeof begin = useCallback(
    (...given) => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      begin(...given);
    },
    [begin],
  );
  return { ...mutation, mutate };
}
