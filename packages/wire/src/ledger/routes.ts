/**
 * The routes of the ledger node, one row each. Server, batch query, typed clients and the OpenAPI document come from
 * this table. The real node's log level, debug and file routes are left out: an open port is no place for
 * administration.
 */
import type { CodeName } from '@symbolon/core/ledger/terms/codes';
import * as z from 'zod';
import { defineRoute, type Handlers } from '../http/ledger-route.ts';
import { explorerRoutes } from './explorer/routes.ts';
import { multiQueryRefused, readMultiQuery } from './multi-query.ts';
import * as nodeReplies from './node-schemas.ts';
import { queryParameters as parameters } from './parameters.ts';
import * as requests from './requests.ts';
import * as schemas from './schemas.ts';
import { submitRefused, transactionsRefused } from './transaction-replies.ts';
import { readBlob, readSubmit, readTest, readTransactionToEncode } from './transaction-requests.ts';

/** How operations, and what contracts do, fail when they are tried out. */
const executionCodes = [
  'notFound',
  'mathOverflow',
  'invalidAsset',
  'weightTooLow',
  'invalidAddress',
  'lowBalance',
  'sourceIsDestination',
  'destinationExists',
  'accountMissing',
  'lowAsset',
  'assetTooLarge',
  'lowInitialBalance',
  'badMetadataVersion',
  'contractFailed',
  'contractSyntax',
  'contractTooDeep',
  'contractTooManyTransactions',
  'contractExpired',
] as const satisfies readonly CodeName[];

const accountRoutes = {
  getGenesisAccount: defineRoute({
    group: 'account',
    summary: 'The account a new chain begins with',
    query: parameters.none,
    reply: schemas.enveloped(schemas.account),
    read: requests.readNothing,
  }),
  createKeyPair: defineRoute({
    group: 'account',
    summary: 'Makes a key pair, for tests only: whoever runs the node could keep the private key',
    aliases: ['createAccount'],
    query: parameters.keyPair,
    reply: schemas.enveloped(
      z.looseObject({
        address: z.string(),
        private_key: z.string(),
        public_key: z.string(),
        public_key_raw: z.string(),
        sign_type: z.string(),
      }),
    ),
    read: requests.readKeyPair,
  }),
  getAccount: defineRoute({
    group: 'account',
    summary: 'An account with its assets and metadata',
    query: parameters.account,
    reply: schemas.enveloped(schemas.account),
    codes: ['notFound'],
    read: requests.readAccount,
  }),
  getAccountBase: defineRoute({
    group: 'account',
    summary: 'An account without its assets and metadata; for reading the nonce',
    query: parameters.address,
    reply: schemas.enveloped(schemas.accountBase),
    codes: ['notFound'],
    read: requests.readAddress,
  }),
  getAccountAssets: defineRoute({
    group: 'account',
    summary: 'The assets of an account, or one of them',
    query: parameters.assets,
    reply: schemas.enveloped(z.union([z.array(schemas.asset), z.looseObject({ asset: schemas.asset })])),
    codes: ['notFound'],
    read: requests.readAssets,
  }),
  getAccountMetaData: defineRoute({
    group: 'account',
    summary: 'The metadata of an account by key',
    aliases: ['getAccountMetadata'],
    query: parameters.metadata,
    reply: schemas.enveloped(z.record(z.string(), schemas.metadataEntry)),
    codes: ['notFound'],
    read: requests.readMetadataQuery,
  }),
  getAddress: defineRoute({
    group: 'account',
    summary: 'The address of a key; the private form is for tests only',
    query: parameters.addressOfKey,
    reply: schemas.enveloped(
      z.looseObject({
        address: z.string(),
        public_key: z.string(),
        sign_type: z.string(),
        private_key: z.string().optional(),
        private_raw: z.string().optional(),
        public_key_raw: z.string().optional(),
      }),
    ),
    codes: ['invalidPublicKey', 'invalidPrivateKey'],
    read: requests.readAddressOfKey,
  }),
  getStateProof: defineRoute({
    group: 'account',
    summary: 'A state entry with the proof that binds it, or its absence, to a ledger header',
    query: parameters.stateProof,
    reply: schemas.enveloped(
      z.looseObject({
        header: schemas.ledgerHeader,
        ledger_seq: schemas.int64Field,
        proof: z
          .string()
          .describe('The way from the entry to the root: bytes in base64, which the SDK checks'),
        root: z.string().describe('The account_tree_hash of the header'),
        state_key: z.string(),
        value: z.string().nullable().describe('The stored bytes in hex; null proves absence'),
      }),
    ),
    read: requests.readStateProof,
  }),
};

