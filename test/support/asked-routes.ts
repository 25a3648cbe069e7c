/** What a service asks of its ledger in one request, where it asks several things together. */
import type { LedgerClient } from '@symbolon/sdk/ledger-client';

/** The names of the routes in a batch. */
export const routesIn = ({ items }: Parameters<LedgerClient['multiQuery']>[0]): readonly string[] =>
  items.map(({ url }) => /^\/?(\w+)/.exec(url)?.[1] ?? '');
