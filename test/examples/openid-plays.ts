/** The examples of OpenID4VCI: an offer, what a wallet makes of it, and what it finds beside. */
import { parseSignedObject } from '@symbolon/formats/jose/strict-json';
import type { JsonObject } from '@symbolon/wire/json/json';
import { openidIssuer } from '../support/openid-issuer.ts';
import {
  keyProof,
  makeWalletKey,
  offerUriOf,
  postForm,
  readOffer,
  type WalletKey,
} from '../support/raw-wallet.ts';
import { ok, signBlob } from '../support/service-steps.ts';
import { type DemoWorld, demoAddress, textOf } from './demo-world.ts';
import type { Issued } from './issuer-plays.ts';
import type { PlayService } from './player.ts';

const preAuthorized = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';

/** Of the library's card, as the issuer fills it in. */
export const cardOrder = {
  metadata: [
    { key: 'name', value: 'Mira Example' },
    { key: 'birthDate', value: '1999-04-12' },
    { key: 'booksMax', value: '12' },
  ],
  validUntil: '2099-12-31',
};

export interface HeldCard {
  readonly credential: string;
  readonly key: WalletKey;
}

interface Taken {
  readonly token: string;
  readonly body: JsonObject;
}

/** What a wallet proves for the credentials of an offer; a new key each time. */
async function proved(
  play: () => Promise<JsonObject>,
  audience: string,
  key: WalletKey = makeWalletKey(),
): Promise<JsonObject> {
  const { c_nonce: nonce } = await play();
  return { jwt: [keyProof(key, { audience, nonce: nonce as string })] };
}

/** Answers the card that a wallet got, and the key that it is bound to. */
export async function playOpenid(
  play: PlayService,
  { issuer, service }: DemoWorld,
  { templateId }: Issued,
): Promise<HeldCard> {
  const { apiKey } = issuer;
  const params = { issuer: issuer.did.slice(-64) };
  const reach = (address: string): string => address.replace(demoAddress, service.url);

  const made = await play('makeOpenidOffer', { body: { templateId, ...cardOrder }, apiKey });
  const offerId = textOf(made, 'offerId');
  await play('signOpenidOffer', { body: { offerId, signData: signBlob(issuer, made.ed25519Blob) }, apiKey });
  await play('getIssuerMetadata', { params });
  await play('getAuthorizationServer', { params });
  const link = textOf(made, 'link');
  const reference = new URL(offerUriOf(link)).pathname.split('/').at(-1) as string;
  await play('getOfferedCredentials', { params: { ...params, reference } });

  const offer = await readOffer(link, reach);
  const form = {
    grant_type: preAuthorized,
    'pre-authorized_code': offer.code,
    tx_code: textOf(made, 'txCode'),
  };
  const { access_token: token } = await play('getOpenidToken', { params, body: form });
  const key = makeWalletKey();
  const proofs = await proved(() => play('getOpenidNonce', { params }), offer.issuer, key);
  const configuration = offer.configurations[0] as string;
  const body = { credential_configuration_id: configuration, proofs };
  const answer = await play('getOpenidCredential', { params, body, apiKey: token as string });
  const accepted = { notification_id: textOf(answer, 'notification_id'), event: 'credential_accepted' };
  await play('notifyOpenidIssuer', { params, body: accepted, apiKey: token as string });
  await play('getOpenidOffer', { params: { offerId }, apiKey });
  await playPublished(play, answer);

  const acts = openidIssuer(service.url, issuer, templateId);
  const later = await acts.make(cardOrder);
  const taken = await takeUnsigned(later.link, later.txCode, reach);
  ok(await acts.sign(later));
  await play('getDeferredCredential', { params, body: taken.body, apiKey: taken.token });
  const { offerId: unwanted } = await acts.make(cardOrder);
  await play('rejectOpenidOffer', { body: { offerId: unwanted, reason: 'Not enrolled any more' }, apiKey });
  await play('listOpenidOffers', { query: { limit: '2' }, apiKey });
  const [{ credential }] = answer.credentials as [{ credential: string }];
  return { credential, key };
}

/** What an SD-JWT VC refers to. */
async function playPublished(play: PlayService, { credentials }: JsonObject): Promise<void> {
  const [first] = credentials as { credential: string }[];
  const payload = first?.credential.split('.')[1] as string;
  const claims = parseSignedObject(Buffer.from(payload, 'base64url').toString()) as {
    readonly vct: string;
    readonly status: { readonly status_list: { readonly uri: string } };
  };
  const [template = '', version = ''] = new URL(claims.vct).pathname.split('/').slice(-2);
  await play('getCredentialType', { params: { template, version } });
  await play('getCredentialContext', { params: { template, version } });
  const [issuer = '', list = ''] = new URL(claims.status.status_list.uri).pathname.split('/').slice(-2);
  await play('getStatusList', { params: { issuer, list } });
  const number = list.replace('.jwt', '');
  await play('getStatusListOfPurpose', { params: { issuer, list: number, purpose: 'revocation' } });
}

/** Of an offer that nobody has signed yet: by when to ask again. */
async function takeUnsigned(
  link: string,
  txCode: string | undefined,
  reach: (address: string) => string,
): Promise<Taken> {
  const offer = await readOffer(link, reach);
  const at = (endpoint: string): string => reach(`${offer.issuer}/${endpoint}`);
  const { body } = await postForm(at('token'), {
    grant_type: preAuthorized,
    'pre-authorized_code': offer.code,
    ...(txCode !== undefined && { tx_code: txCode }),
  });
  const token = body.access_token as string;
  const post = async (endpoint: string, content: object): Promise<JsonObject> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const answer = await fetch(at(endpoint), { method: 'POST', body: JSON.stringify(content), headers });
    return (await answer.json()) as JsonObject;
  };
  const proofs = await proved(() => post('nonce', {}), offer.issuer);
  const asked = { credential_configuration_id: offer.configurations[0], proofs };
  const { transaction_id } = await post('credential', asked);
  return { token, body: { transaction_id } as JsonObject };
}
