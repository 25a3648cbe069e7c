/**
 * Offers in a holder's wallet: what is said of one that somebody has accepted, or that the issuer has turned down; links
 * that no other program sees; and Ctrl-C.
 */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { afterEach, before, describe, test } from 'node:test';
import { accept, askPin } from '@symbolon/cli/commands/wallet/accepting';
import { failureOf } from '@symbolon/cli/terminal/failure';
import { acceptOffer, signerFromSeed } from '@symbolon/sdk/index';
import { type JsonObject, parseJson } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { startSymbolon } from '../support/symbolon-process.ts';
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
let templateId: string;
before(async () => {
  world = await startCommandWorld(owner);
  await registerDegree(world);
  templateId = String((await world.json('template', 'show', degree.name)).templateId);
});

const newWallet = (): readonly string[] => ['--wallet', tempFolder(owner)];
const atTerminal = terminalOf(() => world);
const metadata = degree.values.map((value) => {
  const [key = '', text = ''] = value.split('=');
  return { key, value: text };
});
const make = () => world.service.issuer.client.makeOffer({ templateId, metadata });

const parseObject = (text: string): JsonObject => parseJson(text) as JsonObject;

describe('an offer', () => {
  /** A holder has one application for a template that waits. */
  afterEach(async () => {
    const { client } = world.service.issuer;
    const { applications } = await client.listApplications({ status: 'Pending' });
    for (const { vcId } of applications) await client.rejectApplication({ vcId, reason: 'The next test' });
  });

  test('that somebody has accepted is not said to be yours', async () => {
    const { link } = await make();
    await acceptOffer(world.service.stranger, {
      offer: link,
      signer: await signerFromSeed(person('somebody else').seed),
    });
    const { err, failure, questions } = await atTerminal(accept, link, { typed: ['y'], wallet: newWallet() });
    assert.match(err, /It was accepted before\. If it was you, you are told the same application again\./);
    assert.deepEqual(questions, ['Was it you? [y/N]']);
    assert.match(failure ?? '', /^The offer was accepted\./);
    const other = await world.here('wallet', 'accept', link, '--yes', ...newWallet());
    assert.equal(other.code, 1);
    assert.doesNotMatch(other.err, /offer list/, 'that is for issuers');
  });

  test('that the issuer has turned down is not said to be signed next', async () => {
    const { link } = await make();
    const wallet = newWallet();
    const { credentialId } = await world.json('wallet', 'accept', link, '--yes', ...wallet);
    await world.json('vc', 'reject', String(credentialId), '--reason', 'The photo is missing');
    const again = await world.here('wallet', 'accept', link, '--yes', '--json', ...wallet);
    assert.equal(again.code, 1, again.out);
    assertHelpful(again);
    assert.match(again.err, /The issuer has turned it down[\s\S]*"The photo is missing"/);
    assert.doesNotMatch(again.err + again.out, /signs it next/);
    assert.equal((parseObject(again.out).error as JsonObject).code, 'offerClosed');
  });

  test('and a request are read from standard input, where no other program sees them', async () => {
    const wallet = newWallet();
    const { link } = await make();
    const refused = await atTerminal(accept, '-', { typed: [link, 'n'], wallet });
    assert.deepEqual(refused.questions, ['Link:', 'Accept this? [y/N]']);
    const input = `${link}\n`;
    const piped = ['wallet', 'accept', '-', '--yes', '--json', ...wallet];
    const accepted = await startSymbolon(owner, piped, world.env, { input }).ended;
    assert.equal(accepted.code, 0, accepted.err);
    const file = world.file('degree.json');
    await world.json('vc', 'reject', String(parseObject(accepted.out).credentialId), '--reason', 'None');
    await issueDegree(world, file);
    await world.json('wallet', 'add', file, ...wallet);
    const session = await world.json('request', '--template', degree.name, '--ask', 'degree');
    const asked = { input: String(session.deepLinkUrl) };
    const words = ['wallet', 'answer', '-', '--yes', ...wallet];
    const answered = await startSymbolon(owner, words, world.env, asked).ended;
    assert.equal(answered.code, 0, answered.err);
    assert.match(answered.out, /^VERIFIED/);
    const empty = await startSymbolon(owner, piped, world.env, { input: '' }).ended;
    assert.equal(empty.code, 2, empty.err);
    assertHelpful(empty);
    const much = await startSymbolon(owner, piped, world.env, { input: 'x'.repeat(100_000) }).ended;
    assert.equal(much.code, 2, much.err);
  });

  test('whose PIN is asked for ends with 130 at Ctrl-C, and as declined at the end of input', async () => {
    for (const [key, exitCode] of [
      ['\u0003', 130],
      ['\u0004', 1],
    ] as const) {
      const input = new PassThrough();
      const asking = askPin({ input, write: () => undefined });
      input.write(key);
      const failure = failureOf(await asking.catch((error: unknown) => error));
      assert.equal(failure.exitCode, exitCode);
      assert.match(failure.message, /^Nothing was accepted\.\n/);
    }
  });
});
