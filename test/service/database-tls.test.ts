/** TLS to a real PostgreSQL: whom the service speaks to is who the certificate says, or nobody. */
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { DatabaseUnreachable } from '@symbolon/host/database/common/database-error';
import { openDatabase } from '@symbolon/host/database/open-database';
import { sql } from 'kysely';
import { makeAuthority } from '../support/certificates.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { type RunningPostgres, startPostgres } from '../support/postgres.ts';
import { tempFolder } from '../support/temp-folder.ts';

const owner = ownerOfSuite();
const folder = tempFolder(owner);
const file = (name: string, content: string): string => {
  const place = path.join(folder, name);
  writeFileSync(place, content, { mode: 0o600 });
  return place;
};
const [ours, theirs] = [makeAuthority('Ours'), makeAuthority('Theirs')];
const [ourCa, theirCa] = [file('ours.crt', ours.cert), file('theirs.crt', theirs.cert)];

const at = (server: RunningPostgres, words: Record<string, string>, host = '127.0.0.1'): string => {
  const url = new URL(server.url.replace('127.0.0.1', host));
  for (const [name, value] of Object.entries(words)) url.searchParams.set(name, value);
  return url.href;
};

/** Whether the connection is a TLS one, by the server's word. */
async function isSecured(url: string): Promise<boolean> {
  const { kysely, close } = await openDatabase(url);
  try {
    const { rows } = await sql<{
      ssl: boolean;
    }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(kysely);
    return rows[0]?.ssl === true;
  } finally {
    await close();
  }
}

async function refused(server: RunningPostgres, url: string, words: RegExp): Promise<void> {
  const error = await openDatabase(url, { connectTimeoutMs: 5_000 }).then(
    async (database) => {
      await database.close();
      assert.fail(`connected, and not: ${words}`);
    },
    (caught: unknown) => caught,
  );
  assert.ok(error instanceof DatabaseUnreachable, String(error));
  assert.match(error.message, words);
  assert.ok(!`${error.stack}${JSON.stringify(error)}${error.cause}`.includes(server.password));
}

describe('a server with a certificate', () => {
  let server: RunningPostgres;
  let elsewhere: RunningPostgres;
  before(async () => {
    server = await startPostgres(owner, { tls: { own: ours.issue('db', ['127.0.0.1', 'localhost']) } });
    elsewhere = await startPostgres(owner, { tls: { own: ours.issue('other', ['localhost']) } });
  });

  test('is spoken to when its authority is the named one, by address and by name', async () => {
    const words = { sslmode: 'verify-full', sslrootcert: ourCa };
    assert.equal(await isSecured(at(server, words)), true);
    assert.equal(await isSecured(at(server, words, 'localhost')), true);
    assert.equal(await isSecured(at(server, { ...words, sslmode: 'require' })), true);
  });

  test('is not spoken to when its authority is another one, or its name', async () => {
    const other = /certificate is not for 127\.0\.0\.1/;
    await refused(elsewhere, at(elsewhere, { sslmode: 'verify-full', sslrootcert: ourCa }), other);
    await refused(elsewhere, at(elsewhere, { sslmode: 'verify-ca', sslrootcert: ourCa }), other);
    const words = { sslmode: 'verify-full', sslrootcert: theirCa };
    const unknown = /certificate is of an authority that is not known here[\s\S]*sslrootcert/;
    await refused(server, at(server, words), unknown);
    await refused(server, at(server, { sslmode: 'verify-full' }), unknown);
    await refused(server, at(server, { ...words, sslmode: 'require' }), unknown);
  });

  test('is not spoken to in clear where it wants none of that', async () => {
    await refused(server, at(server, {}), /no encryption/);
    await refused(server, at(server, { sslmode: 'disable' }), /no encryption/);
  });
});

test('a server without TLS is not spoken to where TLS is demanded', async () => {
  const server = await startPostgres(owner);
  const words = { sslmode: 'verify-full', sslrootcert: ourCa };
  await refused(server, at(server, words), /offers no TLS, which sslmode=verify-full demands/);
  assert.equal(await isSecured(server.url), false);
  assert.equal(await isSecured(at(server, { sslmode: 'disable' })), false);
});

test('a server that wants a certificate gets it, from a key that others cannot read', async () => {
  const tls = { own: ours.issue('db', ['127.0.0.1']), clientAuthority: theirs.cert };
  const server = await startPostgres(owner, { tls });
  const client = theirs.issue('symbolon');
  const [sslcert, sslkey] = [file('client.crt', client.cert), file('client.key', client.key)];
  const words = { sslmode: 'verify-full', sslrootcert: ourCa };
  assert.equal(await isSecured(at(server, { ...words, sslcert, sslkey })), true);
  await refused(server, at(server, words), /certificate/);
  await refused(server, at(server, { ...words, sslcert }), /sslcert and sslkey/);
  chmodSync(sslkey, 0o644);
  await refused(
    server,
    at(server, { ...words, sslcert, sslkey }),
    /client\.key holds .*others than its owner can reach it/,
  );
});

test('words of an address that are not understood are refused, and no file is guessed', async () => {
  const address = 'postgres://user:a-password@127.0.0.1:1/name';
  const trials: [string, RegExp][] = [
    ['sslMode=verify-full', /"sslMode" is not known here; did you mean "sslmode"/],
    ['ssl=true', /"ssl" is not known here/],
    ['sslrootca=/x', /did you mean "sslrootcert"/],
    ['sslmode=verify_full', /"verify_full" is not known here; did you mean "verify-full"/],
    ['sslmode=no-verify', /"no-verify" is not known here/],
    ['sslmode=prefer', /"prefer" is not known here/],
    ['sslmode=verify-full&sslmode=disable', /sslmode is given twice/],
    ['sslrootcert=/x', /sslrootcert is of no use without sslmode=verify-full/],
    ['sslmode=disable&sslrootcert=/x', /sslrootcert is of no use/],
    ['sslmode=verify-full&sslrootcert=ca.crt', /sslrootcert must be an absolute path/],
    ['sslmode=verify-full&sslrootcert=/nowhere/ca.crt', /\/nowhere\/ca\.crt cannot be read \(ENOENT\)/],
    [`sslmode=verify-full&sslrootcert=${file('empty.crt', 'nothing')}`, /empty\.crt holds no certificate/],
  ];
  for (const [query, words] of trials) {
    const error = await openDatabase(`${address}?${query}`, { connectTimeoutMs: 500 }).catch(
      (caught) => caught,
    );
    assert.ok(error instanceof DatabaseUnreachable, `${query}: ${error}`);
    assert.match(error.message, words);
    assert.doesNotMatch(`${error.stack}${JSON.stringify(error)}`, /a-password/);
  }
});
