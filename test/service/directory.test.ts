/**
 * Who is called what, on whose word, and the search over everything: two parties, the operator and a stranger, over HTTP
 * on a real ledger.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { searchLimits } from '@symbolon/core/limits/directory';
import { createLedgerClient, httpTransport } from '@symbolon/sdk/index';
import { endName, publishName } from '@symbolon/sdk/transactions/did-keys';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { startNode } from '../support/running-node.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { cuttableWay } from '../support/service-cut.ts';
import { getService, outcomeOf, postService } from '../support/service-http.ts';
import { makeParty, registerCard, type World, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let service: RunningService;
let world: World;

before(async () => {
  service = await startService(owner, { proofs });
  world = worldOf(service);
});

async function partyClient(name: string, scopes?: Parameters<typeof makeParty>[2]) {
  const party = await makeParty(world, name, scopes);
  return { ...party, client: service.clientWith({ apiKey: party.apiKey }) };
}

describe('names of parties', () => {
  test('are said by themselves, read by everybody, and never look like those of another', async () => {
    const [bank, thief] = [await partyClient('bank'), await partyClient('thief')];
    await assert.rejects(service.stranger.getProfile({ did: bank.did }), { code: 'profileUnknown' });
    const set = await bank.client.setProfile({ name: ' Bank  of Samples ', site: 'https://BANK.example' });
    assert.deepEqual(
      [set.did, set.name, set.site, set.word, set.looksLikeAnothers],
      [bank.did, 'Bank of Samples', 'https://bank.example/', 'itself', false],
    );
    const read = await service.stranger.getProfile({ did: bank.did });
    assert.deepEqual(read, set);
    for (const name of ['Bank of Samples', 'BANK OF SAMPLES', 'Bаnk of Samples', 'Bank  0f Samples'])
      await assert.rejects(
        thief.client.setProfile({ name }),
        ({ code }) => code === 'nameTaken' || code === 'requestMalformed',
        name,
      );
    await assert.rejects(service.stranger.getProfile({ did: thief.did }), { code: 'profileUnknown' });
    const { profiles } = await service.stranger.listProfiles({
      dids: `${thief.did},${bank.did},${bank.did}`,
    });
    assert.deepEqual(profiles, [read]);
    await assert.rejects(thief.client.removeProfile({ did: bank.did }), { code: 'notAllowed' });
    await bank.client.removeProfile({ did: bank.did });
    assert.equal((await thief.client.setProfile({ name: 'Bank of Samples' })).name, 'Bank of Samples');
    await service.admin.removeProfile({ did: thief.did });
    await assert.rejects(service.admin.removeProfile({ did: thief.did }), { code: 'profileUnknown' });
  });

  test('stand on the word of the operator until the party calls itself something else', async () => {
    const shop = await partyClient('shop');
    await shop.client.setProfile({ name: 'Corner shop' });
    const checked = await service.admin.nameParty({ did: shop.did, name: 'Corner shop' });
    assert.equal(checked.word, 'operator');
    assert.equal((await shop.client.setProfile({ name: 'Corner shop' })).word, 'operator', 'nothing changed');
    const other = { name: 'Corner shop', site: 'https://elsewhere.example/' };
    assert.equal((await shop.client.setProfile(other)).word, 'itself');
    await assert.rejects(shop.client.nameParty({ did: shop.did, name: 'Corner shop' }), {
      code: 'notAllowed',
    });
    const { entries } = await service.admin.listAuditEntries({ action: 'profile.name' });
    assert.equal(entries[0]?.subject, shop.did);
  });

  test('are for who issues or asks, and for no key without a DID', async () => {
    const holder = await partyClient('holder of cards', ['present']);
    await assert.rejects(holder.client.setProfile({ name: 'Some Body' }), { code: 'notAllowed' });
    const { token } = await service.served.apiKeys.create({ label: 'till', scopes: ['verify'] });
    await assert.rejects(service.clientWith({ apiKey: token }).setProfile({ name: 'A till' }), {
      code: 'notAllowed',
    });
    await assert.rejects(service.stranger.setProfile({ name: 'Nobody' }), { code: 'notAuthenticated' });
  });

  test('and sites are plain text within bounds', async () => {
    const { apiKey } = await partyClient('texts');
    const wrong: JsonObject[] = [
      { name: '' },
      { name: 'x'.repeat(129) },
      { name: 'abc\u202Ecba' },
      { name: 'zero\u200Bwidth' },
      { name: 'bell\u0007' },
      { name: 'Verified \u2714 Bank' },
      { name: 'did:zid:1234' },
      { name: 'Good', site: 'http://plain.example/' },
      { name: 'Good', site: 'javascript:alert(1)' },
      { name: 'Good', site: 'https://user:pass@site.example/' },
      { name: 'Good', site: 'https://site.example/?q=1' },
      { name: 'Good', site: `https://site.example/${'x'.repeat(300)}` },
      { name: 'Good', sight: 'https://site.example/' },
      { name: 'Good', did: world.issuer.did },
    ];
    for (const body of wrong) {
      const answer = await postService(service.url, '/v1/profile', body, { apiKey });
      assert.equal(outcomeOf(answer), '400 requestMalformed', JSON.stringify(body));
    }
    const many = Array.from({ length: 101 }, (_, index) => `did:zid:${String(index).padStart(64, '0')}`);
    for (const dids of [many.join(','), 'x', `${many[0]},`, '']) {
      const answer = await getService(service.url, `/v1/profiles?dids=${encodeURIComponent(dids)}`);
      assert.equal(outcomeOf(answer), '400 requestMalformed');
    }
    const hundred = await service.stranger.listProfiles({ dids: many.slice(0, 100).join(',') });
    assert.deepEqual(hundred.profiles, []);
  });

  test('of the ledger are shown beside, and count for what looks alike', async () => {
    const { ledger, issuer } = service;
    const { signer } = issuer;
    await publishName(ledger, { signer, name: 'Ledger Office' });
    const own = await service.stranger.getProfile({ did: issuer.did });
    assert.deepEqual([own.name, own.word, own.ledgerName], ['Ledger Office', 'ledger', 'Ledger Office']);
    assert.ok(!('since' in own));
    await registerCard(world, 'A card that claims the name');
    const thief = await partyClient('thief of the ledger');
    await assert.rejects(thief.client.setProfile({ name: 'Ledger 0ffice' }), { code: 'nameTaken' });
    await issuer.client.setProfile({ name: 'Desk of the Office' });
    const both = await service.stranger.getProfile({ did: issuer.did });
    assert.deepEqual(
      [both.name, both.word, both.ledgerName],
      ['Desk of the Office', 'itself', 'Ledger Office'],
    );
    await assert.rejects(thief.client.setProfile({ name: 'Ledger Office' }), { code: 'nameTaken' });
    await endName(ledger, { signer });
    assert.equal((await thief.client.setProfile({ name: 'Ledger Office' })).name, 'Ledger Office');
    await issuer.client.removeProfile({ did: issuer.did });
  });
});

describe('the search', () => {
  const found = async (client: RunningService['stranger'], q: string) =>
    (await client.search({ q })).results.map(({ kind, target, label }) => `${kind} ${label} ${target}`);

  test('finds blocks, transactions, accounts and DIDs of the ledger', async () => {
    const { stranger, issuer } = service;
    assert.deepEqual(await found(stranger, '1'), ['block Block 1 1']);
    assert.deepEqual(await found(stranger, '999999999'), []);
    const { result } = await service.ledger.getTransactionHistory({ ledger_seq: '2' });
    const hash = result?.transactions[0]?.hash as string;
    for (const q of [hash, hash.toUpperCase(), ` ${hash} `])
      assert.deepEqual(await found(stranger, q), [`transaction Transaction ${hash}`]);
    assert.deepEqual(await found(stranger, issuer.address), [`account Account ${issuer.address}`]);
    assert.deepEqual(await found(stranger, issuer.did), [`did DID ${issuer.did}`]);
    assert.deepEqual(await found(stranger, `did:zid:${'0'.repeat(64)}`), []);
    for (const q of ['x', "' or 1=1 --", '%', '__', '\u{10ffff}', 'a'.repeat(256)])
      assert.deepEqual(await found(stranger, q), [], q);
    const tooLong = await getService(service.url, `/v1/search?q=${'a'.repeat(257)}`);
    assert.equal(outcomeOf(tooLong), '400 requestMalformed');
  });

  test('finds templates and parties by how their names and identifiers begin', async () => {
    const id = await registerCard(world, 'Searched card');
    const party = await partyClient('searched party');
    await party.client.setProfile({ name: 'Searched office' });
    const { stranger } = service;
    const both = [`template Searched card ${id}`, `profile Searched office ${party.did}`];
    for (const q of ['se', 'SEARCHED', ' searched ']) assert.deepEqual(await found(stranger, q), both, q);
    for (const q of [id.slice(0, 20), id, id.slice('did:zid:'.length, 20)])
      assert.ok((await found(stranger, q)).includes(both[0] as string), q);
    assert.ok((await found(stranger, party.did.slice(0, 24))).includes(both[1] as string));
    for (const digit of '0123456789abcd') await registerCard(world, `Many cards ${digit}`);
    assert.equal((await found(stranger, 'many cards')).length, searchLimits.perKindMax);
  });

  test('shows a credential to its issuer and its holder, and to others what the ledger shows', async () => {
    const templateId = await registerCard(world, 'Secret card');
    const holder = person('searched holder');
    const { vcId } = await world.steps.issue({ issuer: world.issuer, holder }, templateId);
    const applied = await world.steps.apply(person('searched applicant'), templateId);
    const beginning = vcId.slice(0, 20);
    const issuerSees = await found(service.issuer.client, beginning);
    assert.deepEqual(issuerSees, [`credential Secret card ${vcId}`]);
    assert.deepEqual(await found(service.issuer.client, applied.slice(0, 20)), [
      `application Secret card ${applied}`,
    ]);
    const asHolder = await partyClient('searched holder', ['present']);
    assert.deepEqual(await found(asHolder.client, beginning), issuerSees);
    const others = [service.stranger, service.verifier.client, (await partyClient('curious')).client];
    const { token } = await service.served.apiKeys.create({
      label: 'only verifies',
      scopes: ['verify'],
      did: world.issuer.did,
    });
    for (const client of [...others, service.clientWith({ apiKey: token })]) {
      assert.deepEqual(await found(client, beginning), []);
      assert.deepEqual(await found(client, applied), [], 'an application is on no ledger');
      assert.deepEqual(await found(client, vcId), [`credential Credential ${vcId}`]);
    }
  });

  test('tells what the service knows while the ledger is silent, and that it is not all', async (context) => {
    const node = await startNode(context);
    const way = await cuttableWay(context, node.url);
    const apart = await startService(context, {
      proofs,
      node,
      client: createLedgerClient(httpTransport(way.url)),
    });
    await apart.verifier.client.setProfile({ name: 'Silent office' });
    assert.equal((await apart.stranger.search({ q: 'silent' })).isComplete, true);
    await way.cut();
    const { results, isComplete } = await apart.stranger.search({ q: 'silent' });
    assert.deepEqual([results.length, isComplete], [1, true], 'nothing had to be asked');
    const silent = await apart.stranger.search({ q: apart.verifier.did });
    assert.deepEqual(
      silent.results.map(({ kind }) => kind),
      ['profile'],
    );
    assert.equal(silent.isComplete, false);
  });
});
