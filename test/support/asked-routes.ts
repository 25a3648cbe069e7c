/** What a service asks of its ledger in one request, where it asks several things together. */
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';

/** Whether a batch asks for a route of such a name. */
export const asksFor = ({ items }: Parameters<LedgerClient['multiQuery']>[0], name: RegExp): boolean =>
  items.some(({ url }) => name.test(/^\/?(\w+)/.exec(url)?.[1] ?? ''));
