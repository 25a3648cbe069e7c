/** Whoever closes what lay over the page goes on where they were: what had the focus before has it again. */
import { useEffect, useState } from 'react';

export function useReturnedFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // It may have gone with what was done; what came of the act has the focus then.
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost && before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    },
    [before],
  );
}
