/**
 * The WebSocket interface's vocabulary (docs/ledger.md, "WebSocket"), for both ends. Two numberings are in use for the
 * subscription and what it delivers; a connection is answered in the one it subscribed with.
 */
export const messageTypes = {
  ping: 1n,
  hello: 10n,
  transactionStatus: 11n,
  submitTransaction: 15n,
  ledgerHeader: 16n,
} as const;

/** Of peers that come and go, and their messages: older clients may send them, and nothing answers. */
export const unusedTypes: ReadonlySet<bigint> = new Set([12n, 13n, 14n]);

/** Subscribe → deliver, per numbering. */
export const currentNumbering = { subscribe: 19n, deliver: 20n };
export const olderNumbering = { subscribe: 17n, deliver: 18n };

export const transactionStatuses = { confirmed: 1, failure: 4 } as const;
