/**
 * The address of a PostgreSQL database, taken apart: where it is, and how it is spoken to. TLS is either off or checks
 * the server's certificate and name; there is nothing between, because encryption to whoever answers keeps nothing from
 * whoever sits in between. The address may hold a password, so no message repeats more of it than `locationOf`.
 */
import { X509Certificate } from 'node:crypto';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { unknownName } from '@symbolon/core/basics/known-names';
import { given } from '@symbolon/core/basics/plain-values';
import { assertClosed, SecretFileError } from '../../config/secret-file.ts';
import { databaseLimits } from '../../limits/server-limits.ts';
import { DatabaseAddressWrong } from '../common/database-error.ts';

/** Host, port, name and user; a password may also hide in the query, so nothing of that is shown. */
export function locationOf(url: string): string {
  const { username, host, pathname } = URL.parse(url) ?? {};
  if (host === undefined || pathname === undefined)
    throw new DatabaseAddressWrong('the database address is not postgres://user:password@host:port/name');
  return `postgres://${username ? `${username}@` : ''}${host}${pathname}`;
}

/** What is handed to TLS; undefined connects in clear. */
export interface TlsFiles {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface PostgresAddress {
  /** Without what is said of TLS. */
  readonly url: string;
  readonly tls: TlsFiles | undefined;
}

const tlsNames = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;
type TlsName = (typeof tlsNames)[number];
const otherNames = ['user', 'password', 'host', 'port', 'application_name', 'options'];

/** Modes that others keep for less are taken for the one that checks everything. */
const modes: Readonly<Record<string, boolean>> = {
  disable: false,
  require: true,
  'verify-ca': true,
  'verify-full': true,
};

/** What is wrong with the words of a database's address, before any file or server is looked at. */
export function databaseAddressProblem(text: string): string | undefined {
  if (text.startsWith('sqlite:'))
    return text === 'sqlite:' ? 'it names no file, like sqlite:service.db' : undefined;
  try {
    takeAddress(text);
    return undefined;
  } catch (error) {
    if (error instanceof DatabaseAddressWrong) return error.message;
    throw error;
  }
}

/** Reads an address with the files that it names; throws what of it is not understood. */
export async function readPostgresAddress(text: string, environmentMode?: string): Promise<PostgresAddress> {
  const { url, location, isSecured, files } = takeAddress(text, environmentMode);
  return { url, tls: isSecured ? await readFiles(files, location) : undefined };
}

interface TakenAddress {
  readonly url: string;
  readonly location: string;
  readonly isSecured: boolean;
  readonly files: Partial<Record<TlsName, string>>;
}

function takeAddress(text: string, environmentMode?: string): TakenAddress {
  const location = locationOf(text);
  const url = new URL(text);
  const given = takeTlsWords(url, location);
  const mode = given.sslmode ?? environmentMode;
  if (mode !== undefined && !Object.hasOwn(modes, mode))
    throw wrong(
      location,
      `${given.sslmode === undefined ? 'PGSSLMODE' : 'sslmode'}: ${unknownName(mode, Object.keys(modes))}`,
    );
  const isSecured = mode !== undefined && modes[mode] === true;
  const { sslmode: _, ...files } = given;
  const idle = Object.keys(files)[0];
  if (!isSecured && idle !== undefined)
    throw wrong(location, `${idle} is of no use without sslmode=verify-full`);
  if ((files.sslcert === undefined) !== (files.sslkey === undefined))
    throw wrong(location, 'sslcert and sslkey belong together');
  return { url: url.href, location, isSecured, files };
}

function takeTlsWords(url: URL, location: string): Partial<Record<TlsName, string>> {
  const known = [...tlsNames, ...otherNames];
  const given: Partial<Record<TlsName, string>> = {};
  for (const name of new Set(url.searchParams.keys())) {
    if (!known.includes(name)) throw wrong(location, unknownName(name, known));
    const values = url.searchParams.getAll(name);
    if (values.length > 1) throw wrong(location, `${name} is given twice`);
    const tlsName = tlsNames.find((one) => one === name);
    if (!tlsName) continue;
    given[tlsName] = values[0] as string;
  }
  for (const name of tlsNames) url.searchParams.delete(name);
  return given;
}

const wrong = (location: string, what: string): DatabaseAddressWrong =>
  new DatabaseAddressWrong(`the address of ${location} cannot be used: ${what}`);

async function readFiles(
  { sslrootcert, sslcert, sslkey }: Partial<Record<TlsName, string>>,
  location: string,
): Promise<TlsFiles> {
  const ca = await readFileOf('sslrootcert', sslrootcert, location);
  const cert = await readFileOf('sslcert', sslcert, location);
  const key = await readFileOf('sslkey', sslkey, location);
  for (const [file, content] of [
    [sslrootcert, ca],
    [sslcert, cert],
  ])
    if (content !== undefined && !isCertificate(content))
      throw wrong(location, `${file} holds no certificate`);
  return given({ ca, cert, key });
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).subject !== undefined;
  } catch {
    return false;
  }
}

/** The text of a file that an address names; nothing where it names none. */
async function readFileOf(
  name: TlsName,
  file: string | undefined,
  location: string,
): Promise<string | undefined> {
  if (file === undefined) return undefined;
  if (!path.isAbsolute(file)) throw wrong(location, `${name} must be an absolute path`);
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw wrong(location, `${file} cannot be read (${error.code})`);
  });
  try {
    const { size, mode } = await handle.stat();
    if (size > databaseLimits.certificateBytesMax) throw wrong(location, `${file} is too large`);
    if (name === 'sslkey') assertClosed({ file, mode, holds: 'the key of the service' });
    return await handle.readFile('utf8');
  } catch (error) {
    throw error instanceof SecretFileError ? wrong(location, error.message) : error;
  } finally {
    await handle.close();
  }
}

/** What TLS and the server say of each other when they do not come together, in words for an operator. */
export function tlsReason(error: unknown): string | undefined {
  const { code = '', message = '', host } = error as { code?: string; message?: string; host?: string };
  if (message === 'The server does not support SSL connections')
    return 'it offers no TLS, which sslmode=verify-full demands';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `its certificate is not for ${host}`;
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return `its certificate is not valid now (${code})`;
  if (unknownAuthority.has(code))
    return `its certificate is of an authority that is not known here (${code}); name the file of its authority in sslrootcert`;
  return undefined;
}

const unknownAuthority: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
