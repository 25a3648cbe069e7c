/**
 * Our own credential by OpenID4VCI, with a real service and node over HTTP: offered to one holder, taken with that holder's
 * key alone, and then a credential of ours like every other: recorded, shown with a range, verified, and revoked.
 */
import assert from 'node:assert/strict';
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { derivePresentation } from '@symbolon/sdk/flows/holder-flows';
import { signerFromSeed } from '@symbolon/sdk/keys/signer';
import type { JsonObject } from '@symbolon/wire/json/json';
import { openidIssuer } from '../support/openid-issuer.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { openRequest } from '../support/raw-presenter.ts';
import { makeWalletKey, postForm, readOffer, seconds, walletFor } from '../support/raw-wallet.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, outcomeOf, postService } from '../support/service-http.ts';
import { fewValues, ok, type Party } from '../support/service-steps.ts';
import { registerCard, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const ours = 'symbolon-bbs-2026';
const range = { attribute: 'birthDate', max: '2000-01-01' };

let service: RunningService;
let world: ReturnType<typeof worldOf>;
let acts: ReturnType<typeof openidIssuer>;
let templateId: string;

before(async () => {
  service = await startService(owner, { proofs: shareProofs(owner, 1) });
  world = worldOf(service);
  templateId = await registerCard(world, 'Field card');
  acts = openidIssuer(service.url, world.issuer, templateId);
});

type Holder = Pick<Party, 'did' | 'seed'>;
const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const publicJwkOf = ({ did }: Holder): JsonObject => ({
  ...{ kty: 'OKP', crv: 'Ed25519' },
  x: Buffer.from(did.slice(-64), 'hex').toString('base64url'),
});

const keyOf = (holder: Holder): KeyObject =>
  createPrivateKey({
    key: { ...publicJwkOf(holder), d: Buffer.from(holder.seed).toString('base64url') } as never,
    format: 'jwk',
  });

/** By the key that a DID of the ledger is made of, named in one of the ways there are. */
function ledgerProof(holder: Holder, audience: string, nonce: string, named: object): string {
  const header = { alg: 'EdDSA', typ: 'openid4vci-proof+jwt', ...named };
  const input = `${base64url(header)}.${base64url({ aud: audience, iat: seconds(), nonce })}`;
  return `${input}.${sign(null, Buffer.from(input), keyOf(holder)).toString('base64url')}`;
}

const terms = () => ({ txCode: false, formats: [ours], holder: world.holder.did });
const byDid = ({ did }: Holder) => ({ kid: `${did}#controllerKey` });

async function asked(link: string, prover: Holder, named: object = byDid(prover)) {
  const wallet = walletFor(await readOffer(link));
  const token = await wallet.token();
  const proof = ledgerProof(prover, wallet.offer.issuer, await wallet.nonce(), named);
  return { wallet, token, proof, answer: await wallet.ask(token, [proof]) };
}

const credentialIn = ({ status, body }: { status: number; body: JsonObject }): JsonObject => {
  assert.equal(status, 200, JSON.stringify(body));
  const [{ credential }] = body.credentials as [{ credential: JsonObject }];
  return credential;
};

async function taken() {
  const offer = await acts.offer(terms());
  const { answer } = await asked(offer.link, world.holder);
  return { offer, vc: credentialIn(answer) };
}

async function shown(vc: JsonObject, binding: { challenge: string; domain?: string }): Promise<JsonObject> {
  const { issuer, holder } = world;
  const [proof] = vc.proof as [JsonObject];
  const issuerKeys = [
    { verificationMethod: String(proof.verificationMethod), publicKeyMultibase: issuer.bbsPublicKey },
  ];
  const signer = await signerFromSeed(holder.seed);
  const vcs = [{ vc, revealAttributes: ['fullName'], rangeProof: [range] }];
  return (await derivePresentation({
    ...{ signer, issuerKeys, now: Date.now(), ...binding },
    vcs: vcs as never,
  })) as unknown as JsonObject;
}

async function verdictOn(vp: JsonObject): Promise<JsonObject> {
  const request = { revealAttributes: ['fullName'], rangeProof: [range] };
  return ok(await postService(service.url, '/cred/v1/vp/verify', { vp, challenge: 'own', request }));
}

describe('a credential of our own is offered', () => {
  test('to a holder, who takes it and shows a range of it, until it is revoked', async () => {
    const { offer, vc } = await taken();
    assert.equal(vc.id, offer.vcId);
    const subject = vc.credentialSubject as JsonObject;
    assert.deepEqual([subject.id, subject.fullName], [world.holder.did, fewValues.fullName]);
    const vp = await shown(vc, { challenge: 'own' });
    assert.equal(JSON.stringify(vp).includes(fewValues.birthDate), false);
    const verdict = await verdictOn(vp);
    assert.equal(verdict.verified, true, JSON.stringify(verdict));
    const proved = { birthDate: 'range proof ok: <= 2000-01-01' };
    assert.deepEqual(verdict.vcDetails, { fullName: fewValues.fullName, ...proved });

    const changed = structuredClone(vp);
    const [derived] = changed.verifiableCredential as [{ credentialSubject: JsonObject }];
    derived.credentialSubject.fullName = 'Somebody Else';
    assert.equal((await verdictOn(changed)).verified, false);
    const spoilt = { ...vc, credentialSubject: { ...subject, birthDate: '1950-01-01' } } as JsonObject;
    const forged = await shown(spoilt, { challenge: 'own' });
    assert.equal((await verdictOn(forged)).verified, false, 'an attribute that nobody signed proves nothing');

    await world.steps.revoke(world.issuer, offer.vcId);
    const after = await verdictOn(vp);
    assert.equal(after.verified, false);
    assert.match(String((after.errors as string[])[0]), /^status: /);
  });

  test('and answers a request of OpenID4VP with a range', async () => {
    const { vc, offer } = await taken();
    const wanted: JsonObject = {
      ...{ id: 'card', format: ours, meta: { template_values: [templateId] } },
      claims: [{ path: ['fullName'] }, { path: ['birthDate'], range: { max: range.max } }],
    };
    const present = async (): Promise<JsonObject> => {
      const body = { dcqlQuery: { credentials: [wanted] }, responseMode: 'direct_post' };
      const made = ok(await postService(service.url, '/cred/v1/oid4vp/requests', body, service.verifier));
      const { claims } = await openRequest(String(made.request));
      const vp = await shown(vc, { challenge: String(claims.nonce), domain: String(claims.client_id) });
      const answer = { vp_token: JSON.stringify({ card: [vp] }), state: String(claims.state) };
      await postForm(String(claims.response_uri), answer);
      const path = `/cred/v1/oid4vp/requests/${String(made.id)}`;
      return ok(await getService(service.url, path, service.verifier));
    };
    assert.equal((await present()).status, 'VERIFIED');
    await world.steps.revoke(world.issuer, offer.vcId);
    assert.equal((await present()).status, 'FAILED');
  });

  test('once: the same request has the same answer, and a key may be named in any way', async () => {
    const offer = await acts.offer(terms());
    const { wallet, token, proof, answer } = await asked(offer.link, world.holder, {
      jwk: publicJwkOf(world.holder),
    });
    const first = credentialIn(answer);
    assert.deepEqual(credentialIn(await wallet.ask(token, [proof])), first);
    assert.equal((await acts.state(offer)).status, 'Issued');
  });

  test('and waits for the signature of its issuer, which no other signature is', async () => {
    const offer = await acts.make(terms());
    const { wallet, token, proof, answer } = await asked(offer.link, world.holder);
    assert.equal(answer.status, 202);
    assert.equal(outcomeOf(await acts.sign(offer, 'ab'.repeat(64))), '401 signerMismatch');
    ok(await acts.sign(offer));
    assert.equal(credentialIn(await wallet.ask(token, [proof])).id, offer.vcId);
  });
});

describe('a credential of our own is not handed', () => {
  test('to another holder, nor to a key that is no DID of the ledger', async () => {
    const offer = await acts.offer(terms());
    const { wallet, token, answer } = await asked(offer.link, world.issuer);
    assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_proof']);
    const strange = await wallet.ask(token, await wallet.proofs([makeWalletKey()]));
    assert.deepEqual([strange.status, strange.body.error], [400, 'invalid_proof']);
    const nonce = await wallet.nonce();
    const proof = ledgerProof(world.holder, wallet.offer.issuer, nonce, byDid(world.holder));
    const both = await wallet.ask(token, [proof, ...(await wallet.proofs([makeWalletKey()]))]);
    assert.deepEqual([both.status, both.body.error], [400, 'invalid_proof']);
    credentialIn(await wallet.ask(token, [proof]));
  });

  test('beside another format, by a login, or without a holder', async () => {
    for (const wrong of [
      { formats: [ours] },
      { formats: [ours, 'dc+sd-jwt'], holder: world.holder.did },
      { formats: ['dc+sd-jwt'], holder: world.holder.did },
      { formats: [ours], holder: world.holder.did, login: true },
    ])
      assert.equal(outcomeOf(await acts.post(wrong)), '400 requestMalformed', JSON.stringify(wrong));
    assert.equal(outcomeOf(await acts.post({ formats: [ours], holder: 'did:key:z6Mk' })), '400 didMalformed');
  });
});
