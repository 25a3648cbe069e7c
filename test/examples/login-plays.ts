/** The examples of the authorization code flow: somebody logs in at the issuer's place, and a wallet gets the card. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { postForm } from '../support/raw-wallet.ts';
import { type DemoWorld, demoAddress, demoWallet, textOf } from './demo-world.ts';
import type { Issued } from './issuer-plays.ts';
import { cardOrder } from './openid-plays.ts';
import type { PlayService } from './player.ts';

const { clientId, redirectUri } = demoWallet;

const inQuery = (address: string, name: string): string =>
  new URL(address).searchParams.get(name) ?? assert.fail(`${address} has ${name}`);

export async function playLogin(
  play: PlayService,
  { issuer, service }: DemoWorld,
  { templateId }: Issued,
): Promise<void> {
  const { apiKey } = issuer;
  const params = { issuer: issuer.did.slice(-64) };
  const login = { loginUrl: 'https://library.example/login', templateIds: [templateId] };
  await play('setOpenidLogin', { body: login, apiKey });
  await play('getOpenidLogin', { apiKey });

  const verifier = randomBytes(32).toString('base64url');
  const pushed = await play('pushOpenidAuthorization', {
    params,
    body: {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: `zid.${templateId.slice(-64)}.1.0.0.sd`,
      state: 'af0ifjsldkj',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    },
  });
  const query = { client_id: clientId, request_uri: textOf(pushed, 'request_uri') };
  const { Location: page } = await play('beginOpenidAuthorization', { params, query });
  const reference = inQuery(page as string, 'reference');
  await play('readOpenidAuthorization', { body: { reference }, apiKey });
  const decision = { reference, decision: 'grant', ...cardOrder };
  const decided = await play('decideOpenidAuthorization', { body: decision, apiKey });
  const ticket = new URL(textOf(decided, 'continueUrl')).pathname.split('/').at(-1) as string;
  const { Location: back } = await play('continueOpenidAuthorization', { params: { ...params, ticket } });

  const issuerId = `${demoAddress}/oid4vci/${params.issuer}`;
  assert.equal(inQuery(back as string, 'iss'), issuerId);
  const token = await postForm(`${service.url}/oid4vci/${params.issuer}/token`, {
    grant_type: 'authorization_code',
    code: inQuery(back as string, 'code'),
    code_verifier: verifier,
    redirect_uri: redirectUri,
    client_id: clientId,
  });
  assert.equal(token.status, 200, JSON.stringify(token.body));
  await play('removeOpenidLogin', { apiKey });
}
