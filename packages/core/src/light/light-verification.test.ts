/** Forged, stale and contradicting blocks: each has exactly one thing wrong and is refused for that by name. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lightLimits } from '../limits/light.ts';
import type { LightBlock } from './light-block.ts';
import { type LightRefusalName, verifyLightBlock, verifyTrustedBlock } from './light-verification.ts';
import {
  ann,
  ben,
  cem,
  dot,
  falseAnchors,
  far,
  forgedBlocks,
  four,
  honestChain,
  known,
  next,
  signedBy,
  terms,
  trusted,
  usurped,
  withVote,
  wrongly,
} from './testing/forged-blocks.ts';
import { chainStartMs, makeChain, sha256, signBlock, testValidator, tools } from './testing/made-up-chain.ts';

type Verdict = Awaited<ReturnType<typeof verifyLightBlock>>;

function assertRefused(verdict: Verdict, name: LightRefusalName): void {
  assert.equal(verdict.verified ? 'verified' : verdict.refusal.name, name);
  assert.ok(!verdict.verified && verdict.refusal.detail.length > 10);
}

describe('blocks that are believed', () => {
  test('the next one, a later one, and one far away', async () => {
    for (const block of honestChain.slice(1))
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
  for (const [what, block, name] of forgedBlocks)
    test(what, async () => assertRefused(await verifyLightBlock(trusted, block, terms, tools), name));

  test(`these are at least thirty kinds: ${forgedBlocks.length}`, () => assert.ok(forgedBlocks.length >= 30));

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
  test('is taken', async () =>
    assert.equal((await verifyTrustedBlock(known, trusted, terms, tools)).verified, true));
  for (const [what, hash, block, name] of falseAnchors)
    test(`is not ${what}`, async () =>
      assertRefused(await verifyTrustedBlock(hash, block, terms, tools), name));
  test('is too old some day', async () => {
    const late = { ...terms, nowMs: terms.nowMs + terms.trustingPeriodMs };
    assertRefused(await verifyTrustedBlock(known, trusted, late, tools), 'trustExpired');
  });
});
