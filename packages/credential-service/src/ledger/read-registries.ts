/**
 * What the registries hold beside single templates and entries (the SDK's `registries.ts`): lists in the order of
 * registration, and the anchor of the audit log. Read at the ledger's head; no contract has to run for it.
 */
import { registryLimits } from '@symbolon/core/limits/limits';
import type { LedgerClient } from '@symbolon/sdk/index';
import { readMetadata, readTemplate } from '@symbolon/sdk/ledger/registries';
import {
  hash,
  micros,
  parseStored,
  type RegisteredTemplate,
} from '@symbolon/wire/credentials/registry-records';
import * as z from 'zod';

export interface AuditAnchor {
  readonly head: string;
  readonly count: number;
  readonly anchoredAtMicros: bigint;
}

export interface Page {
  readonly start: number;
  readonly limit: number;
}

const auditSchema = z.object({ head: hash, count: z.int().min(1), anchoredAt: micros });

export async function readAuditAnchor(
  client: LedgerClient,
  registry: string,
): Promise<AuditAnchor | undefined> {
  const text = await readMetadata(client, registry, 'audit__head');
  if (text === undefined) return undefined;
  const { anchoredAt, ...anchor } = parseStored(auditSchema, text);
  return { ...anchor, anchoredAtMicros: anchoredAt };
}

export interface TemplatePage {
  readonly total: number;
  /** The newest version of each, in the order of registration; what cannot be used is left out. */
  readonly templates: readonly RegisteredTemplate[];
}

export async function listTemplates(
  client: LedgerClient,
  registry: string,
  page: Page,
): Promise<TemplatePage> {
  const total = Number((await readMetadata(client, registry, 'count')) ?? 0);
  const ids = await readRow(page, total, (place) => readMetadata(client, registry, `place__${place}`));
  const found = await Promise.all(ids.map((id) => readTemplate(client, registry, { id })));
  return { total, templates: found.filter((it) => it !== undefined) };
}

export interface VersionPage {
  readonly total: number;
  readonly versions: readonly string[];
}

/** The versions of a template, oldest first. */
export async function listVersions(
  client: LedgerClient,
  registry: string,
  { id, ...page }: Page & { readonly id: string },
): Promise<VersionPage> {
  const newest = await readTemplate(client, registry, { id });
  const total = newest?.versionCount ?? 0;
  const versions = await readRow(page, total, (place) =>
    readMetadata(client, registry, `version__${id}__${place}`),
  );
  return { total, versions };
}

async function readRow(
  { start, limit }: Page,
  total: number,
  read: (place: number) => Promise<string | undefined>,
): Promise<string[]> {
  const end = Math.min(total, start + Math.min(limit, registryLimits.pageMax));
  const places = Array.from({ length: Math.max(end - start, 0) }, (_, index) => start + index);
  return (await Promise.all(places.map(read))).filter((it) => it !== undefined);
}
