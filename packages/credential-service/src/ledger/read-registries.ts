/** The anchor of the audit log, as the credential registry holds it. Read at the ledger's head; no contract has to run. */
import type { LedgerClient } from '@symbolon/sdk/index';
import { readMetadata } from '@symbolon/sdk/ledger/registries';
import { hash, micros, parseStored } from '@symbolon/wire/credentials/registry-records';
import * as z from 'zod';

export interface RecordedAuditHead {
  readonly head: string;
  readonly count: number;
  readonly anchoredAtMicros: bigint;
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
