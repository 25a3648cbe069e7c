/** Templates, credentials, presentations and verdicts by command: what programs read, and how a run ends. */
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import {
  assertPlain,
  type CommandWorld,
  degree,
  issueDegree,
  onlyJson,
  registerDegree,
  startCommandWorld,
} from './credential-world.ts';

type Check = { readonly check: string; readonly state: string; readonly failures: readonly string[] };
const failedOf = ({ checks }: JsonObject): readonly string[] =>
  (checks as unknown as Check[]).filter(({ state }) => state === 'failed').map(({ check }) => check);

describe('credentials by command', () => {
  const owner = ownerOfSuite();
  let world: CommandWorld;
  let vcId = '';
  let vp = '';
  before(async () => {
    world = await startCommandWorld(owner);
  });

  test('a template is registered from a file, and again from what the service shows of it', async () => {
    const registered = await registerDegree(world);
    assert.match(String(registered.templateId), /^did:zid:[0-9a-f]{64}$/);
    assert.match(String(registered.txHash), /^[0-9a-f]{64}$/);
    assert.ok(Number(registered.block) > 0);
    const shown = await world.json('template', 'show', 'university DEGREE');
    assert.equal(shown.templateId, registered.templateId);
    const file = world.file('template.json');
    writeFileSync(file, JSON.stringify(shown));
    const again = await world.json('template', 'create', file, '--version', '1.1.0');
    assert.deepEqual([again.templateId, again.version], [registered.templateId, '1.1.0']);
    const old = await world.json(
      'template',
      'show',
      String(registered.templateId),
      '--template-version',
      '1.0.0',
    );
    assert.equal(old.version, '1.0.0');
  });

  test('a credential is issued, and its file is for its holder alone', async () => {
    const file = world.file('credential.json');
    vcId = await issueDegree(world, file, '--valid-until', '2099-12-31', '--set', 'points=300');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const credential = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual(
      [credential.id, credential.validUntil, credential.credentialSubject.points],
      [vcId, '2099-12-31T00:00:00Z', 300],
    );
    const { status, block } = await world.json('vc', 'status', vcId);
    assert.deepEqual([status, typeof block], ['Active', 'number']);
    const { credentials } = await world.json('vc', 'held');
    assert.deepEqual(
      (credentials as JsonObject[]).map(({ vcId: id, name }) => [id, name]),
      [[vcId, degree.name]],
    );
    const { applications } = await world.json(
      'vc',
      'list',
      '--state',
      'Issued',
      '--template',
      degree.name,
      '--limit',
      '5',
    );
    assert.deepEqual(
      (applications as JsonObject[]).map(({ vcId: id }) => id),
      [vcId],
    );
  });

  test('presentations made here and by the service verify alike', async () => {
    const credential = world.file('credential.json');
    vp = world.file('here.json');
    const asked = ['--range', 'points:100..500', '--age', 'birthDate:18..'];
    const order = ['--reveal', 'degree', ...asked, '--challenge', 'c1', '--domain', 'bank.example'];
    const made = await world.json('vp', 'create', credential, ...order, '--out', vp);
    assert.deepEqual([made.shared, made.hidden], [{ degree: 'BSc Mathematics' }, ['name']]);
    const other = world.file('there.json');
    await world.json('vp', 'create', credential, ...order, '--out', other, '--by-service');
    const expected = ['--ask', 'degree', ...asked, '--challenge', 'c1', '--domain', 'bank.example'];
    for (const file of [vp, other]) {
      const verdict = await world.json('verify', file, ...expected);
      assert.deepEqual([verdict.verified, failedOf(verdict)], [true, []]);
      const [shown] = verdict.credentials as JsonObject[];
      assert.deepEqual(shown?.shared, { degree: 'BSc Mathematics' });
    }
    const { out } = await world.run('vp', 'show', vp, '--json');
    assert.deepEqual((onlyJson(out).credentials as JsonObject[])[0]?.hidden, ['name']);
  });

  test('a verdict needs no network where the facts are at hand, and says how old they are', async () => {
    const facts = world.file('facts.json');
    await world.json('verify', 'facts', vp, '--out', facts);
    const away = ['--service', 'http://127.0.0.1:9', '--ledger', 'http://127.0.0.1:9'];
    const words = ['--challenge', 'c1', '--domain', 'bank.example', '--offline', '--facts', facts, ...away];
    const verdict = await world.json('verify', vp, ...words);
    assert.deepEqual([verdict.verified, verdict.by], [true, 'facts']);
    const { code, out } = await world.run('verify', vp, ...words);
    assert.equal(code, 0);
    assert.match(out, /The facts are \d+ (second|minute)s? old/);
    const again = world.file('again.json');
    const created = ['vp', 'create', world.file('credential.json'), '--reveal', 'name', '--out', again];
    await world.json(...created, '--facts', facts, ...away);
    assert.equal((await world.json('verify', again)).verified, true);
  });

  test('facts count from whom the verifier takes them, and as they were signed', async () => {
    const [theirs, own, changed] = ['theirs.json', 'own.json', 'changed.json'].map(world.file) as [
      string,
      string,
      string,
    ];
    const { collector } = await world.json('verify', 'facts', vp, '--out', theirs, '--as', 'holder');
    const words = ['--challenge', 'c1', '--domain', 'bank.example', '--offline'];
    const refused = async (code: string, ...more: string[]) => {
      const { out } = await world.here('verify', vp, ...words, ...more, '--json');
      assert.equal((onlyJson(out).error as JsonObject).code, code, out);
    };
    await refused('factsNotTrusted', '--facts', theirs);
    const by = ['--facts', theirs, '--facts-by', String(collector)];
    assert.equal((await world.json('verify', vp, ...words, ...by)).verified, true);
    await world.json('verify', 'facts', vp, '--out', own, '--unsigned');
    await refused('factsNotSigned', '--facts', own);
    const vouched = await world.json('verify', vp, ...words, '--facts', own, '--own-facts');
    assert.equal(vouched.verified, true);
    // Own facts are unsigned, or signed by who verifies: nobody else's.
    await refused('factsNotTrusted', '--facts', theirs, '--own-facts');
    const stranger = await world.here('verify', vp, ...words, '--facts', theirs, '--own-facts');
    assert.match(stranger.err, new RegExp(`${collector}[^]*--facts-by`));
    assert.doesNotMatch(stranger.err, /takenFrom/);
    const holders = ['--facts', theirs, '--own-facts', '--as', 'holder'];
    assert.equal((await world.json('verify', vp, ...words, ...holders)).verified, true);
    // The profile of the demo knows the registry, so the node tells the facts and no service is believed.
    const { service, node, ledgerSeq } = (vouched.facts as { basis: JsonObject }).basis;
    assert.equal(service, undefined);
    assert.match(String(node), /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.notEqual(node, world.service.url);
    assert.ok(Number(ledgerSeq) > 1);
    const text = readFileSync(theirs, 'utf8');
    writeFileSync(changed, text.replace(/"fetchedAt":"[^"]*"/, '"fetchedAt":"2020-01-01T00:00:00Z"'));
    const older = ['--facts', changed, '--facts-by', String(collector)];
    await refused('factsStale', ...older);
    await refused('factsNotTrusted', ...older, '--max-age', '99999d');
  });

  test('what does not hold ends with 3 and says which check failed', async () => {
    const wrong = await world.run('verify', vp, '--challenge', 'c2', '--domain', 'bank.example', '--json');
    assert.deepEqual([wrong.code, failedOf(onlyJson(wrong.out))], [3, ['challenge']]);
    const more = await world.run(
      'verify',
      vp,
      '--challenge',
      'c1',
      '--domain',
      'bank.example',
      '--ask',
      'name',
      '--json',
    );
    assert.deepEqual([more.code, failedOf(onlyJson(more.out))], [3, ['disclosure']]);
    const changed = world.file('changed.json');
    writeFileSync(changed, readFileSync(vp, 'utf8').replace('BSc Mathematics', 'MSc Mathematics'));
    const forged = await world.run('verify', changed, '--challenge', 'c1', '--domain', 'bank.example');
    assert.equal(forged.code, 3);
    assert.match(
      forged.out,
      /✖ {2}holder signature .*\n {2}– {2}BBS\+ proof +not checked[\s\S]*NOT VERIFIED/,
    );
    assert.ok(!forged.out.includes('MSc'), 'nothing of it is shown as if it were true');
    assertPlain(forged.out + forged.err);
  });

  test('a suspended credential does not verify until it is reinstated', async () => {
    const verify = () => world.run('verify', vp, '--challenge', 'c1', '--domain', 'bank.example');
    const { code, out } = await world.run('vc', 'suspend', vcId, '--remark', 'under review');
    assert.equal(code, 0);
    assert.match(out, /is suspended: it does not verify until you reinstate it\.\n.*credential/);
    assert.equal((await world.json('vc', 'status', vcId)).status, 'Suspended');
    const refused = await verify();
    assert.equal(refused.code, 3);
    assert.match(refused.out, /NOT VERIFIED {3}credential suspended in ledger \d+/);
    const again = await world.run('vc', 'suspend', vcId);
    assert.equal(again.code, 1);
    assert.match(again.err, /status/);
    assert.equal((await world.json('vc', 'reinstate', vcId)).status, 'Active');
    assert.equal((await verify()).code, 0);
  });

  test('a revoked credential verifies no more, and the ledger says since when', async () => {
    const revoked = await world.json('vc', 'revoke', vcId, '--reason', 'a mistake');
    assert.equal(revoked.status, 'Revoked');
    const { code, out } = await world.run('verify', vp, '--challenge', 'c1', '--domain', 'bank.example');
    assert.equal(code, 3);
    assert.match(out, new RegExp(`credential revoked in ledger ${revoked.block}`));
    const told = await world.run('verify', vp, '--challenge', 'c1', '--domain', 'bank.example', '--json');
    assert.equal(JSON.parse(told.out).error.code, 'notVerified');
    assert.match(out, new RegExp(`transaction ${revoked.txHash}`));
    assert.match(out, /The holder needs a credential that counts/);
  });
});
