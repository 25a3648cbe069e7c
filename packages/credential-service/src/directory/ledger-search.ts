/**
 * What the ledger has under a text that somebody types: a block by its number, a transaction by its hash, an account by
 * its address. Each is one question that a node answers from an index; whatever else the text is, nothing is asked.
 */
import type { KeyFormat } from '@symbolon/core/keys/keys';
import { unlessNotFound } from '@symbolon/sdk/errors/errors';
import type { LedgerClient } from '@symbolon/sdk/index';
import type { FoundKind } from '@symbolon/wire/directory/requests';
import { withFaults } from '../ledger/ledger-faults.ts';

/** Something that a search has found: what it is, its identifier, and what people call it. */
export interface FoundThing {
  readonly kind: FoundKind;
  readonly target: string;
  readonly label: string;
}

export interface LedgerSearch {
  /** Throws the faults of a ledger that gives no answer. */
  find(text: string): Promise<readonly FoundThing[]>;
}

const blockNumber = /^[1-9][0-9]{0,17}$/;
const transactionHash = /^[0-9a-f]{64}$/;

export function createLedgerSearch(
  client: Pick<LedgerClient, 'getLedger' | 'getTransactionHistory' | 'getAccountBase'>,
  keys: Pick<KeyFormat, 'isAddress'>,
): LedgerSearch {
  async function look(text: string): Promise<readonly FoundThing[]> {
    if (blockNumber.test(text)) {
      const found = await unlessNotFound(client.getLedger({ seq: text }));
      return found ? [{ kind: 'block', target: text, label: `Block ${text}` }] : [];
    }
    const hash = text.toLowerCase();
    if (transactionHash.test(hash)) {
      const found = await unlessNotFound(client.getTransactionHistory({ hash }));
      const isThere = (found?.result?.transactions ?? []).length > 0;
      return isThere ? [{ kind: 'transaction', target: hash, label: 'Transaction' }] : [];
    }
    if (!keys.isAddress(text)) return [];
    const found = await unlessNotFound(client.getAccountBase({ address: text }));
    return found ? [{ kind: 'account', target: text, label: 'Account' }] : [];
  }
  return { find: (text) => withFaults(() => look(text)) };
}
