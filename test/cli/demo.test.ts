/** `symbolon demo`: the story told, told as JSON, and as the programs it prints, which are run; and its failures. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { provideCurl } from '../support/curl.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { richest } from '../support/people.ts';
import { startSymbolon, symbolon } from '../support/symbolon-process.ts';
import { makeTempFolder, removeFolder, tempFolder } from '../support/temp-folder.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const hash = /^[0-9a-f]{64}$/;

describe('the demo', () => {
  const owner = ownerOfSuite();
  const folder = makeTempFolder();
  owner.after(() => removeFolder(folder));
  const data = path.join(folder, 'data');
  const profile = path.join(data, 'demo.json');
  const demo = (...words: string[]) => symbolon(owner, ['demo', '--profile', profile, ...words]);

  before(async () => {
    const args = ['dev', '--data', data, '--ledger-port', '0', '--service-port', '0', '--no-open'];
    await startSymbolon(owner, args).printed(/(Ctrl-C stops)/);
  });

  test('is told with every number, six ticks, and the refusal after the revocation', async () => {
    const { code, out, err } = await demo();
    assert.deepEqual([code, err], [0, '']);
    for (const line of [
      / 1 {2}template "University degree \w{8}" 1\.0\.0 registered +tx \w{8}…\w{6} {2}block \d+\n/,
      / 2 {2}Mira Example applies +did:zid:\S+ {2}Pending\n/,
      / 3 {2}issuer creates: BBS\+ over 7 attributes +signature 80 bytes\n/,
      / 4 {2}issuer signs and submits +tx \w{8}…\w{6} {2}block \d+ {2}Active\n/,
      / 5 {2}Mira Example presents: reveals degree; proves an age of 18 or more; hides 5 attributes\n/,
      / 6 {2}Example Bank verifies\n( +✔.*✔.*✔.*\n){2} +VERIFIED +saw: degree = BSc Mathematics, birthDate = 18 or older\n/,
      / 7 {2}issuer revokes +tx \w{8}…\w{6} {2}block \d+ {2}Revoked\n/,
      /✖ status on ledger/,
    ])
      assert.match(out, line);
    const [, revokedIn] = /issuer revokes .*block (\d+)/.exec(out) ?? [];
    assert.match(out, new RegExp(`NOT VERIFIED +status: credential revoked in ledger ${revokedIn} `));
  });

  test('is told to programs as one line of JSON, and can be told again', async () => {
    const { code, out } = await demo('--json');
    assert.equal(code, 0);
    assert.equal(out.trim().split('\n').length, 1);
    const { steps } = JSON.parse(out);
    const names = steps.map(({ step }: { step: string }) => step);
    const order = ['template', 'apply', 'create', 'issue', 'present', 'verify', 'revoke', 'verifyAgain'];
    assert.deepEqual(names, order);
    for (const index of [0, 3, 6]) {
      assert.match(steps[index].txHash, hash);
      assert.ok(steps[index].block > 1);
    }
    assert.equal(steps[5].verified, true);
    assert.equal(steps[5].passed.length, 6);
    assert.deepEqual(Object.keys(steps[5].saw), ['degree', 'birthDate']);
    assert.equal(steps[7].verified, false);
    assert.deepEqual(steps[7].revocation, { txHash: steps[6].txHash, block: steps[6].block });
    assert.match(steps[7].failures[0].detail, new RegExp(`revoked in ledger ${steps[6].block} `));
  });

  test('is printed as a script for curl, which tells the same', async () => {
    const { code, out: script } = await demo('--as', 'curl');
    assert.equal(code, 0);
    const file = path.join(folder, 'story.sh');
    writeFileSync(file, script);
    await provideCurl();
    const env = { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` };
    const { stdout } = await run('bash', [file], { env });
    assert.match(stdout, /^5 {2}\{"verified":true,"vcDetails":\{"degree":"BSc Mathematics"/m);
    assert.match(stdout, /^7 {2}\{"verified":false,"errors":\["status: credential revoked in ledger \d+ /m);
  });

  test('is printed as TypeScript, which tells the same', async () => {
    const { code, out: program } = await demo('--as', 'ts');
    assert.equal(code, 0);
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    const file = path.join(folder, 'story.ts');
    writeFileSync(file, program);
    const { stdout } = await run(process.execPath, [file]);
    assert.match(stdout, /^5 {2}VERIFIED: \{"degree":"BSc Mathematics"/m);
    assert.match(stdout, /^7 {2}NOT VERIFIED: status: credential revoked in ledger \d+ /m);
  });

  test('shows no key in what it prints', async () => {
    const { issuer, holder, verifier } = JSON.parse(readFileSync(profile, 'utf8'));
    const printed = [await demo('--json'), await demo('--as', 'curl'), await demo('--as', 'ts')];
    for (const { privateKey, apiKey } of [issuer, holder, verifier])
      for (const { out, err } of printed)
        for (const secret of [privateKey, apiKey]) assert.ok(!`${out}${err}`.includes(secret));
  });

  test('that runs already is not started twice', async () => {
    const { code, err } = await symbolon(owner, ['dev', '--data', data]);
    assert.equal(code, 1);
    assert.match(err, /^This demo runs already\.\n.* open\.\nUse that one, or stop it/);
  });

  test('of which another program has the port says who', async (context) => {
    const { service } = JSON.parse(readFileSync(profile, 'utf8'));
    const { port } = new URL(service);
    const elsewhere = path.join(tempFolder(context), 'data');
    const words = ['dev', '--data', elsewhere, '--ledger-port', '0', '--service-port', port];
    const { code, err } = await symbolon(context, words);
    assert.equal(code, 1);
    const owner = process.platform === 'linux' ? 'Process \\d+ \\(\\S+\\) listens there\\.\n' : '';
    assert.match(
      err,
      new RegExp(`^Port ${port} is in use by another program\\.\n${owner}Stop it, or choose`),
    );
  });
});

describe('the demo that cannot be told', () => {
  test('says how to start it where there is none, and where it does not run', async (context) => {
    const empty = tempFolder(context);
    const none = await startSymbolon(context, ['demo'], {}, { cwd: empty }).ended;
    assert.equal(none.code, 69);
    assert.match(none.err, /^There is no demo in this folder\.\n.*demo\.json.*\n.*npm start\n$/);
    const person = { privateKey: richest.privateKey, apiKey: 'sym_a_b' };
    const people = { issuer: { ...person, bbsPublicKeyMultibase: 'z1' }, holder: person, verifier: person };
    const profile = path.join(empty, 'profile.json');
    writeFileSync(profile, JSON.stringify({ service: 'http://127.0.0.1:9', ...people }), { mode: 0o600 });
    const away = await symbolon(context, ['demo', '--profile', profile, '--json']);
    assert.equal(away.code, 69, away.err);
    assert.match(
      away.err,
      /^The demo does not run\.\nNothing answers at http:\/\/127\.0\.0\.1:9\.\n.*npm start\n$/,
    );
    assert.match(JSON.parse(away.out).error.message, /does not run/);
  });

  test('says what is wrong with the words and the profile', async (context) => {
    const profile = path.join(tempFolder(context), 'profile.json');
    writeFileSync(profile, '{"service":"http://127.0.0.1:9"}', { mode: 0o600 });
    const nobody = await symbolon(context, ['demo', '--profile', profile]);
    assert.equal(nobody.code, 78);
    assert.match(nobody.err, /has no keys of an issuer/);
    const form = await symbolon(context, ['demo', '--as', 'cobol']);
    assert.equal(form.code, 2);
    assert.match(form.err, /Allowed choices are curl, ts/);
    assert.equal((await symbolon(context, ['demo', '--profile', 'nowhere'])).code, 2);
  });
});
