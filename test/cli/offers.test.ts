/**
 * `symbolon offer` against a real service: one link told with its PIN apart, and links for a whole table, from a command
 * that is killed and run again until every row has exactly one offer, to credentials that are issued from the same table.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, type TestContext, test } from 'node:test';
import {
  acceptOffer,
  parseOfferLink,
  previewOffer,
  registerTemplate,
  signerFromSeed,
} from '@symbolon/sdk/index';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { startSymbolon, symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let service: RunningService;
let templateId: string;

before(async () => {
  service = await startService(owner, { proofs });
  ({ templateId } = await registerTemplate(service.issuer.client, {
    signer: service.issuer.signer,
    templateName: 'Course of many',
    version: '1.0.0',
    credentialFormat: [
      { attribute: 'Full name', key: 'fullName', format: 'string', type: 1, mandatory: true },
      { attribute: 'Points', key: 'points', format: 'integer', type: 3, mandatory: false },
    ],
  }));
});

const run = (context: TestContext, ...words: string[]) =>
  symbolon(context, ['offer', ...words, '--profile', path.join(service.folder, 'demo.json')]);

const linkIn = (out: string): string => /openid-credential-offer:\S+/.exec(out)?.[0] ?? assert.fail(out);

/** Cells of the file of links; none of them holds a comma here. */
const linksIn = (file: string): string[][] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));

describe('one offer', () => {
  test('is told with its PIN apart, listed, and withdrawn', async (context) => {
    const order = ['new', 'Course of many', '--set', 'fullName=Quillon Vantreight', '--set', 'points=7'];
    const { code, out, err } = await run(context, ...order, '--reference', 'q@example.org', '--pin', '--qr');
    assert.equal(code, 0, err);
    const link = linkIn(out);
    assert.deepEqual(parseOfferLink(link).txCode, { length: 6 });
    const pin = /PIN {2}([0-9]{6})$/m.exec(out)?.[1] ?? assert.fail(out);
    assert.match(out, /█/);
    const preview = await previewOffer(service.stranger, { offer: link, txCode: pin });
    assert.deepEqual(
      preview.attributes.map(({ value }) => value),
      ['Quillon Vantreight', 7],
    );
    const twice = await run(context, ...order, '--reference', 'q@example.org');
    assert.equal(twice.code, 1);
    assert.match(twice.err, /An open offer has this reference|The open offer offer_/);
    assert.match(twice.err, /--renew/);
    assert.doesNotMatch(twice.err, /Quillon|q@example/);
    const listed = await run(context, 'list', '--state', 'open');
    assert.match(listed.out, /^open {3}q@example\.org {2}\d{4}-\d\d-\d\d {2}offer_[0-9a-f]{20}$/m);
    for (const line of listed.out.split('\n')) assert.ok(line.length <= 80, line);
    const id = /offer_[0-9a-f]{20}/.exec(listed.out)?.[0] as string;
    assert.match((await run(context, 'withdraw', id)).out, /withdrawn/);
    assert.match((await run(context, 'list', '--state', 'Withdrawn', '--json')).out, /"q@example\.org"/);
    const late = await run(context, 'new', templateId, '--expires', '31d', '--set', 'fullName=x');
    assert.equal(late.code, 1);
    assert.match(late.err, /expiresInSeconds/);
  });
});

