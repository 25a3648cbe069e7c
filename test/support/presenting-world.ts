/**
 * A service that asks wallets by OpenID4VP under a name of its own, an issuer of every format, and the SDK's wallet, which
 * reaches that name here and remembers what it sent where. What comes back can be changed on its way.
 */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { checkCertificateChain } from '@symbolon/credential-service/jose/certificate-chain';
import { derivePresentation } from '@symbolon/sdk/flows/holder-flows';
import { signerFromSeed } from '@symbolon/sdk/keys/signer';
import type { FetchRequest } from '@symbolon/sdk/transport/http-exchange';
import {
  createOpenidWallet,
  type HeldFieldCredential,
  type HeldOwnCredential,
  type OpenidWalletOptions,
} from '@symbolon/sdk/wallet';
import type { JsonObject } from '@symbolon/wire/json/json';
import { makeAuthority } from './certificates.ts';
import { openidIssuer } from './openid-issuer.ts';
import type { Owner } from './owner.ts';
import { startNode } from './running-node.ts';
import { shareProofs, startService } from './running-service.ts';
import { getService, postService } from './service-http.ts';
import { createSteps, fewValues, ok } from './service-steps.ts';
import { plainPost, registerCard, worldOf } from './service-world.ts';

export const askingHost = 'issuer.example';
const publicUrl = `https://${askingHost}`;

export interface SentRequest extends FetchRequest {
  readonly url: string;
}

/** What somebody in between makes of an answer. */
export type ChangeAnswer = (url: string, text: string) => string;

export async function startPresentingWorld(owner: Owner) {
  const authority = makeAuthority('Test root');
  const certificate = authority.issue(askingHost, [askingHost]);
  const config = {
    publicUrl,
    openid: { requestCertificate: { chain: `${certificate.cert}${authority.cert}`, key: certificate.key } },
  };
  const proofs = shareProofs(owner, 1);
  const service = await startService(owner, { node: await startNode(owner), proofs, config });
  const world = worldOf(service);
  const templateId = await registerCard(world, 'Field card');
  const acts = openidIssuer(service.url, world.issuer, templateId);
  const anchors = [new Uint8Array(new X509Certificate(authority.cert).raw)];

  /** The wallet, and everything that it sends from now on. */
  const newWallet = (change: ChangeAnswer = (_url, text) => text, more: OpenidWalletOptions = {}) => {
    const sent: SentRequest[] = [];
    const wallet = createOpenidWallet({
      checkCertificates: (chain) => checkCertificateChain(chain, { anchors, now: Date.now() }),
      transactionTypes: ['payment'],
      async fetch(url, request) {
        sent.push({ url, ...request });
        const answer = await fetch(url.replace(publicUrl, service.url), request);
        const { status, headers } = answer;
        return status === 204 ? answer : new Response(change(url, await answer.text()), { status, headers });
      },
      ...more,
    });
    return { wallet, sent };
  };

  const issue = async (format: string, copies = 1): Promise<readonly HeldFieldCredential[]> => {
    const { wallet } = newWallet();
    const offer = await acts.offer({ txCode: false, formats: [format] });
    const taken = await wallet.takeOffer(await wallet.openOffer(offer.link), { copies });
    assert.ok(taken.state === 'issued');
    return taken.credentials;
  };

  /** One of our own credentials, with what shows it. */
  const issueOwn = async (): Promise<HeldOwnCredential> => {
    const { issuer, holder } = world;
    const steps = createSteps(plainPost(service.url), { ...world.signedFor, audience: publicUrl });
    const { vc } = await steps.issue({ issuer, holder }, templateId, fewValues);
    const signer = await signerFromSeed(holder.seed);
    const proof = [vc.proof].flat().find((one) => (one as JsonObject).cryptosuite === 'symbolon-bbs-2026');
    const verificationMethod = String((proof as JsonObject | undefined)?.verificationMethod);
    const issuerKeys = [{ verificationMethod, publicKeyMultibase: issuer.bbsPublicKey }];
    return {
      format: 'symbolon-bbs-2026',
      document: vc as unknown as HeldOwnCredential['document'],
      present: ({ reveal, ranges, telling, challenge, domain }) =>
        derivePresentation({
          ...{ signer, issuerKeys, now: Date.now(), challenge, domain },
          vcs: [{ vc, revealAttributes: [...reveal], rangeProof: ranges as never }],
          tellingRanges: [...telling],
        }),
    };
  };

  const ask = async (query: JsonObject, more: JsonObject = {}): Promise<{ id: string; link: string }> => {
    const body = { dcqlQuery: query, responseMode: 'direct_post', ...more };
    const made = ok(await postService(service.url, '/cred/v1/oid4vp/requests', body, service.verifier));
    return { id: String(made.id), link: String(made.request) };
  };
  const stateOf = async (id: string): Promise<JsonObject> =>
    ok(await getService(service.url, `/cred/v1/oid4vp/requests/${id}`, service.verifier));
  return { service, world, templateId, authority, newWallet, issue, issueOwn, ask, stateOf };
}
export type PresentingWorld = Awaited<ReturnType<typeof startPresentingWorld>>;

/** Whether something went to where answers go. */
export const answersSent = (sent: readonly SentRequest[]): readonly SentRequest[] =>
  sent.filter(({ url, method }) => method === 'POST' && !url.includes('/oid4vp/request/'));
