/** What "Show as code" shows: the requests of the page that is open, or of the act that somebody is about to do. */
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { forgetMadeRequests } from '../api/made-requests.ts';
import { watchTabSession } from '../api/tab-session.ts';
import type { CodeRequest } from '../code/code-request.ts';
import { watchVaults } from '../vault/open-vaults.ts';

export interface ShownCode {
  readonly title: string;
  readonly requests: readonly CodeRequest[];
}

/** By their places, what pages and what lies over them show. */
type CodePlaces = ReadonlyMap<number, ShownCode>;
type ShowCode = (place: number, code: ShownCode | undefined) => void;

const PlacesContext = createContext<CodePlaces | undefined>(undefined);
const ShowContext = createContext<ShowCode | undefined>(undefined);

export function ShownCodeProvider({ children }: { readonly children: ReactNode }) {
  const [places, setPlaces] = useState<CodePlaces>(new Map());
  const show = useMemo<ShowCode>(
    () => (place, code) =>
      setPlaces((before) => {
        const next = new Map(before);
        if (code) next.set(place, code);
        else next.delete(place);
        return next;
      }),
    [],
  );
  useEffect(() => {
    const watches = [watchTabSession(forgetMadeRequests), watchVaults(forgetMadeRequests)];
    return () => {
      for (const end of watches) end();
    };
  }, []);
  return (
    <ShowContext value={show}>
      <PlacesContext value={places}>{children}</PlacesContext>
    </ShowContext>
  );
}

/** What is shown by whoever is innermost: a dialog before its page. */
export function useInnermostCode(): ShownCode | undefined {
  const places = use(PlacesContext);
  if (!places) throw new Error('ShownCodeProvider is missing');
  return places.get(Math.max(...places.keys()));
}

let placeCount = 0;

/** A page says which requests it makes, as long as it is there. */
export function useShownCode(title: string, requests: readonly CodeRequest[]): void {
  const show = use(ShowContext);
  if (!show) throw new Error('ShownCodeProvider is missing');
  // Whoever is inside another is drawn after it.
  const [place] = useState(() => ++placeCount);
  const text = JSON.stringify(requests);
  useEffect(() => {
    show(place, { title, requests: JSON.parse(text) as CodeRequest[] });
  }, [show, place, title, text]);
  useEffect(() => () => show(place, undefined), [show, place]);
}
