/** The examples of OpenID4VP: a verifier asks for a card, a wallet shows one claim of it. */
import { readRequestObject, showCard } from '../support/raw-presenter.ts';
import { type DemoWorld, textOf } from './demo-world.ts';
import type { HeldCard } from './openid-plays.ts';
import type { PlayService } from './player.ts';

const typeOf = (credential: string): string => {
  const [, payload = ''] = credential.split('.');
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { vct: string }).vct;
};

export async function playOpenidVerifier(
  play: PlayService,
  { verifier: { apiKey } }: DemoWorld,
  { credential, key }: HeldCard,
): Promise<void> {
  const meta = { vct_values: [typeOf(credential)] };
  const wanted = { id: 'card', format: 'dc+sd-jwt', meta, claims: [{ path: ['booksMax'] }] };
  const body = {
    dcqlQuery: { credentials: [wanted] },
    responseMode: 'direct_post',
    purpose: 'To see how many books you may take',
  };
  const made = await play('requestOpenidVerification', { body, apiKey });
  const params = { id: textOf(made, 'id') };
  await play('postRequestObject', { params, body: { wallet_nonce: 'qPmxiNFCR3QTm19POc8u' } });
  const object = await play('getRequestObject', { params });
  const { claims } = readRequestObject(object as unknown as string);
  const shown = showCard(credential, { claims: ['booksMax'], request: claims, key });
  const answer = { vp_token: JSON.stringify({ card: [shown] }), state: claims.state as string };
  await play('answerOpenidRequest', { params, body: answer });
  await play('getOpenidVerification', { params, apiKey });
}
