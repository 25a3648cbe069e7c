/**
 * The link of an offer on its way to the page that shows it: from another page of the wallet, or behind the `#` of an
 * address, which no browser sends to a server. In memory alone: its code may be good.
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
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search);
  return link;
}
