/**
 * The demo as the examples meet it: its people, templates, credentials and token, on ports of their own, under the
 * addresses that the demo has by default.
 */
import { readFileSync } from 'node:fs';
import type { DemoDocument } from '@symbolon/demo/file';
import type { JsonObject } from '@symbolon/wire/json/json';
import { custodySettings } from '../support/custody-journey.ts';
import type { Owner } from '../support/owner.ts';
import { fundAddress } from '../support/payment-world.ts';
import { keyFormat, personOf } from '../support/people.ts';
import type { RunningNode } from '../support/running-node.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import {
  type Issuer,
  type Party,
  type PresenceOrder,
  presenceLines,
  signText,
} from '../support/service-steps.ts';
import { peopleOf } from '../support/service-world.ts';
import { paymasterOf } from '../support/sponsored-world.ts';

export interface DemoWorld {
  readonly service: RunningService;
  readonly node: RunningNode;
  readonly demo: DemoDocument;
  readonly issuer: Issuer;
  readonly holder: Party;
  readonly holder2: Party;
  readonly verifier: Party;
  /** An API key of scope admin. */
  readonly adminKey: string;
}

/** Where the demo is, unless another port is asked for: texts that are signed for the service name it. */
export const demoAddress = 'http://127.0.0.1:8080';

const tokenSource = readFileSync(new URL('../../contracts/token.js', import.meta.url), 'utf8');

/** A wallet that the operator has registered: an app, which keeps no key of its own. */
export const demoWallet = { clientId: 'library-wallet', redirectUri: 'com.example.wallet:/back' };

/** Settings that the demo has beside those of any service. */
const config = {
  publicUrl: demoAddress,
  custody: custodySettings,
  facilitator: { sponsor: { enabled: true } },
  openid: { clients: [{ clientId: demoWallet.clientId, redirectUris: [demoWallet.redirectUri] }] },
};

function partyOf({ privateKey, did, apiKey }: DemoDocument['holder']): Party {
  return { ...personOf(keyFormat.parsePrivateKey(privateKey) as Uint8Array), did, apiKey };
}

export async function startDemoWorld(owner: Owner): Promise<DemoWorld> {
  const service = await startService(owner, { tokenSource, config, isDemo: true });
  const { demo, node, ledger } = service;
  const holder = partyOf(demo.holder);
  await fundAddress(ledger, await paymasterOf(service, holder));
  const { token: adminKey } = await service.served.apiKeys.create({ label: 'operator', scopes: ['admin'] });
  const holder2 = partyOf(demo.holder2);
  return { service, node, demo, ...peopleOf(demo), holder, holder2, adminKey };
}

/** A text that shows who is there, for the demo's service. */
export const presence = (purpose: string, subject: string, more: Partial<PresenceOrder> = {}): string =>
  presenceLines(purpose, subject, { audience: demoAddress, ...more });

const base64url = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');

/** Headers in which a wallet shows who it is, under the names of the extended routes. */
export function extendedHeaders(who: Party, purpose: string, subject = who.address): Record<string, string> {
  const text = presence(purpose, subject);
  return { publickey: who.publicKey, signeddata: signText(who, text), signedtext: base64url(text) };
}

/** The same under the names of the routes of sessions. */
export function walletHeaders(who: Party, subject: string): Record<string, string> {
  const text = presence('session-answer', subject);
  return {
    'x-wallet-public-key': who.publicKey,
    'x-wallet-signed-data': signText(who, text),
    'x-wallet-signed-text': base64url(text),
  };
}

export const textOf = (reply: JsonObject, member: string): string => reply[member] as string;