const transactionRoutes = {
  getTransactionHistory: defineRoute({
    group: 'transaction',
    summary: 'Executed transactions, by hash and block together, or the newest',
    query: parameters.history,
    reply: schemas.transactionList(schemas.executedTransaction),
    codes: ['notFound'],
    read: requests.readHistory,
    refused: transactionsRefused,
  }),
  getTransactionCache: defineRoute({
    group: 'transaction',
    summary: 'Submitted transactions that are not executed yet; a hash prevails over the limit',
    query: parameters.cache,
    reply: schemas.transactionList(schemas.waitingTransaction),
    codes: ['notFound', 'timeout', 'weightTooLow', 'lowBalance', 'queueRefused'],
    read: requests.readCache,
    refused: transactionsRefused,
  }),
  getTransactionBlob: defineRoute({
    group: 'transaction',
    summary: 'Serializes a transaction and names its hash',
    query: parameters.none,
    body: z.looseObject({ transfer: schemas.transaction.describe('May also be the body itself') }),
    reply: schemas.enveloped(z.looseObject({ hash: z.string(), transaction_blob: z.string() })),
    codes: ['noOperations', 'tooManyOperations'],
    read: readTransactionToEncode,
  }),
  getTransactionFromBlob: defineRoute({
    group: 'transaction',
    summary: 'Shows what a blob says',
    query: parameters.blob,
    reply: schemas.executedTransaction,
    read: readBlob,
  }),
  submitTransaction: defineRoute({
    group: 'transaction',
    summary: 'Submits signed transactions: one flat, or a list of items',
    query: parameters.none,
    body: z.union([
      z.looseObject({ transaction_blob: z.string(), sign_data: z.string(), public_key: z.string() }),
      z.looseObject({ items: z.array(schemas.submitItem) }),
    ]),
    reply: schemas.submitReplySchema,
    codes: [
      'alreadyExists',
      'timeout',
      'mathOverflow',
      'expressionFalse',
      'expressionError',
      'invalidPublicKey',
      'invalidPrivateKey',
      'invalidAsset',
      'weightTooLow',
      'invalidAddress',
      'noOperations',
      'tooManyOperations',
      'badNonce',
      'lowBalance',
      'sourceIsDestination',
      'accountMissing',
      'feeTooLow',
      'queueFull',
      'invalidWeight',
      'invalidThreshold',
      'badMetadataVersion',
      'transactionTooBig',
      'contractSyntax',
      'queueRefused',
    ],
    read: readSubmit,
    refused: submitRefused,
  }),
  testTransaction: defineRoute({
    group: 'transaction',
    summary: 'Evaluates a transaction and its fee without executing it',
    query: parameters.none,
    body: z.union([
      schemas.transaction.extend(schemas.evaluationMembers),
      z.looseObject({ items: z.array(schemas.submitItem.extend(schemas.evaluationMembers)).length(1) }),
    ]),
    reply: schemas.trialReply,
    codes: [
      'timeout',
      'expressionFalse',
      'expressionError',
      'noOperations',
      'tooManyOperations',
      'badNonce',
      'invalidWeight',
      'invalidThreshold',
      'transactionTooBig',
      ...executionCodes,
    ],
    read: readTest,
    malformed: submitRefused,
  }),
  getContractTx: defineRoute({
    group: 'transaction',
    summary: 'Kept for older clients: always an empty list',
    query: parameters.page,
    reply: schemas.enveloped(z.looseObject({ transactions: z.array(z.never()) })),
    read: requests.readPageRange,
  }),
};

