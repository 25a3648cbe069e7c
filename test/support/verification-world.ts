/**
 * A running service with a relying service and a wallet that know it by its address alone, and what both need to play a
 * verification session from beginning to end.
 */
import assert from 'node:assert/strict';
import type { JsonObject } from '@symbolon/wire/json/json';
import {
  type Derivation,
  type Holder,
  issueTo,
  type PresentationWorld,
  present,
  startPresentationWorld,
} from './credential-fixtures.ts';
import type { Owner } from './owner.ts';
import type { ServiceOrder } from './running-service.ts';
import { postService } from './service-http.ts';
import { fetchDefinition, type ResourceServer, type Wallet } from './x401.ts';

export interface VerificationWorld extends PresentationWorld {
  readonly server: ResourceServer;
  readonly wallet: Wallet;
  readonly vc: JsonObject;
}

export async function startVerificationWorld(
  owner: Owner,
  order: ServiceOrder = {},
): Promise<VerificationWorld> {
  const world = await startPresentationWorld(owner, order);
  const { url, verifier } = world.service;
  const { apiKey } = verifier;
  const made = await postService(url, '/v1/client/callback-secret', '', { apiKey });
  assert.equal(made.status, 200, made.text);
  const { callbackSecretKey } = made.body.object as { callbackSecretKey: string };
  return {
    ...world,
    server: { baseUrl: url, apiKey, callbackSecret: callbackSecretKey },
    wallet: { baseUrl: url, headers: await walletHeaders(world.holder) },
    vc: await issueTo(world, world.holder),
  };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Upper-case hex, as some wallets print it. */
export const signedText = async ({ signer }: Holder, text: string): Promise<string> =>
  hex(await signer.sign(Buffer.from(text, 'utf8'))).toUpperCase();

/** The wallet's address under the wallet's key. */
export const walletHeaders = async (holder: Holder): Promise<Record<string, string>> => ({
  'X-Wallet-Public-Key': holder.signer.publicKey,
  'X-Wallet-Signed-Data': await signedText(holder, holder.signer.address),
});

export const holderBinding = async (holder: Holder, nonce: string) => ({
  signBlob: await signedText(holder, nonce),
  publicKey: holder.signer.publicKey,
});

/** Claims of the template that every world has. */
export const requirementsOf = (
  { templateId }: PresentationWorld,
  claims: readonly JsonObject[],
  more: JsonObject = {},
): JsonObject => ({
  credentials: [
    {
      id: templateId,
      format: 'ldp_vc',
      meta: { vct_values: ['Residence permit'] },
      claims: [...claims],
    },
  ],
  ...more,
});

export const claim = (key: string, constraints?: JsonObject): JsonObject => ({
  path: ['credentialSubject', key],
  ...(constraints && { constraints }),
});

/** What a wallet fetches and derives: bound to the session by the challenge of its proof. */
export async function answerTo(
  world: VerificationWorld,
  id: string,
  order: Partial<Derivation>,
): Promise<{
  readonly definition: Awaited<ReturnType<typeof fetchDefinition>>;
  readonly vpToken: JsonObject;
}> {
  const definition = await fetchDefinition(world.wallet, id);
  const vpToken = await present(world, world.holder, {
    vc: world.vc,
    challenge: definition.nonce,
    ...order,
  });
  return { definition, vpToken };
}
