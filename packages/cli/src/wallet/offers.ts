/**
 * Offers of credentials, accepted: read at the service that the owner chose and at no other, accepted as they were shown,
 * and what is issued at once is kept if it says exactly that.
 */
import { given } from '@symbolon/core/basics/plain-values';
import { downloadUnverified } from '@symbolon/sdk/flows/holder-flows';
import {
  acceptOffer,
  type OfferPreview,
  type ParsedOffer,
  parseOfferLink,
  previewOffer,
} from '@symbolon/sdk/flows/offer-flows';
import { usageFailure } from '../terminal/failure.ts';
import { keepGenuine, notKept } from './keeping.ts';
import { quoted } from './tool-results.ts';
import type { Wallet } from './wallet.ts';

/** What a link offers. Whoever has its code may accept, so one of another service is sent to nobody. */
export function readOfferLink({ serviceOrigin }: Pick<Wallet, 'serviceOrigin'>, link: string): ParsedOffer {
  const offer = parseOfferLink(link);
  const { origin } = new URL(offer.service);
  if (origin === serviceOrigin) return offer;
  throw usageFailure(
    `The offer was not looked at.\nIt is at ${quoted(origin, 200)}, and this wallet accepts offers at ${serviceOrigin} alone.\nChoose the other service with --service, and a key for it with --key.`,
  );
}

export interface OfferWords {
  readonly offer: ParsedOffer;
  /** That the issuer told on another way, where one is needed. */
  readonly txCode?: string;
}

/** What it says; the values come with the further code, where one is needed. */
export const lookAtOffer = ({ service }: Wallet, words: OfferWords): Promise<OfferPreview> =>
  previewOffer(service, words);

export interface Accepted {
  readonly credentialId: string;
  /** Of the application, by the service's word. */
  readonly status: string;
  /** Why the issuer has turned it down, where it has. */
  readonly reason?: string;
  readonly isKept: boolean;
}

/** Signs for what was shown and for nothing else. */
export async function acceptAndKeep(
  wallet: Wallet,
  words: OfferWords,
  preview: OfferPreview,
): Promise<Accepted> {
  const { signer, service } = wallet;
  const { applyId: vcId, status, reason } = await acceptOffer(service, { ...words, signer, preview });
  if (status !== 'Issued') return { credentialId: vcId, status, ...given({ reason }), isKept: false };
  const document = await downloadUnverified(service, { signer, vcId });
  const kept = await keepGenuine(wallet, document, {
    vcId,
    templateId: preview.templateId,
    // One that was accepted before shows no values any more.
    ...(preview.state === 'open' && { attributes: valuesOf(preview) }),
  });
  if ('refusal' in kept) throw notKept(kept.refusal);
  return { credentialId: vcId, status, isKept: true };
}

const valuesOf = ({ attributes }: OfferPreview): Record<string, string | number | boolean> =>
  Object.fromEntries(
    attributes.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value] as const])),
  );
