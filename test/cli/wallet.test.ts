/**
 * `symbolon wallet` in its owner's hands, with a real service: what comes into it and what does not, what the ledger says
 * of it, what is shown to whom and only after a yes, and that it is the wallet that an agent gets.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, describe, test } from 'node:test';
import { accept } from '@symbolon/cli/commands/wallet/accepting';
import { answer } from '@symbolon/cli/commands/wallet/answering';
import { issueCredential, offerLink, readApplication } from '@symbolon/sdk/index';
import { type JsonObject, parseJson, stringifyJson } from '@symbolon/wire/json/json';
import { startAgentWallet, writeProfile } from '../support/mcp-world.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { tempFolder } from '../support/temp-folder.ts';
import {
  assertHelpful,
  assertPlain,
  type CommandWorld,
  degree,
  issueDegree,
  registerDegree,
  startCommandWorld,
} from './credential-world.ts';
import { terminalOf } from './wallet-terminal.ts';

const owner = ownerOfSuite();
let world: CommandWorld;
let file: string;
let degreeId: string;
before(async () => {
  world = await startCommandWorld(owner);
  await registerDegree(world);
  file = world.file('degree.json');
  degreeId = await issueDegree(world, file);
});

const hexOf = (id: unknown): string => String(id).slice(-64);
const newWallet = (): readonly string[] => ['--wallet', tempFolder(owner)];

/** A wallet with the degree in it. */
async function walletWithDegree(): Promise<readonly string[]> {
  const words = newWallet();
  await world.json('wallet', 'add', file, ...words);
  return words;
}

const listIn = async (words: readonly string[]) =>
  (await world.json('wallet', 'list', ...words)).credentials as JsonObject[];

const atTerminal = terminalOf(() => world);

const askFor = (...words: string[]) => world.json('request', '--template', degree.name, ...words);
/** What the verifier sees of its session first. */
async function stateOf(id: unknown): Promise<string | undefined> {
  for await (const { status } of world.service.verifier.client.watchVerification({ id: String(id) }))
    return status;
  return undefined;
}

describe('what comes into the wallet', () => {
  test('a genuine credential of its holder, once; a changed one and another holder’s do not', async () => {
    const words = newWallet();
    const first = await world.here('wallet', 'add', file, ...words);
    assert.deepEqual(
      [first.code, first.out],
      [0, `Kept: "${degree.name}", ${hexOf(degreeId).slice(0, 8)}\n`],
    );
    assert.match((await world.here('wallet', 'add', file, ...words)).out, /^Nothing new/);
    const document = parseJson(readFileSync(file, 'utf8')) as JsonObject;
    const changed = {
      ...document,
      credentialSubject: { ...(document.credentialSubject as JsonObject), degree: 'MD' },
    };
    const forged = world.file('forged.json');
    writeFileSync(forged, stringifyJson(changed));
    for (const more of [[forged], [file, '--as', 'issuer']]) {
      const refused = await world.here('wallet', 'add', ...more, ...newWallet());
      assert.equal(refused.code, 3, refused.err);
      assertHelpful(refused);
    }
    assert.equal((await listIn(words)).length, 1);
  });

  test('everything that waits at the service', async () => {
    const words = newWallet();
    const { added, notKept } = await world.json('wallet', 'add', ...words);
    assert.ok((added as string[]).includes(degreeId));
    assert.deepEqual(notKept, []);
    const id = await issueDegree(world, world.file('gone.json'));
    await world.json('vc', 'revoke', id);
    const again = await world.run('wallet', 'add', ...words);
    assert.equal(again.code, 0, 'one that was revoked is no forgery');
    assert.match(again.err, new RegExp(`Left out: ${hexOf(id).slice(0, 8)} is revoked`));
  });

  test('what is applied for: at once where it is free or paid for, else when it is issued', async () => {
    const words = newWallet();
    const values = degree.values.flatMap((value) => ['--set', value]);
    const create = (name: string) =>
      world.json(
        'template',
        'create',
        '--name',
        name,
        ...degree.attributes.flatMap((one) => ['--attribute', one]),
      );
    await create('Waiting card');
    const waiting = await world.json('wallet', 'apply', 'Waiting card', ...values, ...words);
    assert.equal(waiting.state, 'waiting');
    await world.json('vc', 'issue', String(waiting.credentialId));
    assert.ok(
      ((await world.json('wallet', 'add', ...words)).added as string[]).includes(
        String(waiting.credentialId),
      ),
    );

    await create('Sold card');
    await world.json('template', 'price', 'Sold card', '--amount', '0.25gas');
    const policy = ['--per-day', '5', '--until', '2099-12-31', '--leave-key'];
    await world.json('template', 'auto-issue', 'Sold card', ...policy);
    const unpaid = await world.here('wallet', 'apply', 'Sold card', ...values, ...words);
    assert.equal(unpaid.code, 2);
    assert.match(unpaid.err, /It costs 0\.25 Gas/);
    const tooDear = await world.here(
      'wallet',
      'apply',
      'Sold card',
      ...values,
      '--pay-up-to',
      '0.2gas',
      ...words,
    );
    assert.equal(tooDear.code, 1, tooDear.out);
    assert.match(tooDear.err, /--pay-up-to/);
    const bought = await world.here(
      'wallet',
      'apply',
      'Sold card',
      ...values,
      '--pay-up-to',
      '0.4gas',
      ...words,
    );
    assert.match(
      bought.out,
      /^Kept: "Sold card", [0-9a-f]{8}\. 0\.25 Gas and a fee were paid\.\n$/,
      bought.err,
    );
  });
});

