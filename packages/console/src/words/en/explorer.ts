/** Words of the explorer: blocks, transactions, accounts, proofs. */
import { pluralsOf } from '../../text/plurals.ts';

const counted = pluralsOf('en');
const blocksText = (count: number): string =>
  counted(count, { one: (text) => `${text} block`, other: (text) => `${text} blocks` });
const transactionsText = (count: number): string =>
  counted(count, { one: (text) => `${text} transaction`, other: (text) => `${text} transactions` });

export const explorerEn = {
  point: '.',
  places: 'Lists of the ledger',
  search: 'Search in the ledger',
  searchHint: 'Address, DID, transaction, block, credential or name',
  foundCount: (count: number) =>
    counted(count, { one: (text) => `${text} thing found`, other: (text) => `${text} things found` }),
  foundNone: (text: string) => `Nothing on this ledger is called “${text}”.`,
  kinds: {
    block: 'Block',
    transaction: 'Transaction',
    account: 'Account',
    did: 'DID',
    profile: 'Name',
    credential: 'Credential',
  },
  tape: {
    block: 'block,',
    transactions: 'transactions',
    accounts: 'accounts',
    between: 'between the last blocks',
    gasPrice: 'gas price',
  },
  validators: (count: number) =>
    counted(count, { one: (text) => `${text} validator`, other: (text) => `${text} validators` }),
  noIndex: 'This node keeps no index for an explorer, so there are no lists and no charts.',
  indexBehind: (reached: string, newest: string) =>
    `The index has reached block ${reached} of ${newest}. What is newer shows up as soon as it is read.`,
  charts: {
    range: 'How many blocks',
    blocks: (count: number) => blocksText(count),
    transactions: 'Transactions per block',
    transactionsSay: (blocks: number, sum: string, most: string, failed: string) =>
      `${sum} transactions in the last ${blocksText(blocks)}, at most ${most} in one. ${failed} failed.`,
    tip: (transactions: number, fees: string) => `${transactionsText(transactions)}, ${fees}`,
    fees: 'Fees per block',
    feesSay: (blocks: number, sum: string) => `${sum} in the last ${blocksText(blocks)}.`,
    waiting: 'Pending',
    waitingSay: (seconds: number, most: string) =>
      counted(seconds, {
        one: (text) => `At most ${most} waited in the last ${text} second.`,
        other: (text) => `At most ${most} waited in the last ${text} seconds.`,
      }),
    times: 'Time between blocks',
    timesSay: (middle: string, least: string, most: string) =>
      `Half of them came within ${middle}, the fastest after ${least}, the slowest after ${most}.`,
    timesNone: 'There are no two blocks to measure between.',
  },
  asTable: (title: string) => `${title} as a table`,
  waitingNow: (count: number) => counted(count, { other: (text) => `${text} waiting` }),
  time: 'Time',
  blocks: 'Blocks',
  block: 'Block',
  age: 'Age',
  txs: 'Txs',
  fill: 'Fill',
  fees: 'Fees',
  fee: 'Fee',
  all: 'All',
  notLive: 'not live',
  transactions: 'Transactions',
  transaction: 'Transaction',
  accounts: 'Accounts',
  account: 'Account',
  contract: 'Contract',
  address: 'Address',
  kind: 'Kind',
  hash: 'Hash',
  size: 'Size',
  bytes: (count: number) =>
    counted(count, { one: (text) => `${text} byte`, other: (text) => `${text} bytes` }),
  first: 'the first block',
  show: 'Show',
  choices: { signed: 'Signed', failed: 'Failed', triggered: 'With those of contracts' },
  accountChoices: { accounts: 'All', contracts: 'Contracts' },
  noneFailed: 'No transaction has failed',
  noAccounts: 'There are none',
  createdIn: 'Created in',
  whatHappened: 'What happened',
  part: 'Its part',
  roles: {
    source: 'sends',
    operation_source: 'acts in it',
    destination: 'gets',
    created: 'created',
    contract: 'called',
    signer: 'signs for another',
  },
  executed: 'Executed',
  failed: 'Failed',
  waits: 'Waits for a block',
  waitsWhy:
    'The node has taken it into its queue. It is in no block yet, so nothing has happened. This page shows it as soon as it has.',
  failedCode: (code: number) => `failed, code ${code}`,
  failedOf: (count: number) => counted(count, { other: (text) => `${text} failed` }),
  failedWhy: (reason: string, code: number) => `${reason} (code ${code})`,
  didNothing: 'It did nothing but cost its fee. This is what it was to do:',
  unreadable: 'This transaction cannot be read here',
  triggeredCount: (count: number) =>
    counted(count, {
      one: (text) => `Contracts sent ${text} more transaction for it`,
      other: (text) => `Contracts sent ${text} more transactions for it`,
    }),
  triggeredBy: 'Sent by a contract, on behalf of transaction',
  effectsElsewhere: 'What it changed is part of the transaction that caused it',
  by: 'by',
  noHash: 'This is no hash of a transaction',
  noHashWhy: 'A hash has 64 digits from 0 to 9 and a to f.',
  unknownHash: 'The ledger does not know this transaction',
  unknownHashWhy:
    'It is in no block and in no queue of this node. Either it was never submitted here, or it left the queue long ago. If it comes, this page shows it.',
  leftQueue: 'It left the queue and is in no block',
  leftQueueWhy: (reason: string, code: number) => `The node says: ${reason} (code ${code}).`,
  tabs: {
    overview: 'Overview',
    operations: 'Operations',
    changes: 'State changes',
    signatures: 'Signatures',
    logs: 'Logs',
    raw: 'Raw',
  },
  does: 'What it does',
  wouldDo: 'What it was to do',
  changed: 'What changed',
  moreOperations: (count: number) =>
    counted(count, {
      one: (text) => `${text} more operation stands under Operations.`,
      other: (text) => `${text} more operations stand under Operations.`,
    }),
  texts: { input: 'Input', value: 'Value', code: 'Code', data: 'Data' },
  cutAt: (count: string) => `${count} more characters are not shown. Copying takes all of them.`,
  leftOut: (count: number) => counted(count, { other: (text) => `${text} more are not shown.` }),
  notShown: (count: number) =>
    counted(count, {
      one: (text) => `The node left ${text} changed entry out of its answer.`,
      other: (text) => `The node left ${text} changed entries out of its answer.`,
    }),
  textsCut: (count: number) =>
    counted(count, {
      one: (text) => `${text} long text is cut by the node.`,
      other: (text) => `${text} long texts are cut by the node.`,
    }),
  noChanges: 'It changed nothing',
  created: 'created',
  deleted: 'deleted',
  was: 'was',
  is: 'is',
  more: 'more',
  less: 'less',
  balance: 'Balance',
  nonce: 'Nonce',
  privileges: 'Who signs for it',
  code: 'Code',
  characters: (count: number) => counted(count, { other: (text) => `${text} characters` }),
  from: 'From',
  signedBy: 'Signed by',
  handedIn: 'Handed in by another account, which paid for it:',
  remarkHashed: 'The remark itself is not on the ledger, only its salted hash.',
  life: 'Its life on the ledger',
  lifeSteps: {
    issued: 'Issued',
    active: 'In force',
    suspended: 'Suspended',
    revoked: 'Revoked',
    executed: 'Executed',
    failed: 'Failed',
    signed: 'Signed by validators',
  },
  lifeBetween:
    'The ledger keeps the issuing and the last change only. Whether it was suspended or reinstated in between is not told here.',
  thisOne: 'this transaction',
  toCome: 'still to come',
  credential: 'The credential',
  credentialPage: 'What the ledger says of it',
  holderNot: 'As it is now. Whose it is and what it says is not on the ledger.',
  ofAtMost: 'of at most',
  atMost: 'Fee, at most',
  note: 'Note',
  mayWait: 'May wait',
  anyBlock: 'without a limit of its own',
  untilBlock: 'until block',
  signedBytes: 'What was signed, in bytes',
  final: 'Final',
  sinceBlock: 'Since its block',
  blocksFollow: (count: number) =>
    counted(count, { one: (text) => `${text} block follows`, other: (text) => `${text} blocks follow` }),
  unsigned: 'Nobody signed it',
  unsignedWhy: 'A contract sent it. Whoever signed the transaction that called the contract answers for it.',
  unknownKey: 'A key that cannot be read',
  publicKey: 'Public key',
  signature: 'Signature',
  noLogs: 'No logs',
  noLogsWhy: 'Contracts write logs for whoever follows them. This transaction caused none.',
  noBlock: 'There is no such block',
  noBlockNumber: 'Blocks are numbered from 1.',
  noBlockYet: (block: string) => `${block} is not closed yet. When it is, it shows up here by itself.`,
  blockBefore: 'Block before',
  blockAfter: 'Next block',
  emptyBlock: 'No transactions in this block',
  closed: 'Closed',
  before: 'After',
  nothing: 'nothing',
  stateRoot: 'State root',
  since: 'In all',
  sinceFirst: (count: number) => `${transactionsText(count)} since the first block`,
  version: 'Version',
  accountAt: (address: string) => `Account ${address}`,
  contractAt: (address: string) => `Contract ${address}`,
  accountTabs: { transactions: 'Transactions', keeps: 'Assets and metadata', contract: 'Contract' },
  noAccount: 'The ledger has no such account',
  noAccountWhy: 'The address is well formed. The account does not exist yet; paying creates it.',
  noAddress: 'This is no address of this ledger',
  noAddressWhy:
    'Was all of it copied? An address has a checksum, and this has none that fits. Nothing was asked.',
  words: {
    itself: 'It calls itself so. Nobody has confirmed it.',
    ledger: 'It calls itself so on the ledger. Nobody has confirmed it.',
    operator: 'The operator of this service stands for the name.',
  },
  looksLike: 'Its name looks like another one',
  ownKey: 'Its own key alone.',
  codeAlone: 'Nobody. Its code alone decides what it does.',
  nobodySigns: 'Nobody can: no weights together reach what is needed.',
  weightNeeded: (needed: string) => `Whoever signs must have a weight of ${needed} together.`,
  weight: (weight: string) => `weight ${weight}`,
  typeNeeds: (operation: string, needed: string) => `To ${operation} it takes ${needed}.`,
  operations: {
    type1: 'create accounts',
    type2: 'issue assets',
    type3: 'send assets',
    type4: 'write metadata',
    type7: 'pay',
    type8: 'write logs',
    type9: 'change who signs',
    type10: 'upgrade a contract',
  },
  assets: 'Assets',
  noAssets: 'The ledger keeps no assets for it but its coins.',
  noTokens:
    'What contracts keep for it, such as tokens, stands in the storage of each contract and is not listed here.',
  tokenAt: (name: string, symbol: string) => `${name} (${symbol})`,
  asset: 'Asset',
  issuer: 'Issued by',
  amount: 'Amount',
  metadata: 'Metadata',
  noMetadata: 'It has written nothing.',
  storage: 'Storage',
  entryKey: 'Key of an entry',
  readEntry: 'Read',
  noEntry: 'There is no entry under this key',
  value: 'Value',
  issuesElsewhere:
    'Credentials that it issues are signed by it and handed in by another account, the one of the service as a rule. All of them:',
  csv: 'CSV',
  fileCut: (rows: number) =>
    counted(rows, { other: (text) => `The file ends after ${text} rows. The list goes on.` }),
  noFile: 'No file was made.',
  noPart: 'It had part in no transaction',
  upgradedBy: 'May be changed by',
  linesLeft: (count: number) =>
    counted(count, {
      one: (text) => `${text} more line. Copying takes all of them.`,
      other: (text) => `${text} more lines. Copying takes all of them.`,
    }),
  askContract: 'Ask the contract',
  input: 'Input',
  methods: 'Its code names',
  ask: 'Ask',
  askWhy: 'Asking changes nothing and costs nothing.',
  callInLab: 'Call it with a payment',
  answer: 'Answer',
  steps: (count: string) => `${count} steps`,
  contractRefused: 'The contract did not answer. Nothing changed.',
  whatWaits: 'What waits',
  waitsSince: 'Since',
  nothingWaits: 'Nothing waits',
  nothingWaitsWhy:
    'A transaction stays here only until the next block, often less than a second. New ones show up by themselves.',
  validatorsSay: (count: number, quorum: number) =>
    `${counted(count, { one: (text) => `${text} validator makes`, other: (text) => `${text} validators make` })} the blocks. ${counted(quorum, { other: (text) => `${text} must agree` })} on each.`,
  ofLast: (blocks: number) =>
    counted(blocks, {
      one: (text) => `of the last ${text} block`,
      other: (text) => `of the last ${text} blocks`,
    }),
  signedOf: (signed: number, blocks: number) => `signed ${signed} of ${blocks}`,
  leads: 'Leads now',
  pledge: 'Pledge',
  consensus: 'Consensus',
  quorum: 'Must agree',
  faults: 'May fail',
  view: 'View',
  setHash: 'Hash of the set',
  proof: {
    button: 'Prove it',
    stateProven: 'Proven in this browser',
    provenThen: (block: string) => `Proven for block ${block}; what is shown now is not`,
    executedProven: 'Proven in this browser: it is in this block, and it was executed',
    failedProven: 'Proven in this browser: it is in this block, and it failed',
    effectsNot:
      'Who signed it, what it changed, what it cost and when is what the node says. What the state holds now is proven on the pages of the accounts.',
    waiting: 'Right so far. The last step waits for blocks to come.',
    refused: 'Not proven. What the node answered does not hold.',
    refusedDo:
      'Do not rely on what this page shows. The node is damaged or dishonest, or somebody changed its answer on the way.',
    lies: {
      differs: 'Contradiction. The page shows something else than what is proven.',
      outdated: 'Not proven. The proof is of an older block than the newest one.',
    },
    compared: {
      differs:
        'For the same block, the node answers otherwise than it proves. Do not rely on what this page shows.',
      outdated:
        'The node proves how it was in a block before one that it had told of already. What is so now it does not prove: do not rely on what this page shows.',
      since: 'The node says something else since. That is its word alone: read again to have it proven.',
      unclear: 'Not compared: blocks came while it was read, and the page shows another value.',
    },
    again: 'Read again',
    states: { holds: 'Holds', fails: 'Does not hold', waits: 'Waits' },
    holds: {
      entry: (block: string) => `The value hashes up to the root of the state after block ${block}.`,
      header: (block: string) =>
        `The hash of block ${block}, made here from its header with that root and from its transactions, is the one it is known by.`,
      signature: (block: string, next: string) =>
        `Block ${block} names that hash as the one before it, and a validator signed block ${block}. Block ${next} carries the signature.`,
      contents: (block: string, next: string) =>
        `A validator signed what block ${block} holds and which of it failed. Block ${next} carries the signature.`,
      member: (block: string) =>
        `Among what was signed in block ${block} is a transaction whose bytes have this hash. It is the one shown, and it ended as shown.`,
    },
    fails: {
      entry: (block: string) => `The value does not lead to the root of the state after block ${block}.`,
      header: (block: string) =>
        `The header with that root and the transactions of block ${block} make another hash than the one it is known by.`,
      signature: (block: string, next: string) =>
        `Block ${block} does not name that hash, or block ${next} carries no signature of a validator for it.`,
      contents: (block: string, next: string) =>
        `Block ${next} carries no signature of a validator for what the node says block ${block} holds.`,
      member: (block: string) =>
        `Among what was signed in block ${block} is no such transaction, or it is not as shown.`,
    },
    waits: {
      signature: (block: string, next: string) =>
        `Still to come: block ${block}, which must name that hash, and block ${next}, which must carry a signature for it.`,
      contents: (block: string, next: string) =>
        `Still to come: block ${next}, which must carry the signature for block ${block}.`,
    },
    signedBy: 'Signed by',
    says: 'By the proof the state holds:',
    wouldSay: 'If the last step holds, too, the state holds:',
    absent: 'nothing under this key.',
    restsOn: (count: number) =>
      counted(count, {
        one: (text) =>
          `It rests on who validates. This node names ${text} address: compare it with what you know from elsewhere.`,
        other: (text) =>
          `It rests on who validates. This node names ${text} addresses: compare them with what you know from elsewhere.`,
      }),
  },
} as const;
