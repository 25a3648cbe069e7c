/**
 * Offers of credentials: the link that an issuer sends, and what a holder does with it. Making, listing and withdrawing
 * them are routes of the client: `makeOffer`, `listOffers`, `withdrawOffer`. Whoever has the link may accept, so its code
 * is sent to nobody but the service that the link names.
 */
import { offerLimits } from '@symbolon/core/limits/waiting';
import { isSameOrigin } from '@symbolon/core/presentation/presence-text';
import { parseJsonOrNothing } from '@symbolon/wire/json/json';
import { type OfferFacts, readLinkedOffer, writeOfferLink } from '@symbolon/wire/offers/offer-link';
import { type OfferedAttribute, offeredContent } from '@symbolon/wire/offers/offered-content';
import { assertMembers } from '../arguments/exact-arguments.ts';
import { assertDoneAsOrdered, notAsOrdered } from '../comparison/order-comparison.ts';
import { SdkError } from '../errors/errors.ts';
import type { Signer } from '../keys/signer.ts';
import type { CallOptions, CredentialClient, CredentialReply } from '../service/credential-client.ts';
import { type Audience, signPresence, subjectOf } from '../transport/presence.ts';
import { assertCallOptions } from '../transport/service-call.ts';

/** What the link of an offer says. */
export interface ParsedOffer {
  /** The address of the service that the offer is of. */
  readonly service: string;
  readonly templateIds: string[];
  /** Whoever has it may accept the offer. */
  readonly code: string;
  /** Where the holder needs a further code, which the issuer tells on another way. */
  readonly txCode?: { readonly length: number };
}

/** Reads the link of an offer, or the JSON that is in it. Throws `invalidArgument` for whatever is none. */
export function parseOfferLink(text: string): ParsedOffer {
  const given = typeof text === 'string' ? text.trim() : '';
  if (given.length > offerLimits.linkCharsMax) throw notALink('it is too long');
  const offer = readLinkedOffer(parseJsonOrNothing(offerJson(given)));
  if (!offer) throw notALink('it holds no offer with a pre-authorized code');
  if (!isServiceAddress(offer.service)) throw notALink('credential_issuer is no http address');
  return { ...offer, templateIds: [...offer.templateIds] };
}