describe('what is seen of it', () => {
  test('a table that fits 80 columns, and a credential by the beginning of its id', async () => {
    const words = await walletWithDegree();
    const { out } = await world.here('wallet', 'list', ...words);
    assert.ok(
      out.split('\n').every((line) => line.length <= 80),
      out,
    );
    assert.match(
      out,
      /^ID +TITLE +ISSUER +STATUS +VALID UNTIL\n[0-9a-f]{8} +University degree +.* active +20/,
    );
    const hex = hexOf(degreeId);
    for (const text of [hex.slice(0, 4), hex.slice(0, 8).toUpperCase(), `did:zid:${hex}`]) {
      const shown = await world.here('wallet', 'show', text, ...words);
      assert.equal(shown.code, 0, shown.err);
      assert.match(shown.out, /degree +"BSc Mathematics"/);
      assert.match(shown.out, /On the ledger active: it counts/);
      assert.ok(
        shown.out.split('\n').every((line) => line.length <= 80),
        shown.out,
      );
    }
    assert.equal((await world.here('wallet', 'show', 'abc', ...words)).code, 2);
    const unknown = hex.startsWith('0000') ? 'ffff' : '0000';
    const missing = await world.here('wallet', 'show', unknown, ...words);
    assert.equal(missing.code, 4);
    assertHelpful(missing);
  });

  test('a status by the ledger, and none where no node answers', async () => {
    const words = newWallet();
    const id = await issueDegree(world, world.file('status.json'));
    await world.json('wallet', 'add', world.file('status.json'), ...words);
    const status = async (...more: string[]) =>
      (await world.json('wallet', 'list', ...words, ...more)).credentials as { status: string }[];
    assert.deepEqual(
      (await status()).map((one) => one.status),
      ['active'],
    );
    await world.json('vc', 'suspend', id);
    assert.deepEqual(
      (await status()).map((one) => one.status),
      ['suspended'],
    );
    await world.json('vc', 'revoke', id);
    assert.deepEqual(
      (await status()).map((one) => one.status),
      ['revoked'],
    );
    const away = await status('--ledger', 'http://127.0.0.1:1');
    assert.deepEqual(
      away.map((one) => one.status),
      ['not known'],
    );
  });

  test('an agent has the same wallet, and sees no values of it', async () => {
    const words = await walletWithDegree();
    const folder = tempFolder(owner);
    writeProfile(folder, world.service, world.service.demo.holder.privateKey);
    const agent = await startAgentWallet(owner, folder, [...words]);
    const { credentials } = await agent.ask('list_credentials');
    assert.deepEqual(
      (credentials as { id: string }[]).map(({ id }) => id),
      [degreeId],
    );
    await agent.close();
  });
});

