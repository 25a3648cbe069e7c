/**
 * The link of an offer on its way to the page that shows it: from another page of the wallet, or behind the `#` of an
 * address, which no browser sends to a server. In memory alone: its code may be good. What outlives a reload is a mark at
 * this entry of the tab's history that there was one.
 */
import { offerBehind } from './wallet-link.ts';

let kept: string | undefined;

export function keepOfferLink(link: string): void {
  kept = link;
}

/** It is taken once: out of memory, and out of the address that people copy. */
export function takeOfferLink(): string | undefined {
  const link = kept ?? offerBehind(location.hash);
  kept = undefined;
  if (link !== undefined || location.hash !== '') markOffer(link !== undefined || isOfferLost());
  return link;
}

/** Whether an offer was opened here whose link is gone, with the page that had it. */
export const isOfferLost = (): boolean => (history.state as Partial<Marked> | null)?.hadOffer === true;

/** The offer was looked at to its end: nobody misses its link. */
export function forgetOffer(): void {
  // People type here, and browsers bear a change of their history only so often.
  if (isOfferLost()) markOffer(false);
}

interface Marked {
  readonly hadOffer: boolean;
}

function markOffer(hadOffer: boolean): void {
  const state: Marked = { ...history.state, hadOffer };
  history.replaceState(state, '', location.pathname + location.search);
}
