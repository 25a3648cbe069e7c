/** What members of the explorer's replies mean, where they are not those of the ledger's other replies. */
import type { Words } from './vocabulary.ts';

const cut = 'at most 160 characters of it';
const place =
  'Its place among the transactions of the block, those that contracts triggered included; from 0.';
const waited = 'How many transactions waited';

export const explorerWords: Words = {
  // Pages
  next_cursor: 'What the next page is asked for with; null on the last one.',
  'searchLedger.next_cursor': 'Always null: a search has one page.',
  indexed_seq: 'Last block that the index knows; what came later is not in this answer.',
  head_seq: 'Last block of the chain.',
  accounts: 'The accounts, the youngest first.',
  ledgers: 'The blocks, newest first.',
  'searchLedger.result.results': 'What was found, at most 20: blocks, transactions, then accounts.',
  kind: 'What was found.',
  'results.hash': 'Hash of the block or the transaction.',
  'results.seq': 'Number of the block that was found.',
  'results.ledger_seq': 'Block of the transaction that was found.',

  // Transactions in short
  'ShortTransaction.index': place,
  'AccountTransaction.index': place,
  'ShortTransaction.error_code': '0 if the transaction succeeded; else why it failed.',
  'AccountTransaction.error_code': '0 if the transaction succeeded; else why it failed.',
  'ShortTransaction.operations': 'The first operations in short, at most 4.',
  'AccountTransaction.operations': 'The first operations in short, at most 4.',
  'ShortTransaction.nonce': 'Sequence number of the sender.',
  'AccountTransaction.nonce': 'Sequence number of the sender.',
  roles:
    'Which part the account had: source, source of an operation, destination, created by it, contract that was called, or signer for somebody else.',
  signature_count: 'How many signatures it carries.',
  triggered_count: 'How many transactions contracts sent while it ran, or while those of the block did.',
  triggered_by:
    'Hash of the transaction from which the contract was called; absent where somebody signed it.',
  operation_count: 'How many operations there are.',
  'ShortOperation.type': 'Code of the operation.',
  'ShortOperation.dest_address': 'Account that the operation is about, besides its source.',
  'ShortOperation.amount': 'How much, in the smallest unit of what is paid or issued.',
  'ShortOperation.asset': 'Which asset is paid; absent where it is Gas.',
  'ShortOperation.code': 'Code of the asset that is issued.',
  'ShortOperation.key': `Name of the metadata entry, ${cut}.`,
  'ShortOperation.topic': 'What the record is about.',
  'ShortOperation.input': `Text that was handed to the contract, ${cut}.`,
  is_deletion: 'true where the metadata entry is removed.',
  creates_contract: 'true where a contract is made.',
  calls_contract: 'true where the destination has code, which was run.',
  is_cut: 'true where a text is longer than what is shown of it.',

  // Accounts and blocks
  created_seq: 'Block in which the account came into being.',
  is_contract: 'Whether the account has code.',
  'ListedAccount.transaction_count': 'How many transactions the account had part in.',
  'BlockFigures.hash': 'Hash of the block in hex.',
  block_time: 'Microseconds since the block before closed; 0 where that is not known.',
  'BlockFigures.transaction_count': 'How many signed transactions the block has.',
  failed_count: 'How many of them failed.',
  'BlockFigures.fees': 'What they cost together, in UGas.',
  size: 'Bytes of its transactions, those that contracts triggered included.',
  signer_count: 'How many accounts signed something in it.',
  accounts_created: 'How many accounts came into being in it.',

  // The overview
  'getExplorerOverview.result.close_time': 'When the last block closed, in microseconds since 1970.',
  validator_count: 'How many accounts make blocks.',
  waiting_count: `${waited} when this was asked.`,
  waiting_lately: `${waited} in each of the last seconds, 300 at most, the oldest first.`,
  'waiting_lately.time': 'End of the second, in milliseconds since 1970.',
  waiting: 'The most that waited at one time in the second.',
  'getExplorerOverview.result.index':
    'What the index has counted so far; null where the node keeps none, or has not begun with it.',
  'index.fees': 'What all transactions cost together, in UGas.',
  contract_count: 'How many of the accounts are contracts.',

  // What a transaction changed
  'getTransactionEffects.result.hash':
    'Hash of the signed transaction; if one that a contract triggered was asked for, of the one that caused it.',
  'getTransactionEffects.result.index': place,
  'getTransactionEffects.result.error_code': '0 if the transaction succeeded; else why it failed.',
  'getTransactionEffects.result.error_desc':
    'What exactly failed; of a success what it says of new contracts.',
  'getTransactionEffects.result.accounts':
    'Accounts that it changed, and what of them. What validators earn by it belongs to the block.',
  is_created: 'true where the transaction made the account.',
  'ChangedAccount.balance': 'Gas before and after, in UGas; absent where it stayed.',
  'ChangedAccount.nonce': 'Sequence number before and after; absent where it stayed.',
  'ChangedAccount.assets': 'Amounts of assets that changed.',
  'ChangedAccount.metadatas': 'Metadata entries that changed; those of a contract are its storage.',
  'ChangedAccount.priv': 'Who controls the account, before and after; absent where it stayed.',
  'ChangedAccount.contract': 'Code and owner before and after; absent where they stayed.',
  before: 'What stood there before; null or 0 where nothing did.',
  after: 'What stood there afterwards; null or 0 where nothing does.',
  'metadatas.key': 'Name of the metadata entry.',
  'before.value': 'Content of the metadata entry, at most 4,096 characters of it.',
  'after.value': 'Content of the metadata entry, at most 4,096 characters of it.',
  value_chars: 'How many characters the whole content has.',
  payload: 'Source code of the contract, at most 4,096 characters of it.',
  payload_chars: 'How many characters the whole code has.',
  'getTransactionEffects.result.logs': 'What was logged, by the transaction and by contracts; at most 100.',
  'logs.hash': 'Hash of the transaction that has the log: the signed one, or one of the triggered.',
  'logs.address': 'Account that logged.',
  'logs.topic': 'What the record is about.',
  'logs.datas': 'The texts that were logged.',
  triggered: 'Transactions that contracts sent while it ran, in the order of execution.',
  'triggered.hash': 'Hash of the triggered transaction.',
  changes_left_out: 'How many changed entries are not shown: at most 200 are.',
  logs_left_out: 'How many logs are not shown.',
  texts_cut: 'How many texts are not shown whole.',
};
