/**
 * What came of an act is gone to, by whatever key or button it was done: it has the focus, and is in sight. Whoever is
 * typing elsewhere by then, or is in a dialog, stays there.
 */
import { type RefObject, useEffect, useRef } from 'react';

const busy = 'input, textarea, select, [contenteditable="true"], [role="dialog"] *';

/** `outcome` is false, zero or undefined until there is one, and another value for another one. */
export function useOutcomeFocus<Place extends HTMLElement>(
  outcome: boolean | number | undefined,
): RefObject<Place | null> {
  const place = useRef<Place>(null);
  useEffect(() => {
    if (!outcome || !navigator.userActivation?.hasBeenActive) return;
    if (document.activeElement?.matches(busy)) return;
    place.current?.focus({ preventScroll: true });
    // In the middle: at the edges a phone has bars over the page.
    if (place.current && !isInSight(place.current)) place.current.scrollIntoView({ block: 'center' });
  }, [outcome]);
  return place;
}

function isInSight(place: Element): boolean {
  const { top, bottom } = place.getBoundingClientRect();
  return top >= barPixels && bottom <= innerHeight - barPixels;
}

/** As high as what may lie over the page at its edges. */
const barPixels = 64;