test('applications are listed with what the issuer said of them', async () => {
  const { vcId } = await world.json(
    'vc',
    'apply',
    degree.name,
    ...degree.values.flatMap((one) => ['--set', one]),
  );
  const told = async () => (await world.json('wallet', 'applications', ...newWallet())).applications;
  const of = async () => ((await told()) as JsonObject[]).find((one) => one.vcId === vcId);
  assert.equal((await of())?.status, 'Pending');
  await world.json('vc', 'reject', String(vcId), '--reason', 'The name is another one');
  assert.deepEqual([(await of())?.status, (await of())?.reason], ['Rejected', 'The name is another one']);
  const { out } = await world.here('wallet', 'applications', ...newWallet());
  assert.match(out, /Rejected .*"The name is another one"/);
});

describe('an answer', () => {
  test('is given after a yes, in the words of what is shown, and verified', async () => {
    const wallet = await walletWithDegree();
    const purpose = 'To see that you may \u201center\u201d';
    const session = await askFor('--ask', 'degree', '--age', 'birthDate:18..', '--purpose', purpose);
    const link = String(session.deepLinkUrl);
    const no = await atTerminal(answer, link, { typed: ['yess'], wallet });
    assert.match(no.failure ?? '', /^Nothing was shown/);
    assert.equal(await stateOf(session.presentationId), 'FETCHED');
    const yes = await atTerminal(answer, link, { typed: ['y'], wallet });
    assert.equal(yes.failure, undefined);
    assert.match(yes.err, /^"demo verifier" \(did:zid:.*\) asks you to show something, through /m);
    assert.match(yes.err, /So the operator of this service calls them; nobody else has confirmed it/);
    assert.ok(yes.err.includes(`Why, in their own words: "${purpose}"`), yes.err);
    const shown =
      /You would show:\n {2}degree: BSc Mathematics\n {2}18 or older, without the birth date\n {4}of "University degree"/;
    assert.match(yes.err, shown);
    assert.ok(!/1990|Aroha/.test(yes.err + yes.out));
    assert.match(yes.out, /^VERIFIED/);
    assert.equal(await stateOf(session.presentationId), 'VERIFIED');
    const again = await world.here('wallet', 'answer', link, '--yes', ...wallet);
    assert.equal(again.code, 1);
    assert.match(again.err, /sessionClosed/);
    assertPlain(yes.out + yes.err);
  });

  test('needs somebody at a terminal, or --yes', async () => {
    const wallet = await walletWithDegree();
    const session = await askFor('--ask', 'degree');
    const id = String(session.presentationId);
    const refused = await world.here('wallet', 'answer', id, ...wallet);
    assert.equal(refused.code, 2);
    assertHelpful(refused);
    assert.equal(await stateOf(id), 'CREATED', 'the request was not even fetched');
    const { verified, shown } = await world.json('wallet', 'answer', id, '--yes', ...wallet);
    assert.deepEqual([verified, shown], [true, [{ credential: degreeId, inWords: ['degree'] }]]);
  });

  test('that the values do not give is refused to the owner by name, without the value', async () => {
    const wallet = await walletWithDegree();
    const { presentationId } = await askFor('--age', 'birthDate:90..');
    const refused = await world.here('wallet', 'answer', String(presentationId), '--yes', ...wallet);
    assert.match(refused.err, /What you have of birthDate is not what is asked for\./);
    assert.ok(!/1990/.test(refused.err));
    assertHelpful(refused);
    assert.equal(await stateOf(presentationId), 'FETCHED');
  });

  test('of several credentials is the one that is chosen; what is revoked is not offered', async () => {
    const wallet = await walletWithDegree();
    const ids = [degreeId];
    for (const name of ['second.json', 'third.json']) {
      ids.push(await issueDegree(world, world.file(name)));
      await world.json('wallet', 'add', world.file(name), ...wallet);
    }
    await world.json('vc', 'revoke', ids[2] as string);
    const first = String((await askFor('--ask', 'degree')).presentationId);
    const unsaid = await world.here('wallet', 'answer', first, '--yes', ...wallet);
    assert.equal(unsaid.code, 2);
    assert.match(unsaid.err, /Several would do:\n {2}1 .*\n {2}2 .*\nSay which/);
    assertHelpful(unsaid);
    const chosen = await atTerminal(answer, first, { typed: ['2', 'y'], wallet });
    assert.equal(chosen.failure, undefined);
    assert.match(chosen.err, / {2}2 {2}[0-9a-f]{8} .*\n {7}degree: BSc Mathematics\n/);
    assert.deepEqual(chosen.questions, ['Which one? [1-2]', 'Show this? [y/N]']);
    assert.match(chosen.err, new RegExp(`of "University degree" ${hexOf(ids[1]).slice(0, 8)}`));
    const second = String((await askFor('--ask', 'degree')).presentationId);
    const choice = ['--credential', hexOf(degreeId).slice(0, 12), '--yes'];
    const { shown } = await world.json('wallet', 'answer', second, ...choice, ...wallet);
    assert.deepEqual((shown as JsonObject[])[0]?.credential, degreeId);
    const third = String((await askFor('--ask', 'degree')).presentationId);
    const revoked = ['--credential', hexOf(ids[2]), '--yes'];
    const refused = await world.here('wallet', 'answer', third, ...revoked, ...wallet);
    assert.equal(refused.code, 3, refused.err);
    assertHelpful(refused);
  });

  test('to two questions is found whichever of them stands first', async () => {
    const wallet = await walletWithDegree();
    const other = world.file('membership.json');
    await world.json('template', 'create', '--name', 'Membership', '--attribute', 'degree:text');
    const { vcId } = await world.json('vc', 'apply', 'Membership', '--set', 'degree=honorary');
    await world.json('vc', 'issue', String(vcId));
    await world.json('vc', 'download', String(vcId), '--out', other);
    await world.json('wallet', 'add', other, ...wallet);
    const either = { id: 'either', claims: [{ path: ['degree'] }] };
    const one = { id: 'one', claims: [{ path: ['birthDate'], constraints: { maximum: '2000-01-01' } }] };
    for (const credentials of [
      [either, one],
      [one, either],
    ]) {
      const { presentationId } = await world.service.verifier.client.requestVerification({
        requirements: { credentials },
      });
      const { verified } = await world.json('wallet', 'answer', presentationId, '--yes', ...wallet);
      assert.equal(verified, true);
    }
  });

  test('that cannot be given is not, and says why', async () => {
    const session = await askFor('--ask', 'degree');
    const empty = await world.here(
      'wallet',
      'answer',
      String(session.presentationId),
      '--yes',
      ...newWallet(),
    );
    assert.equal(empty.code, 3);
    assert.match(empty.err, /You have no valid credential/);
    const young = await askFor('--age', 'birthDate:..12');
    const wallet = await walletWithDegree();
    const refused = await world.here('wallet', 'answer', String(young.presentationId), '--yes', ...wallet);
    assert.equal(refused.code, 3);
    assert.equal(await stateOf(young.presentationId), 'FETCHED');
  });

  test('and an acceptance for another service send nothing there', async () => {
    const asked: string[] = [];
    const elsewhere = createServer((request, reply) => {
      asked.push(String(request.url));
      reply.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    owner.after(() => void elsewhere.close());
    await new Promise((resolve) => elsewhere.once('listening', resolve));
    const origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    const wallet = await walletWithDegree();
    const links = [
      `${origin}/v1/presentation/pres_1`,
      `zetrix://?request_uri=${origin}/v1/presentation/pres_1`,
    ];
    for (const link of links) {
      const refused = await world.here('wallet', 'answer', link, '--yes', ...wallet);
      assert.equal(refused.code, 2, refused.err);
      assertHelpful(refused);
    }
    const templateIds = [`did:zid:${'ab'.repeat(32)}`];
    const offer = offerLink({ service: origin, templateIds, code: 'A'.repeat(43) });
    const refused = await world.here('wallet', 'accept', offer, '--yes', ...wallet);
    assert.equal(refused.code, 2, refused.err);
    assert.ok(!refused.err.includes('AAAA'), 'the code is not repeated');
    // Nor does the key of the profile sign for a service that the profile does not name.
    const other = await world.here('wallet', 'answer', 'pres_1', '--yes', '--service', origin, ...wallet);
    assert.equal(other.code, 2, other.err);
    assert.deepEqual(asked, []);
  });
});

describe('an offer', () => {
  const metadata = degree.values.map((value) => {
    const [key = '', text = ''] = value.split('=');
    return { key, value: text };
  });
  const templateId = async () => String((await world.json('template', 'show', degree.name)).templateId);
  const make = async (order: object = {}) =>
    world.service.issuer.client.makeOffer({ templateId: await templateId(), metadata, ...order });

  test('is accepted as it was shown, and kept when it is issued', async () => {
    const wallet = newWallet();
    const { link } = await make();
    const alone = await world.here('wallet', 'accept', link, ...wallet);
    assert.equal(alone.code, 2);
    const no = await atTerminal(accept, link, { typed: [''], wallet });
    assert.match(no.failure ?? '', /^Nothing was accepted/);
    const yes = await atTerminal(accept, link, { typed: ['y'], wallet });
    assert.equal(yes.failure, undefined);
    assert.match(yes.err, /degree +"BSc Mathematics"/);
    assert.match(yes.err, /It can be accepted until \d{4}-\S+\. It says of you:/);
    assert.match(yes.out, /^Accepted: "University degree", [0-9a-f]{8}\. The issuer signs it next\.\n$/);
    const again = await world.json('wallet', 'accept', link, '--yes', ...wallet);
    assert.deepEqual([again.status, again.isKept], ['Pending', false]);
    const vcId = String(again.credentialId);
    const { client, signer, bbsPublicKey } = world.service.issuer;
    await issueCredential(client, {
      ...(await readApplication(client, { vcId })),
      signer,
      bbsKey: { publicKeyMultibase: bbsPublicKey },
      expiredDate: '2099-12-31',
    });
    assert.equal((await world.json('wallet', 'accept', link, '--yes', ...wallet)).isKept, true);
    assert.deepEqual(
      (await listIn(wallet)).map(({ id }) => id),
      [vcId],
    );
  });

  test('of a long value says how long it is before anybody says yes or signs; --wide shows all of it', async () => {
    const wallet = newWallet();
    const long = `BSc ${'of many words '.repeat(503)}.`;
    assert.equal(long.length, 7_047);
    const values = metadata.map((one) => (one.key === 'degree' ? { ...one, value: long } : one));
    const { link } = await make({ metadata: values });
    const told = /many words.*… \(7047 characters\)"?$/m;
    const note = /^1 value is longer than what is shown here: --wide shows all of it\.$/m;
    const asked = await atTerminal(accept, link, { typed: [''], wallet });
    assert.match(asked.err, told);
    assert.match(asked.err, note);
    const wide = await world.run('wallet', 'accept', link, '--yes', '--wide', ...wallet);
    assert.equal(wide.code, 0, wide.err);
    assert.ok(wide.err.includes(long));
    assert.doesNotMatch(wide.err, /characters\)|longer than/);
    const { credentialId } = await world.json('wallet', 'accept', link, '--yes', ...wallet);
    const vcId = String(credentialId);
    assert.match((await world.here('vc', 'show', vcId)).out, told);
    const issued = await world.here('vc', 'issue', vcId);
    assert.match(issued.err, told);
    assert.match(issued.err, note);
    await world.json('wallet', 'accept', link, '--yes', ...wallet);
    assert.match((await world.here('wallet', 'show', vcId, ...wallet)).out, told);
    assert.ok((await world.run('wallet', 'show', vcId, '--wide', ...wallet)).out.includes(long));
    const session = await askFor('--ask', 'degree');
    const shown = await atTerminal(answer, String(session.deepLinkUrl), { typed: [''], wallet });
    assert.match(shown.err, told);
    assert.match(shown.err, note);
  });

  test('with a PIN shows its values to whoever has that, too', async () => {
    const wallet = newWallet();
    const { link, txCode = '' } = await make({ txCode: true });
    const pinFile = world.file('pin.txt');
    const wrong = txCode === '000000' ? '000001' : '000000';
    const without = await world.here('wallet', 'accept', link, '--yes', ...wallet);
    assert.equal(without.code, 2);
    assert.match(without.err, /--pin-file/);
    for (const [pin, code] of [
      ['12', 2],
      [wrong, 1],
      [txCode, 0],
    ] as const) {
      writeFileSync(pinFile, `${pin}\n`, { mode: 0o600 });
      const tried = await world.here('wallet', 'accept', link, '--pin-file', pinFile, '--yes', ...wallet);
      assert.equal(tried.code, code, tried.err);
      assert.equal(/BSc Mathematics/.test(tried.err), code === 0);
      assert.ok(!`${tried.out}${tried.err}`.includes(txCode), 'the PIN is not repeated');
    }
  });
});
