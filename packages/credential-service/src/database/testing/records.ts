/**
 * What the suites of the service's records share: a fresh database with its tables, a vault, a clock that stands
 * still, and rows that are right in everything a test does not care about.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import type { Template } from '@symbolon/core/documents/model';
import type { Database } from '@symbolon/host/database/common/database';
import { openDatabase } from '@symbolon/host/database/open-database';
import { type FixedClock, fixedClock } from '@symbolon/host/testing/fixed-clock';
import { addApplication, type NewApplication } from '../../issuance/application-rows.ts';
import { addCredential, type NewCredential } from '../../issuance/credential-rows.ts';
import { masterKeyFromBytes } from '../../vault/master-key.ts';
import { createVault, type KeyVault } from '../../vault/vault.ts';
import { serviceMigrations } from '../migrations.ts';
import type { Encrypted, Queries, ServiceSchema } from '../schema.ts';

/** Opens a fresh database of its own for one test, with all tables; it is closed after the test. */
export type MakeRecords = (context: TestContext) => Promise<Database<ServiceSchema>>;

export const start = 1_800_000_000_000;

export async function openRecords(context: TestContext, url: string): Promise<Database<ServiceSchema>> {
  const database = await openDatabase<ServiceSchema>(url);
  context.after(() => database.close());
  await database.migrate(serviceMigrations);
  return database;
}

export const sqliteRecords: MakeRecords = (context) => openRecords(context, 'sqlite::memory:');

export const freshClock = (): FixedClock => fixedClock(start);
export const freshVault = (): KeyVault => createVault({ current: masterKeyFromBytes(randomBytes(32)) });

/** Bytes in place of encrypted ones, where a test only cares that they are kept. */
export const asEncrypted = (text: string): Encrypted => Uint8Array.from(Buffer.from(text)) as Encrypted;

export const did = (digit: string): string => `did:zid:${digit.repeat(64)}`;
export const issuer = did('a');
export const holder = did('b');
export const freshId = (): string => `did:zid:${randomBytes(32).toString('hex')}`;

export const template = (name: string, version = '1.0', by = issuer): Template => ({
  id: `did:zid:${Buffer.from(`${by.at(-1)}${name}`)
    .toString('hex')
    .padEnd(64, '0')}`,
  name,
  version,
  issuer: by,
  attributes: [{ key: 'name', label: 'Name', type: 'text', format: 'string', mandatory: true }],
});

export async function applied(queries: Queries, given: Partial<NewApplication> = {}): Promise<string> {
  const vcId = given.vcId ?? freshId();
  const application: NewApplication = {
    vcId,
    templateId: did('7'),
    templateVersion: '1.0',
    issuer,
    holder: freshId(),
    attributes: asEncrypted('attributes'),
    label: null,
    signatureHash: null,
    applyMark: null,
    now: start,
    ...given,
  };
  await addApplication(queries, application);
  return vcId;
}

export async function issued(queries: Queries, given: Partial<NewCredential> = {}): Promise<string> {
  const vcId = given.vcId ?? freshId();
  await addCredential(queries, {
    vcId,
    templateId: did('7'),
    templateVersion: '1.0',
    issuer,
    holder,
    digest: '00'.repeat(32),
    anchorTx: 'ab'.repeat(32),
    anchorSeq: 7,
    validFrom: start,
    validUntil: start + 3_600_000,
    label: null,
    credential: asEncrypted('credential'),
    downloadExpiresAt: start + 60_000,
    now: start,
    ...given,
  });
  return vcId;
}

/** What must be there; a test that finds nothing ends with words. */
export function present<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) assert.fail('there is nothing');
  return value;
}

export const textOf = (bytes: Uint8Array | null | undefined): string =>
  Buffer.from(present(bytes)).toString();

/** Runs something twenty times at once and answers what came back. */
export const twentyTimes = <Result>(work: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: 20 }, (_, index) => work(index)));
