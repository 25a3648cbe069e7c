/**
 * The numbers that docs/scale.md reckons with, each with where it is from. Put your own here, then `npm run documents`
 * writes the tables anew.
 */

export type Source =
  /** By this project, on the machine that docs/scale.md names. */
  | 'measured'
  /** A bound that the program or a rule of the chain sets. */
  | 'limit'
  /** Said by others of their own software. */
  | 'published'
  /** Taken for granted here: replace it first. */
  | 'assumed';

export interface Figure {
  readonly value: number;
  readonly unit: string;
  readonly about: string;
  readonly source: Source;
  readonly from: string;
}

const measured = (value: number, unit: string, about: string, from: string): Figure => ({
  ...{ value, unit, about, from },
  source: 'measured',
});
const limit = (value: number, unit: string, about: string, from: string): Figure => ({
  ...{ value, unit, about, from },
  source: 'limit',
});
const published = (value: number, unit: string, about: string, from: string): Figure => ({
  ...{ value, unit, about, from },
  source: 'published',
});
const assumed = (value: number, unit: string, about: string, from: string): Figure => ({
  ...{ value, unit, about, from },
  source: 'assumed',
});

const service = 'bench `service`';
const storage = 'bench `storage`';
const network = 'bench `network`';

export const figures = {
  issueMs: measured(17, 'CPU ms', 'an issue (apply, create, submit) at the service', service),
  issueMainMs: measured(8.5, 'CPU ms', 'of that, on the main thread of its process', service),
  verifyMs: measured(
    12,
    'CPU ms',
    'a verification without a range at the service, node and callers included',
    service,
  ),
  rangeMs: measured(33, 'CPU ms', 'what a range (Bulletproofs++) takes to verify', 'bench `credentials`'),
  verifyMainShare: assumed(0.4, '', 'of a verification, on the main thread', 'bench `replicas`, a short run'),
  recordUs: assumed(
    1_500,
    'CPU us',
    'recording a credential, at each node that executes it',
    'twice a token transfer at its dearest',
  ),
  transferUs: measured(660, 'CPU us', 'a coin transfer, at each validator', network),
  transferMainUs: measured(
    112,
    'CPU us',
    'of that, on the main thread of a node, without HTTP and consensus',
    'bench `explorer`',
  ),
  databaseBytes: measured(19_000, 'bytes', 'a credential in PostgreSQL', storage),
  ledgerBytes: measured(1_700, 'bytes', 'a credential on the ledger, with the block that it shares', storage),
  ledgerBytesAlone: measured(2_400, 'bytes', 'a credential alone in its block', storage),
  blockBytes: measured(
    16_000,
    'bytes',
    'a block without transactions at one of four validators, as it is written: 4,000 by the node, 12,000 by its CometBFT',
    storage,
  ),
  commitSigBytes: published(
    109,
    'bytes',
    'what a block holds of each validator at most (`MaxCommitSigBytes`)',
    'CometBFT',
  ),
  voteBytes: assumed(200, 'bytes', 'a vote on its way', 'signature, block, place and time'),
  voteCheckUs: assumed(100, 'CPU us', 'checking the signature of a vote', 'Ed25519 takes 150 us in Node'),
  proofNodeBytes: limit(32, 'bytes', 'a level of a state proof', 'SHA-256'),
  proofLevelsMore: measured(
    2,
    'levels',
    'more than the logarithm of the number of entries, at 10^6',
    'bench `ledger`',
  ),
  entriesEach: assumed(
    3,
    'entries',
    "of the ledger's state for a credential",
    'its own, and a share of those of issuers and templates',
  ),
  stateBytes: assumed(
    1_200,
    'bytes',
    "a credential in the ledger's state: what a snapshot holds of it",
    "terms, commitment and signature as JSON, and the tree's own",
  ),
  lightBaseBytes: measured(1_210, 'bytes', 'a light block without its validators', storage),
  lightEachBytes: measured(431, 'bytes', 'what every validator adds to it', storage),
  entriesProven: limit(
    4,
    'proofs',
    'of state that a verification needs for a credential at most',
    'docs/sdk.md',
  ),
  perTransaction: limit(100, 'credentials', 'in one transaction of the registrar', 'docs/credentials.md'),
  registrarSteps: limit(7_900, 'steps', 'such a transaction of 100 takes', 'docs/credentials.md'),
  blockSteps: limit(81_920, 'steps', 'of contracts in a block', 'docs/ledger.md'),
  blockTransactions: limit(2_000, 'transactions', 'in a block', 'docs/ledger.md'),
  soloTurnMs: assumed(
    51,
    'ms',
    'a transaction of the registrar on its way, to a node alone',
    'at most: bench `service` has 77 ms for an issue, which waits for one and a half',
  ),
  networkTurnMs: assumed(
    2_000,
    'ms',
    'the same in a network that waits a second after a block',
    'a block and a half',
  ),
  blockMs: assumed(1_300, 'ms', 'from block to block in such a network', 'a second, and agreeing'),
  busyShare: assumed(
    0.6,
    '',
    "of a core's time that is planned with",
    'the rest is for peaks and for a machine that is lost',
  ),
  coresEach: assumed(
    4,
    'cores',
    'of a machine that runs one replica',
    'half for proofs, half for everything else',
  ),
  connectionsEach: limit(22, 'connections', 'of PostgreSQL for a replica', 'docs/operations.md'),
  snapshotBytesPerSecond: assumed(
    20_000_000,
    'bytes/s',
    'a snapshot is taken, sent or applied',
    'a core that hashes and a disk that others use',
  ),
  validatorsMax: limit(100, 'validators', 'in a network', 'docs/ledger.md'),
} as const satisfies Readonly<Record<string, Figure>>;

export type FigureName = keyof typeof figures;
