/**
 * The link of an offer on its way to the page that shows it: from another page of the wallet, or behind the `#` of an
 * address, which no browser sends to a server. In memory alone: its code may be good.
 */
let kept: string | undefined;

export function keepOfferLink(link: string | undefined): void {
  kept = link;
}

export const offerLinkHere = (): string | undefined =>
  kept ?? new URLSearchParams(location.hash.slice(1)).get('offer') ?? undefined;

/** Out of memory, and out of the address that people copy. */
export function dropOfferLink(): void {
  kept = undefined;
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search);
}
