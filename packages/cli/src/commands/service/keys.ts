/** `symbolon service key create|list|revoke`: API keys, in the records of a service whose folder is here. */
import { given } from '@symbolon/core/basics/plain-values';
import type { ApiKeyFacts } from '@symbolon/credential-service/access/api-keys';
import type { Records } from '@symbolon/credential-service/wiring/open-records';
import type { ApiScope } from '@symbolon/wire/http/service-route';
import { usageFailure } from '../../terminal/failure.ts';
import { printTable } from '../../terminal/layout.ts';
import { processTerminal } from '../../terminal/terminal.ts';
import { withRecords } from './records.ts';

const { print, remark } = processTerminal;

interface FolderWords {
  readonly data: string;
  readonly json?: boolean;
}

interface KeyWords extends FolderWords {
  readonly scope: ApiScope[];
  readonly did?: string;
  readonly label: string;
  readonly expires?: number;
}

export async function createKey({ data, scope: scopes, did, label, expires, json }: KeyWords): Promise<void> {
  const { token, facts } = await withRecords(data, async ({ apiKeys, audit }) => {
    const made = await apiKeys.create({ label, scopes, ...given({ did, expiresAt: expires }) });
    await audit.record({ action: 'apiKey.create', subject: made.facts.id, outcome: 'done' });
    return made;
  });
  if (json) return print(JSON.stringify({ key: token, ...rendered(facts) }));
  print(token);
  remark('This is the only time that the key is shown.');
}

export async function listKeys({ data, json }: FolderWords): Promise<void> {
  const keys = await withRecords(data, ({ apiKeys }) => everyKey(apiKeys));
  if (json) return print(JSON.stringify(keys.map(rendered)));
  printTable(
    processTerminal,
    keys.map(({ id, label, scopes, did = '-', revokedAt }) => [
      id,
      revokedAt === undefined ? 'in force' : 'revoked',
      label,
      did,
      scopes.join(','),
    ]),
  );
}

async function everyKey(apiKeys: Records['apiKeys']): Promise<ApiKeyFacts[]> {
  const keys: ApiKeyFacts[] = [];
  let cursor: string | undefined;
  do {
    const page = await apiKeys.list(given({ cursor }));
    keys.push(...page.items);
    cursor = page.next;
  } while (cursor !== undefined);
  return keys;
}

export async function revokeKey(id: string, { data, json }: FolderWords): Promise<void> {
  const isRevoked = await withRecords(data, async ({ apiKeys, audit }) => {
    const done = await apiKeys.revoke(id);
    if (done) await audit.record({ action: 'apiKey.revoke', subject: id, outcome: 'done' });
    return done;
  });
  if (!isRevoked) throw usageFailure('There is no such key in force.');
  print(json ? JSON.stringify({ id, revoked: true }) : 'The key is revoked.');
}

const timeText = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString();

const rendered = ({ id, label, scopes, did, createdAt, expiresAt, revokedAt, lastUsedAt }: ApiKeyFacts) =>
  given({
    id,
    label,
    scopes,
    did,
    created: timeText(createdAt),
    expires: timeText(expiresAt),
    revoked: timeText(revokedAt),
    lastUsed: timeText(lastUsedAt),
  });
