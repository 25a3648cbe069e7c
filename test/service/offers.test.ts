/**
 * Offers of credentials, on SQLite and on a real PostgreSQL: from the issuer's link to the issued credential of somebody
 * who had no DID before; of many who accept at once one does; a few wrong transaction codes end an offer, however many
 * come at once; and neither codes nor values are anywhere in clear.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { offerLimits } from '@symbolon/core/limits/waiting';
import { sweepAll } from '@symbolon/credential-service/operation/sweep';
import {
  acceptOffer,
  applyForCredential,
  type CredentialClient,
  createCredentialClient,
  didOfSigner,
  downloadCredential,
  issueCredential,
  parseOfferLink,
  previewOffer,
  readApplication,
  ServiceError,
  type Signer,
  signerFromSeed,
} from '@symbolon/sdk/index';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { startPostgres } from '../support/postgres.ts';
import { startNode } from '../support/running-node.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { shiftedClock } from '../support/service-error-world.ts';
import { registerCard, worldOf } from '../support/service-world.ts';

const rivals = 20;
const owner = ownerOfSuite();
const proofs = shareProofs(owner, 2);

const values = { fullName: 'Zanele Offered', birthDate: '1987-03-21' };
const metadata = Object.entries(values).map(([key, value]) => ({ key, value }));
const signerOf = (name: string): Promise<Signer> => signerFromSeed(person(name).seed);

const refusal =
  (code: string, facts: object = {}) =>
  (error: unknown) => {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.code, code, error.detail);
    for (const [name, value] of Object.entries(facts)) assert.equal(error.facts[name], value, name);
    return true;
  };

/** How often which outcome came. */
async function tally(attempts: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const attempt of await Promise.allSettled(attempts)) {
    const name = attempt.status === 'fulfilled' ? 'done' : (attempt.reason as ServiceError).code;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const wrongOf = (txCode: string, index: number): string =>
  String((Number(txCode) + 1 + index) % 10 ** offerLimits.txCodeDigits).padStart(
    offerLimits.txCodeDigits,
    '0',
  );

async function openSqlite(): Promise<{ service: RunningService; clock: ReturnType<typeof shiftedClock> }> {
  const clock = shiftedClock();
  return { clock, service: await startService(owner, { node: await startNode(owner), proofs, clock }) };
}

async function openPostgres(): Promise<{ service: RunningService; clock: ReturnType<typeof shiftedClock> }> {
  const { url: database } = await startPostgres(owner);
  const clock = shiftedClock();
  const node = await startNode(owner);
  return { clock, service: await startService(owner, { node, proofs, clock, database }) };
}

for (const [name, open] of [
  ['SQLite', openSqlite],
  ['PostgreSQL', openPostgres],
] as const)
  describe(`offers on ${name}`, () => {
    let service: RunningService;
    let clock: ReturnType<typeof shiftedClock>;
    let issuer: CredentialClient;
    let templateId: string;

    before(async () => {
      ({ service, clock } = await open());
      issuer = service.issuer.client;
      templateId = await registerCard(worldOf(service), 'Offered card');
    });

    type Order = Partial<Parameters<CredentialClient['makeOffer']>[0]>;
    const make = (order: Order = {}) => issuer.makeOffer({ templateId, metadata, ...order });
    const accept = (offer: string, signer: Signer, txCode?: string) =>
      acceptOffer(service.stranger, { offer, signer, ...(txCode !== undefined && { txCode }) });
    const stateOf = async (offerId: string) =>
      (await issuer.listOffers({ limit: '200' })).offers.find((one) => one.offerId === offerId);
    const audited = async (action: string, subject: string) =>
      (await service.admin.listAuditEntries({ action, subject })).entries.length;

    test('asked for again under one idempotency key it is the same offer, with the same link', async () => {
      const idempotencyKey = `offer-${name}`;
      const order = { templateId, metadata, txCode: true };
      const first = await issuer.makeOffer(order, { idempotencyKey });
      assert.deepEqual(await issuer.makeOffer(order, { idempotencyKey }), first);
      assert.equal(await audited('offer.make', first.offerId), 1);
      await assert.rejects(
        issuer.makeOffer({ ...order, txCode: false }, { idempotencyKey }),
        refusal('idempotencyMismatch'),
      );
    });

    test('become a credential of whoever accepts, as if they had applied', async () => {
      const made = await make({ reference: 'zanele@example.org' });
      const link = parseOfferLink(made.link);
      assert.deepEqual([link.service, link.templateIds, link.txCode], [service.url, [templateId], undefined]);
      assert.ok(Buffer.from(link.code, 'base64url').length >= 16);
      const stranger = createCredentialClient(link.service);
      const preview = await previewOffer(stranger, { offer: link });
      assert.deepEqual(
        preview.attributes.map(({ key, value }) => [key, value]),
        Object.entries(values),
      );
      assert.equal(preview.issuer, service.issuer.did);
      const signer = await signerOf('offered to');
      const accepted = await acceptOffer(stranger, { offer: link, signer, preview });
      assert.equal(accepted.status, 'Pending');
      const vcId = accepted.applyId;
      const waiting = (await issuer.listApplications({ status: 'Pending', templateId })).applications;
      assert.equal(waiting.find((one) => one.vcId === vcId)?.offerId, made.offerId);
      const { attributes, holder } = await readApplication(issuer, { vcId });
      assert.deepEqual([attributes, holder], [values, didOfSigner(signer)]);
      assert.equal((await stateOf(made.offerId))?.state, 'accepted');
      await issueCredential(issuer, {
        ...(await readApplication(issuer, { vcId })),
        signer: service.issuer.signer,
        bbsKey: { publicKeyMultibase: service.issuer.bbsPublicKey },
        expiredDate: '2099-12-31',
        ledger: service.ledger,
      });
      const listed = await stateOf(made.offerId);
      assert.deepEqual(
        [listed?.state, listed?.vcId, listed?.holder, listed?.reference],
        ['issued', vcId, holder, 'zanele@example.org'],
      );
      const held = await downloadCredential(stranger, { signer, vcId, ledger: service.ledger });
      assert.equal(held.id, vcId);
      assert.deepEqual(await accept(made.link, signer), { ...accepted, status: 'Issued' });
      assert.equal(await audited('offer.make', made.offerId), 1);
      assert.equal(await audited('offer.accept', made.offerId), 1);
      assert.equal(await audited('application.apply', vcId), 1);
    });

    test('are accepted by one of many holders, and by one holder once', async () => {
      const { link, offerId } = await make();
      const signers = await Promise.all(
        Array.from({ length: rivals }, (_, index) => signerOf(`rival ${index}`)),
      );
      const preview = await previewOffer(service.stranger, { offer: link });
      const counts = await tally(
        signers.map((signer) => acceptOffer(service.stranger, { offer: link, signer, preview })),
      );
      assert.deepEqual(counts, { done: 1, offerClosed: rivals - 1 });
      const winner = (await stateOf(offerId))?.holder;
      const again = signers.find((signer) => didOfSigner(signer) === winner) as Signer;
      const loser = signers.find((signer) => didOfSigner(signer) !== winner) as Signer;
      const vcId = (await stateOf(offerId))?.vcId;
      assert.equal((await accept(link, again)).applyId, vcId);
      await assert.rejects(accept(link, loser), refusal('offerClosed', { state: 'accepted' }));

      const second = await make();
      const signer = await signerOf('alone');
      const all = await Promise.all(Array.from({ length: rivals }, () => accept(second.link, signer)));
      assert.equal(new Set(all.map(({ applyId }) => applyId)).size, 1);
      assert.equal(await audited('offer.accept', second.offerId), 1);
    });

    test('with a transaction code show nothing without it, and lock after a few wrong ones', async () => {
      const made = await make({ txCode: true });
      const txCode = made.txCode as string;
      assert.match(txCode, /^[0-9]{6}$/);
      assert.ok(!decodeURIComponent(made.link).includes(txCode));
      assert.deepEqual(parseOfferLink(made.link).txCode, { length: 6 });
      const hidden = await previewOffer(service.stranger, { offer: made.link });
      assert.deepEqual(hidden.tx_code, { input_mode: 'numeric', length: 6 });
      assert.ok(hidden.attributes.every((one) => !('value' in one)));
      assert.doesNotMatch(JSON.stringify(hidden), /Zanele/);
      const signer = await signerOf('with a code');
      await assert.rejects(accept(made.link, signer), /needs a transaction code/);
      const guess = { offer: made.link, txCode: wrongOf(txCode, 0) };
      await assert.rejects(previewOffer(service.stranger, guess), refusal('txCodeWrong', { triesLeft: 4 }));
      // Right ones use up no tries, however many come at once.
      const right = Array.from({ length: rivals }, () =>
        previewOffer(service.stranger, { offer: made.link, txCode }),
      );
      assert.deepEqual(await tally(right), { done: rivals });
      assert.equal((await stateOf(made.offerId))?.wrongTxCodes, 1);
      const { applyId } = await accept(made.link, signer, txCode);
      assert.equal((await accept(made.link, signer)).applyId, applyId);

      const victim = await make({ txCode: true });
      const guesses = Array.from({ length: rivals }, (_, index) =>
        previewOffer(service.stranger, {
          offer: victim.link,
          txCode: wrongOf(victim.txCode as string, index),
        }),
      );
      const counts = await tally(guesses);
      assert.deepEqual(counts, { txCodeWrong: 4, offerClosed: rivals - 4 });
      const locked = await stateOf(victim.offerId);
      assert.deepEqual([locked?.state, locked?.wrongTxCodes], ['locked', offerLimits.txCodeTriesMax]);
      await assert.rejects(
        previewOffer(service.stranger, { offer: victim.link, txCode: victim.txCode as string }),
        refusal('offerClosed', { state: 'locked' }),
      );
      assert.equal(await audited('offer.lock', victim.offerId), 1);
    });

    test('end when they are withdrawn, expire, or are renewed', async () => {
      const withdrawn = await make();
      for (let times = 0; times < 2; times++)
        assert.equal((await issuer.withdrawOffer({ offerId: withdrawn.offerId })).state, 'withdrawn');
      const signer = await signerOf('too late');
      await assert.rejects(accept(withdrawn.link, signer), refusal('offerClosed', { state: 'withdrawn' }));

      const reference = 'late@example.org';
      const first = await make({ reference });
      await assert.rejects(make({ reference }), refusal('offerExists', { offerId: first.offerId }));
      const renewed = await make({ reference, renew: true, expiresInSeconds: 60 });
      assert.equal(renewed.offerId, first.offerId);
      await assert.rejects(accept(first.link, signer), refusal('offerUnknown'));
      assert.equal((await previewOffer(service.stranger, { offer: renewed.link })).state, 'open');
      clock.advanceMs(60_000);
      await assert.rejects(
        previewOffer(service.stranger, { offer: renewed.link }),
        refusal('offerClosed', { state: 'expired' }),
      );
      assert.equal((await stateOf(first.offerId))?.state, 'expired');
      await assert.rejects(
        issuer.withdrawOffer({ offerId: first.offerId }),
        refusal('offerClosed', { state: 'expired' }),
      );
      const next = await make({ reference });
      assert.notEqual(next.offerId, first.offerId);
      const { offers } = await issuer.listOffers({ state: 'expired', limit: '1' });
      assert.deepEqual(
        offers.map(({ offerId }) => offerId),
        [first.offerId],
      );
      const newest = await issuer.listOffers({ order: 'newest', limit: '1' });
      assert.equal(newest.offers[0]?.offerId, next.offerId);
      assert.equal((await tally(Array.from({ length: rivals }, () => make({ reference: 'once' })))).done, 1);
    });

    test('with one reference are one until it is issued or turned down', async () => {
      const reference = 'Andr\u00e9';
      const first = await make({ reference });
      const { offerId } = first;
      await assert.rejects(
        make({ reference: reference.normalize('NFD') }),
        refusal('offerExists', { offerId }),
      );
      const [signer, other] = [await signerOf('one of two'), await signerOf('two of two')];
      const { applyId } = await accept(first.link, signer);
      for (const renew of [false, true])
        await assert.rejects(make({ reference, renew }), (error: ServiceError) => {
          assert.match(error.detail, /was accepted and waits to be issued/);
          return refusal('offerExists', { offerId })(error);
        });
      await issuer.rejectApplication({ vcId: applyId, reason: 'The photo is missing' });
      assert.equal((await stateOf(offerId))?.state, 'rejected');
      const { offers } = await issuer.listOffers({ state: 'rejected' });
      assert.deepEqual(
        offers.map((one) => one.offerId),
        [offerId],
      );
      assert.equal((await previewOffer(service.stranger, { offer: first.link })).state, 'rejected');
      const { status, reason } = await accept(first.link, signer);
      assert.deepEqual([status, reason], ['Rejected', 'The photo is missing']);
      await assert.rejects(accept(first.link, other), (error: ServiceError) => {
        assert.doesNotMatch(error.detail, /photo/);
        return refusal('offerClosed', { state: 'rejected' })(error);
      });
      const second = await make({ reference });
      const { applyId: vcId } = await accept(second.link, signer);
      await issueCredential(issuer, {
        ...(await readApplication(issuer, { vcId })),
        signer: service.issuer.signer,
        bbsKey: { publicKeyMultibase: service.issuer.bbsPublicKey },
        expiredDate: '2099-12-31',
        ledger: service.ledger,
      });
      assert.equal((await make({ reference })).state, 'open');
    });

    test('keep their need of a transaction code when they are renewed and when they have ended', async () => {
      const reference = 'renewed with a code';
      const first = await make({ reference, txCode: true });
      const second = await make({ reference, renew: true });
      assert.match(second.txCode ?? '', /^[0-9]{6}$/);
      assert.deepEqual(parseOfferLink(second.link).txCode, { length: 6 });
      await issuer.withdrawOffer({ offerId: first.offerId });
      assert.equal((await stateOf(first.offerId))?.hasTxCode, true);
      const third = await make({ reference, txCode: true });
      const open = await make({ reference, renew: true, txCode: false });
      assert.deepEqual([open.offerId, open.txCode], [third.offerId, undefined]);
      await accept(open.link, await signerOf('without a code'));
      assert.equal((await stateOf(open.offerId))?.hasTxCode, false);
      const fourth = await make({ txCode: true });
      await accept(fourth.link, await signerOf('by a code'), fourth.txCode);
      assert.equal((await stateOf(fourth.offerId))?.hasTxCode, true);
      const shown = await previewOffer(service.stranger, { offer: fourth.link });
      assert.deepEqual([shown.state, shown.tx_code?.length], ['accepted', 6]);
    });

    test('are for whom, of what and about what the issuer may say', async () => {
      const other = service.clientWith({ apiKey: service.holder.apiKey });
      await assert.rejects(other.makeOffer({ templateId, metadata }), ServiceError);
      await assert.rejects(service.admin.makeOffer({ templateId, metadata }), refusal('notAllowed'));
      await assert.rejects(
        make({ metadata: [{ key: 'fullName', value: 'x' }] }),
        refusal('attributesInvalid'),
      );
      await assert.rejects(make({ templateId: `did:zid:${'0'.repeat(64)}` }), refusal('templateUnknown'));
      for (const wrong of [{ expiresInSeconds: 59 }, { expiresInSeconds: 31 * 86_400 }, { renew: true }])
        await assert.rejects(make(wrong), refusal('requestMalformed'));
      await assert.rejects(service.admin.withdrawOffer({ offerId: 'offer_x' }), refusal('offerUnknown'));
      const unknown = parseOfferLink((await make()).link);
      await assert.rejects(
        previewOffer(service.stranger, { offer: { ...unknown, code: 'A'.repeat(43) } }),
        refusal('offerUnknown'),
      );
      await assert.rejects(
        service.stranger.previewOffer({ 'pre-authorized_code': unknown.code, tx_code: 'no digits' }),
        refusal('requestMalformed'),
      );
      await assert.rejects(
        previewOffer(createCredentialClient('https://other.example'), { offer: unknown }),
        /another service/,
      );
    });

    test('of a template with a price are given away only where the issuer says so', async () => {
      const priced = await registerCard(worldOf(service), 'Priced card');
      const order = { templateId: priced, metadata };
      await issuer.setPrice({ templateId: priced, amount: '5' });
      await assert.rejects(issuer.makeOffer(order), refusal('templatePriced'));
      const { link } = await issuer.makeOffer({ ...order, waivePrice: true });
      assert.equal((await accept(link, await signerOf('given to'))).status, 'Pending');
      await issuer.setPrice({ templateId: priced, amount: '0' });
      assert.equal((await issuer.makeOffer(order)).state, 'open');
    });

    test('leave a holder with one application that waits, and the offer open', async () => {
      const signer = await signerOf('applies twice');
      const { vcId } = await applyForCredential(service.stranger, { signer, templateId, attributes: values });
      const { link } = await make();
      await assert.rejects(accept(link, signer), refusal('applicationExists', { vcId }));
      await issuer.rejectApplication({ vcId, reason: 'There is an offer' });
      assert.notEqual((await accept(link, signer)).applyId, vcId);
    });

    test('cannot be accepted with a signature over another offer, or over other values', async () => {
      const [one, other] = [await make(), await make({ metadata: { ...values, fullName: 'Somebody Else' } })];
      const signer = await signerOf('replayed');
      const shown = await previewOffer(service.stranger, { offer: one.link });
      const foreign = { offer: other.link, signer, preview: shown };
      await assert.rejects(acceptOffer(service.stranger, foreign), refusal('presenceRefused'));
      const { offerId } = await previewOffer(service.stranger, { offer: other.link });
      const mixed = { ...foreign, preview: { ...shown, offerId } };
      await assert.rejects(acceptOffer(service.stranger, mixed), refusal('presenceRefused'));
      let seen: Parameters<CredentialClient['acceptOffer']>[0] | undefined;
      const watching: CredentialClient = {
        ...service.stranger,
        acceptOffer: (body, options) => {
          seen = body;
          return service.stranger.acceptOffer(body, options);
        },
      };
      await acceptOffer(watching, { offer: one.link, signer });
      assert.ok(seen);
      const replayed = { ...seen, 'pre-authorized_code': parseOfferLink(other.link).code };
      await assert.rejects(service.stranger.acceptOffer(replayed), refusal('presenceRefused'));
    });

    test('are nowhere in clear, and lose their values at their end', async () => {
      const kept = await make({ reference: 'clear@example.org', txCode: true });
      const { code } = parseOfferLink(kept.link);
      const row = await service.served.parts.database.kysely
        .selectFrom('offers')
        .selectAll()
        .where('id', '=', kept.offerId)
        .executeTakeFirstOrThrow();
      const stored = Object.values(row).map((value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
      );
      for (const secret of ['Zanele', 'clear@example.org', code])
        assert.ok(!stored.some((text) => text.includes(secret)), 'a secret is in the database');
      // Six digits may stand in a time or a hash by chance.
      const pin = new RegExp(`(?<![\\w.])${kept.txCode}(?![\\w.])`);
      assert.ok(!stored.some((text) => pin.test(text)), 'the transaction code is in the database');
      await previewOffer(service.stranger, { offer: kept.link, txCode: kept.txCode as string });
      await assert.rejects(previewOffer(service.stranger, { offer: kept.link, txCode: '000000' }));
      for (const secret of ['Zanele', 'clear@example.org', code])
        assert.ok(!service.logged().includes(secret), 'a secret is in the log');
      assert.doesNotMatch(service.logged(), pin);
      const attributesOf = (id: string) =>
        service.served.parts.database.kysely
          .selectFrom('offers')
          .select(['attributes', 'txCodeMark'])
          .where('id', '=', id)
          .executeTakeFirst();
      const { kysely } = service.served.parts.database;
      clock.advanceMs(offerLimits.secondsDefault * 1_000);
      assert.ok((await sweepAll(kysely, clock.nowMs())).lapsedOffers > 0);
      assert.deepEqual(await attributesOf(kept.offerId), { attributes: null, txCodeMark: null });
      clock.advanceMs(offerLimits.endedKeptMs);
      assert.ok((await sweepAll(kysely, clock.nowMs())).offers > 0);
      assert.equal(await attributesOf(kept.offerId), undefined);
      await assert.rejects(previewOffer(service.stranger, { offer: kept.link }), refusal('offerUnknown'));
    });
  });

test('offers whose answers are lost are made and accepted once', async () => {
  const lost = new Set(['offerStored', 'offerAccepted']);
  const crashPoint = (point: string) => {
    if (lost.delete(point)) throw new Error('the answer is lost');
  };
  const service = await startService(owner, { proofs, crashPoint });
  const templateId = await registerCard(worldOf(service), 'Lost card');
  const issuer = service.issuer.client;
  const order = { templateId, metadata, reference: 'lost' };
  await assert.rejects(issuer.makeOffer(order), refusal('internalError'));
  await assert.rejects(issuer.makeOffer(order), refusal('offerExists'));
  const { link, offerId } = await issuer.makeOffer({ ...order, renew: true });
  const accepting = { offer: link, signer: await signerOf('lost') };
  await assert.rejects(acceptOffer(service.stranger, accepting), refusal('internalError'));
  const { applyId } = await acceptOffer(service.stranger, accepting);
  const { offers } = await issuer.listOffers({ templateId });
  assert.deepEqual(
    offers.map((one) => [one.offerId, one.vcId]),
    [[offerId, applyId]],
  );
  assert.equal((await issuer.listApplications({ templateId })).applications.length, 1);
});

test('offers outlive a restart, sealed or not', async () => {
  const { service } = await openSqlite();
  const templateId = await registerCard(worldOf(service), 'Lasting card');
  const client = service.issuer.sealedClient;
  const made = await client.makeOffer({ templateId, metadata, reference: 'lasting', txCode: true });
  const again = await service.restart({ config: { publicUrl: service.url } });
  const sealed = again.clientWith({ sealed: true, audience: service.url });
  const signer = await signerOf('after a restart');
  const offer = parseOfferLink(made.link);
  const order = { offer, signer, txCode: made.txCode as string };
  const { applyId } = await acceptOffer(sealed, order);
  assert.equal((await acceptOffer(sealed, order)).applyId, applyId);
  const issuer = again.issuer.client;
  await assert.rejects(issuer.makeOffer({ templateId, metadata: {}, reference: 'lasting' }), ServiceError);
  assert.equal((await issuer.listOffers()).offers[0].vcId, applyId);
});
