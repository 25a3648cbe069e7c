/**
 * Forged and contradicting blocks, each with exactly one thing wrong, and for what they are refused: a table that whoever
 * verifies blocks is put to, and what it is made with.
 */
import { lightLimits } from '../../limits/light.ts';
import { consensusHeaderHash, votingSetHash } from '../consensus-encoding.ts';
import type { CommitVote, ConsensusHeader, LightBlock } from '../light-block.ts';
import type { LightRefusalName, LightTerms, TrustedHash } from '../light-verification.ts';
import {
  chainStartMs,
  headerAt,
  inOrder,
  makeChain,
  sha256,
  signBlock,
  type TestValidator,
  testValidator,
} from './made-up-chain.ts';

export const four = ['ann', 'ben', 'cem', 'dot'].map((name) => testValidator(name, 10n));
export const [ann, ben, cem, dot] = four as [TestValidator, TestValidator, TestValidator, TestValidator];
const strangers = ['eve', 'fay', 'gus', 'hal'].map((name) => testValidator(name, 10n));
const eve = strangers[0] as TestValidator;
const order = { sets: Array(8).fill(four) as TestValidator[][] };
export const honestChain = makeChain(order) as [
  LightBlock,
  LightBlock,
  LightBlock,
  LightBlock,
  ...LightBlock[],
];
export const [trusted, next, , far] = honestChain;
export const terms: LightTerms = { nowMs: chainStartMs + 60_000, trustingPeriodMs: 3_600_000 };

const flipped = (bytes: Uint8Array): Uint8Array => bytes.with(0, (bytes[0] as number) ^ 1);

export const withVote = (
  block: LightBlock,
  index: number,
  change: (vote: CommitVote) => CommitVote,
): LightBlock => ({
  ...block,
  commit: {
    ...block.commit,
    votes: block.commit.votes.map((vote, at) => (at === index ? change(vote) : vote)),
  },
});

export const wrongly = (vote: CommitVote): CommitVote =>
  vote.kind === 'absent' ? vote : { ...vote, signature: flipped(vote.signature) };

/** The next block with another header, signed by the genuine validators: as if they had decided so. */
const decided = (header: Partial<ConsensusHeader>): LightBlock =>
  signBlock({ ...next.header, ...header }, four);

/** The next block with another header, whose commit still says the old hash. */
const relabelled = (header: Partial<ConsensusHeader>): LightBlock => ({
  ...next,
  header: { ...next.header, ...header },
});

/** A set that signs a block in the place of another: header and commit are in order, the way to it is not. */
export const usurped = (set: readonly TestValidator[], index: number, voters = set): LightBlock =>
  signBlock(
    {
      ...headerAt(order, index, (honestChain[index - 1] as LightBlock).commit.blockId),
      validatorsHash: votingSetHash(inOrder(set), sha256),
    },
    set,
    { voteOf: (one) => (voters.includes(one) ? 'block' : 'absent') },
  );

export const signedBy = (
  block: LightBlock,
  voters: readonly TestValidator[],
  kind: CommitVote['kind'] = 'absent',
) => signBlock(block.header, four, { voteOf: (one) => (voters.includes(one) ? 'block' : kind) });

