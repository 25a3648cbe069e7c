/**
 * Proofs of presence over HTTP: a signed text is good for one purpose, at one service, about one thing, for minutes.
 * The signed address of older wallets answers sessions and nothing else; the old signing rule of paid applications ties
 * a signature to the text that it came with. Whatever is read is in the audit log.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { lenientHexBytes } from '@symbolon/wire/payments/old-signing';
import type { Holder } from '../support/credential-fixtures.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { askPrice, customer, paidBody, pay, paymentFor, payPaths, sell } from '../support/payment-world.ts';
import { type Person, person } from '../support/people.ts';
import { shareProofs } from '../support/running-service.ts';
import { shiftedClock } from '../support/service-error-world.ts';
import { getService, outcomeOf, postService } from '../support/service-http.ts';
import { ok, paidApplicationText, paths, presenceLines, signText } from '../support/service-steps.ts';
import { worldOf } from '../support/service-world.ts';
import {
  answerTo,
  claim,
  requirementsOf,
  signedText,
  startVerificationWorld,
  type VerificationWorld,
} from '../support/verification-world.ts';
import { challenge, postSubmission, submissionBody } from '../support/x401.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
const clock = shiftedClock();
let world: VerificationWorld;

before(async () => {
  world = await startVerificationWorld(owner, { proofs, clock });
});

interface Shown {
  readonly purpose: string;
  readonly subject: string;
  readonly audience?: string;
  readonly agoMs?: number;
  readonly challenge?: string;
}

const textOf = ({ purpose, subject, audience = world.service.url, agoMs = 0, challenge }: Shown): string =>
  presenceLines(purpose, subject, {
    audience,
    nowMs: clock.nowMs() - agoMs,
    ...(challenge !== undefined && { challenge }),
  });
const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/** Headers of the extended routes. */
const extended = async (holder: Holder, shown: Shown): Promise<Record<string, string>> => ({
  publicKey: holder.signer.publicKey,
  signedData: await signedText(holder, textOf(shown)),
  signedText: base64url(textOf(shown)),
});
const audited = async (action: string, subject: string): Promise<number> =>
  (await world.service.admin.listAuditEntries({ action, subject })).entries.length;

describe('all that waits for a holder', () => {
  const ask = (headers: Record<string, string>, url = world.service.url) =>
    postService(url, '/v1/vc/ext/download', { address: world.holder.signer.address }, { headers });
  const bare = async () => ({
    publicKey: world.holder.signer.publicKey,
    signedData: await signedText(world.holder, world.holder.signer.address),
  });

  test('is not given for a signed address, which is good for ever', async () => {
    const answer = await ask(await bare());
    assert.equal(outcomeOf(answer), '401 walletNotAuthenticated');
    assert.doesNotMatch(answer.text, /Aroha/);
  });

  test('unless the operator lets older wallets have it', async (context) => {
    const open = await startVerificationWorld(
      { after: (end) => context.after(end) },
      { proofs, node: world.service.node, config: { compat: { addressDownloads: true } } },
    );
    ok(await ask(await bare(), open.service.url));
  });

  test('is given for a text of this purpose, service, wallet and moment', async () => {
    const { address } = world.holder.signer;
    const good: Shown = { purpose: 'download-all', subject: address };
    const before = await audited('credential.download', world.vc.id as string);
    const answer = await ask(await extended(world.holder, good));
    assert.match(ok(answer) && answer.text, /Aroha/);
    assert.equal(await audited('credential.download', world.vc.id as string), before + 1);
    for (const wrong of [
      { purpose: 'extended-presentation' },
      { purpose: 'download' },
      { purpose: 'session-answer' },
      { audience: 'https://another.example' },
      { subject: world.otherHolder.signer.address },
      { agoMs: 301_000 },
      { agoMs: -302_000 },
      { challenge: 'one-that-nobody-gave' },
    ]) {
      const refused = await ask(await extended(world.holder, { ...good, ...wrong }));
      assert.equal(outcomeOf(refused), '401 presenceRefused', JSON.stringify(wrong));
    }
    const others = { ...(await extended(world.holder, good)), ...(await bare()) };
    assert.equal(outcomeOf(await ask(others)), '401 walletNotAuthenticated', 'the address is not the text');
    const spoilt = { ...(await extended(world.holder, good)), signedText: 'not a text' };
    assert.equal(outcomeOf(await ask(spoilt)), '401 walletNotAuthenticated');
  });
});

