/** Backup and restore of a service on PostgreSQL, into another database, and of a node alone, without its keys. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { verifyBackup } from '@symbolon/cli/backup/verify-backup';
import { openKey } from '@symbolon/cli/profile/key-file';
import { exitCodes } from '@symbolon/cli/terminal/failure';
import { backUp, passphrase, quiet, restore, verdictOf } from '../support/backup-steps.ts';
import { ask, at } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { startPostgres } from '../support/postgres.ts';
import { operations, startNode } from '../support/running-node.ts';
import { shareProofs, startService } from '../support/running-service.ts';
import { worldOf } from '../support/service-world.ts';
import { startSymbolon, symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const owner = ownerOfSuite();

describe('a service on PostgreSQL', () => {
  const proofs = shareProofs(owner);
  let server: Awaited<ReturnType<typeof startPostgres>>;
  before(async () => {
    server = await startPostgres(owner);
  });

  test('is restored into another database, all of it or nothing, and goes on', async (context) => {
    const place = tempFolder(context);
    const url = await server.createDatabase('first');
    const service = await startService(context, { database: url, proofs });
    writeFileSync(path.join(service.folder, 'service.json'), JSON.stringify({ database: url, port: 1 }), {
      mode: 0o600,
    });
    const { steps, issuer, holder } = worldOf(service);
    const { templateId } = await steps.registerTemplate(issuer, { templateName: 'Server card' });
    const present = async () => {
      const { vcId, vc } = await steps.issue({ issuer, holder }, templateId as string);
      return { vcId, vp: await steps.present(holder, { vc, revealAttributes: ['fullName'] }) };
    };
    const [good, revoked] = [await present(), await present()];
    await steps.revoke(issuer, revoked.vcId);
    const backup = path.join(place, 'backup');
    const manifest = await backUp(service.folder, backup, { passphrase: async () => passphrase });
    assert.deepEqual([manifest.kind, manifest.service?.database], ['service', 'postgres']);
    assert.ok(manifest.secrets.names.includes('setting database'));
    assert.ok((manifest.service?.rows.credentials ?? 0) >= 2);
    await verifyBackup(backup, { terminal: quiet });
    await service.close();

    await assert.rejects(restore(backup, path.join(place, 'x')), /first is not empty: there are rows in/);
    const second = await server.createDatabase('second');
    const data = path.join(place, 'restored');
    await restore(backup, data, { SYMBOLON_DATABASE: second });
    assert.deepEqual(JSON.parse(readFileSync(path.join(data, 'service.json'), 'utf8')), {
      port: 1,
      database: second,
    });
    assert.deepEqual(readdirSync(data).sort(), ['master.key', 'service.json']);
    cpSync(path.join(service.folder, 'demo.json'), path.join(data, 'demo.json'));
    const restored = await startService(context, {
      database: second,
      proofs,
      node: service.node,
      folder: data,
    });
    const world = worldOf(restored);
    assert.equal(await verdictOf(world.steps, good.vp), 'verified');
    assert.equal(await verdictOf(world.steps, revoked.vp), 'status: credential revoked');
    await world.steps.issue(world, templateId as string);
    const verdict = await restored.served.parts.audit.verify();
    assert.equal(verdict.isIntact, true);
    await restored.close();

    const spoilt = path.join(backup, 'service/tables/credentials.jsonl');
    writeFileSync(spoilt, readFileSync(spoilt, 'utf8').split('\n').slice(0, 2).join('\n'));
    const third = await server.createDatabase('third');
    await assert.rejects(
      restore(backup, path.join(place, 'y'), { SYMBOLON_DATABASE: third }),
      /tables\/credentials\.jsonl has \d+ bytes instead of/,
    );
  });
});

describe('a node alone', () => {
  test('is backed up without its keys and starts again when they are back', async (context) => {
    const place = tempFolder(context);
    const node = await startNode(context);
    await node.execute({ operations: [operations.createAccount(person('carol').address, 50_000_000)] });
    const backup = path.join(place, 'backup');
    const made = await symbolon(context, ['backup', '--data', node.folder, '--out', backup]);
    assert.equal(made.code, 0, made.err);
    assert.match(made.out, /NOT in it[\s\S]*ledger\/validator\.key/);
    const data = path.join(place, 'node');
    const unasked = await symbolon(context, ['restore', '--from', backup, '--data', data]);
    assert.equal(unasked.code, exitCodes.usage);
    assert.match(unasked.err, /made by +(ZTX\w+) +\(says it is a validator's key\)[\s\S]*--made-by/);
    assert.equal(existsSync(data), false);
    const maker = /made by +(ZTX\w+)/.exec(made.out)?.[1] as string;
    assert.equal(maker, (await openKey(path.join(node.folder, 'validator.key'))).signer.address);
    const words = ['restore', '--from', backup, '--data', data, '--made-by', maker, '--yes'];
    const back = await symbolon(context, words);
    assert.equal(back.code, 0, back.err);
    assert.match(
      back.out,
      /Before the first start:\n {2}Put the validator's key into .*node\/validator\.key/,
    );
    const start = ['node', 'start', '--data', data, '--port', '0', '--socket-port', '0'];
    const early = await symbolon(context, start);
    assert.equal(early.code, exitCodes.config);
    cpSync(path.join(node.folder, 'validator.key'), path.join(data, 'validator.key'));
    const running = startSymbolon(context, start);
    const url = await running.printed(/Ledger node +(http:\S+)/);
    const [theirs, ours] = [await node.ask('getLedger'), await ask(url, 'getLedger')];
    assert.deepEqual(at(ours, 'result', 'header'), at(theirs, 'result', 'header'));
    assert.equal((await running.stop()).code, 0);
    const verified = await symbolon(context, ['node', 'verify', '--data', data]);
    assert.equal(verified.code, 0, verified.err);
  });

  test('that is not there, has never run or has nothing to do with it is refused in words', async (context) => {
    const place = tempFolder(context);
    const run = (...words: string[]) =>
      symbolon(context, ['backup', '--out', path.join(place, 'out'), ...words]);
    const nowhere = await run('--data', path.join(place, 'nowhere'));
    assert.deepEqual([nowhere.code, /does not exist/.test(nowhere.err)], [exitCodes.notFound, true]);
    const other = await run('--data', place);
    assert.deepEqual([other.code, /neither a node nor a service/.test(other.err)], [exitCodes.config, true]);
    assert.equal((await run()).code, exitCodes.usage);
    assert.equal(existsSync(path.join(place, 'out')), false);
  });
});
