/**
 * Offers by OpenID4VCI: the link of one, by value or by reference, and what it says. Reading it redeems nothing: whoever
 * has the link may take the offer, so its code is sent to nobody but the issuer that it names.
 */
import { asObject, type Fields, parseObject } from '@symbolon/core/basics/plain-values';
import { preAuthorizedGrant } from '@symbolon/wire/offers/offer-link';
import { SdkError } from '../errors/errors.ts';
import { openidWalletLimits as limits } from '../limits/client-limits.ts';
import { parseFields, requireText, textOrNothing, textsOf, unreadable } from './openid-json.ts';
import type { WalletWeb } from './wallet-web.ts';

/** A further code, which the issuer tells on another way. */
export interface WantedTxCode {
  readonly isNumeric: boolean;
  readonly length?: number;
  /** The issuer's own words. */
  readonly description?: string;
}

/** What the link of an offer by OpenID4VCI says. */
export interface FieldOffer {
  /** The identifier of the credential issuer, an address. */
  readonly issuer: string;
  readonly configurationIds: readonly string[];
  /** Whoever has it may take the offer. */
  readonly code: string;
  readonly txCode?: WantedTxCode;
  /** Of several that an issuer trusts. */
  readonly authorizationServer?: string;
}

const notALink = (why: string): SdkError =>
  new SdkError('invalidArgument', `this is not the link of a credential offer: ${why}`, {
    hint: 'Take the whole link as it was sent: openid-credential-offer://?credential_offer_uri=…',
  });

/** The parameters of a link of any scheme. */
export function linkParameters(link: string, refuse: (why: string) => SdkError): URLSearchParams {
  const text = typeof link === 'string' ? link.trim() : '';
  if (text.length > limits.linkCharsMax) throw refuse('it is too long');
  const query = /^[a-z][a-z0-9+.-]*:[^?#]*\?([^#]*)/i.exec(text)?.[1];
  if (query === undefined) throw refuse('it has no parameters');
  const parameters = new URLSearchParams(query);
  const names = [...parameters.keys()];
  const twice = names.find((name, place) => names.indexOf(name) < place);
  if (twice !== undefined) throw refuse('it has a parameter twice');
  return parameters;
}

/** Whether an offer is one for wallets of the field; our own names templates, by their DIDs. */
export function isFieldOfferLink(link: string): boolean {
  const parameters = /^[a-z][a-z0-9+.-]*:[^?#]*\?([^#]*)/i.exec(link.trim())?.[1];
  const found = new URLSearchParams(parameters ?? '');
  if (found.has('credential_offer_uri')) return true;
  const ids = textsOf(parseObject(found.get('credential_offer') ?? '')?.credential_configuration_ids);
  return ids.length > 0 && !ids.every((id) => id.startsWith('did:'));
}

export async function readFieldOffer(link: string, web: WalletWeb): Promise<FieldOffer> {
  const parameters = linkParameters(link, notALink);
  const value = parameters.get('credential_offer');
  const address = parameters.get('credential_offer_uri');
  if ((value === null) === (address === null))
    throw notALink('it has to have exactly one of credential_offer and credential_offer_uri');
  if (value !== null) return readOffer(parseFields(value, 'the offer'));
  const order = { method: 'GET', url: address as string, headers: { accept: 'application/json' } } as const;
  const { status, text } = await web.call({ ...order, place: 'the offer' });
  if (status === 200) return readOffer(parseFields(text, 'the offer'));
  throw new SdkError('openidRefused', `there is no such offer any more (${status})`, {
    hint: 'It may be over or taken. Ask the issuer for a new one.',
  });
}

function readOffer(offer: Fields): FieldOffer {
  const issuer = requireText(offer, 'credential_issuer', 'the offer');
  const configurationIds = textsOf(offer.credential_configuration_ids);
  if (configurationIds.length === 0) throw unreadable('the offer', 'names nothing that is offered');
  if (configurationIds.length > limits.configurationsMax) throw unreadable('the offer', 'names too much');
  const grant = asObject(asObject(offer.grants)?.[preAuthorizedGrant]);
  if (!grant)
    throw unreadable(
      'the offer',
      'can be taken after a sign-in with the issuer alone, which is not known here',
    );
  const authorizationServer = textOrNothing(grant.authorization_server);
  const txCode = grant.tx_code === undefined ? undefined : readTxCode(asObject(grant.tx_code) ?? {});
  return {
    ...{ issuer, configurationIds },
    code: requireText(grant, 'pre-authorized_code', 'the offer'),
    ...(txCode && { txCode }),
    ...(authorizationServer !== undefined && { authorizationServer }),
  };
}

function readTxCode({ input_mode: mode, length, description }: Fields): WantedTxCode {
  const words = textOrNothing(description);
  return {
    isNumeric: mode !== 'text',
    ...(Number.isSafeInteger(length) && { length: length as number }),
    ...(words !== undefined && { description: words.slice(0, 300) }),
  };
}
