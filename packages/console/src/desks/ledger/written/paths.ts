/** Where the pages of blocks, transactions and accounts are. */
export const blockPath = (seq: number | bigint): string => `/ledger/blocks/${seq}`;
export const transactionPath = (hash: string): string => `/ledger/tx/${encodeURIComponent(hash)}`;
export const accountPath = (address: string): string => `/ledger/accounts/${encodeURIComponent(address)}`;
