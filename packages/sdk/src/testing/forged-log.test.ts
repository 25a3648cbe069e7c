/** A node that shows a DID log of its own making. It has the ending of a test, because only tests may lie so. */
import assert from 'node:assert/strict';
import { sha256 } from '@noble/hashes/sha2.js';
import { didLogKey, parseDidLogEntry } from '@symbolon/core/did/did-log';
import { didLogHash } from '@symbolon/core/did/did-log-transaction';
import type { LedgerClient } from '../ledger/ledger-client.ts';

/** Answers with another log, whole and well linked, that nobody has signed. */
export function forging(
  client: LedgerClient,
  subject: string,
  change: (text: string) => string,
): LedgerClient {
  const forged = new Map<string, string>();
  return {
    ...client,
    getAccountMetaData: async (query) => {
      const reply = await client.getAccountMetaData(query);
      const stored = reply.result?.[didLogKey];
      const text = change(stored?.value ?? '');
      const entry = parseDidLogEntry(text);
      assert.ok(stored && entry);
      const hash = didLogHash({ text, entry, subject }, sha256);
      forged.set(
        hash,
        didLogHash(
          { text: stored.value ?? '', entry: parseDidLogEntry(stored.value ?? '')!, subject },
          sha256,
        ),
      );
      stored.value = text;
      return reply;
    },
    getTransactionHistory: async (query) => {
      const hash = String(query?.hash);
      const original = forged.get(hash);
      const reply = await client.getTransactionHistory({ hash: original ?? hash });
      const [record] = reply.result?.transactions ?? [];
      const body = record?.transaction.operations?.[0]?.set_metadata;
      if (original === undefined || !record || !body) return reply;
      record.hash = hash;
      body.value = change(body.value ?? '');
      return reply;
    },
  };
}
