/**
 * Requests by OpenID4VP at the command line: a verifier makes one and waits, a holder sees who asks and what would be
 * shown, agrees or not, and no copy is shown twice unseen.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { answer } from '@symbolon/cli/commands/wallet/answering';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import {
  assertHelpful,
  type CommandWorld,
  degree,
  issueDegree,
  registerDegree,
  startCommandWorld,
} from './credential-world.ts';
import { terminalOf } from './wallet-terminal.ts';

const owner = ownerOfSuite();
let world: CommandWorld;
const wallet: readonly string[] = ['--wallet', tempFolder(owner)];
const atTerminal = terminalOf(() => world);
const values = degree.values.flatMap((value) => ['--set', value]);

async function accept(...words: string[]): Promise<void> {
  const offer = ['offer', 'new', degree.name, ...values, '--openid', '--no-pin', ...words];
  const { link } = await world.json(...offer);
  await world.json('wallet', 'accept', String(link), '--yes', '--copies', '2', ...wallet);
}

before(async () => {
  world = await startCommandWorld(owner);
  await registerDegree(world);
  await accept();
  await accept('--format', 'bbs-2023');
  const file = world.file('own.json');
  await issueDegree(world, file);
  await world.json('wallet', 'add', file, ...wallet);
});

const asking = (...words: string[]): readonly string[] => [
  ...['request', '--openid', '--template', degree.name],
  ...(words.length > 0 ? words : ['--ask', 'name']),
];
const ask = async (...words: string[]): Promise<{ id: string; link: string }> => {
  const { id, request } = await world.json(...asking(...words));
  return { id: String(id), link: String(request) };
};

describe('a request by OpenID4VP', () => {
  test('is answered while its verifier waits', async () => {
    const waiting = world.start(...asking(), '--wait', '--trust', world.service.issuer.did);
    const link = await waiting.printed(/link\s+(openid4vp:\S+)/);
    const shown = await atTerminal(answer, link, { typed: ['y'], wallet });
    assert.equal(shown.failure, undefined, shown.failure);
    assert.match(shown.err, /"127\.0\.0\.1:\d+" asks you to show something\.\nThe DID at that host/);
    assert.match(shown.err, /You would show:\n {2}name: "Aroha Ngata"\n {4}of "[^"]+" [0-9a-f]{8}/);
    assert.doesNotMatch(shown.err, /Mathematics/);
    assert.match(shown.out, /^SHOWN {3}127\.0\.0\.1:\d+ has taken it\.\n$/);
    const { code, out, err } = await waiting.ended;
    assert.equal(code, 0, err);
    assert.match(out, /VERIFIED {3}saw: name = "Aroha Ngata"/);
    assert.match(out.replaceAll(/\s+/g, ' '), new RegExp(`issued by ${world.service.issuer.did}: trusted`));
  });

  test('shows each copy once, and again only where its owner agrees', async () => {
    const first = await ask();
    const told = await world.json('wallet', 'present', first.link, '--yes', ...wallet);
    assert.equal(told.accepted, true);
    const second = await ask();
    const refused = await world.here('wallet', 'present', second.link, '--yes', ...wallet);
    assert.equal(refused.code, 2, refused.out);
    assert.match(refused.err, /Every copy was shown before/);
    assertHelpful({ ...refused, err: refused.err.slice(refused.err.indexOf('Nothing was shown')) });
    assert.equal(
      (await world.json('wallet', 'present', second.link, '--yes', '--again', ...wallet)).accepted,
      true,
    );
  });

  test('is answered in every format', async () => {
    const bbs = await ask('--ask', 'name', '--format', 'ldp_vc');
    const shown = await world.json('wallet', 'answer', bbs.link, '--yes', ...wallet);
    const [{ inWords, format }] = shown.shown as [JsonObject];
    assert.deepEqual([format, inWords], ['ldp_vc', ['name: "Aroha Ngata"']]);
    const aged = await ask('--ask', 'name', '--age', 'birthDate:18..', '--purpose', 'To sell you wine');
    const old = await atTerminal(answer, aged.link, { typed: ['y'], wallet });
    assert.equal(old.failure, undefined, old.failure);
    assert.match(old.err, /Why, in their own words:\n {2}"To sell you wine"/);
    assert.match(old.err, /18 or older, without the birth date/);
    assert.match(old.out, /SHOWN/);
  });

  test('is declined, or left open', async () => {
    const { link } = await ask();
    const left = await atTerminal(answer, link, { typed: ['n'], wallet });
    assert.match(left.failure ?? '', /^Nothing was shown\.\nYou did not say yes\./);
    assert.equal((await world.json('wallet', 'present', link, '--decline', ...wallet)).declined, true);
    const late = await world.here('wallet', 'present', link, '--decline', ...wallet);
    assert.equal(late.code, 1, late.out);
    assertHelpful(late);
  });

  test('says what cannot be answered or asked', async () => {
    const other = await world.json(
      'request',
      '--openid',
      '--type',
      'https://a.example/pass',
      '--ask',
      'name',
    );
    const lacking = await world.here('wallet', 'present', String(other.request), '--yes', ...wallet);
    assert.equal(lacking.code, 3);
    assert.match(lacking.err, /there is none of this type/);
    const noCertificates = world.file('ca.pem');
    writeFileSync(noCertificates, 'nothing');
    const { link } = await ask();
    for (const words of [
      ['wallet', 'present', link, '--yes', '--ca', noCertificates, ...wallet],
      ['wallet', 'present', 'openid4vp://?client_id=x509_hash:a', '--yes', ...wallet],
      ['wallet', 'present', 'pres_1_2', '--yes', '--again', ...wallet],
      asking('--age', 'birthDate:18..', '--format', 'dc+sd-jwt'),
      asking('--ask', 'height'),
      ['request', '--openid', '--ask', 'name'],
      ['request', '--template', degree.name, '--ask', 'name', '--type', 'x'],
    ]) {
      const wrong = await world.here(...words);
      assert.equal(wrong.code, 2, `${words.join(' ')}: ${wrong.err}`);
      assertHelpful(wrong);
    }
  });

  test('fits a screen of 80 columns', async () => {
    const narrow = (...words: string[]) => symbolon(owner, words, { ...world.env, COLUMNS: '80' });
    const asked = await narrow(...asking('--qr', '--ask', 'name'));
    assert.equal(asked.code, 0, asked.err);
    const [, link = ''] = /link\s+(openid4vp:\S+)/.exec(asked.out) ?? [];
    const shown = await narrow('wallet', 'present', link, '--yes', '--again', ...wallet);
    assert.equal(shown.code, 0, shown.err);
    for (const line of `${asked.out}${asked.err}${shown.out}${shown.err}`.split('\n'))
      assert.ok(line.length <= 80 || /^\s+\S+$/.test(line), line);
  });
});
