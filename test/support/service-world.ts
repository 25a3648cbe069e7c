/**
 * Who takes part in the tests of the service: issuers with an account, an API key and a published BBS+ key, holders and
 * verifiers; and the two ways to talk to the service, plain and sealed. Made over a running service and its ledger.
 */
import { didOfPublicKey } from '@symbolon/core/did/did';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import type { ApiKeys } from '@symbolon/credential-service/access/api-keys';
import type { DemoDocument } from '@symbolon/demo/file';
import { grantFunds } from '@symbolon/demo/funds';
import { type LedgerClient, signerFromSeed } from '@symbolon/sdk/index';
import { publishKey } from '@symbolon/sdk/transactions/did-keys';
import { type ApiScope, apiScopes } from '@symbolon/wire/http/service-route';
import { keyFormat, type Person, person, personOf, richest } from './people.ts';
import type { AskedNode } from './running-node.ts';
import type { ServiceOn } from './running-service.ts';
import { postService, type SealTarget, sealTargetOf } from './service-http.ts';
import { createSteps, type Issuer, ok, type Party, type Post, paths, sealedPath } from './service-steps.ts';

/** What of a service the people of a test need. */
export interface ServiceAccess {
  readonly url: string;
  readonly client: LedgerClient;
  readonly apiKeys: Pick<ApiKeys, 'create'>;
}

export const didOf = ({ publicKey }: Person): string =>
  didOfPublicKey(keyFormat.parsePublicKey(publicKey) as Uint8Array, zetrixProfile);

const everyScope = apiScopes.filter((scope) => scope !== 'admin');

/** Somebody with an API key for their own DID. */
export async function makeParty(
  { apiKeys }: Pick<ServiceAccess, 'apiKeys'>,
  name: string,
  scopes: readonly ApiScope[] = everyScope,
): Promise<Party> {
  const who = person(name);
  const did = didOf(who);
  const { token } = await apiKeys.create({ label: name, scopes, did });
  return { ...who, did, apiKey: token };
}

/** Sees to it that everybody has so much, in one transaction of the richest account. */
export async function fund(
  client: LedgerClient,
  people: readonly Person[],
  amount = 100_000_000n,
): Promise<void> {
  const signer = await signerFromSeed(richest.seed);
  await grantFunds(
    client,
    signer,
    people.map(({ address }) => ({ address, amount })),
  );
}

/** An issuer with money, whose BBS+ key the service keeps and the ledger shows. */
export async function makeIssuer(access: ServiceAccess, name: string): Promise<Issuer> {
  const party = await makeParty(access, name);
  await fund(access.client, [party]);
  return publishBbsKey(access, party, party.seed);
}

/** Has the service make a BBS+ key of this seed, and publishes it. */
export async function publishBbsKey(
  { url, client }: ServiceAccess,
  party: Party,
  seed: Uint8Array,
): Promise<Issuer> {
  const body = { seed: Buffer.from(seed).toString('hex') };
  const made = ok(await postService(url, paths.bbsCreate, body, party));
  const bbsPublicKey = made.publicKeyMultibase as string;
  const signer = await signerFromSeed(party.seed);
  await publishKey(client, { signer, type: 'Bls12381G2Key2020', publicKeyMultibase: bbsPublicKey });
  return { ...party, bbsPublicKey };
}

/** Posting in clear. */
export const plainPost =
  (url: string): Post =>
  (path, body, as) =>
    postService(url, path, body, as);

const sealable = /^\/cred\/v1\/(vc\/(apply|create|submit|download)|vp\/)/;

/** Posting sealed wherever the service has a sealed form. */
export async function sealedPost(url: string): Promise<Post> {
  const target: SealTarget = await sealTargetOf(url);
  return (path, body, as) =>
    sealable.test(path)
      ? postService(url, sealedPath(path), body, { ...as, sealed: target })
      : postService(url, path, body, as);
}

/** A person of the demo as one who signs here. */
function demoParty({ privateKey, did, apiKey }: DemoDocument['holder']): Party {
  const who = personOf(keyFormat.parsePrivateKey(privateKey) as Uint8Array);
  return { ...who, did, apiKey };
}

/** The people of a demo as they sign here. */
export const peopleOf = (demo: DemoDocument) => ({
  issuer: { ...demoParty(demo.issuer), bbsPublicKey: demo.issuer.bbsPublicKeyMultibase },
  holder: demoParty(demo.holder),
  verifier: demoParty(demo.verifier),
});

/** The demo's people over a running service, and the steps they take in clear. */
export function worldOf({ url, ledger: client, served, demo }: ServiceOn<AskedNode>) {
  const { apiKeys } = served;
  const signedFor = { audience: url, nowMs: () => served.parts.clock.nowMs() };
  return {
    url,
    client,
    apiKeys,
    ...peopleOf(demo),
    signedFor,
    steps: createSteps(plainPost(url), signedFor),
  };
}
export type World = ReturnType<typeof worldOf>;

/** Registers a template of the demo's issuer, and answers its name. */
export async function registerCard(
  { steps, issuer }: Pick<World, 'steps' | 'issuer'>,
  templateName: string,
): Promise<string> {
  const { templateId } = await steps.registerTemplate(issuer, { templateName });
  return templateId as string;
}
