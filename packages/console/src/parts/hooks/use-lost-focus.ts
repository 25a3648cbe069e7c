/**
 * Whoever acts on something that goes with the act, a button of the page before, has the focus nowhere then: what took
 * its place has it, so that keys and screen readers go on from there. A page that was just loaded takes it from nobody.
 */
import { type RefObject, useEffect, useRef } from 'react';

export function useLostFocus<Place extends HTMLElement>(): RefObject<Place | null> {
  const place = useRef<Place>(null);
  useEffect(() => {
    const isLost = document.activeElement === document.body && navigator.userActivation?.hasBeenActive;
    if (isLost) place.current?.focus({ preventScroll: true });
  }, []);
  return place;
}
