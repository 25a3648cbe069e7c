/**
 * Several questions to the ledger in one request. Whatever stands behind its address, one node answers a request, so
 * what its answers say of one another holds: an entry, and a block of the chain that it was read from.
 */
import { SdkError, unexpectedReply } from '@symbolon/sdk/errors/errors';
import { createLedgerClient, type LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { JsonValue } from '@symbolon/wire/json/json';

type Batch = Parameters<LedgerClient['multiQuery']>[0];

/** The client that is given asks together whatever is asked of it before `ask` waits for any of it. Nothing is submitted so. */
export async function inOneRequest<Answer>(
  client: Pick<LedgerClient, 'multiQuery'>,
  ask: (one: LedgerClient) => Promise<Answer>,
): Promise<Answer> {
  const items: Batch['items'] = [];
  const { promise: replies, resolve, reject } = Promise.withResolvers<readonly JsonValue[]>();
  const one = createLedgerClient(async (method, url, jsonData) => {
    const place = items.push({ url, method, ...(jsonData !== undefined && { jsonData }) }) - 1;
    return (await replies)[place] ?? null;
  });
  // Somebody who did not get as far as asking waits for no reply.
  replies.catch(() => undefined);
  const answer = ask(one);
  send(client, { items }).then(resolve, reject);
  return answer;
}

/** A broken connection is tried once more, as for any question. */
async function send(client: Pick<LedgerClient, 'multiQuery'>, batch: Batch): Promise<readonly JsonValue[]> {
  const attempt = async (): Promise<readonly JsonValue[]> => {
    const { results } = await client.multiQuery(batch);
    if (results?.length !== batch.items.length) throw unexpectedReply('multiQuery', ['results']);
    return results as readonly JsonValue[];
  };
  return attempt().catch((error) => {
    if (error instanceof SdkError && error.code === 'unreachable') return attempt();
    throw error;
  });
}