describe('offers of a table', () => {
  const count = 120;
  const emailOf = (index: number): string => `person${index}@example.org`;
  const nameOf = (index: number): string => `Quillon Vantreight ${index}`;

  test('are made once each, whenever the command ends, and issued from the same table', async (context) => {
    const folder = tempFolder(context);
    const [csv, out] = [path.join(folder, 'people.csv'), path.join(folder, 'links.csv')];
    const rows = Array.from({ length: count }, (_, index) => `${emailOf(index)},${nameOf(index)},${index}`);
    writeFileSync(csv, `${['email,fullName,points', ...rows].join('\n')}\n`);
    const words = [
      'many',
      templateId,
      csv,
      '--reference',
      'email',
      '--out',
      out,
      '--pin',
      '--concurrency',
      '2',
    ];
    const all = ['offer', ...words, '--profile', path.join(service.folder, 'demo.json')];
    for (const least of [3, 12]) {
      const killed = startSymbolon(context, all);
      await until('some links are made', async () => existsSync(out) && linksIn(out).length >= least);
      await killed.stop('SIGKILL');
    }
    // As if the last line was cut in the middle.
    writeFileSync(out, readFileSync(out, 'utf8').slice(0, -20));
    const { code, out: told, err } = await run(context, ...words, '--json');
    assert.equal(code, 0, `${told}${err}`);
    const summary = JSON.parse(told);
    assert.deepEqual([summary.rows, summary.failed, summary.left], [count, 0, 0]);
    assert.equal(summary.made + summary.skipped, count);
    assert.equal(statSync(out).mode & 0o777, 0o600);
    assert.equal(statSync(`${out}.journal`).mode & 0o777, 0o600);
    const links = linksIn(out);
    assert.deepEqual(
      links.map(([reference]) => reference).sort(),
      Array.from({ length: count }, (_, index) => emailOf(index)).sort(),
    );
    const { offers } = await service.issuer.client.listOffers({ templateId, state: 'open', limit: '200' });
    assert.deepEqual(offers.map(({ offerId }) => offerId).sort(), links.map(([, id]) => id).sort());
    for (const text of [told, err, readFileSync(`${out}.journal`, 'utf8')])
      assert.doesNotMatch(text, /Quillon|@example|openid-credential-offer/);

    const again = JSON.parse((await run(context, ...words, '--json')).out);
    assert.deepEqual([again.made, again.skipped], [0, count]);

    const accepted = links.slice(0, 3);
    for (const [reference, , offer, txCode] of accepted) {
      const signer = await signerFromSeed(person(reference).seed);
      await acceptOffer(service.stranger, { offer, txCode, signer });
    }
    const issue = ['vc', 'issue-many', templateId, '--csv', csv, '--reference-column', 'email', '--json'];
    const profile = ['--profile', path.join(service.folder, 'demo.json')];
    const issuing = await symbolon(context, [...issue, ...profile]);
    const issued = JSON.parse(issuing.out);
    assert.deepEqual([issued.issued, issued.failed, issued.waiting, issued.left], [3, 0, count - 3, 0]);
    assert.equal(issuing.code, 0, 'whoever has not accepted yet is no failure');
    assert.equal(existsSync(`${csv}.failed.csv`), false);
    const later = await service.issuer.client.listOffers({ templateId, state: 'issued' });
    assert.deepEqual(
      later.offers.map(({ reference }) => reference).sort(),
      accepted.map(([reference]) => reference).sort(),
    );

    writeFileSync(csv, `${['email,fullName,points', ...rows.with(5, `${emailOf(5)},Other,1`)].join('\n')}\n`);
    const changed = await run(context, ...words);
    assert.equal(changed.code, 1);
    assert.match(changed.err, /The table was changed[\s\S]*lines were offered with other content: 7\./);
  });

  test('that the holder accepted with other values than the table has now are not issued', async (context) => {
    const csv = path.join(tempFolder(context), 'one.csv');
    const reference = 'switched@example.org';
    const metadata = { fullName: 'As it was offered' };
    const { link } = await service.issuer.client.makeOffer({ templateId, metadata, reference });
    const signer = await signerFromSeed(person('switched').seed);
    await acceptOffer(service.stranger, { offer: link, signer });
    writeFileSync(csv, `email,fullName\n${reference},As the table says\n`);
    const words = ['vc', 'issue-many', templateId, '--csv', csv, '--reference-column', 'email', '--json'];
    const { out } = await symbolon(context, [...words, '--profile', path.join(service.folder, 'demo.json')]);
    assert.match(out, /"failed":1/);
    assert.match(out, /the holder accepted other values than the row says/);
  });

  const issueMany = (context: TestContext, csv: string) =>
    symbolon(context, [
      ...['vc', 'issue-many', templateId, '--csv', csv, '--reference-column', 'email', '--json'],
      ...['--profile', path.join(service.folder, 'demo.json')],
    ]);

  test('that two people accepted with one reference are issued to neither', async (context) => {
    const csv = path.join(tempFolder(context), 'two.csv');
    const reference = 'twice@example.org';
    const metadata = { fullName: 'One of Two' };
    const offerIds: string[] = [];
    for (const name of ['first of two', 'second of two']) {
      const { link, offerId } = await service.issuer.client.makeOffer({ templateId, metadata, reference });
      await acceptOffer(service.stranger, { offer: link, signer: await signerFromSeed(person(name).seed) });
      offerIds.push(offerId);
      // As in a service that lets two stand at a time.
      const { kysely } = service.served.parts.database;
      await kysely.updateTable('offers').set({ referenceMark: null }).where('id', '=', offerId).execute();
    }
    writeFileSync(csv, `email,fullName\n${reference},One of Two\nnobody@example.org,No Offer\n`);
    const { code, out } = await issueMany(context, csv);
    const { issued, failed, problems } = JSON.parse(out);
    assert.deepEqual([code, issued, failed], [1, 0, 2]);
    const [twice, none] = problems.map(({ reason }: { reason: string }) => reason);
    assert.match(twice, /^two offers with this reference were accepted \(offer ids offer_\w+, offer_\w+\): /);
    for (const id of offerIds) assert.ok(twice.includes(id));
    assert.match(twice, /: issue the right one with vc issue$/);
    assert.match(none, /^no offer with this reference is open or waits to be issued/);
  });

  test('are found however their references are composed', async (context) => {
    const csv = path.join(tempFolder(context), 'composed.csv');
    const reference = 'Zo\u00eb';
    const metadata = { fullName: 'Zoe' };
    const { link } = await service.issuer.client.makeOffer({ templateId, metadata, reference });
    await acceptOffer(service.stranger, { offer: link, signer: await signerFromSeed(person('zoe').seed) });
    writeFileSync(csv, `email,fullName\n${reference.normalize('NFD')},Zoe\n`);
    const { issued, problems } = JSON.parse((await issueMany(context, csv)).out);
    assert.equal(issued, 1, JSON.stringify(problems));
  });

  test('keep their PINs when they are renewed, unless somebody says otherwise', async (context) => {
    const order = ['new', templateId, '--set', 'fullName=Pinned', '--reference', 'pinned', '--json'];
    const first = JSON.parse((await run(context, ...order, '--pin')).out);
    const second = JSON.parse((await run(context, ...order, '--renew')).out);
    assert.match(second.txCode ?? '', /^[0-9]{6}$/);
    const third = await run(context, ...order, '--renew', '--no-pin');
    assert.equal(third.code, 0, third.err);
    assert.deepEqual(
      [JSON.parse(third.out).offerId, JSON.parse(third.out).txCode],
      [first.offerId, undefined],
    );
  });

  test('interrupted end with 130, and the same command goes on', async (context) => {
    const folder = tempFolder(context);
    const [csv, out] = [path.join(folder, 'long.csv'), path.join(folder, 'links.csv')];
    const rows = Array.from({ length: 400 }, (_, index) => `long${index},Name ${index}`);
    writeFileSync(csv, `${['who,fullName', ...rows].join('\n')}\n`);
    const words = ['many', templateId, csv, '--reference', 'who', '--out', out, '--concurrency', '1'];
    const running = startSymbolon(context, [
      'offer',
      ...words,
      '--profile',
      path.join(service.folder, 'demo.json'),
    ]);
    await until('some links are made', async () => existsSync(out) && linksIn(out).length >= 2);
    const { code, err, out: told } = await running.stop('SIGINT');
    assert.equal(code, 130, `${told}${err}`);
    assert.match(err, /the same command goes on with the rest/);
    assert.match(told, /Still to do +[0-9]+ \(run again\)/);
  });

  test('have their rows looked at first, and never two links for one reference', async (context) => {
    const folder = tempFolder(context);
    const [csv, out] = [path.join(folder, 'bad.csv'), path.join(folder, 'links.csv')];
    const words = ['many', templateId, csv, '--reference', 'who', '--out', out];
    writeFileSync(csv, 'who,fullName,points\na,Ann,x\n,Ben,1\nc,Cid,1\nc,Cid again,2\n');
    const dry = await run(context, ...words, '--dry-run');
    assert.equal(dry.code, 1);
    assert.match(dry.out, /3 of 4 rows are not good/);
    assert.equal(existsSync(out), false);
    const { code, out: told } = await run(context, ...words, '--json');
    const summary = JSON.parse(told);
    assert.deepEqual([code, summary.made, summary.failed], [1, 1, 3]);
    const [[, offerId, link]] = linksIn(out);
    // Another file knows nothing of the links that were sent: they stay good unless somebody says otherwise.
    const elsewhere = [
      'many',
      templateId,
      csv,
      '--reference',
      'who',
      '--out',
      path.join(folder, 'other.csv'),
    ];
    const refused = JSON.parse((await run(context, ...elsewhere, '--json')).out);
    assert.match(JSON.stringify(refused.problems), /offerExists/);
    assert.equal((await previewOffer(service.stranger, { offer: link })).offerId, offerId);
    writeFileSync(out, 'a letter\n');
    const foreign = await run(context, ...words);
    assert.equal(foreign.code, 1);
    assert.match(foreign.err, /holds something else than links of offers/);
    assert.equal(readFileSync(out, 'utf8'), 'a letter\n');
    const columns = await run(context, 'many', templateId, csv, '--reference', 'mail', '--out', out);
    assert.match(columns.err, /There is no column mail/);
  });
});
