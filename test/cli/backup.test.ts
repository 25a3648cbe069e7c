/**
 * Backup and restore of the demo for real: backed up while it works, destroyed, restored and going on; and backups that
 * are damaged, interrupted or of another program.
 */
import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { rewrite } from '@symbolon/cli/backup/backup-fixture';
import { manifestName, unfinishedName } from '@symbolon/cli/backup/manifest';
import { verifyBackup } from '@symbolon/cli/backup/verify-backup';
import { CommandFailure, exitCodes } from '@symbolon/cli/terminal/failure';
import type { DemoDocument } from '@symbolon/demo/file';
import { openSqliteCopy } from '@symbolon/host/database/sqlite/backup-sqlite';
import type { JsonObject } from '@symbolon/wire/json/json';
import { backUp, passphrase, quiet, restore, verdictOf } from '../support/backup-steps.ts';
import { ask, at } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { getService } from '../support/service-http.ts';
import { createSteps, ok } from '../support/service-steps.ts';
import { peopleOf, plainPost } from '../support/service-world.ts';
import { startSymbolon, symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const withPassphrase = { SYMBOLON_BACKUP_PASSPHRASE: passphrase };
/** The demo as a process, and the people in it. */
async function startDemo(context: TestContext, data: string) {
  const running = startSymbolon(context, [
    'dev',
    ...['--data', data, '--ledger-port', '0', '--service-port', '0', '--no-open'],
  ]);
  // On a machine that does other work too, this takes longer than anything else that is waited for.
  const isUp = () => running.printed(/(Symbolon is up)/);
  await isUp().catch(isUp).catch(isUp);
  const demo = JSON.parse(readFileSync(path.join(data, 'demo.json'), 'utf8')) as DemoDocument;
  return { running, demo, ...peopleOf(demo), steps: createSteps(plainPost(demo.service)) };
}

const owner = ownerOfSuite();

describe('the demo', () => {
  /** A backup that other tests copy and spoil. */
  const shared = tempFolder(owner);
  const backup = path.join(shared, 'backup');

  test('is backed up while it issues, destroyed, restored, and goes on as if nothing had been', async (context) => {
    const data = path.join(tempFolder(context), 'demo');
    const first = await startDemo(context, data);
    const { issuer, holder, steps } = first;
    const { templateId } = await steps.registerTemplate(issuer, { templateName: 'Backup card' });
    const present = async (who: typeof holder) => {
      const { vcId, vc } = await steps.issue({ issuer, holder: who }, templateId as string);
      return { vcId, vp: await steps.present(who, { vc, revealAttributes: ['fullName'] }) };
    };
    const good = await present(holder);
    const revoked = await present(holder);
    await steps.revoke(issuer, revoked.vcId);
    let isOver = false;
    const working = (async () => {
      while (!isOver) await steps.issue({ issuer, holder: person('somebody at work') }, templateId as string);
    })();
    const words = ['--data', data, '--out', backup];
    const made = await symbolon(context, ['backup', ...words, '--with-master-key', '--json'], withPassphrase);
    isOver = true;
    await working;
    assert.equal(made.code, 0, made.err);
    const facts = JSON.parse(made.out);
    assert.deepEqual([facts.kind, facts.secrets.isIncluded], ['demo', true]);
    assert.equal(facts.madeBy.as, 'validator');
    const key = readFileSync(path.join(data, 'service/master.key'), 'utf8').trim();
    for (const name of readdirSync(backup, { recursive: true, encoding: 'utf8' })) {
      const file = path.join(backup, name);
      if (!statSync(file).isFile()) continue;
      const text = readFileSync(file, 'latin1');
      for (const secret of [key, issuer.privateKey, passphrase, first.demo.issuer.apiKey])
        assert.ok(!text.includes(secret), name);
    }
    const expecting = (who: string) => ['verify', backup, '--full', '--json', '--made-by', who];
    const verified = await symbolon(context, expecting(facts.madeBy.address));
    assert.equal(verified.code, 0, verified.err);
    const { isExecutedAgain, isExpectedMaker } = JSON.parse(verified.out);
    assert.deepEqual([isExecutedAgain, isExpectedMaker], [true, true]);
    const foreign = await symbolon(context, expecting(person('a stranger').address));
    assert.equal(foreign.code, exitCodes.notVerified);
    assert.match(JSON.parse(foreign.out).error.message, /it was made by ZTX\w+, not by ZTX/);

    await first.running.stop('SIGKILL');
    rmSync(data, { recursive: true });
    const back = await symbolon(
      context,
      ['restore', '--from', backup, '--data', data, '--made-by', facts.madeBy.did, '--yes'],
      withPassphrase,
    );
    assert.equal(back.code, 0, back.err);
    assert.doesNotMatch(back.out, /Before the first start/);
    const second = await startDemo(context, data);
    const { header } = (await ask(second.demo.ledger, 'getLedger', { seq: String(facts.ledger.height) }))
      .result as JsonObject;
    assert.deepEqual(
      [at(header as JsonObject, 'hash'), at(header as JsonObject, 'account_tree_hash')],
      [facts.ledger.blockHash, facts.ledger.stateRoot],
    );
    assert.equal(second.demo.issuer.apiKey, first.demo.issuer.apiKey);
    // The database was copied before the ledger: whatever it calls issued is on the ledger.
    const copy = openSqliteCopy(path.join(backup, 'service/service.db'));
    for await (const { vcId } of copy.rows('credentials')) {
      const { status } = ok(await getService(second.demo.service, `/cred/v1/vc/status?vcId=${vcId}`));
      assert.match(String(status), /^(Active|Revoked)$/);
    }
    copy.close();
    assert.equal(await verdictOf(second.steps, good.vp), 'verified');
    assert.equal(await verdictOf(second.steps, revoked.vp), 'status: credential revoked');
    const { vcId, vc } = await second.steps.issue({ issuer, holder }, templateId as string);
    const vp = await second.steps.present(holder, { vc, revealAttributes: ['fullName'] });
    assert.equal(await verdictOf(second.steps, vp), 'verified');
    await second.steps.revoke(issuer, vcId);
    assert.equal(await verdictOf(second.steps, vp), 'status: credential revoked');
    assert.equal((await second.running.stop()).code, 0);
  });

  test('has backups whose damage is named, by verify and by restore, and nothing is left of a refusal', async (context) => {
    const place = tempFolder(context);
    const table = readdirSync(path.join(backup, 'ledger/chain')).find((name) => name.endsWith('.ldb'));
    const flip = (file: string) => {
      const bytes = readFileSync(file);
      const middle = bytes.length >> 1;
      bytes[middle] = (bytes[middle] as number) ^ 1;
      writeFileSync(file, bytes);
    };
    const spoils: [string, (file: string) => void, RegExp][] = [
      [`ledger/chain/${table}`, flip, /was changed: its checksum differs/],
      ['ledger/chain/head', flip, /was changed/],
      ['ledger/genesis.json', rmSync, /is missing/],
      ['service/service.db', (file) => truncateSync(file, 4_096), /has 4096 bytes instead of/],
      ['service/service.json', (file) => appendFileSync(file, ' '), /bytes instead of/],
      ['secrets.sealed', flip, /was changed/],
      [manifestName, flip, /manifest\.json cannot be used/],
      [manifestName, rmSync, /has no manifest\.json/],
    ];
    for (const [name, spoil, problem] of spoils) {
      const spoilt = path.join(place, 'spoilt');
      cpSync(backup, spoilt, { recursive: true });
      spoil(path.join(spoilt, name));
      const told = (error: unknown) => {
        assert.ok(error instanceof CommandFailure, String(error));
        assert.equal(error.exitCode, exitCodes.damaged);
        assert.match(error.message, problem);
        if (name !== manifestName) assert.ok(error.message.includes(name), error.message);
        return true;
      };
      await assert.rejects(verifyBackup(spoilt, { terminal: quiet }), told);
      await assert.rejects(restore(spoilt, path.join(place, 'restored')), told);
      rmSync(spoilt, { recursive: true });
      assert.deepEqual(readdirSync(place), [], 'nothing is left beside the target');
    }
  });

  test('is not restored over anything, nor with a wrong passphrase, nor from a newer format', async (context) => {
    const place = tempFolder(context);
    const full = path.join(place, 'full');
    mkdirSync(full);
    writeFileSync(path.join(full, 'note'), 'mine');
    await assert.rejects(restore(backup, full), /is not empty/);
    await assert.rejects(restore(backup, path.join(full, 'note')), /is not empty/);
    assert.equal(readFileSync(path.join(full, 'note'), 'utf8'), 'mine');
    const wrong = await symbolon(
      context,
      ['restore', '--from', backup, '--data', path.join(place, 'x'), '--json'],
      {
        SYMBOLON_BACKUP_PASSPHRASE: 'a wrong passphrase',
      },
    );
    assert.equal(wrong.code, exitCodes.failed);
    assert.match(JSON.parse(wrong.out).error.message, /passphrase is not the one/);
    const none = await symbolon(context, ['restore', '--from', backup, '--data', path.join(place, 'x')]);
    assert.equal(none.code, exitCodes.usage);
    const newer = path.join(place, 'newer');
    cpSync(backup, newer, { recursive: true });
    const text = readFileSync(path.join(newer, manifestName), 'utf8');
    writeFileSync(path.join(newer, manifestName), text.replace('"symbolonBackup": 2', '"symbolonBackup": 3'));
    await assert.rejects(restore(newer, path.join(place, 'x')), /newer program/);
    assert.equal(existsSync(path.join(place, 'x')), false);
    mkdirSync(path.join(place, 'empty'));
    await restore(backup, path.join(place, 'empty'));
    assert.ok(existsSync(path.join(place, 'empty/ledger/genesis.json')));
  });

  test('has a manifest that cannot be made to fit other contents', async (context) => {
    const place = tempFolder(context);
    const restored = path.join(place, 'restored');
    await restore(backup, restored);
    const again = path.join(place, 'again');
    const manifest = await backUp(restored, again);
    assert.deepEqual(manifest.ledger, (await verifyBackup(backup, { terminal: quiet })).ledger);
    assert.deepEqual(manifest.service, (await verifyBackup(backup, { terminal: quiet })).service);
    assert.equal(manifest.secrets.isIncluded, false);
    const ledger = manifest.ledger as NonNullable<typeof manifest.ledger>;
    await rewrite(again, { ...manifest, ledger: { ...ledger, height: ledger.height + 1n } });
    await assert.rejects(
      verifyBackup(again, { terminal: quiet }),
      /ledger: height is \d+, the manifest says \d+/,
    );
    await assert.rejects(restore(again, path.join(place, 'x')), /ledger: height/);
    const service = manifest.service as NonNullable<typeof manifest.service>;
    await rewrite(again, {
      ...manifest,
      service: { ...service, rows: { ...service.rows, apiKeys: 99 } },
    });
    await assert.rejects(verifyBackup(again, { terminal: quiet }), /service: rows is .*the manifest says/);
  });

  test('leaves nothing that looks complete when backup or restore is killed', async (context) => {
    const place = tempFolder(context);
    const data = path.join(place, 'demo');
    await restore(backup, data);
    const cut = path.join(place, 'cut');
    const backing = startSymbolon(context, ['backup', '--data', data, '--out', cut]);
    await until('the backup has begun', () => existsSync(path.join(cut, unfinishedName)));
    await backing.stop('SIGKILL');
    assert.equal(existsSync(path.join(cut, manifestName)), false);
    const refused = await symbolon(context, ['restore', '--from', cut, '--data', path.join(place, 'x')]);
    assert.equal(refused.code, exitCodes.damaged);
    assert.match(refused.err, /is incomplete: it was interrupted before its end\./);
    const onto = await symbolon(context, ['backup', '--data', data, '--out', cut]);
    assert.match(onto.err, /is not empty/);

    const target = path.join(place, 'target');
    const restoring = startSymbolon(
      context,
      ['restore', '--from', backup, '--data', target, '--yes'],
      withPassphrase,
    );
    await until('the restore has begun', () =>
      readdirSync(place).some((name) => name.includes('.restoring-')),
    );
    await restoring.stop('SIGKILL');
    assert.equal(existsSync(target), false);
    await restore(backup, target);
    assert.ok(existsSync(path.join(target, 'service/master.key')));
  });
});