describe('one credential', () => {
  const ask = async (shown: Shown) => {
    const vcId = world.vc.id as string;
    const text = textOf(shown);
    const body = { vcId, signVcId: await signedText(world.holder, text), signedText: text };
    return postService(world.service.url, paths.download, body);
  };

  test('is given for a text about it', async () => {
    const good: Shown = { purpose: 'download', subject: world.vc.id as string };
    assert.deepEqual(ok(await ask(good)), world.vc);
    for (const wrong of [
      { purpose: 'download-all' },
      { subject: world.templateId },
      { audience: 'https://another.example' },
      { agoMs: 301_000 },
    ])
      assert.equal(outcomeOf(await ask({ ...good, ...wrong })), '401 presenceRefused', JSON.stringify(wrong));
    const body = { vcId: world.vc.id as string, signVcId: '00'.repeat(64), signedText: 'some words' };
    const answer = await postService(world.service.url, paths.download, body);
    assert.equal(outcomeOf(answer), '400 requestMalformed');
    assert.match(answer.text, /\/signedText/);
  });
});

describe('a session', () => {
  const walletHeaders = async (shown: Shown) => ({
    'X-Wallet-Public-Key': world.holder.signer.publicKey,
    'X-Wallet-Signed-Data': await signedText(world.holder, textOf(shown)),
    'X-Wallet-Signed-Text': base64url(textOf(shown)),
  });

  test('is answered with a text about it, and with no other', async () => {
    const requirements = requirementsOf(world, [claim('city')]);
    const { presentationId: id } = await challenge(world.server, requirements);
    const { definition, vpToken } = await answerTo(world, id, { revealAttributes: ['city'] });
    const good: Shown = { purpose: 'session-answer', subject: id };
    const answer = async (shown: Shown) =>
      postSubmission({ ...world.wallet, headers: await walletHeaders(shown) }, definition, { vpToken });
    for (const wrong of [
      { purpose: 'download-all' },
      { subject: 'another-session' },
      { audience: 'https://another.example' },
      { agoMs: 301_000 },
    ])
      assert.equal(
        outcomeOf(await answer({ ...good, ...wrong })),
        '401 presenceRefused',
        JSON.stringify(wrong),
      );
    const done = await answer(good);
    assert.equal((done.body.object as JsonObject).verified, true, done.text);
  });

  test('is bound with a text that has the nonce in it', async () => {
    const requirements = requirementsOf(world, [claim('city')]);
    const { presentationId: id, nonce } = await challenge(world.server, requirements);
    const made = { revealAttributes: ['city'], challenge: undefined };
    const { definition, vpToken } = await answerTo(world, id, made as never);
    const good: Shown = { purpose: 'holder-binding', subject: id, challenge: nonce };
    const answer = async (shown: Shown) => {
      const signBlob = await signedText(world.holder, textOf(shown));
      const holder_binding = {
        signBlob,
        publicKey: world.holder.signer.publicKey,
        signedText: textOf(shown),
      };
      const body = { ...submissionBody(id, { vpToken }), holder_binding };
      const { headers } = world.wallet;
      const uri = new URL(definition.responseUri);
      return postService(uri.origin, uri.pathname, body, headers ? { headers } : {});
    };
    for (const wrong of [{ challenge: 'another' }, { subject: 'another' }, { agoMs: 301_000 }])
      assert.equal(
        outcomeOf(await answer({ ...good, ...wrong })),
        '401 presenceRefused',
        JSON.stringify(wrong),
      );
    const { challenge: _none, ...without } = good;
    assert.equal(outcomeOf(await answer(without)), '401 presenceRefused');
    const done = await answer(good);
    assert.equal((done.body.object as JsonObject).verified, true, done.text);
  });

  test('and its result, and a kept presentation, are read in the audit log', async () => {
    const requirements = requirementsOf(world, [claim('city')]);
    const { presentationId: id } = await challenge(world.server, requirements);
    const { definition, vpToken } = await answerTo(world, id, { revealAttributes: ['city'] });
    await postSubmission(world.wallet, definition, { vpToken });
    for await (const { status } of world.service.verifier.client.watchVerification({ id }))
      assert.equal(status, 'VERIFIED');
    assert.equal(await audited('verification.read', id), 1);

    const order = { vc: world.vc, revealAttributes: ['city'] };
    const made = await postService(world.service.url, '/v1/vp/ext/create', order);
    const { blobId, blob } = made.body.data as { blobId: string; blob: string };
    const signature = await world.holder.signer.sign(Buffer.from(blob, 'hex'));
    const signedBlob = Buffer.from(signature).toString('hex');
    const body = { blobId, signedBlob, publicKey: world.holder.signer.publicKey };
    const kept = await postService(world.service.url, '/v1/vp/ext/submit', body);
    const { id: savedId } = kept.body.data as { id: string };
    ok(await getService(world.service.url, `/cred/v1/vp/verify?id=${savedId}`));
    const hash = createHash('sha256').update(savedId).digest('hex');
    assert.equal(await audited('presentation.read', hash), 1);
  });
});

