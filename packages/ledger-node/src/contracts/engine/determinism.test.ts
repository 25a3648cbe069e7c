import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { engineSha256 } from './metering/metered-module.ts';
import { QuickJsEngine } from './quickjs-engine.ts';
import { type GasVector, readGasVectors, replay } from './testing/gas-vectors.ts';
import { TinyChain } from './testing/tiny-chain.ts';

/** As it stands in a file: what is undefined is not there. */
const written = (vector: GasVector) => JSON.parse(JSON.stringify(vector)) as unknown;

const traps = ['for (;;) {}', '(function f() { f(); }());', '"x".repeat(200000000);', 'Chain.abort("over");'];

function trap(chain: TinyChain, body: string): void {
  try {
    chain.run({ code: `function main() { ${body} }`, gas: 300_000n });
  } catch {
    // An abort passes through; what matters is what it leaves behind.
  }
}

describe('the same call gives the same outcome and the same gas', () => {
  const { engine, vectors } = readGasVectors();
  const quick = vectors.filter(({ gas }) => Number(gas) < 1_000_000);

  test('the vectors were recorded with this engine', () => {
    assert.deepEqual(engine, engineSha256);
    assert.ok(vectors.length > 30);
  });

  test('as recorded, on a new engine and again on the same one', () => {
    for (const vector of vectors) {
      const chain = new TinyChain(new QuickJsEngine());
      assert.deepEqual(written(replay(vector, chain)), vector, vector.name);
      assert.deepEqual(written(replay(vector, chain)), vector, `${vector.name}, again`);
    }
  });

  test('after runs that ended in the middle', () => {
    const chain = new TinyChain(new QuickJsEngine());
    for (const vector of quick) {
      for (const body of traps) {
        trap(chain, body);
        assert.deepEqual(written(replay(vector, chain)), vector, `${vector.name} after ${body}`);
      }
    }
  });

  test('when no image is kept', () => {
    const chain = new TinyChain(new QuickJsEngine({ codeImagesBytesMax: 0 }));
    for (const vector of [...quick, ...quick]) assert.deepEqual(written(replay(vector, chain)), vector);
  });

  test('in any order', () => {
    const chain = new TinyChain(new QuickJsEngine({ codeImagesBytesMax: 2_000_000 }));
    fc.assert(
      fc.property(fc.shuffledSubarray(quick), (order) => {
        for (const vector of order) assert.deepEqual(written(replay(vector, chain)), vector, vector.name);
      }),
      { numRuns: 20 },
    );
  });

  test('with any amount of gas: it ends there or does not notice', () => {
    const chain = new TinyChain(new QuickJsEngine());
    const vector = vectors.find(({ name }) => name === 'token transfer') as GasVector;
    const call = { code: vector.code.join('\n'), input: vector.input };
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n * BigInt(vector.gas) }), (gas) => {
        chain.storage.clear();
        const warm = chain.run({ ...call, gas });
        const cold = new TinyChain(new QuickJsEngine()).run({ ...call, gas });
        assert.deepEqual(warm, cold);
        const isEnough = gas >= BigInt(vector.gas);
        assert.equal(warm.outcome.kind, isEnough ? 'returned' : 'exhausted');
        if (isEnough) assert.equal(warm.gas, BigInt(vector.gas));
      }),
      { numRuns: 40 },
    );
  });
});
