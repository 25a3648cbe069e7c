/**
 * What an issuer and a holder see of their own records: the inbox, what was issued and how it stands on the ledger, what
 * was set and left here, what was applied for. And that nobody sees anything of anybody else's.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { createLedgerClient, httpTransport } from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { startNode } from '../support/running-node.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { type CuttableWay, cuttableWay } from '../support/service-cut.ts';
import { getService, outcomeOf, postService } from '../support/service-http.ts';
import {
  type Issuer,
  ok,
  type Party,
  paths,
  presenceLines,
  revokeBody,
  signBlob,
  signedBlobBody,
  signText,
} from '../support/service-steps.ts';
import { makeIssuer, makeParty, registerCard, type World, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let service: RunningService;
let world: World;
let way: CuttableWay;
let other: Issuer;
let otherHolder: Party;
let templateId: string;
let otherTemplateId: string;

before(async () => {
  const node = await startNode(owner);
  way = await cuttableWay(owner, node.url);
  service = await startService(owner, { proofs, node, client: createLedgerClient(httpTransport(way.url)) });
  world = worldOf(service);
  templateId = await registerCard(world, 'Desk card');
  other = await makeIssuer(world, 'another issuer');
  otherHolder = await makeParty(world, 'another holder');
  const made = await world.steps.registerTemplate(other, { templateName: 'Card of another' });
  otherTemplateId = made.templateId as string;
});

const named = (fullName: string) => ({ fullName, birthDate: '1990-05-17' });
const get = async (path: string, as: Party = world.issuer): Promise<JsonObject> =>
  ok(await getService(service.url, path, as));
const listed = async (path: string, as?: Party): Promise<JsonObject[]> => {
  const { applications, issued } = await get(path, as);
  return (applications ?? issued) as JsonObject[];
};
const rowOf = async (vcId: string, query = ''): Promise<JsonObject | undefined> =>
  (await listed(`/cred/v1/vc/issued?limit=200${query}`)).find((one) => one.vcId === vcId);
const issueTo = (holder: Party, fullName: string) =>
  world.steps.issue({ issuer: world.issuer, holder }, templateId, named(fullName));

async function change(act: 'revoke' | 'suspend' | 'reinstate', vcId: string): Promise<void> {
  const { issuer } = world;
  const blob = ok(await postService(service.url, `/cred/v1/vc/${act}/create-blob`, revokeBody(issuer, vcId)));
  ok(await postService(service.url, `/cred/v1/vc/${act}/submit`, signedBlobBody(issuer, blob)));
}

/** What an issuer does to its credential on the ledger without this service. */
async function changeElsewhere(change: 'revoke' | 'suspend', vcId: string): Promise<void> {
  const { ledger } = service.served.parts;
  const { address: issuerAddress, publicKey } = world.issuer;
  const { blob } = await ledger.statusTransaction({ change, credentials: [vcId], issuerAddress });
  const signed = { blob, publicKey, signature: signBlob(world.issuer, blob) };
  assert.equal((await ledger.submitSigned(signed)).kind, 'executed');
}

