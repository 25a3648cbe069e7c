/** What somebody who is new does wrong with credentials: told what happened, why and what to do, and how it ends. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import {
  assertHelpful,
  type CommandWorld,
  degree,
  issueDegree,
  onlyJson,
  registerDegree,
  startCommandWorld,
} from './credential-world.ts';

describe('a mistake', () => {
  const owner = ownerOfSuite();
  let world: CommandWorld;
  let vcId = '';
  const unknownId = `did:zid:${'00'.repeat(32)}`;

  before(async () => {
    world = await startCommandWorld(owner);
    await registerDegree(world);
    vcId = await issueDegree(world, world.file('credential.json'));
  });

  const refused = async (args: readonly string[], code: number, words: RegExp): Promise<string> => {
    const ended = await world.here(...args);
    assert.equal(ended.code, code, `${args.join(' ')}: ${ended.out}${ended.err}`);
    assert.match(ended.err, words);
    assertHelpful(ended);
    return ended.out;
  };

  test('in the name or id of a template ends with 4', async () => {
    await refused(
      ['vc', 'apply', 'Degre', '--set', 'name=x'],
      4,
      /no template called Degre[\s\S]*"University degree"[\s\S]*template list/,
    );
    const out = await refused(['template', 'show', unknownId, '--json'], 4, /symbolon template list/);
    const { error } = onlyJson(out);
    assert.equal((error as { code?: unknown }).code, 'templateUnknown');
  });

  test('ends the process with the same words and code', async () => {
    const { code, out, err } = await world.run('template', 'show', unknownId, '--json');
    assert.equal(code, 4);
    assert.match(err, /symbolon template list/);
    assert.equal((onlyJson(out).error as { code?: unknown }).code, 'templateUnknown');
  });

  test('in the id of a credential ends with 4', async () => {
    await refused(['vc', 'issue', unknownId], 4, /symbolon vc list/);
    await refused(['vc', 'status', unknownId], 4, /credential/);
    await refused(['vc', 'download', 'mine'], 2, /64 hex digits/);
  });

  test('in the values is found before anything is sent', async () => {
    await refused(
      ['vc', 'apply', degree.name, '--set', 'nam=x'],
      2,
      /nam: is not one[\s\S]*degree: is required/,
    );
    await refused(['vc', 'apply', degree.name], 2, /--set NAME=VALUE/);
    await refused(
      ['vc', 'apply', degree.name, '--set', 'name=x', '--set', 'degree=y', '--set', 'points=many'],
      1,
      /template show/,
    );
  });

  test('in who signs is told apart from what is signed', async () => {
    const key = world.file('stranger.key');
    writeFileSync(key, person('stranger').privateKey, { mode: 0o600 });
    const words = ['--out', world.file('stolen.json'), '--key', key];
    await refused(['vc', 'download', vcId, ...words], 1, /--as holder/);
    await refused(
      ['vp', 'create', world.file('credential.json'), '--reveal', 'name', '--key', key],
      2,
      /another holder/,
    );
    await refused(['vc', 'list', '--as', 'holder'], 1, /--as; the demo's are issuer, holder and verifier/);
    await refused(
      ['vc', 'apply', degree.name, '--set', 'name=x', '--as', 'nobody'],
      2,
      /Nobody in the profile[\s\S]*called nobody/,
    );
    await refused(
      ['template', 'create', '--name', 'X', '--attribute', 'a:string', '--as', 'holder'],
      1,
      /API key/,
    );
  });

  test('with keys that are left behind is noticed before they leave', async () => {
    const policy = ['template', 'auto-issue', degree.name, '--per-day', '5', '--until', '2099-12-31'];
    await refused(policy, 4, /add --leave-key/);
    const elsewhere = ['--leave-key', '--service', 'http://192.0.2.1:8080'];
    await refused([...policy, ...elsewhere], 2, /not sent to 192\.0\.2\.1[\s\S]*--profile/);
    await refused(['template', 'auto-issue', degree.name], 2, /--per-day NUMBER and --until DATE/);
    await refused([...policy, '--bbs-key', 'x'], 2, /add --leave-key/);
    await refused(['template', 'price', degree.name, '--amount', '1.5'], 2, /whole number/);
    await refused(['template', 'price', degree.name, '--amount', '5', '--as', 'verifier'], 1, /--as/);
    const free = await world.here(...policy, '--leave-key');
    assert.match(
      free.err,
      /before it has a price; 0 is free: symbolon template price did:zid:\w+ --amount 0/,
    );
    await world.json('template', 'price', degree.name, '--amount', '0');
    assert.doesNotMatch((await world.here(...policy)).err, /price/);
    const off = await world.json(...policy, '--leave-key').then(() => world.json(...policy, '--off'));
    assert.equal(off.isEnabled, false);
  });

  test('in what is asked of a wallet is told at once', async () => {
    await refused(['request'], 2, /Nothing is asked for/);
    await refused(['request', '--ask', 'points', '--range', 'points:1..'], 2, /asked for twice/);
    await refused(['request', '--ask', 'name', '--trust', 'somebody'], 2, /must be a DID/);
    await refused(['request', '--ask', 'name', '--template', 'Degre'], 4, /no template called Degre/);
    await refused(
      ['request', '--ask', 'name', '--as', 'nobody'],
      2,
      /Nobody in the profile[\s\S]*such as issuer/,
    );
    await refused(
      ['request', '--ask', 'salary', '--template', degree.name],
      2,
      /has no attribute salary\.[\s\S]*It has name/,
    );
    await refused(['listen', '--secret-file', world.file('none')], 2, /holds no secret/);
  });

  test('in what is shown is told with its place', async () => {
    const credential = world.file('credential.json');
    await refused(
      ['vp', 'create', credential, '--reveal', 'salary'],
      2,
      /no attribute salary\.\nIt has name[\s\S]*Name some of these/,
    );
    await refused(['vp', 'create', credential, '--range', 'points:900..'], 1, /not in the range/);
    await refused(['vp', 'create', credential, '--range', 'degree:1..2'], 1, /\/rangeProof\/0/);
    await refused(['vp', 'create', credential, '--range', 'points=5'], 2, /must be like points:100\.\.500/);
    const { points } = JSON.parse(readFileSync(credential, 'utf8')).credentialSubject;
    const telling = ['vp', 'create', credential, '--range', `points:${points}..${points}`];
    await refused(telling, 2, /tells the value[\s\S]*--telling-range points/);
    const out = world.file('told.json');
    const meant = await world.here(...telling, '--telling-range', 'points', '--out', out);
    assert.match(meant.out, /points in .*, which tells the value/);
    await refused(['verify', credential], 2, /whole credential[\s\S]*symbolon vp create/);
    await refused(['verify', world.file('none.json')], 2, /no such file/);
    await refused(['verify', world.file('')], 65, /manifest/);
  });

  test('of time: an expired credential is pointed out to its holder and refused by the verifier', async () => {
    const [credential, vp] = [world.file('short.json'), world.file('short-vp.json')];
    const soon = new Date(Date.now() + 10_000).toISOString().replace(/\.\d+/, '');
    await issueDegree(world, credential, '--valid-until', soon);
    await delay(Math.max(0, Date.parse(soon) - Date.now() + 1_000));
    const made = await world.here('vp', 'create', credential, '--reveal', 'degree', '--out', vp);
    assert.equal(made.code, 0, made.err);
    assert.match(made.err, /WARNING: this credential expired[\s\S]*symbolon vc apply/);
    const { code, out } = await world.run('verify', vp);
    assert.equal(code, 3);
    assert.match(out, /NOT VERIFIED {3}expired credential\n[\s\S]*its issuer can issue a new one/);
  });

  test('in the address ends with 69', async () => {
    const nobody = ['--service', 'http://127.0.0.1:9'];
    await refused(['template', 'list', ...nobody], 69, /Nothing listens there[\s\S]*--service/);
    const answeredByNode = ['--service', world.service.node.url];
    await refused(['template', 'list', ...answeredByNode], 69, /Something else[\s\S]*--service/);
  });

  test('twice is no harm: files that are there stay', async () => {
    await refused(
      ['vc', 'download', vcId, '--out', world.file('credential.json')],
      2,
      /there already[\s\S]*--force/,
    );
    await refused(
      ['template', 'create', '--name', degree.name, '--attribute', 'a:string'],
      1,
      /higher --version/,
    );
    await refused(['vc', 'issue', vcId], 1, new RegExp(`symbolon vc show ${vcId}`));
  });
});
