import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clientLimits } from '@symbolon/sdk/limits/client-limits';
import { FeeTooHigh, type TransactionPins } from '@symbolon/sdk/transactions/transaction-caps';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { withinCaps } from './fee-caps.ts';

const cost = { feeLimit: 25_000_000_000n, gasPrice: 90n };

/** Signs for what it costs if the caps allow that. */
function signing() {
  const signed: TransactionPins[] = [];
  const act = async (caps: TransactionPins): Promise<string> => {
    const { feeLimitMax = clientLimits.feeLimitMax } = caps;
    if (cost.feeLimit > feeLimitMax) throw new FeeTooHigh(cost, `${cost.feeLimit} is above ${feeLimitMax}`);
    signed.push(caps);
    return 'signed';
  };
  return { act, signed };
}

const nobody = () => undefined;
const answering = (isYes: boolean) => {
  const questions: string[] = [];
  const ask = async (question: string): Promise<boolean> => {
    questions.push(question);
    return isYes;
  };
  return { questions, ask: () => ask };
};

describe('a cost above the cap', () => {
  const none = { pins: {}, words: {} };

  test('is shown with the cap, and a yes raises the caps to just that', async () => {
    const { act, signed } = signing();
    const { ask, questions } = answering(true);
    assert.equal(await withinCaps(none, act, ask), 'signed');
    assert.match(questions[0] ?? '', /25000000000.*1000000.*25,000 Gas/);
    assert.deepEqual(signed, [{ feeLimitMax: cost.feeLimit, gasPriceMax: cost.gasPrice }]);
  });

  test('is not signed for without one, and a node that asks for still more is not obeyed', async () => {
    const { act, signed } = signing();
    const failed = withinCaps(none, act, answering(false).ask);
    await assert.rejects(failed, (error) => error instanceof CommandFailure);
    assert.deepEqual(signed, []);
    const greedy = async ({ feeLimitMax = 0n }: TransactionPins): Promise<never> => {
      throw new FeeTooHigh({ ...cost, feeLimit: feeLimitMax + 1n }, 'more');
    };
    await assert.rejects(withinCaps(none, greedy, answering(true).ask), FeeTooHigh);
  });

  test('is refused with advice where nobody can be asked', async () => {
    const { act, signed } = signing();
    await assert.rejects(withinCaps(none, act, nobody), (error) => {
      assert.ok(error instanceof CommandFailure);
      assert.equal(error.exitCode, exitCodes.failed);
      assert.match(error.message, /nothing was signed[\s\S]*--fee-limit-max 25000000000 --gas-price-max 90/);
      return true;
    });
    assert.deepEqual(signed, []);
  });

  test('is what the words say, else the profile', async () => {
    const { act, signed } = signing();
    const pins = { feeLimitMax: 1n, gasPriceMax: 5n, chainId: 7n, templateRegistry: 'x' };
    await withinCaps({ pins, words: { feeLimitMax: cost.feeLimit } }, act, nobody);
    assert.deepEqual(signed, [{ chainId: 7n, feeLimitMax: cost.feeLimit, gasPriceMax: 5n }]);
  });

  test('any other failure is nobody to be asked about', async () => {
    const { ask, questions } = answering(true);
    const broken = () => Promise.reject(new Error('broken'));
    await assert.rejects(withinCaps(none, broken, ask), /broken/);
    assert.deepEqual(questions, []);
  });
});