describe('the inbox', () => {
  test('shows labels to the issuer, from either end, by holder, state and time', async () => {
    const { holder, steps } = world;
    const [first, second] = [
      await steps.apply(holder, templateId, named('Aroha Ngata')),
      await steps.apply(otherHolder, templateId, named('Oren Example')),
    ];
    const inbox = '/cred/v1/vc/applications?limit=200';
    const shown = await listed(`${inbox}&order=newest`);
    assert.deepEqual(
      shown.map(({ vcId, label, templateName }) => [vcId, label, templateName]),
      [
        [second, 'Oren Example', 'Desk card'],
        [first, 'Aroha Ngata', 'Desk card'],
      ],
    );
    assert.deepEqual(
      (await listed(inbox)).map(({ vcId }) => vcId),
      [first, second],
      'as it always was',
    );
    const byHolder = await listed(
      `${inbox}&holder=${otherHolder.did}&status=Pending&templateId=${templateId}`,
    );
    assert.deepEqual(
      byHolder.map(({ vcId }) => vcId),
      [second],
    );
    assert.deepEqual(await listed(`${inbox}&before=2020-01-01`), []);
    assert.equal((await listed(`${inbox}&from=2020-01-01T00:00:00.5Z`)).length, 2);
    assert.deepEqual(await listed(inbox, other), [], 'of another issuer nothing');
    const { applications } = await get('/cred/v1/vc/counts');
    assert.deepEqual(applications, { Pending: 2, Approved: 0, Issued: 0, Rejected: 0 });
    ok(await postService(service.url, '/cred/v1/vc/reject', { vcId: second, reason: 'No' }, world.issuer));
    const [refused] = await listed(`${inbox}&status=Rejected`);
    assert.deepEqual(
      [refused.vcId, 'label' in refused],
      [second, false],
      'its values are gone, so its label is',
    );
    ok(await postService(service.url, '/cred/v1/vc/reject', { vcId: first, reason: 'No' }, world.issuer));
  });

  test('refuses what it does not understand', async () => {
    for (const query of [
      'order=up',
      'from=yesterday',
      'holder=me',
      'ordr=newest',
      'limit=201',
      'cursor=abc',
    ]) {
      const { status, body } = await getService(
        service.url,
        `/cred/v1/vc/applications?${query}`,
        world.issuer,
      );
      assert.deepEqual([status, body.code], [400, 'requestMalformed'], query);
    }
  });

  test('labels are in no clear bytes of the database', async () => {
    const vcId = await world.steps.apply(world.holder, templateId, named('Very Secret Name'));
    const { kysely } = service.served.parts.database;
    const row = await kysely
      .selectFrom('applications')
      .selectAll()
      .where('vcId', '=', vcId)
      .executeTakeFirst();
    const text = Object.values(row ?? {}).map((value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
    );
    assert.ok(!text.join().includes('Secret'));
    ok(await postService(service.url, '/cred/v1/vc/reject', { vcId, reason: 'No' }, world.issuer));
  });
});

describe('what was issued', () => {
  test('is told with its status, validity, transaction and block, to its issuer alone', async () => {
    const { vcId } = await issueTo(world.holder, 'Aroha Ngata');
    const row = (await rowOf(vcId)) as JsonObject;
    assert.deepEqual(
      [row.status, row.label, row.templateName, row.holder, row.validUntil],
      ['Active', 'Aroha Ngata', 'Desk card', world.holder.did, '2099-12-31T00:00:00.000Z'],
    );
    assert.match(row.txHash as string, /^[0-9a-f]{64}$/);
    assert.equal(row.ledgerSeq, row.changedInLedgerSeq);
    const found = (await service.ledger.getTransactionHistory({ hash: row.txHash as string })).result;
    assert.equal(String(found?.transactions[0].ledger_seq), row.ledgerSeq);
    const { asOf } = await get('/cred/v1/vc/issued');
    assert.equal((asOf as JsonObject).source, 'ledger');
    assert.ok(Number((asOf as JsonObject).ledgerSeq) >= Number(row.ledgerSeq));
    assert.deepEqual(await listed('/cred/v1/vc/issued', other), []);
    const hidden = await getService(service.url, `/cred/v1/vc/issued/${vcId}`, other);
    assert.equal(outcomeOf(hidden), '404 credentialUnknown');
    const keyless = await getService(service.url, '/cred/v1/vc/issued');
    assert.equal(outcomeOf(keyless), '401 notAuthenticated');
  });

  test('has a history: who, when, by which transaction, in which block, and why', async () => {
    const { vcId } = await issueTo(world.holder, 'Mira Example');
    await change('suspend', vcId);
    await change('reinstate', vcId);
    await change('revoke', vcId);
    const details = await get(`/cred/v1/vc/issued/${vcId}`);
    const history = details.history as JsonObject[];
    assert.equal(details.status, 'Revoked');
    assert.deepEqual(
      history.map(({ act, by, reason }) => [act, by, reason]),
      [
        ...['revoke', 'reinstate', 'suspend'].map((act) => [act, world.issuer.did, 'no longer true']),
        ['issue', world.issuer.did, undefined],
      ],
    );
    const blocks = history.map(({ ledgerSeq }) => Number(ledgerSeq));
    assert.deepEqual(
      blocks,
      blocks.toSorted((a, b) => b - a),
    );
    assert.ok(history.every(({ txHash }) => /^[0-9a-f]{64}$/.test(txHash as string)));
    assert.equal((await rowOf(vcId, '&status=Revoked'))?.vcId, vcId);
    assert.equal(await rowOf(vcId, '&status=Active'), undefined);
  });

  test('and was changed on the ledger elsewhere is never told as it was', async () => {
    const [{ vcId }, { vcId: suspended }] = [
      await issueTo(world.holder, 'One'),
      await issueTo(world.holder, 'Two'),
    ];
    await changeElsewhere('revoke', vcId);
    await changeElsewhere('suspend', suspended);
    assert.equal(await rowOf(vcId, '&status=Active'), undefined, 'not even where the record is old');
    assert.deepEqual(
      [(await rowOf(vcId))?.status, (await rowOf(suspended))?.status],
      ['Revoked', 'Suspended'],
    );
    assert.equal((await rowOf(vcId, '&status=Revoked'))?.vcId, vcId, 'and the record is mended');
    const { history } = await get(`/cred/v1/vc/issued/${vcId}`);
    const [last] = history as JsonObject[];
    assert.deepEqual([last.act, last.txHash], ['revoke', null]);
    assert.match(last.ledgerSeq as string, /^[0-9]+$/);
  });

  test('and has expired is told as that, and counted', async () => {
    const { vcId } = await issueTo(world.holder, 'Late Example');
    const before = (await get('/cred/v1/vc/counts')).issued as JsonObject;
    const { kysely } = service.served.parts.database;
    const ended = Date.now() - 1_000;
    await kysely.updateTable('credentials').set({ validUntil: ended }).where('vcId', '=', vcId).execute();
    const after = (await get('/cred/v1/vc/counts')).issued as JsonObject;
    assert.deepEqual(
      [after.Active, after.Expired],
      [(before.Active as number) - 1, (before.Expired as number) + 1],
    );
    await way.cut();
    try {
      assert.equal((await rowOf(vcId, '&status=Expired'))?.status, 'Expired');
    } finally {
      await way.mend();
    }
    assert.equal((await rowOf(vcId))?.status, 'Active', 'the ledger knows better');
    assert.equal(await rowOf(vcId, '&status=Expired'), undefined);
  });

  test('says so when the ledger does not answer', async () => {
    const { vcId } = await issueTo(world.holder, 'Offline Example');
    await way.cut();
    try {
      const { issued, asOf } = await get('/cred/v1/vc/issued?limit=200');
      const { source, ledgerSeq, detail } = asOf as JsonObject;
      assert.deepEqual([source, ledgerSeq, typeof detail], ['records', null, 'string']);
      const row = (issued as JsonObject[]).find((one) => one.vcId === vcId);
      assert.deepEqual([row?.status, row?.changedAt], ['Active', null]);
      const details = await get(`/cred/v1/vc/issued/${vcId}`);
      assert.equal((details.asOf as JsonObject).source, 'records');
      assert.equal((details.history as JsonObject[]).length, 1);
    } finally {
      await way.mend();
    }
  });

  test('loses its label when it can be downloaded no longer', async () => {
    const { vcId } = await issueTo(world.holder, 'Gone Example');
    const { kysely } = service.served.parts.database;
    const { sweepDownloads } = await import('@symbolon/credential-service/issuance/credential-rows');
    await kysely.updateTable('credentials').set({ downloadExpiresAt: 1 }).where('vcId', '=', vcId).execute();
    await sweepDownloads(kysely, Date.now());
    assert.equal('label' in ((await rowOf(vcId)) as JsonObject), false);
  });

  test('is read to the end by cursor, newest first', async () => {
    const seen: string[] = [];
    let path = '/cred/v1/vc/issued?limit=3';
    for (;;) {
      const { issued, nextCursor } = await get(path);
      seen.push(...(issued as JsonObject[]).map(({ issuedAt }) => issuedAt as string));
      if (nextCursor === undefined) break;
      path = `/cred/v1/vc/issued?limit=3&cursor=${nextCursor}`;
    }
    assert.deepEqual(seen, seen.toSorted().toReversed());
    assert.equal(seen.length, (await listed('/cred/v1/vc/issued?limit=200')).length);
  });
});

describe('what an issuer has set and left', () => {
  test('is read back, without a secret, by nobody else', async () => {
    const { issuer } = world;
    ok(await postService(service.url, '/v1/issuer/prices', { templateId, amount: '250' }, issuer));
    const policy = {
      ...{ templateId, isEnabled: true, perDayMax: 7, until: '2099-12-31', validSeconds: 3_600 },
      holders: [world.holder.did],
      privateKey: service.demo.issuer.privateKey,
    };
    ok(await postService(service.url, '/v1/issuer/auto-issue', policy, issuer));
    const dataOf = async (path: string, as?: Party) => (await get(path, as)).data as JsonObject;
    const [price] = (await dataOf('/v1/issuer/prices')).prices as JsonObject[];
    assert.deepEqual(
      [price.templateId, price.templateName, (price.price as JsonObject).amount, price.payTo],
      [templateId, 'Desk card', '250', issuer.address],
    );
    const [kept] = (await dataOf('/v1/issuer/auto-issue')).policies as JsonObject[];
    assert.deepEqual(
      [kept.isInForce, kept.perDayMax, kept.issuedToday, kept.holders],
      [true, 7, 0, [world.holder.did]],
    );
    const keys = await dataOf('/v1/issuer/keys');
    const bbsKeys = keys.bbsKeys as JsonObject[];
    assert.equal((keys.issuingKey as JsonObject).isHeld, true);
    assert.ok(bbsKeys.some((one) => one.publicKeyMultibase === issuer.bbsPublicKey && one.isPublished));
    assert.deepEqual(keys.vault, { place: 'software', isWorking: true });
    assert.ok(!JSON.stringify(keys).includes(service.demo.issuer.privateKey));
    assert.deepEqual((await dataOf('/v1/issuer/prices', other)).prices, []);
    assert.deepEqual((await dataOf('/v1/issuer/auto-issue', other)).policies, []);
    const others = await dataOf('/v1/issuer/keys', other);
    assert.deepEqual((others.issuingKey as JsonObject).isHeld, false);
    assert.ok(!JSON.stringify(others).includes(issuer.bbsPublicKey));
    ok(await postService(service.url, '/v1/issuer/key/withdraw', '', issuer));
  });
});

describe('what a holder has applied for', () => {
  const ownPath = '/cred/v1/vc/own-applications';
  const headersOf = (who: Party, purpose = 'own-applications', subject = who.address) => {
    const text = presenceLines(purpose, subject, { audience: service.url });
    const signedtext = Buffer.from(text, 'utf8').toString('base64url');
    return { publickey: who.publicKey, signeddata: signText(who, text), signedtext };
  };

  test('is told with the reason of a rejection, to the holder alone', async () => {
    const { steps, issuer } = world;
    const reader = await makeParty(world, 'a reading holder');
    const refused = await steps.apply(reader, templateId, named('Reader'));
    const reason = 'The photo is of somebody else';
    ok(await postService(service.url, '/cred/v1/vc/reject', { vcId: refused, reason }, issuer));
    const { vcId: issued } = await steps.issue({ issuer: other, holder: reader }, otherTemplateId);
    const pending = await steps.apply(reader, templateId, named('Reader'));
    const answer = ok(await postService(service.url, ownPath, {}, { headers: headersOf(reader) }));
    const applications = answer.applications as JsonObject[];
    assert.deepEqual(
      applications.map((one) => [one.vcId, one.status, one.reason, one.templateName, one.issuer]),
      [
        [pending, 'Pending', undefined, 'Desk card', issuer.did],
        [issued, 'Issued', undefined, 'Card of another', other.did],
        [refused, 'Rejected', reason, 'Desk card', issuer.did],
      ],
    );
    const first = ok(await postService(service.url, ownPath, { limit: 2 }, { headers: headersOf(reader) }));
    const body = { limit: 2, cursor: first.nextCursor };
    const rest = ok(await postService(service.url, ownPath, body, { headers: headersOf(reader) }));
    assert.deepEqual(
      (rest.applications as JsonObject[]).map(({ vcId }) => vcId),
      [refused],
    );
  });

  test('is told to nobody without a signature of this moment for this purpose', async () => {
    const { holder } = world;
    const ask = async (headers: Record<string, string>) =>
      outcomeOf(await postService(service.url, ownPath, {}, { headers }));
    assert.equal(await ask({}), '401 walletNotAuthenticated');
    const { signedtext: _none, ...addressAlone } = headersOf(holder);
    const signedAddress = { ...addressAlone, signeddata: signText(holder, holder.address) };
    assert.equal(await ask(signedAddress), '401 walletNotAuthenticated');
    assert.equal(await ask(headersOf(holder, 'download-all')), '401 presenceRefused');
    assert.equal(
      await ask(headersOf(holder, 'own-applications', otherHolder.address)),
      '401 presenceRefused',
    );
    const stolen = { ...headersOf(holder), publickey: otherHolder.publicKey };
    assert.equal((await ask(stolen)).slice(0, 1), '4');
  });
});

test('a verdict tells its six checks in words, passed or not', async () => {
  const { vcId, vc } = await issueTo(world.holder, 'Checked Example');
  const vp = await world.steps.present(world.holder, { vc, revealAttributes: ['fullName'] });
  const verify = async () => ok(await postService(service.url, paths.verify, { vp }));
  const good = await verify();
  const checks = good.checks as JsonObject[];
  assert.deepEqual(
    checks.map(({ name, passed }) => [name, passed]),
    [
      ['holderSignature', true],
      ['bbsProof', true],
      ['revealedAttributes', true],
      ['disclosure', null],
      ['status', true],
      ['challenge', null],
    ],
    'what had nothing to compare with has not passed',
  );
  assert.ok(!JSON.stringify(checks).includes('Checked Example'), 'no value stands in them');
  assert.ok(Number.isSafeInteger(good.tookMs));
  await change('revoke', vcId);
  const bad = await verify();
  const status = (bad.checks as JsonObject[]).find(({ name }) => name === 'status') as JsonObject;
  assert.deepEqual([status.passed, (status.facts as JsonObject).state], [false, 'revoked']);
  assert.match(status.words as string, /^Credential revoked/);
});
