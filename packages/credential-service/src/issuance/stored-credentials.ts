/**
 * Handing over a credential that is stored: by whichever route, only while it may be downloaded, and never without a
 * line in the audit log.
 */
import type { Credential } from '@symbolon/core/documents/model';
import type { Actor } from '../audit/audit-entry.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import type { StoredCredential } from './credential-rows.ts';

/** Undefined when the time to download it is over, swept or not. */
export async function handOver(
  { vault, clock, audit }: Pick<ServiceParts, 'vault' | 'clock' | 'audit'>,
  { vcId, credential, downloadExpiresAt }: StoredCredential,
  actor: Actor,
): Promise<Credential | undefined> {
  if (!credential || downloadExpiresAt <= clock.nowMs()) return undefined;
  const opened = await vault.decryptDocument<Credential>(credential, contexts.credential(vcId));
  await audit.record({ actor, action: 'credential.download', subject: vcId });
  return opened;
}
