/**
 * The ledger's error table (`spec/ledger-node.md`, "Errors"): one row a code, in one place. Rules return
 * these as values (`Refusal`), the interface prints them, the documentation is generated from them.
 *
 * Code 3 carries its real name; the interface document's spelling is a printing accident (decision L-02).
 */
const table = {
  success: [0, 'ERRCODE_SUCCESS', 'Success'],
  internalError: [1, 'ERRCODE_INTERNAL_ERROR', 'Internal service defect'],
  invalidParameter: [2, 'ERRCODE_INVALID_PARAMETER', 'Parameter error'],
  alreadyExists: [3, 'ERRCODE_ALREADY_EXIST', 'Object already exists, e.g. repeated transaction'],
  notFound: [4, 'ERRCODE_NOT_EXIST', 'Object does not exist, e.g. account, transaction, block'],
  timeout: [5, 'ERRCODE_TX_TIMEOUT', 'Transaction expired and removed from the buffer; may still execute'],
  mathOverflow: [7, 'ERRCODE_MATH_OVERFLOW', 'Math overflow'],
  expressionFalse: [
    20,
    'ERRCODE_EXPR_CONDITION_RESULT_FALSE',
    'Expression false; failed now but may execute in later blocks',
  ],
  expressionError: [
    21,
    'ERRCODE_EXPR_CONDITION_SYNTAX_ERROR',
    'Expression syntax false; transaction must fail',
  ],
  invalidPublicKey: [90, 'ERRCODE_INVALID_PUBKEY', 'Invalid public key'],
  invalidPrivateKey: [91, 'ERRCODE_INVALID_PRIKEY', 'Invalid private key'],
  invalidAsset: [92, 'ERRCODE_ASSET_INVALID', 'Invalid asset'],
  weightTooLow: [93, 'ERRCODE_INVALID_SIGNATURE', 'Signature weight does not match the operation threshold'],
  invalidAddress: [94, 'ERRCODE_INVALID_ADDRESS', 'Invalid address'],
  noOperations: [97, 'ERRCODE_MISSING_OPERATIONS', 'Transaction has no operation'],
  tooManyOperations: [98, 'ERRCODE_TOO_MANY_OPERATIONS', 'More than 100 operations in one transaction'],
  badNonce: [99, 'ERRCODE_BAD_SEQUENCE', 'Invalid sequence or nonce'],
  lowBalance: [100, 'ERRCODE_ACCOUNT_LOW_RESERVE', 'Low reserve in the account'],
  sourceIsDestination: [101, 'ERRCODE_ACCOUNT_SOURCEDEST_EQUAL', 'Sender and receiver are the same'],
  destinationExists: [102, 'ERRCODE_ACCOUNT_DEST_EXIST', 'Target account already exists'],
  accountMissing: [103, 'ERRCODE_ACCOUNT_NOT_EXIST', 'Account does not exist'],
  lowAsset: [104, 'ERRCODE_ACCOUNT_ASSET_LOW_RESERVE', 'Low reserve in the account'],
  assetTooLarge: [105, 'ERRCODE_ACCOUNT_ASSET_AMOUNT_TOO_LARGE', 'Asset amount exceeds int64'],
  lowInitialBalance: [
    106,
    'ERRCODE_ACCOUNT_INIT_LOW_RESERVE',
    'Insufficient initial reserve for account creation',
  ],
  feeTooLow: [111, 'ERRCODE_FEE_NOT_ENOUGH', 'Fee too low'],
  queueFull: [114, 'ERRCODE_OUT_OF_TXCACHE', 'Transaction buffer full'],
  invalidWeight: [120, 'ERRCODE_WEIGHT_NOT_VALID', 'Invalid weight'],
  invalidThreshold: [121, 'ERRCODE_THRESHOLD_NOT_VALID', 'Invalid threshold'],
  badMetadataVersion: [144, 'ERRCODE_INVALID_DATAVERSION', 'Invalid metadata data version'],
  transactionTooBig: [146, 'ERRCODE_TX_SIZE_TOO_BIG', 'Transaction exceeds size limit'],
  contractFailed: [151, 'ERRCODE_CONTRACT_EXECUTE_FAIL', 'Contract execution failure'],
  contractSyntax: [152, 'ERRCODE_CONTRACT_SYNTAX_ERROR', 'Syntax analysis failure'],
  contractTooDeep: [153, 'ERRCODE_CONTRACT_TOO_MANY_RECURSION', 'Contract recursion depth exceeded'],
  contractTooManyTransactions: [
    154,
    'ERRCODE_CONTRACT_TOO_MANY_TRANSACTIONS',
    'Transactions submitted from the contract exceed the limit',
  ],
  contractExpired: [155, 'ERRCODE_CONTRACT_EXECUTE_EXPIRED', 'Contract expired'],
  queueRefused: [160, 'ERRCODE_TX_INSERT_QUEUE_FAIL', 'Failed to insert the transaction into the buffer'],
} as const satisfies Record<string, readonly [number, string, string]>;

export type CodeName = keyof typeof table;

/** Why a rule said no: the code and what exactly it objected to. A value, never thrown. */
export interface Refusal {
  readonly code: number;
  readonly description: string;
  /** The description is a JSON text that clients parse: nothing may be put around it. */
  readonly isDocument?: true;
}

export const codes = Object.fromEntries(Object.entries(table).map(([name, [code]]) => [name, code])) as {
  readonly [Name in CodeName]: (typeof table)[Name][0];
};

/** The table as rows, for documentation and clients. */
export const codeRows = Object.values(table).map(([code, name, meaning]) => ({ code, name, meaning }));

export function refuse(name: CodeName, detail?: string): Refusal {
  return { code: table[name][0], description: detail ?? table[name][2] };
}
