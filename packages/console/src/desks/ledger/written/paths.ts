/** Where the pages of blocks, transactions, accounts and credentials are. */
export const blockPath = (seq: number | bigint): string => `/ledger/blocks/${seq}`;
export const transactionPath = (hash: string): string => `/ledger/tx/${encodeURIComponent(hash)}`;
export const accountPath = (address: string): string => `/ledger/accounts/${encodeURIComponent(address)}`;
/** Open to all: what the ledger says of the number. */
export const credentialPath = (vcId: string): string => `/issue/certificate/${encodeURIComponent(vcId)}`;
