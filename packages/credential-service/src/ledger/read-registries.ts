/**
 * What the registries hold beside single templates and entries (the SDK's `registries.ts`): the list of templates in the
 * order of registration, and the anchor of the audit log. Read at the ledger's head; no contract has to run for it.
 */

import type { LedgerClient } from '@symbolon/sdk/index';
import { readMetadata, readTemplate } from '@symbolon/sdk/ledger/registries';
import {
  hash,
  micros,
  parseStored,
  type RegisteredTemplate,
} from '@symbolon/wire/credentials/registry-records';
import * as z from 'zod';
import { registryLimits } from '../limits/service-limits.ts';

export interface RecordedAuditHead {
  readonly head: string;
  readonly count: number;
  readonly anchoredAtMicros: bigint;
}

export interface ListRange {
  readonly start: number;
  readonly limit: number;
}

const auditSchema = z.object({ head: hash, count: z.int().min(1), anchoredAt: micros });

export async function readAuditAnchor(
  client: LedgerClient,
  registry: string,
): Promise<RecordedAuditHead | undefined> {
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
  { start, limit }: ListRange,
): Promise<TemplatePage> {
  const total = Number((await readMetadata(client, registry, 'count')) ?? 0);
  const end = Math.min(total, start + Math.min(limit, registryLimits.pageMax));
  const places = Array.from({ length: Math.max(end - start, 0) }, (_, index) => start + index);
  const ids = await Promise.all(places.map((place) => readMetadata(client, registry, `place__${place}`)));
  const known = ids.filter((id) => id !== undefined);
  const found = await Promise.all(known.map((id) => readTemplate(client, registry, { id })));
  return { total, templates: found.filter((it) => it !== undefined) };
}