const hash = sha256(Buffer.from('other'));
const later = (seconds: bigint) => ({ ...next.header.time, seconds: next.header.time.seconds + seconds });
/** What the header says otherwise than was signed. */
const fields: Readonly<Record<string, Partial<ConsensusHeader>>> = {
  'commit of the block before': { lastCommitHash: hash },
  transactions: { dataHash: hash },
  'validators of the next block': { nextValidatorsHash: hash },
  'rules of the consensus': { consensusHash: hash },
  'state of the ledger': { appHash: hash },
  results: { lastResultsHash: hash },
  evidence: { evidenceHash: hash },
  proposer: { proposerAddress: hash.slice(0, 20) },
  second: { time: later(1n) },
  nanosecond: { time: { ...next.header.time, nanos: 1 } },
  'version of the application': { version: { block: 11n, app: 2n } },
  'block before': { lastBlockId: { ...next.header.lastBlockId, hash } },
  'number of parts of the block before': { lastBlockId: { ...next.header.lastBlockId, partsTotal: 2 } },
};
/** Each with exactly one thing wrong, to somebody who believes `trusted`. */
export const forgedBlocks: readonly [what: string, block: LightBlock, name: LightRefusalName][] = [
  ...Object.entries(fields).map(([what, field]): [string, LightBlock, LightRefusalName] => [
    `another ${what} than was signed`,
    relabelled(field),
    'commitOfOtherBlock',
  ]),
  ['of another chain', decided({ chainId: 'made-up-2' }), 'otherChain'],
  ['of another version', decided({ version: { block: 12n, app: 1n } }), 'otherVersion'],
  [
    'of the same height',
    signBlock({ ...trusted.header, appHash: hash, time: later(5n) }, four),
    'heightNotAbove',
  ],
  ['of a lower height', decided({ height: 1n }), 'heightNotAbove'],
  ['of the same time', decided({ time: trusted.header.time }), 'timeNotAfter'],
  ['of an earlier time', decided({ time: later(-30n) }), 'timeNotAfter'],
  ['dated after now', decided({ time: later(3_600n) }), 'timeInFuture'],
  [
    'just too far ahead of the clock',
    decided({ time: { seconds: BigInt(terms.nowMs / 1_000 + 10), nanos: 0 } }),
    'timeInFuture',
  ],
  [
    'with the commit of another height',
    { ...next, commit: { ...next.commit, height: 4n } },
    'commitOfOtherHeight',
  ],
  [
    'with the commit of another block',
    { ...next, commit: { ...(far as LightBlock).commit, height: 3n } },
    'commitOfOtherBlock',
  ],
  ['with votes of another round', { ...next, commit: { ...next.commit, round: 1 } }, 'wrongSignatures'],
  [
    'with other parts than were signed',
    { ...next, commit: { ...next.commit, blockId: { ...next.commit.blockId, partsHash: hash } } },
    'wrongSignatures',
  ],
  [
    'with another number of parts than was signed',
    { ...next, commit: { ...next.commit, blockId: { ...next.commit.blockId, partsTotal: 9 } } },
    'wrongSignatures',
  ],
  ['with two wrong signatures of four', withVote(withVote(next, 0, wrongly), 3, wrongly), 'wrongSignatures'],
  [
    'with votes that were dated anew',
    [0, 1].reduce(
      (block, at) => withVote(block, at, (vote) => ({ ...vote, time: later(9n) }) as CommitVote),
      next,
    ),
    'wrongSignatures',
  ],
  [
    'with votes for no block that are said to be for it',
    [0, 1].reduce(
      (block, at) => withVote(block, at, (vote) => ({ ...vote, kind: 'block' }) as CommitVote),
      signBlock(next.header, four, { voteOf: (_, index) => (index < 2 ? 'nil' : 'block') }),
    ),
    'wrongSignatures',
  ],
  ['with exactly half of the power', signedBy(next, [ann, ben]), 'tooLittlePower'],
  ['with votes for no block in the place of enough', signedBy(next, [ann, ben], 'nil'), 'tooLittlePower'],
  ['that nobody has signed', signedBy(next, []), 'tooLittlePower'],
  [
    'with one vote missing',
    { ...next, commit: { ...next.commit, votes: next.commit.votes.slice(1) } },
    'votesMissing',
  ],
  [
    'with one vote too many',
    { ...next, commit: { ...next.commit, votes: [...next.commit.votes, { kind: 'absent' }] } },
    'votesMissing',
  ],
  [
    'with two votes of one validator',
    {
      ...next,
      commit: { ...next.commit, votes: next.commit.votes.with(1, next.commit.votes[0] as CommitVote) },
    },
    'voteOfOther',
  ],
  [
    'with votes in another order',
    { ...next, commit: { ...next.commit, votes: next.commit.votes.toReversed() } },
    'voteOfOther',
  ],
  [
    'with the vote of somebody else',
    withVote(next, 0, (vote) => ({ ...vote, address: eve.address }) as CommitVote),
    'voteOfOther',
  ],
  [
    'with a validator who stands there twice',
    { ...next, validators: next.validators.with(1, next.validators[0] as TestValidator) },
    'validatorTwice',
  ],
  [
    'with the address of another',
    {
      ...next,
      validators: next.validators.with(0, {
        ...(next.validators[0] as TestValidator),
        address: eve.address,
      }),
    },
    'validatorAddressWrong',
  ],
  ['without validators', { ...next, validators: [] }, 'powerOutOfRange'],
  [
    'with a validator without power',
    {
      ...next,
      validators: next.validators.with(0, { ...(next.validators[0] as TestValidator), power: 0n }),
    },
    'powerOutOfRange',
  ],
  [
    'with more power than there can be',
    {
      ...next,
      validators: next.validators.with(0, {
        ...(next.validators[0] as TestValidator),
        power: lightLimits.totalPowerMax,
      }),
    },
    'powerOutOfRange',
  ],
  [
    'with more power of one',
    {
      ...next,
      validators: next.validators.with(0, { ...(next.validators[0] as TestValidator), power: 11n }),
    },
    'otherValidators',
  ],
  [
    'with validators in another order',
    { ...next, validators: next.validators.toReversed() },
    'otherValidators',
  ],
  ['with the key of another', { ...next, validators: next.validators.with(0, eve) }, 'otherValidators'],
  ['of strangers in the place of the next', usurped(strangers, 1), 'otherNextValidators'],
  [
    'of strangers with the genuine validators among them',
    usurped([...strangers, ...four], 1),
    'otherNextValidators',
  ],
  ['of strangers, far away', usurped(strangers, 3), 'tooLittleTrustedPower'],
  ['with exactly a third in common', usurped([ann, ...strangers], 3), 'tooLittleTrustedPower'],
  [
    'with enough in common, who have not signed',
    usurped([...four, ...['v1', 'v2', 'v3'].map((name) => testValidator(name, 100n))], 3, [
      ann,
      ...['v1', 'v2', 'v3'].map((name) => testValidator(name, 100n)),
    ]),
    'tooLittlePower',
  ],
];

const { chainId, height } = trusted.header;
/** How `trusted` is known by its hash. */
export const known: TrustedHash = { chainId, height, hash: consensusHeaderHash(trusted.header, sha256) };
/** What is no such block, or not known so. */
export const falseAnchors: readonly [what: string, TrustedHash, LightBlock, LightRefusalName][] = [
  ['another block', known, next, 'otherThanTrusted'],
  ['another hash', { ...known, hash: flipped(known.hash) }, trusted, 'otherThanTrusted'],
  ['another height', { ...known, height: 7n }, trusted, 'otherThanTrusted'],
  ['another chain', { ...known, chainId: 'elsewhere' }, trusted, 'otherChain'],
  ['a block with other validators', known, { ...trusted, validators: inOrder(strangers) }, 'otherValidators'],
  ['a block with too few votes', known, signedBy(trusted, [ann]), 'tooLittlePower'],
];
