/**
 * The arithmetic of docs/scale.md: its limits are those of the program, its light blocks are as long as real ones, its
 * formulas give what is reckoned by hand. That the document has the tables which the figures give is seen in
 * `documents.test.ts`.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeChain, testValidator } from '@symbolon/core/light/testing/made-up-chain';
import { blockLimits, contractLimits, validatorLimits } from '@symbolon/core/limits/consensus';
import { registryLimits } from '@symbolon/credential-service/limits/service-limits';
import { databaseLimits } from '@symbolon/host/limits/server-limits';
import { lightBlockJson } from '@symbolon/sdk/testing/light-block-json';
import {
  blockRoomRate,
  lightBlockBytes,
  type Numbers,
  numbers,
  ofCredentials,
  ofIssues,
  ofValidators,
  ofVerifications,
  registrarRate,
} from '../../bench/scale/arithmetic.ts';
import { bytes, count, fillScaleTables, scaleTables, time } from '../../bench/scale/tables.ts';

const round: Numbers = {
  ...numbers,
  issueMs: 20,
  issueMainMs: 10,
  verifyMs: 10,
  verifyMainShare: 0.5,
  rangeMs: 30,
  busyShare: 0.5,
  coresEach: 4,
  connectionsEach: 22,
  perTransaction: 100,
  registrarSteps: 7_900,
  blockSteps: 81_920,
  soloTurnMs: 50,
  networkTurnMs: 2_000,
  blockMs: 1_000,
  databaseBytes: 20_000,
  voteBytes: 200,
  voteCheckUs: 100,
  blockBytes: 5_000,
  commitSigBytes: 109,
};

describe('what docs/scale.md reckons', () => {
  test('goes by the limits of the program', () => {
    assert.equal(numbers.perTransaction, registryLimits.entriesMax);
    assert.equal(numbers.blockTransactions, blockLimits.transactionsMax);
    assert.equal(numbers.blockSteps, Number(blockLimits.contractGasMax / contractLimits.gasPerStep));
    assert.ok(BigInt(numbers.registrarSteps) * contractLimits.gasPerStep <= contractLimits.gasMax);
    assert.equal(numbers.validatorsMax, validatorLimits.countMax);
    assert.equal(numbers.connectionsEach, databaseLimits.poolConnectionsMax + 2);
  });

  for (const many of [1, 4, 7, 25, 100])
    test(`knows how long a light block of ${many} validators is`, () => {
      const set = Array.from({ length: many }, (_, index) => testValidator(`validator ${index}`, 10n));
      const [block] = makeChain({ chainId: `symbolon-${'0'.repeat(32)}`, sets: [set, set] });
      assert.ok(block);
      assert.equal(lightBlockBytes(many), JSON.stringify(lightBlockJson(block)).length);
    });

  test('is what one reckons by hand', () => {
    assert.equal(registrarRate(2_000, round), 50);
    assert.equal(blockRoomRate(round), 1_000);
    // 1,000 × 10 ms are 10 cores, 20 of which half is planned with; of a main thread, 100 a second.
    assert.deepEqual(ofVerifications(1_000, round), {
      ...{ cores: 20, replicas: 10, connections: 220 },
      ...{ coresWithRange: 80, replicasWithRange: 20 },
    });
    const { cores, replicas, registrarsSolo, registrarsNetwork, ledgers, databaseBytesADay } = ofIssues(
      1_000,
      round,
    );
    assert.deepEqual([cores, replicas], [40, 20]);
    assert.deepEqual([registrarsSolo, registrarsNetwork, ledgers], [1, 20, 1]);
    assert.equal(databaseBytesADay, 1_728_000_000_000);
    // 0.6 of a core and 4.8 ms on the main thread are 125 a second, whatever binary fractions say.
    const usual = [1e3, 1e4, 1e5].map((rate) => ofVerifications(rate).replicas);
    assert.deepEqual(usual, [8, 80, 800]);
    const of = ofValidators(7, round);
    assert.deepEqual([of.mayFail, of.votes, of.votesOfAll, of.voteBytesASecond], [2, 12, 84, 2_400]);
    assert.equal(of.checkMs, 1.9);
    assert.equal(of.blockBytesAYear, (5_000 + 3 * 109) * 31_536_000);
    assert.deepEqual(
      [4, 99, 100].map((many) => ofValidators(many).mayFail),
      [1, 32, 33],
    );
    const million = ofCredentials(1e6, round);
    assert.equal(million.databaseBytes, 20e9);
    assert.equal(million.soloSeconds, 500);
    assert.equal(million.networkSeconds, 20_000);
  });

  test('is written with two digits and a unit that fits', () => {
    assert.deepEqual([count(0), count(1_449), count(0.254)], ['0', '1,400', '0.25']);
    assert.deepEqual([bytes(999), bytes(23_456), bytes(2.34e13)], ['1 kB', '23 kB', '23 TB']);
    assert.deepEqual(
      [time(0.0012), time(59), time(61), time(86_400 * 200)],
      ['1.2 ms', '59 s', '1 min', '200 days'],
    );
  });

  test('is put where the document has a place for it, and nowhere else', () => {
    const places = Object.keys(scaleTables).map((name) => `<!-- ${name} -->\nold\n<!-- end of ${name} -->\n`);
    const filled = fillScaleTables(`before\n${places.join('between\n')}after\n`);
    assert.doesNotMatch(filled, /^old$/m);
    assert.equal(filled, fillScaleTables(filled));
    assert.match(filled, /^before\n[\s\S]*between\n[\s\S]*after\n$/);
    assert.throws(() => fillScaleTables(places.slice(1).join('')), /no place for the table figures/);
  });
});