describe('a paid application', () => {
  const seller = () => ({ ...worldOf(world.service), privateKey: world.service.demo.issuer.privateKey });
  const moneyWorld = (templateId: string) => ({ ...seller(), service: world.service, templateId });
  const signed = (holder: Person, templateId: string, agoMs = 0) => {
    const { data, publicKey } = paidBody(holder, templateId);
    const order = { audience: world.service.url, nowMs: clock.nowMs() - agoMs };
    const text = paidApplicationText(data as string, order);
    return { data: data!, publicKey: publicKey!, signData: signText(holder, text), signedText: text };
  };

  test('is signed with its moment, and so is the question what became of it', async () => {
    const templateId = await sell(seller(), { templateName: 'Timed card', price: { amount: '1000' } });
    const holder = await customer(world.service.ledger, 'timely buyer');
    const stale = await postService(world.service.url, payPaths.apply, signed(holder, templateId, 301_000));
    assert.equal(outcomeOf(stale), '401 presenceRefused');
    const other = { ...signed(holder, templateId), data: paidBody(holder, templateId, { a: 'b' }).data! };
    const changed = await postService(world.service.url, payPaths.apply, other);
    assert.equal(outcomeOf(changed), '401 presenceRefused');

    const shop = moneyWorld(templateId);
    const demand = await askPrice(shop, signed(holder, templateId));
    const payment = await paymentFor(shop, holder, demand);
    const issued = await pay(shop, signed(holder, templateId), payment);
    assert.equal(issued.status, 200, issued.text);
    const { paymentId, vcId } = issued.body.data as { paymentId: string; vcId: string };
    const first = await audited('credential.download', vcId);
    const status = async (shown: Partial<Shown>) => {
      const text = textOf({ purpose: 'payment-status', subject: paymentId, ...shown });
      const signedData = signText(holder, text);
      const headers = { publicKey: holder.publicKey, signedData, signedText: base64url(text) };
      return getService(world.service.url, `${payPaths.status}/${paymentId}`, { headers });
    };
    assert.match(ok(await status({})) && (await status({})).text, /verifiableCredential/);
    assert.equal(await audited('credential.download', vcId), first + 2, 'every time it is handed over');
    assert.equal(outcomeOf(await status({ agoMs: 301_000 })), '401 presenceRefused');
    assert.equal(outcomeOf(await status({ purpose: 'download-all' })), '401 presenceRefused');
  });

  test('by the old rule has the text that it came with first, and is never free', async (context) => {
    const config = { compat: { lenientSignatures: true } };
    const open = await startVerificationWorld(
      { after: (end) => context.after(end) },
      { proofs, node: world.service.node, config },
    );
    const shop = { ...worldOf(open.service), privateKey: open.service.demo.issuer.privateKey };
    const paid = await sell(shop, { templateName: 'Old card', price: { amount: '1000' } });
    const free = await sell(shop, { templateName: 'Old gift', price: { amount: '0' } });
    const holder = person('old client');
    const byOldRule = (templateId: string, change: (data: string) => string = (data) => data) => {
      const { data, publicKey } = paidBody(holder, templateId);
      const signature = holder.sign(lenientHexBytes(data as string));
      const signData = Buffer.from(signature).toString('hex');
      return { data: change(data as string), publicKey: publicKey!, signData };
    };
    const ask = (body: JsonObject) => postService(open.service.url, payPaths.apply, body);
    const other = (data: string) => data.replace('roh', 'soh');
    const { data } = byOldRule(paid);
    assert.deepEqual(lenientHexBytes(other(data)), lenientHexBytes(data));
    assert.equal((await ask(byOldRule(paid))).status, 402);
    assert.equal((await ask(byOldRule(paid))).status, 402, 'the same text as often as it likes');
    assert.equal(outcomeOf(await ask(byOldRule(paid, other))), '409 signatureUsed');
    const gift = await ask(byOldRule(free));
    assert.equal(outcomeOf(gift), '401 signerMismatch');
    assert.doesNotMatch(gift.text, /credentialSubject/);
    ok(await ask(paidBody(holder, free)));
    assert.equal(outcomeOf(await ask(byOldRule(free))), '401 signerMismatch', 'nor is it given again');
  });
});
