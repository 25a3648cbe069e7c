/** What somebody pastes, scans or opens: a request of a verifier, or an offer of an issuer. Pure; nothing is followed. */
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import { isSameOrigin } from '@symbolon/core/presentation/presence-text';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { type ParsedOffer, parseOfferLink } from '@symbolon/sdk/flows/offer-flows';

export type ReadLink =
  | { readonly kind: 'request'; readonly id: string }
  /** A whole link, whose code is for this service alone. */
  | { readonly kind: 'offer'; readonly link: string }
  /** Of another service than this one. */
  | { readonly kind: 'elsewhere'; readonly origin: string }
  | { readonly kind: 'nothing' };

const linkCharsMax = 8_192;
const idForm = /^[A-Za-z0-9_-]{1,128}$/;
const requestPath = /^(?:\/api)?\/v1\/presentation\/([A-Za-z0-9_-]{1,128})$/;
const pagePath = /^\/wallet\/requests\/([A-Za-z0-9_-]{1,128})$/;
const offerPage = '/wallet/apply';

/** `origins` are those that this service is known under: its own name for itself, and where the page came from. */
export function readWalletLink(text: string, origins: readonly string[]): ReadLink {
  const said = text.trim();
  if (said === '' || said.length > linkCharsMax) return { kind: 'nothing' };
  if (idForm.test(said) && said.includes('_')) return { kind: 'request', id: said };
  const link = offerInPage(said) ?? said;
  const offer = parsedOffer(link);
  if (offer) {
    const { origin } = new URL(offer.service);
    return isOneOf(origins, origin) ? { kind: 'offer', link } : { kind: 'elsewhere', origin };
  }
  return readRequestLink(said, origins);
}

function readRequestLink(said: string, origins: readonly string[]): ReadLink {
  const inner = /^[a-z]+:\/\/\/?\?request_uri=(.+)$/i.exec(said)?.[1];
  const address = inner === undefined ? said : (decodeOrNothing(() => decodeURIComponent(inner)) ?? inner);
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return { kind: 'nothing' };
  const id = requestPath.exec(url.pathname)?.[1] ?? pagePath.exec(url.pathname)?.[1];
  if (id === undefined) return { kind: 'nothing' };
  return isOneOf(origins, url.origin) ? { kind: 'request', id } : { kind: 'elsewhere', origin: url.origin };
}

const isOneOf = (origins: readonly string[], origin: string): boolean =>
  origins.some((one) => isSameOrigin(one, origin));

/** The link of an offer behind the `#` of the wallet's page for it. */
function offerInPage(said: string): string | undefined {
  const url = URL.parse(said);
  if (url?.pathname !== offerPage) return undefined;
  return offerBehind(url.hash);
}

/** Undefined where an address speaks of no offer; what a broken one says is for whoever reads it. */
export const offerBehind = (hash: string): string | undefined =>
  new URLSearchParams(hash.slice(1)).get('offer')?.trim();

function parsedOffer(link: string): ParsedOffer | undefined {
  try {
    return parseOfferLink(link);
  } catch (error) {
    if (error instanceof SdkError && error.code === 'invalidArgument') return undefined;
    throw error;
  }
}
