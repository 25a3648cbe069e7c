/**
 * A service whose operator knows three wallets and whose issuer has a login, for tests of the authorization code flow; and
 * how these say what they expect.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Clock } from '@symbolon/host/work/clock';
import type { JsonObject } from '@symbolon/wire/json/json';
import { type CodeWalletOrder, codeWallet, openLogin } from './code-flow.ts';
import { openidIssuer } from './openid-issuer.ts';
import type { Owner } from './owner.ts';
import { makeWalletKey, seconds, signToken, type WalletAnswer } from './raw-wallet.ts';
import { shareProofs, startService } from './running-service.ts';
import { ok } from './service-steps.ts';
import { registerCard, worldOf } from './service-world.ts';

const key = makeWalletKey();
export const appClient = { clientId: 'app', redirectUri: 'com.example.app:/cb' };
export const desktopClient = { clientId: 'desktop', redirectUri: 'http://127.0.0.1:51234/cb' };
export const keyedClient = { clientId: 'known', redirectUri: 'https://wallet.example/cb?tenant=1' };
const clients: JsonObject[] = [
  { clientId: appClient.clientId, redirectUris: [appClient.redirectUri, 'com.example.app:/other'] },
  { clientId: desktopClient.clientId, redirectUris: ['http://127.0.0.1/cb', appClient.redirectUri] },
  { clientId: keyedClient.clientId, redirectUris: [keyedClient.redirectUri], jwks: { keys: [key.jwk] } },
  { clientId: 'no-login', jwks: { keys: [makeWalletKey().jwk] } },
];

/** Its clock goes with that of the machine, so much ahead. */
export async function makeCodeFlowWorld(owner: Owner) {
  const time = { skippedMs: 0 };
  const nowMs = (): number => Date.now() + time.skippedMs;
  const clock: Clock = { nowMs, nowMicros: () => BigInt(nowMs()) * 1_000n };
  const proofs = shareProofs(owner, 1);
  const service = await startService(owner, { proofs, clock, config: { openid: { clients } } });
  const world = worldOf(service);
  const templateId = await registerCard(world, 'Field card');
  const otherTemplateId = await registerCard(world, 'Another card');
  const acts = openidIssuer(service.url, world.issuer, templateId);
  const place = await openLogin(owner, service.url, world.issuer);
  const issuer = `${service.url}/oid4vci/${world.issuer.did.slice(-64)}`;
  const configuration = `zid.${templateId.slice(-64)}.1.0.0.sd`;
  ok(await place.set([templateId]));
  const walletOf = (more: Partial<CodeWalletOrder> = {}) =>
    codeWallet(issuer, { ...appClient, configuration, ...more });
  const assertion = () => assertionFor(issuer);
  const knownWallet = () => walletOf({ ...keyedClient, authenticate: assertion });
  return {
    ...{ time, clock, service, world, templateId, otherTemplateId, acts, place, issuer, configuration },
    ...{ walletOf, knownWallet, assertion },
  };
}

export type CodeFlowWorld = Awaited<ReturnType<typeof makeCodeFlowWorld>>;

const assertionFor = (issuer: string) => ({
  client_assertion: signToken(
    {},
    {
      ...{ iss: keyedClient.clientId, sub: keyedClient.clientId, aud: issuer, jti: randomUUID() },
      ...{ iat: seconds(), exp: seconds() + 60 },
    },
    key.key,
  ),
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
});

export function assertRefused(
  { status, body }: Omit<WalletAnswer, 'headers'>,
  error: string,
  word = /./,
  wanted = 400,
): void {
  assert.deepEqual([status, body.error], [wanted, error], JSON.stringify(body));
  assert.deepEqual(Object.keys(body).toSorted(), ['error', 'error_description']);
  assert.match(String(body.error_description), word);
}

export function tokenIn({ status, body }: WalletAnswer): string {
  assert.equal(status, 200, JSON.stringify(body));
  return body.access_token as string;
}

export function claimsIn({ status, body }: WalletAnswer): JsonObject {
  assert.equal(status, 200, JSON.stringify(body));
  const [{ credential }] = body.credentials as [{ credential: string }];
  return JSON.parse(Buffer.from(credential.split('.')[1], 'base64url').toString()) as JsonObject;
}