/** The JSON of an offer, which stands by itself or in a parameter of a link. */
function offerJson(text: string): string {
  if (text.startsWith('{')) return text;
  const query = /^[a-z][a-z0-9+.-]*:[^?#]*\?([^#]*)/i.exec(text)?.[1];
  if (query === undefined) throw notALink('it has no parameters');
  const parameters = new URLSearchParams(query);
  const json = parameters.get('credential_offer');
  if (json !== null) return json;
  const isByAddress = parameters.has('credential_offer_uri');
  throw notALink(isByAddress ? 'it names an address in place of the offer' : 'credential_offer is missing');
}

function isServiceAddress(text: string): boolean {
  const url = URL.parse(text);
  const isPlain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return Boolean(isPlain) && /^https?:$/.test(url?.protocol ?? '');
}

/** The text is not repeated: its code may be good. */
const notALink = (why: string): SdkError =>
  new SdkError('invalidArgument', `this is not the link of a credential offer: ${why}`, {
    hint: 'Take the whole link as it was sent: openid-credential-offer://?credential_offer=…',
  });

/** The link of an offer, as `makeOffer` answers it. */
export function offerLink(offer: ParsedOffer): string {
  assertMembers(offer, { service: true, templateIds: true, code: true, txCode: true }, 'the offer');
  return writeOfferLink(offer);
}

/** Which offer is meant. */
export interface OfferChoice {
  /** Its link, or what `parseOfferLink` read of it. */
  readonly offer: string | ParsedOffer;
  /** The code that came on another way than the link, where the offer needs one. */
  readonly txCode?: string | undefined;
}

/** What an offer is, as the service tells whoever has its link. */
export type OfferPreview = CredentialReply<'previewOffer'>;

/**
 * What an offer is, before it is accepted. Values are there once the further code is given, where one is needed, and
 * until the offer was accepted.
 */
export async function previewOffer(
  client: Pick<CredentialClient, 'previewOffer' | 'audience'>,
  choice: OfferChoice,
  options?: CallOptions,
): Promise<OfferPreview> {
  assertMembers(choice, { offer: true, txCode: true }, 'the choice');
  assertCallOptions(options);
  const offer = chosenOffer(client, choice);
  return fetchPreview(client, offer, { txCode: choice.txCode, options });
}

interface Asking {
  readonly txCode: string | undefined;
  readonly options: CallOptions | undefined;
}

const bearerBody = ({ code }: OfferFacts, txCode: string | undefined) => ({
  'pre-authorized_code': code,
  ...(txCode !== undefined && { tx_code: txCode }),
});

async function fetchPreview(
  client: Pick<CredentialClient, 'previewOffer'>,
  offer: OfferFacts,
  { txCode, options }: Asking,
): Promise<OfferPreview> {
  const preview = await client.previewOffer(bearerBody(offer, txCode), options);
  assertOfLink(preview, offer);
  return preview;
}

function assertOfLink({ templateId }: OfferPreview, { templateIds }: OfferFacts): void {
  if (!templateIds.includes(templateId)) throw notAsOrdered('the offer', ['templateId']);
}

/** Throws `invalidArgument` where the client is of another service than the link names. */
function chosenOffer({ audience }: Audience, { offer }: OfferChoice): OfferFacts {
  const facts = typeof offer === 'string' ? parseOfferLink(offer) : offer;
  const named = URL.parse(facts.service)?.origin;
  if (audience === undefined || (named !== undefined && isSameOrigin(audience, named))) return facts;
  const hint = 'Nothing was sent. Make a client of the service that parseOfferLink reads from the link.';
  throw new SdkError('invalidArgument', 'the offer is of another service than the client', { hint });
}

/** Who accepts which offer. */
export interface AcceptanceOrder extends OfferChoice {
  readonly signer: Signer;
  /** What the holder was shown and agrees to; fetched, if left out. Nothing else is signed. */
  readonly preview?: OfferPreview;
}

/** What became of an accepted offer. */
export interface AcceptedOffer {
  /** The id of the application, and later of the credential. */
  readonly applyId: string;
  readonly offerId: string;
  readonly templateId: string;
  readonly status: CredentialReply<'acceptOffer'>['status'];
  /** Why the issuer has turned it down, where the status is `Rejected`. */
  readonly reason?: string;
}

/**
 * Accepts an offer: the holder signs which offer it is and what it says. Whoever repeats this with the same key gets the
 * same application.
 */
export async function acceptOffer(
  client: Pick<CredentialClient, 'previewOffer' | 'acceptOffer' | 'audience'>,
  order: AcceptanceOrder,
  options?: CallOptions,
): Promise<AcceptedOffer> {
  assertMembers(order, { offer: true, txCode: true, signer: true, preview: true }, 'the order');
  assertCallOptions(options);
  const { signer, txCode } = order;
  const offer = chosenOffer(client, order);
  const preview = order.preview ?? (await fetchPreview(client, offer, { txCode, options }));
  assertOfLink(preview, offer);
  const { offerId, templateId, state } = preview;
  // One that was accepted shows no values any more: who accepted it is told the application by the offer alone.
  const challenge =
    state === 'open' ? subjectOf(offeredContent(templateId, offeredValues(preview))) : undefined;
  const { text, signature } = await signPresence(signer, client, {
    purpose: 'offer-acceptance',
    subject: offerId,
    ...(challenge !== undefined && { challenge }),
  });
  const accepted = await client.acceptOffer(
    {
      ...bearerBody(offer, txCode),
      holderPublicKey: signer.publicKey,
      signData: signature,
      signedText: text,
    },
    options,
  );
  const { vcId: applyId, status, reason, ...done } = accepted;
  assertDoneAsOrdered({ action: 'accepted the offer', rootMember: '' }, { offerId, templateId }, done);
  return { applyId, offerId, templateId, status, ...(reason !== undefined && { reason }) };
}

function offeredValues({ attributes, tx_code: txCode }: OfferPreview): OfferedAttribute[] {
  return attributes.map(({ key, value }) => {
    if (value !== undefined) return { key, value };
    const hint = 'Nothing was accepted. The issuer tells the code on another way than the link.';
    const message = txCode
      ? `the offer needs a transaction code of ${txCode.length} digits`
      : 'the preview of the offer shows no values';
    throw new SdkError('invalidArgument', message, { hint });
  });
}
