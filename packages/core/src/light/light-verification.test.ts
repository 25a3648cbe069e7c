/** Forged, stale and contradicting blocks: each has exactly one thing wrong and is refused for that by name. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lightLimits } from '../limits/light.ts';
import { consensusHeaderHash, votingSetHash } from './consensus-encoding.ts';
import type { CommitVote, ConsensusHeader, LightBlock } from './light-block.ts';
import {
  type LightRefusalName,
  type LightTerms,
  verifyLightBlock,
  verifyTrustedBlock,
} from './light-verification.ts';
import {
  chainStartMs,
  headerAt,
  inOrder,
  makeChain,
  sha256,
  signBlock,
  type TestValidator,
  testValidator,
  tools,
} from './testing/made-up-chain.ts';

const four = ['ann', 'ben', 'cem', 'dot'].map((name) => testValidator(name, 10n));
const [ann, ben, cem, dot] = four as [TestValidator, TestValidator, TestValidator, TestValidator];
const strangers = ['eve', 'fay', 'gus', 'hal'].map((name) => testValidator(name, 10n));
const eve = strangers[0] as TestValidator;
const order = { sets: Array(8).fill(four) as TestValidator[][] };
const chain = makeChain(order) as [LightBlock, LightBlock, LightBlock, LightBlock, ...LightBlock[]];
const [trusted, next, , far] = chain;
const terms: LightTerms = { nowMs: chainStartMs + 60_000, trustingPeriodMs: 3_600_000 };

type Verdict = Awaited<ReturnType<typeof verifyLightBlock>>;

function assertRefused(verdict: Verdict, name: LightRefusalName): void {
  assert.equal(verdict.verified ? 'verified' : verdict.refusal.name, name);
  assert.ok(!verdict.verified && verdict.refusal.detail.length > 10);
}

const flipped = (bytes: Uint8Array): Uint8Array => bytes.with(0, (bytes[0] as number) ^ 1);

const withVote = (
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

const wrongly = (vote: CommitVote): CommitVote =>
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
const usurped = (set: readonly TestValidator[], index: number, voters = set): LightBlock =>
  signBlock(
    {
      ...headerAt(order, index, (chain[index - 1] as LightBlock).commit.blockId),
      validatorsHash: votingSetHash(inOrder(set), sha256),
    },
    set,
    { voteOf: (one) => (voters.includes(one) ? 'block' : 'absent') },
  );

const signedBy = (block: LightBlock, voters: readonly TestValidator[], kind: CommitVote['kind'] = 'absent') =>
  signBlock(block.header, four, { voteOf: (one) => (voters.includes(one) ? 'block' : kind) });

describe('blocks that are believed', () => {
  test('the next one, a later one, and one far away', async () => {
    for (const block of chain.slice(1))
      assert.equal((await verifyLightBlock(trusted, block, terms, tools)).verified, true);
  });

  test('with just more than two thirds of the power', async () => {
    const block = signedBy(next, [ann, ben, cem]);
    assert.equal((await verifyLightBlock(trusted, block, terms, tools)).verified, true);
  });

  test('with one signature that does not verify, if the others are enough', async () => {
    const block = withVote(next, 1, wrongly);
    assert.equal((await verifyLightBlock(trusted, block, terms, tools)).verified, true);
  });

  test('in a later round, with votes for no block among them', async () => {
    const block = signBlock(next.header, four, {
      round: 3,
      voteOf: (one) => (one === dot ? 'nil' : 'block'),
    });
    assert.equal((await verifyLightBlock(trusted, block, terms, tools)).verified, true);
  });

  test('when the set has changed, with just more than a third in common', async () => {
    const heavy = testValidator('eve', 21n);
    const set = [testValidator('ann', 10n), testValidator('ben', 10n), heavy];
    const block = usurped(set, 3);
    assert.equal((await verifyLightBlock(trusted, block, terms, tools)).verified, true);
  });

  test('of a single validator, and of as many as there can be', async () => {
    for (const count of [1, lightLimits.validatorsMax]) {
      const set = Array.from({ length: count }, (_, index) => testValidator(`v${index}`, BigInt(index + 1)));
      const [from, to] = makeChain({ sets: [set, set, set] }) as [LightBlock, LightBlock];
      assert.equal((await verifyLightBlock(from, to, terms, tools)).verified, true);
    }
  });
});

describe('a forged block is refused', () => {
  const hash = sha256(Buffer.from('other'));
  const later = (seconds: bigint) => ({ ...next.header.time, seconds: next.header.time.seconds + seconds });
  const fields: Partial<ConsensusHeader>[] = [
    { lastCommitHash: hash },
    { dataHash: hash },
    { nextValidatorsHash: hash },
    { consensusHash: hash },
    { appHash: hash },
    { lastResultsHash: hash },
    { evidenceHash: hash },
    { proposerAddress: hash.slice(0, 20) },
    { time: later(1n) },
    { time: { ...next.header.time, nanos: 1 } },
    { version: { block: 11n, app: 2n } },
    { lastBlockId: { ...next.header.lastBlockId, hash } },
    { lastBlockId: { ...next.header.lastBlockId, partsTotal: 2 } },
  ];
  const cases: readonly [what: string, block: LightBlock, name: LightRefusalName][] = [
    ...fields.map((field): [string, LightBlock, LightRefusalName] => [
      `another ${Object.keys(field).join()} than was signed (${Object.values(field)[0]})`.slice(0, 80),
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
    [
      'with two wrong signatures of four',
      withVote(withVote(next, 0, wrongly), 3, wrongly),
      'wrongSignatures',
    ],
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
  for (const [what, block, name] of cases)
    test(what, async () => assertRefused(await verifyLightBlock(trusted, block, terms, tools), name));

  test(`these are at least thirty kinds: ${cases.length}`, () => assert.ok(cases.length >= 30));

  test('signatures of one block do not count for another with the same validators', async () => {
    const block = { ...next, commit: { ...next.commit, votes: (far as LightBlock).commit.votes } };
    assertRefused(await verifyLightBlock(trusted, block, terms, tools), 'wrongSignatures');
  });

  test('a verifier that answers something else than yes has not verified', async () => {
    for (const answer of [undefined, 'yes', 1, {}])
      assertRefused(
        await verifyLightBlock(trusted, next, terms, { sha256, verifyVote: () => answer as boolean }),
        'wrongSignatures',
      );
  });
});

describe('trust that is too old', () => {
  const ends = chainStartMs + 123 + terms.trustingPeriodMs;
  test('is none from the end of the trusting period on', async () => {
    const at = (nowMs: number) => verifyLightBlock(trusted, next, { ...terms, nowMs }, tools);
    assert.equal((await at(ends)).verified, true);
    assertRefused(await at(ends + 1), 'trustExpired');
    assertRefused(await at(ends + 86_400_000), 'trustExpired');
  });
});

describe('the block that a verifier knows by its hash', () => {
  const { chainId, height } = trusted.header;
  const known = { chainId, height, hash: consensusHeaderHash(trusted.header, sha256) };
  const refused: readonly [
    what: string,
    Parameters<typeof verifyTrustedBlock>[0],
    LightBlock,
    LightRefusalName,
  ][] = [
    ['another block', known, next, 'otherThanTrusted'],
    ['another hash', { ...known, hash: flipped(known.hash) }, trusted, 'otherThanTrusted'],
    ['another height', { ...known, height: 7n }, trusted, 'otherThanTrusted'],
    ['another chain', { ...known, chainId: 'elsewhere' }, trusted, 'otherChain'],
    [
      'a block with other validators',
      known,
      { ...trusted, validators: inOrder(strangers) },
      'otherValidators',
    ],
    ['a block with too few votes', known, signedBy(trusted, [ann]), 'tooLittlePower'],
  ];
  test('is taken', async () =>
    assert.equal((await verifyTrustedBlock(known, trusted, terms, tools)).verified, true));
  for (const [what, hash, block, name] of refused)
    test(`is not ${what}`, async () =>
      assertRefused(await verifyTrustedBlock(hash, block, terms, tools), name));
  test('is too old some day', async () => {
    const late = { ...terms, nowMs: terms.nowMs + terms.trustingPeriodMs };
    assertRefused(await verifyTrustedBlock(known, trusted, late, tools), 'trustExpired');
  });
});
