/** An issuer that makes offers for wallets of the field, over HTTP. */
import type { JsonObject } from '@symbolon/wire/json/json';
import { getService, postService, type ServiceAnswer } from './service-http.ts';
import { fewValues, type Issuer, ok, signBlob } from './service-steps.ts';

export interface MadeOffer {
  readonly offerId: string;
  readonly vcId: string;
  readonly link: string;
  readonly txCode: string | undefined;
  readonly made: JsonObject;
}

const paths = {
  offers: '/cred/v1/oid4vci/offers',
  sign: '/cred/v1/oid4vci/offers/sign',
  reject: '/cred/v1/oid4vci/offers/reject',
} as const;

export function openidIssuer(url: string, issuer: Issuer, templateId: string) {
  const acts = {
    order: (more: object = {}): JsonObject =>
      ({ templateId, metadata: fewValues, validUntil: '2099-12-31', ...more }) as JsonObject,
    post: (more: object = {}): Promise<ServiceAnswer> =>
      postService(url, paths.offers, acts.order(more), issuer),
    async make(more: object = {}): Promise<MadeOffer> {
      const made = ok(await acts.post(more));
      return {
        ...(made as unknown as { offerId: string; vcId: string; link: string; txCode?: string }),
        txCode: made.txCode as string | undefined,
        made,
      };
    },
    signature: ({ made }: MadeOffer): string => signBlob(issuer, made.ed25519Blob),
    sign: (offer: MadeOffer, signData: string = acts.signature(offer)): Promise<ServiceAnswer> =>
      postService(url, paths.sign, { offerId: offer.offerId, signData }, issuer),
    /** Made and signed. */
    async offer(more: object = {}): Promise<MadeOffer> {
      const offer = await acts.make(more);
      ok(await acts.sign(offer));
      return offer;
    },
    reject: ({ offerId }: Pick<MadeOffer, 'offerId'>, reason?: string): Promise<ServiceAnswer> =>
      postService(url, paths.reject, { offerId, ...(reason !== undefined && { reason }) }, issuer),
    state: async ({ offerId }: Pick<MadeOffer, 'offerId'>): Promise<JsonObject> =>
      ok(await getService(url, `${paths.offers}/${offerId}`, issuer)),
  };
  return acts;
}
