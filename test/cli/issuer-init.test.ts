/**
 * Becoming an issuer by command. On a service that somebody else runs: what is missing is said, and the next run goes
 * on from there. On a service of one's own: `service init --with-issuer`, which needs a node and leaves nothing half
 * done without one. The whole way to a credential is the guide "Issue on your own service".
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { ownerOfSuite } from '../support/owner.ts';
import { richest } from '../support/people.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { type Ended, startSymbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

describe('an issuer', () => {
  const owner = ownerOfSuite();
  const folder = tempFolder(owner);
  const home = path.join(folder, 'home');
  const file = (name: string): string => path.join(home, name);
  let service: RunningService;
  let env: Record<string, string> = {};

  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ended> =>
    startSymbolon(owner, args, { ...env, ...more }, { cwd: folder }).ended;
  const issuerOf = (name: string): Record<string, string> =>
    JSON.parse(readFileSync(file(`profiles/${name}.json`), 'utf8')).issuer;
  /** Everything that was printed, without any secret in it. */
  const stopped = async (args: readonly string[], words: RegExp, more = {}): Promise<void> => {
    const { code, out, err } = await run(args, more);
    assert.equal(code, 1, out + err);
    assert.match(err, words);
    assert.doesNotMatch(out + err, /priv\w{40}|sym_[a-z2-7]{8}/);
  };

  before(async () => {
    service = await startService(owner);
    env = { SYMBOLON_HOME: home };
    writeFileSync(path.join(folder, 'rich.key'), richest.privateKey, { mode: 0o600 });
  });

  test('has a key under a password on request', async () => {
    const init = ['issuer', 'init', 'guarded', '--service', service.url, '--ledger', service.node.url];
    const password = { SYMBOLON_KEY_PASSWORD: 'a long enough password' };
    await stopped([...init, '--encrypt'], /service key create/, password);
    assert.doesNotMatch(readFileSync(file('keys/guarded.key'), 'utf8'), /priv\w{40}/);
    const shown = await run(['keys', 'show', file('keys/guarded.key'), '--json'], password);
    assert.equal(JSON.parse(shown.out).did, issuerOf('guarded').did);
    const both = await run([...init, '--encrypt', '--key', 'rich.key']);
    assert.equal(both.code, 2);
  });

  test('on the service of somebody else is made in steps, each gone on with by the next run', async () => {
    const places = ['--service', service.url, '--ledger', service.node.url];
    const init = ['issuer', 'init', 'choir'];
    await stopped(
      [...init, ...places],
      /service key create --data FOLDER --scope templates issue revoke bbs/,
    );
    const { did } = issuerOf('choir');
    assert.equal(statSync(file('profiles/choir.json')).mode & 0o777, 0o600);
    assert.equal(statSync(file('keys/choir.key')).mode & 0o777, 0o600);
    const scopes = ['templates', 'issue', 'revoke', 'bbs', 'verify'] as const;
    const { token } = await service.served.apiKeys.create({ label: 'choir', did, scopes });
    await stopped(init, /symbolon tx pay ZTX3\w+ 1000gas --ledger/, { SYMBOLON_API_KEY: token });
    assert.equal(issuerOf('choir').apiKey, token, 'what was given is kept');
    const done = await run([...init, '--fund-from', 'rich.key']);
    assert.equal(done.code, 0, done.err);
    for (const words of [
      /key +there/,
      /API key +there/,
      /account +funded/,
      /BBS\+ key +made/,
      /published +in block/,
    ])
      assert.match(done.out, words);
    const whole = issuerOf('choir');
    const again = await run([...init, '--json']);
    assert.equal(again.code, 0, again.err);
    const { steps, bbsPublicKeyMultibase, isCurrent } = JSON.parse(again.out);
    assert.ok(
      steps.every(({ outcome }: { outcome: string }) => outcome.startsWith('there')),
      again.out,
    );
    assert.equal(bbsPublicKeyMultibase, whole.bbsPublicKeyMultibase);
    assert.equal(isCurrent, true);
    assert.deepEqual(issuerOf('choir'), whole, 'a second run changes nothing');
    const issued = await run(['template', 'create', '--name', 'Choir', '--attribute', 'voice:string']);
    assert.equal(issued.code, 0, issued.err);
  });

  test('is not mixed with another service or another key of the same name', async () => {
    const other = await run(['issuer', 'init', 'choir', '--service', 'http://127.0.0.1:9']);
    assert.equal(other.code, 2);
    assert.match(other.err, /for another service or ledger[\s\S]*another name/);
    const key = await run(['issuer', 'init', 'choir', '--key', 'rich.key']);
    assert.match(key.err, /somebody else's/);
  });

  test('of a new service needs its node, and nothing is made without', async () => {
    const words = ['--with-issuer', 'own', '--fund-from', 'rich.key'];
    const away = ['service', 'init', '--data', 'service', '--node', 'http://127.0.0.1:9', ...words];
    const refused = await run(away);
    assert.equal(refused.code, 69, refused.err);
    assert.match(refused.err, /symbolon node start/);
    assert.ok(!existsSync(path.join(folder, 'service')));
    const made = await run(['service', 'init', '--data', 'service', '--node', service.node.url, ...words]);
    assert.equal(made.code, 0, made.err);
    assert.match(made.out, /registrar +funded[\s\S]*symbolon service start --data service/);
    const again = await run(['issuer', 'init', 'own', '--data', 'service']);
    assert.equal(again.code, 0, again.err);
    assert.doesNotMatch(again.out, /made|new|funded/);
    assert.match(again.err, /--profile own/, 'the one that was chosen before stays current');
  });

  test('is not needed for a new service whose registrar is paid', async () => {
    const places = ['--node', service.node.url, '--fund-from', 'rich.key'];
    const made = await run(['service', 'init', '--data', 'alone', ...places]);
    assert.equal(made.code, 0, made.err);
    const [, registrar = ''] = /registrar +funded with .*: (ZTX3\w+)/.exec(made.out) ?? [];
    assert.ok((await service.node.balance(registrar)) > 0n, made.out);
    assert.doesNotMatch(made.out, /Fund this address/);
    const nobody = await run([
      'service',
      'init',
      '--data',
      'poor',
      '--node',
      service.node.url,
      '--fund-from',
      'no.key',
    ]);
    assert.notEqual(nobody.code, 0);
    assert.match(nobody.err, /symbolon tx pay ZTX3\w+ 1000gas/);
  });

  /** The commands that somebody was told to pay with, by whoever has something. */
  const payments = (told: string): readonly (readonly string[])[] =>
    [...told.matchAll(/^ {2}symbolon (tx pay .*) --key FILE-OF-WHO-PAYS$/gm)].map(([, words = '']) => [
      ...words.split(' '),
      '--key',
      'rich.key',
    ]);

  test('of a new service that nobody pays for hears of both accounts before it is called done', async () => {
    // The port of somebody else's service, as it turns out.
    const { port } = new URL(service.url);
    const places = ['--data', 'own', '--node', service.node.url, '--port', port];
    const begun = await run(['service', 'init', ...places, '--with-issuer', 'poor']);
    assert.equal(begun.code, 1, begun.out);
    assert.match(begun.err, /The issuer[^\n]* needs 1 Gas:[\s\S]*The registrar[^\n]* needs \d+(\.\d+)? Gas:/);
    assert.match(
      begun.err,
      /symbolon issuer init poor --data own --fund-from NODE-FOLDER\/genesis-account\.key/,
    );
    const [issuer = [], registrar = [], ...others] = payments(begun.err);
    assert.deepEqual([others.length, registrar[2] === issuer[2]], [0, false], begun.err);
    assert.equal((await run(issuer)).code, 0);
    const half = await run(['issuer', 'init', 'poor', '--data', 'own']);
    assert.equal(half.code, 1, half.out);
    assert.deepEqual(payments(half.err), [registrar]);
    assert.doesNotMatch(half.out + half.err, /Next:/);
    assert.equal((await run(registrar)).code, 0);
    const done = await run(['issuer', 'init', 'poor', '--data', 'own']);
    assert.equal(done.code, 0, done.err);
    assert.match(done.err, /symbolon service start --data own\nNext: symbolon template create/);
  });

  const profileOf = (name: string) => JSON.parse(readFileSync(file(`profiles/${name}.json`), 'utf8'));

  test('whose service has a port of its own has it in settings and profile', async () => {
    const { port, origin } = new URL(service.url);
    const settings = path.join(folder, 'own', 'service.json');
    assert.equal(JSON.parse(readFileSync(settings, 'utf8')).port, Number(port));
    assert.equal(profileOf('poor').service, origin);
    const stranger = await run(['service', 'status', '--profile', 'poor']);
    assert.equal(stranger.code, 69, stranger.out);
    assert.match(stranger.err, /not the one of the profile poor\.\nIt does not know the API key of issuer/);
    const named = await run(['service', 'status', '--profile', 'poor', '--service', service.url]);
    assert.equal(named.code, 0, named.err);
    const own = startSymbolon(owner, ['service', 'start', '--data', 'own', '--port', '0'], env, {
      cwd: folder,
    });
    const other = await own.printed(/http:\/\/127\.0\.0\.1:(\d+)/);
    await own.printed(/(The service is ready)/);
    assert.match(own.err(), new RegExp(`settings say ${port}, and so do the profiles poor`));
    assert.match(
      own.err(),
      new RegExp(`"port": ${other} into own/service.json[^]*issuer init poor --data own`),
    );
    writeFileSync(settings, JSON.stringify({ nodeUrl: service.node.url, port: Number(other) }));
    const moved = await run(['issuer', 'init', 'poor', '--data', 'own']);
    assert.equal(moved.code, 0, moved.err);
    assert.match(moved.out, new RegExp(`service +moved to http://127.0.0.1:${other}`));
    assert.equal((await run(['service', 'status', '--profile', 'poor'])).code, 0);
    await own.stop();
    const elsewhere = await run(['issuer', 'init', 'poor', '--data', 'alone']);
    assert.equal(elsewhere.code, 2, 'a service that does not know the API key is another one');
  });

  test('is not asked for where the registrar has nothing: the service says how to pay it', async () => {
    const made = await run(['service', 'init', '--data', 'bare', '--node', service.node.url, '--port', '0']);
    const [payment = []] = payments(made.out);
    const started = startSymbolon(owner, ['service', 'start', '--data', 'bare'], env, { cwd: folder });
    await started.printed(/NOT READY: .* (pay at least \d+(\.\d+)? Gas) to it/);
    await started.printed(/tries (again)/);
    assert.deepEqual(payments(started.out()), [payment]);
    assert.equal((await run(payment)).code, 0);
    await started.printed(/(The service is ready)/);
    assert.doesNotMatch(started.err(), /port/);
    await started.stop();
  });
});
