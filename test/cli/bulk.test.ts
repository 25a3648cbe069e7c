/**
 * `symbolon vc issue-many` against a real service: holders who applied, holders whose keys are at hand, rows that do
 * not fit, and a command that is killed at many moments and run again until every row has exactly one credential. Where
 * no process is needed the command's work is called in this one.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { type IssueManyWords, issueMany } from '@symbolon/cli/bulk/issue-many';
import { type IssuingClient, type IssuingParts, issueRow } from '@symbolon/cli/bulk/issue-row';
import { openJournal } from '@symbolon/cli/bulk/journal';
import { createPatience } from '@symbolon/cli/bulk/retry';
import { failureOf } from '@symbolon/cli/terminal/failure';
import { createTerminal } from '@symbolon/cli/terminal/terminal';
import { applyForCredential } from '@symbolon/sdk/flows/holder-flows';
import { registerTemplate } from '@symbolon/sdk/flows/issuer-flows';
import { didOfSigner, type Signer, signerFromSeed } from '@symbolon/sdk/keys/signer';
import { createCredentialClient } from '@symbolon/sdk/service/credential-client';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { startSymbolon, symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const attributes = [
  { attribute: 'Full name', key: 'fullName', format: 'string', type: 1, mandatory: true },
  { attribute: 'Born on', key: 'birthDate', format: 'date', type: 5, mandatory: true },
  { attribute: 'Points', key: 'points', format: 'integer', type: 3, mandatory: false },
] as const;

interface Holder {
  readonly did: string;
  readonly signer: Signer;
  readonly privateKey: string;
}

async function makeHolders(prefix: string, count: number): Promise<Holder[]> {
  const names = Array.from({ length: count }, (_, index) => `${prefix} ${index}`);
  return Promise.all(
    names.map(async (name) => {
      const { seed, privateKey } = person(name);
      const signer = await signerFromSeed(seed);
      return { did: didOfSigner(signer), signer, privateKey };
    }),
  );
}

function writeKeys(folder: string, holders: readonly Holder[]): string {
  const keys = path.join(folder, 'keys');
  mkdirSync(keys);
  for (const { did, privateKey } of holders)
    writeFileSync(path.join(keys, `${did.split(':')[2]}.key`), `${privateKey}\n`, { mode: 0o600 });
  return keys;
}

const secretName = (index: number): string => `Quillon Vantreight ${index}`;

describe('issuing many', () => {
  const owner = ownerOfSuite();
  const proofs = shareProofs(owner);
  let started: Promise<RunningService> | undefined;
  const running = () => {
    started ??= startService(owner, { proofs });
    return started;
  };
  let templates = 0;

  /** A template of its own for each test, so that what was issued can be counted. */
  async function open(context: Parameters<typeof tempFolder>[0]) {
    const service = await running();
    const signer = service.issuer.signer;
    templates += 1;
    const { templateId } = await registerTemplate(service.issuer.client, {
      signer,
      templateName: `Course ${templates}`,
      version: '1.0.0',
      credentialFormat: attributes,
    });
    const folder = tempFolder(context);
    const csv = path.join(folder, 'people.csv');
    const profile = path.join(service.folder, 'demo.json');
    const words = (...more: string[]) => [
      ...['vc', 'issue-many', templateId, '--csv', csv, '--profile', profile],
      ...more,
    ];
    /** The same without a process, with what it printed. */
    const call = async (more: Partial<IssueManyWords> = {}) => {
      const printed: string[] = [];
      const remarks: string[] = [];
      const terminal = createTerminal({
        out: (text) => void printed.push(text),
        err: (text) => void remarks.push(text),
        isWatched: false,
        hasColours: false,
      });
      const usual = { profile, as: 'issuer', csv, concurrency: 4, delimiter: ',' };
      const columns = { holderColumn: 'did', applicationColumn: 'applicationId' };
      const outcome = await issueMany(templateId, { ...usual, ...columns, ...more }, terminal);
      return { outcome, text: printed.join(''), remarks: remarks.join('') };
    };
    /** Who has got one, by DID, as often as it is. */
    const issued = async () => {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const question = { templateId, status: 'Issued' as const, ...(cursor !== undefined && { cursor }) };
        const page = await service.issuer.client.listApplications(question);
        found.push(...page.applications.map(({ holder }) => holder));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return found;
    };
    return { service, templateId, folder, csv, words, call, issued };
  }

  test('applications that wait become credentials, with what the table says', async (context) => {
    const { service, templateId, csv, words, call, issued } = await open(context);
    const holders = await makeHolders('applicant', 12);
    const ids: string[] = [];
    for (const { signer } of holders) {
      const applied = { fullName: 'as the holder says', birthDate: '2000-01-01' };
      const order = { signer, templateId, attributes: applied };
      ids.push((await applyForCredential(service.stranger, order)).vcId);
    }
    const rows = holders.map(({ did }, index) => `${did};${secretName(index)};${index}`);
    const unknown = (await makeHolders('nobody', 1))[0].did;
    const lines = ['DID;"Full name";Points', ...rows, `${unknown};Nobody;1`, `${holders[0].did};Again;2`];
    writeFileSync(csv, `\ufeff${lines.join('\r\n')}\r\n`);
    const mapped = ['--delimiter', ';', '--map', 'full NAME=fullName', '--json'];
    const { code, out, err } = await symbolon(context, words(...mapped));
    const summary = JSON.parse(out);
    assert.equal(code, 1, err);
    assert.deepEqual([summary.rows, summary.issued, summary.failed, summary.left], [14, 12, 2, 0], out);
    assert.deepEqual(
      summary.problems.map(({ line, column }: { line: number; column: string }) => [line, column]),
      [
        [15, 'DID'],
        [14, 'DID'],
      ],
    );
    assert.deepEqual((await issued()).sort(), holders.map(({ did }) => did).sort());
    const copy = createCredentialClient(service.url);
    const signVcId = Buffer.from(await holders[3].signer.sign(Buffer.from(ids[3]))).toString('hex');
    const credential = await copy.downloadCredential({ vcId: ids[3], signVcId });
    const subject = credential.credentialSubject as Record<string, unknown>;
    assert.deepEqual([subject.fullName, subject.birthDate, subject.points], [secretName(3), '2000-01-01', 3]);
    assertSilent([
      out,
      err,
      readFileSync(`${csv}.journal`, 'utf8'),
      readFileSync(`${csv}.failed.csv`, 'utf8'),
    ]);
    assert.equal(statSync(`${csv}.journal`).mode & 0o777, 0o600);

    const map = ['Full Name=fullName'];
    const again = JSON.parse((await call({ delimiter: ';', map, json: true })).text);
    assert.deepEqual([again.issued, again.skipped, again.failed], [0, 12, 2]);
  });

  test('rows may name their application, and one that was decided is left alone', async (context) => {
    const { service, templateId, csv, call, issued } = await open(context);
    const holders = await makeHolders('by application', 4);
    const ids: string[] = [];
    for (const { signer } of holders) {
      const order = { signer, templateId, attributes: { fullName: 'A', birthDate: '2000-01-01' } };
      ids.push((await applyForCredential(service.stranger, order)).vcId);
    }
    await service.issuer.client.rejectApplication({ vcId: ids[0], reason: 'a test' });
    writeFileSync(csv, `applicationId\n${ids.join('\n')}\n`);
    const first = await call({ limit: 2 });
    assert.equal(first.outcome, 'failed');
    assert.match(first.remarks, /line 2, applicationId: the application is rejected already/);
    assert.match(first.text, /Still to do +2/);
    assert.equal((await issued()).length, 1);
    const second = JSON.parse((await call({ json: true })).text);
    const { rows, issued: now, failed, skipped, left } = second;
    assert.deepEqual([rows, now, failed, skipped, left], [4, 2, 1, 1, 0]);
    assert.equal((await issued()).length, 3);
  });

  test('a row that names application and holder is issued to that holder or not at all', async (context) => {
    const { service, templateId, csv, call, issued } = await open(context);
    const [meant, other] = (await makeHolders('named twice', 2)) as [Holder, Holder];
    const attributes = { fullName: 'A', birthDate: '2000-01-01' };
    const ids: string[] = [];
    for (const { signer } of [other, meant])
      ids.push((await applyForCredential(service.stranger, { signer, templateId, attributes })).vcId);
    writeFileSync(
      csv,
      `applicationId,did,fullName\n${ids.map((id) => `${id},${meant.did},Ana`).join('\n')}\n`,
    );
    const { outcome, remarks } = await call({});
    assert.equal(outcome, 'failed');
    assert.match(remarks, /line 2, applicationId: the application is another holder's than the row says/);
    assert.equal((await issued()).length, 1);
    const { status } = await service.issuer.client.getApplication({ vcId: ids[0] as string });
    assert.equal(status, 'Pending');
  });

  test('a command that is killed again and again issues every row once', async (context) => {
    const { csv, folder, words, call, issued } = await open(context);
    const holders = await makeHolders('killed', 24);
    const keys = writeKeys(folder, holders);
    const rows = holders.map(({ did }, index) => `${did},${secretName(index)},1990-05-17`);
    writeFileSync(csv, `did,fullName,birthDate\n${rows.join('\n')}\n`);
    const journal = `${csv}.journal`;
    const lines = () => (existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').length - 1 : 0);
    const args = words('--holder-keys', keys, '--concurrency', '3', '--json');
    // After the header, between the steps of the first rows, and at moments that nobody chose.
    for (const step of [1, 2, 4, 7, 12, 17]) {
      const run = startSymbolon(context, args);
      const wanted = Math.min(lines() + step, 1 + 3 * rows.length);
      await until('the journal to grow', () => (lines() >= wanted ? true : undefined));
      const { signal } = await run.stop('SIGKILL');
      assert.equal(signal, 'SIGKILL');
    }
    const last = await symbolon(context, args);
    assert.equal(last.code, 0, last.err);
    const summary = JSON.parse(last.out);
    assert.deepEqual([summary.rows, summary.failed, summary.left], [24, 0, 0]);
    assert.equal(summary.issued + summary.skipped, 24);
    assert.deepEqual((await issued()).sort(), holders.map(({ did }) => did).sort());
    assertSilent([last.out, last.err, readFileSync(journal, 'utf8')]);

    // A table whose issued rows moved is refused: it would be issued again.
    writeFileSync(csv, `did,fullName,birthDate\n${rows.slice(1).join('\n')}\n`);
    await assert.rejects(call({ holderKeys: keys }), /table was changed since it was issued from/);
    assert.equal((await issued()).length, 24);
  });

  test('an answer that is lost at any step costs nothing, nor does a lost journal', async (context) => {
    const { service, templateId, csv, issued } = await open(context);
    const { client, signer, did: issuer, bbsPublicKey } = service.issuer;
    const whole = { ...client, applyForCredential: service.stranger.applyForCredential };
    const cuts = (['applyForCredential', 'createCredential', 'submitCredential'] as const).flatMap((name) =>
      (['before', 'after'] as const).map((moment) => ({ name, moment })),
    );
    const holders = await makeHolders('cut', cuts.length);
    type Through = IssuingClient & IssuingParts['holderClient'];
    const issueWith = async (index: number, through: Through) => {
      const order = { file: `${csv}.journal`, templateId, signer, validUntil: undefined };
      const journal = await openJournal({ ...order, validUntilDefault: '2099-01-01T00:00:00Z' });
      const { did: subject } = holders[index];
      const values = { birthDate: '1990-05-17', fullName: secretName(index) };
      const row = { row: index + 1, line: index + 2, subject, values };
      const parts = {
        client: through,
        holderClient: through,
        ...{ signer, issuer, templateId, journal, mode: 'keys' as const, patiently: createPatience() },
        template: await client.getTemplate({ templateId }),
        network: {},
        bbsKey: { publicKeyMultibase: bbsPublicKey },
        holderKey: async () => holders[index].signer,
      };
      try {
        return await issueRow(parts, row, journal.index.find(row.row, journal.keyOf(row)));
      } finally {
        await journal.close();
      }
    };
    for (const [index, { name, moment }] of cuts.entries()) {
      const cut: Through = {
        ...whole,
        [name]: async (...args: Parameters<typeof client.applyForCredential>) => {
          if (moment === 'after') await (whole[name] as typeof client.applyForCredential)(...args);
          throw new Error('the cable is cut');
        },
      };
      await assert.rejects(issueWith(index, cut), /the cable is cut/);
      const outcome = await issueWith(index, whole);
      assert.ok('vcId' in outcome && outcome.tx !== undefined, `${name} ${moment}`);
    }
    assert.deepEqual((await issued()).sort(), holders.map(({ did }) => did).sort());
    rmSync(`${csv}.journal`);
    for (const index of cuts.keys()) assert.ok('vcId' in (await issueWith(index, whole)));
    assert.equal((await issued()).length, cuts.length);
  });

  test('a dry run says everything that is wrong and issues nothing', async (context) => {
    const { csv, words, call, issued, folder } = await open(context);
    const [holder] = await makeHolders('dry', 1);
    const good = `${holder.did},${secretName(1)},1990-05-17,4`;
    const bad = [`${holder.did},${secretName(2)},17.5.1990,four`, `nobody,,1990-05-17,4`, `${holder.did},x`];
    writeFileSync(csv, `did,fullName,birthDate,points\n${[good, ...bad].join('\n')}\n`);
    const dry = words('--dry-run', '--holder-keys', folder);
    const { code, out, err } = await symbolon(context, dry);
    assert.equal(code, 1, err);
    assert.deepEqual(
      out
        .split('\n')
        .slice(0, 5)
        .map((text) => text.split(':')[0]),
      ['line 3, birthDate', 'line 3, points', 'line 4, did', 'line 4, fullName', 'line 5'],
    );
    assert.match(out, /3 of 4 rows are not good/);
    assertSilent([out, err]);
    assert.ok(!out.includes('17.5.1990') && !out.includes('four'));
    assert.ok(!existsSync(`${csv}.journal`));
    assert.deepEqual(await issued(), []);
    const stopped = await call({ stopOnError: true, holderKeys: folder, json: true });
    assert.deepEqual([stopped.outcome, JSON.parse(stopped.text).issued], ['failed', 0]);
    assert.deepEqual(await issued(), []);
  });

  test('the commands of the manual do what it says', async (context) => {
    const { service, folder } = await open(context);
    const manual = readFileSync(path.resolve(import.meta.dirname, '../../docs/bulk.md'), 'utf8');
    const commands = [...manual.matchAll(/^ {4}symbolon (vc issue-many Degree (?:.*\\\n)*.*)$/gm)].map(
      ([, text]) =>
        [...text.replaceAll('\\\n', ' ').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
          (word) => word[1] ?? word[2] ?? word[3],
        ),
    );
    assert.equal(commands.length, 2);
    const { signer, client } = service.issuer;
    const degree = { templateName: 'Degree', version: '1.0.0', credentialFormat: attributes };
    const { templateId } = await registerTemplate(client, { signer, ...degree });
    const [holder] = await makeHolders('graduate', 1);
    const applied = { fullName: 'G', birthDate: '2000-01-01' };
    await applyForCredential(service.stranger, { signer: holder.signer, templateId, attributes: applied });
    const csv = path.join(folder, 'graduates.csv');
    const tables = [
      `did;Date of birth;Remarks\n${holder.did};1999-09-09;none\n`,
      `did,birthDate\n${holder.did},1999-09-09\n${holder.did},9.9.1999\n`,
    ];
    const env = { SYMBOLON_PROFILE: path.join(service.folder, 'demo.json') };
    const ended = [];
    for (const [index, words] of commands.entries()) {
      writeFileSync(csv, tables[index]);
      ended.push(
        await symbolon(
          context,
          words.map((word) => (word === 'graduates.csv' ? csv : word)),
          env,
        ),
      );
    }
    assert.deepEqual(
      ended.map(({ code }) => code),
      [0, 1],
      ended.map(({ err }) => err).join(),
    );
    assert.match(ended[0].out, /Issued +1/);
    const shown = /^ {4}(line 3, birthDate: .*)$/m.exec(manual)?.[1] ?? '';
    assert.ok(ended[1].out.includes(shown) && shown !== '', ended[1].out);
  });

  test('mistakes are said before anything is issued', async (context) => {
    const { service, csv, call, issued } = await open(context);
    const [holder] = await makeHolders('mistaken', 1);
    const told = async (more: Partial<IssueManyWords> = {}) => {
      try {
        return assert.fail((await call(more)).text);
      } catch (error) {
        return failureOf(error);
      }
    };
    writeFileSync(csv, `did,fulname\n${holder.did},x\n`);
    const spelled = await told();
    assert.deepEqual(
      [spelled.exitCode, spelled.facts?.complaints],
      [2, ['The column fulname is no attribute of the template.']],
    );
    assert.match(spelled.message, /The column fulname is no attribute/);
    writeFileSync(csv, `did;fullName\n${holder.did};x\n`);
    assert.match((await told()).message, /Try --delimiter ';'/);
    writeFileSync(csv, `did,fullName\n${holder.did},x\n`);
    assert.match((await told({ as: 'holder' })).message, /template is another issuer's/);
    const missing = await told({ csv: `${csv}.nothing` });
    assert.deepEqual([missing.exitCode, /cannot be read \(ENOENT\)/.test(missing.message)], [2, true]);
    assert.equal((await told({ service: 'http://127.0.0.1:9' })).exitCode, 69);
    const keyless = path.join(path.dirname(csv), 'profile.json');
    const { apiKey, ...issuer } = service.demo.issuer;
    writeFileSync(keyless, JSON.stringify({ service: service.url, issuer }), { mode: 0o600 });
    const nobody = await told({ profile: keyless });
    assert.deepEqual([nobody.exitCode, nobody.facts?.code], [1, 'notAuthenticated']);
    assert.deepEqual(await issued(), []);
    assert.ok(apiKey);
  });
});

function assertSilent(texts: readonly string[]): void {
  for (const text of texts) assert.ok(!text.includes('Quillon'), 'values are repeated nowhere');
}
