/**
 * The ledger's error table (`docs/errors.md`, "The ledger"): one row a code, in one place: number, name, meaning, and
 * what its reader can do about it. Rules return these as values (`Refusal`), the interface prints them, the
 * documentation is generated from them. Why each occurs is in `error-reasons.ts`.
 *
 * Code 3 carries its real name; the interface document's spelling is a printing accident (decision L-02).
 */
const table = {
  success: [0, 'ERRCODE_SUCCESS', 'Success', 'Nothing: the call succeeded.'],
  internalError: [
    1,
    'ERRCODE_INTERNAL_ERROR',
    'Internal service defect',
    'Try again; if it stays, tell whoever runs the node, whose log has the cause.',
  ],
  invalidParameter: [
    2,
    'ERRCODE_INVALID_PARAMETER',
    'Parameter error',
    'Correct the member that the description names.',
  ],
  alreadyExists: [
    3,
    'ERRCODE_ALREADY_EXIST',
    'Object already exists, e.g. repeated transaction',
    'Do not send it again; ask getTransactionCache, then getTransactionHistory, for its hash.',
  ],
  notFound: [
    4,
    'ERRCODE_NOT_EXIST',
    'Object does not exist, e.g. account, transaction, block',
    'Check the address, hash or number, and that you ask a node of the right network.',
  ],
  timeout: [
    5,
    'ERRCODE_TX_TIMEOUT',
    'Transaction expired and removed from the buffer; may still execute',
    'Ask getTransactionHistory for the hash before you sign another one.',
  ],
  mathOverflow: [7, 'ERRCODE_MATH_OVERFLOW', 'Math overflow', 'Use smaller amounts.'],
  expressionFalse: [
    20,
    'ERRCODE_EXPR_CONDITION_RESULT_FALSE',
    'Expression false; failed now but may execute in later blocks',
    'Wait for the condition. If it was in a block, its nonce is used: sign the same with the next one.',
  ],
  expressionError: [
    21,
    'ERRCODE_EXPR_CONDITION_SYNTAX_ERROR',
    'Expression syntax false; transaction must fail',
    'Correct the expression, and sign the transaction anew.',
  ],
  invalidPublicKey: [
    90,
    'ERRCODE_INVALID_PUBKEY',
    'Invalid public key',
    'Send the key in its encoded form, with prefix and checksum.',
  ],
  invalidPrivateKey: [
    91,
    'ERRCODE_INVALID_PRIKEY',
    'Invalid private key',
    'Send the key in its encoded form, or sign on your side, where keys belong.',
  ],
  invalidAsset: [
    92,
    'ERRCODE_ASSET_INVALID',
    'Invalid asset',
    'Correct code, amount or issuer of the asset.',
  ],
  weightTooLow: [
    93,
    'ERRCODE_INVALID_SIGNATURE',
    'Signature weight does not match the operation threshold',
    'Sign with the key of the source account, or with more of its signers; check that it is the right network.',
  ],
  invalidAddress: [
    94,
    'ERRCODE_INVALID_ADDRESS',
    'Invalid address',
    'Check the address for missing or changed letters.',
  ],
  noOperations: [
    97,
    'ERRCODE_MISSING_OPERATIONS',
    'Transaction has no operation',
    'Put at least one operation into the transaction.',
  ],
  tooManyOperations: [
    98,
    'ERRCODE_TOO_MANY_OPERATIONS',
    'More than 100 operations in one transaction',
    'Divide it into several transactions.',
  ],
  badNonce: [
    99,
    'ERRCODE_BAD_SEQUENCE',
    'Invalid sequence or nonce',
    'Take the nonce of the account, add 1, and sign again.',
  ],
  lowBalance: [
    100,
    'ERRCODE_ACCOUNT_LOW_RESERVE',
    'Low reserve in the account',
    'Pay into the account, or lower the amount or the fee limit.',
  ],
  sourceIsDestination: [
    101,
    'ERRCODE_ACCOUNT_SOURCEDEST_EQUAL',
    'Sender and receiver are the same',
    'Name another receiver.',
  ],
  destinationExists: [
    102,
    'ERRCODE_ACCOUNT_DEST_EXIST',
    'Target account already exists',
    'Pay the account instead of creating it.',
  ],
  accountMissing: [
    103,
    'ERRCODE_ACCOUNT_NOT_EXIST',
    'Account does not exist',
    'Create the account by paying to it; check that you ask a node of the right network.',
  ],
  lowAsset: [
    104,
    'ERRCODE_ACCOUNT_ASSET_LOW_RESERVE',
    'Low reserve in the account',
    'Acquire more of the asset, or lower the amount.',
  ],
  assetTooLarge: [
    105,
    'ERRCODE_ACCOUNT_ASSET_AMOUNT_TOO_LARGE',
    'Asset amount exceeds int64',
    'Lower the amount.',
  ],
  lowInitialBalance: [
    106,
    'ERRCODE_ACCOUNT_INIT_LOW_RESERVE',
    'Insufficient initial reserve for account creation',
    'Raise the initial balance to at least the base reserve.',
  ],
  feeTooLow: [
    111,
    'ERRCODE_FEE_NOT_ENOUGH',
    'Fee too low',
    'Raise the fee limit; testTransaction tells what the transaction costs.',
  ],
  queueFull: [
    114,
    'ERRCODE_OUT_OF_TXCACHE',
    'Transaction buffer full',
    'Wait a little and send it again, or raise the fee.',
  ],
  invalidWeight: [
    120,
    'ERRCODE_WEIGHT_NOT_VALID',
    'Invalid weight',
    'Use a whole number from 0 to 4294967295.',
  ],
  invalidThreshold: [
    121,
    'ERRCODE_THRESHOLD_NOT_VALID',
    'Invalid threshold',
    'Use a whole number that is not negative, and the known operation types.',
  ],
  badMetadataVersion: [
    144,
    'ERRCODE_INVALID_DATAVERSION',
    'Invalid metadata data version',
    'Read the entry and sign again with its version, or with 0 to write whatever is there.',
  ],
  transactionTooBig: [
    146,
    'ERRCODE_TX_SIZE_TOO_BIG',
    'Transaction exceeds size limit',
    'Make it smaller, or divide it.',
  ],
  contractFailed: [
    151,
    'ERRCODE_CONTRACT_EXECUTE_FAIL',
    'Contract execution failure',
    'Read the exception in the description; try with callContract before you pay for it.',
  ],
  contractSyntax: [
    152,
    'ERRCODE_CONTRACT_SYNTAX_ERROR',
    'Syntax analysis failure',
    'Correct the code where the description says; `symbolon contract check` finds it without a node.',
  ],
  contractTooDeep: [
    153,
    'ERRCODE_CONTRACT_TOO_MANY_RECURSION',
    'Contract recursion depth exceeded',
    'Let contracts call each other less deeply.',
  ],
  contractTooManyTransactions: [
    154,
    'ERRCODE_CONTRACT_TOO_MANY_TRANSACTIONS',
    'Transactions submitted from the contract exceed the limit',
    'Do less in one call, and call more often.',
  ],
  contractExpired: [
    155,
    'ERRCODE_CONTRACT_EXECUTE_EXPIRED',
    'Contract expired',
    'Let the contract do less in one call.',
  ],
  queueRefused: [
    160,
    'ERRCODE_TX_INSERT_QUEUE_FAIL',
    'Failed to insert the transaction into the buffer',
    'Wait until the earlier transactions of the account are executed, then send it again.',
  ],
} as const satisfies Record<string, readonly [code: number, name: string, meaning: string, hint: string]>;

export type CodeName = keyof typeof table;

/** Why a rule said no: the code and what exactly it objected to. A value, never thrown. */
export interface LedgerRefusal {
  readonly code: number;
  readonly description: string;
  /** The description is a JSON text that clients parse: nothing may be put around it. */
  readonly isDocument?: true;
}

/** The number of each code, by its name in this table: `success` is 0, `notFound` is 4. */
export const codes = Object.fromEntries(Object.entries(table).map(([name, [code]]) => [name, code])) as {
  readonly [Name in CodeName]: (typeof table)[Name][0];
};

/** The table as rows, for documentation and clients. */
export const codeRows = Object.values(table).map(([code, name, meaning, hint]) => ({
  code,
  name,
  meaning,
  hint,
}));

/** What to do about a code; a newer ledger may know more of them. */
export const codeHint = (code: number): string =>
  codeRows.find((row) => row.code === code)?.hint ?? 'Look the code up in the documentation of the ledger.';

/** Nobody has this account. */
export const noAccount = (address: string): LedgerRefusal =>
  refuse('accountMissing', `account ${address} does not exist`);

export function refuse(name: CodeName, detail?: string): LedgerRefusal {
  return { code: table[name][0], description: detail ?? table[name][2] };
}