const ledgerQueryRoutes = {
  getLedger: defineRoute({
    group: 'ledger',
    summary: 'A block header with what is asked for beside it',
    query: parameters.ledger,
    reply: schemas.enveloped(schemas.ledger),
    codes: ['notFound'],
    read: requests.readLedger,
  }),
  getLedgerValidators: defineRoute({
    group: 'ledger',
    summary: 'The validators of a block with their pledges',
    query: parameters.ledgerSeq,
    reply: schemas.enveloped(z.looseObject({ validators: z.array(schemas.validator) })),
    codes: ['notFound'],
    read: requests.readLedgerSeq,
  }),
  getLightBlock: defineRoute({
    group: 'ledger',
    summary: 'What the validators of a network signed at the height of a block, as CometBFT spells it',
    query: parameters.ledgerSeq,
    reply: schemas.enveloped(
      z.looseObject({
        signed_header: z.looseObject({ header: z.looseObject({}), commit: z.looseObject({}) }),
        validators: z.array(z.looseObject({})),
      }),
    ),
    codes: ['notFound'],
    read: requests.readLedgerSeq,
  }),
  callContract: defineRoute({
    group: 'contract',
    summary: 'Runs a contract in a sandbox: no state changes, no fee',
    query: parameters.none,
    body: schemas.callContractBody,
    reply: schemas.trialReply,
    codes: ['timeout', 'feeTooLow', ...executionCodes],
    read: requests.readCallContract,
    malformed: submitRefused,
  }),
};

const nodeRoutes = {
  multiQuery: defineRoute({
    group: 'node',
    summary: 'Several queries in one request',
    query: parameters.none,
    body: z.looseObject({ items: z.array(schemas.multiQueryItem).max(100) }),
    reply: z.looseObject({
      error_code: z.int(),
      error_desc: z.string(),
      results: z
        .array(z.looseObject({ error_code: z.int(), error_desc: z.string(), result: z.unknown() }).partial())
        .nullable(),
    }),
    read: readMultiQuery,
    refused: multiQueryRefused,
  }),
  hello: defineRoute({
    group: 'node',
    summary: 'Versions and ports of the node, without envelope',
    query: parameters.none,
    reply: nodeReplies.hello,
    read: requests.readNothing,
  }),
  getStatus: defineRoute({
    group: 'node',
    summary: 'How many transactions and accounts the chain has',
    query: parameters.none,
    reply: schemas.enveloped(
      z.looseObject({ account_count: schemas.int64Field, transaction_count: schemas.int64Field }),
    ),
    read: requests.readNothing,
  }),
  getModulesStatus: defineRoute({
    group: 'node',
    summary: 'The state of the parts of the node, without envelope',
    query: parameters.none,
    reply: nodeReplies.modulesStatus,
    read: requests.readNothing,
  }),
  getConsensusInfo: defineRoute({
    group: 'node',
    summary: 'Who makes blocks, without envelope',
    query: parameters.none,
    reply: nodeReplies.consensusInfo,
    read: requests.readNothing,
  }),
  getPeerAddresses: defineRoute({
    group: 'node',
    summary: 'The peers this node knows',
    query: parameters.none,
    reply: schemas.enveloped(
      z.looseObject({ peers: z.array(z.looseObject({ ip: z.string(), port: z.int() })) }),
    ),
    read: requests.readNothing,
  }),
};

export const ledgerRoutes = {
  ...accountRoutes,
  ...transactionRoutes,
  ...ledgerQueryRoutes,
  ...explorerRoutes,
  ...nodeRoutes,
};

export type LedgerHandlers = Handlers<typeof ledgerRoutes>;
