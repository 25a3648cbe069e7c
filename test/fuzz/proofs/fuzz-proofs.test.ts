/**
 * Some hundred mutated proofs through the workers of both engines, always the same; `npm run fuzz-proofs` does as many
 * as one wants. What is changed, and what must hold, is in `fuzz-proofs.ts`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProofWorkers } from '@symbolon/credential-service/proofs/proof-workers';
import { fuzzProofs, patience } from './fuzz-proofs.ts';

const seed = 20_26;

test('no mutated proof is taken for a good one, and the engines agree', async (context) => {
  const pool = new ProofWorkers({ engine: 'native', workers: 1, warmUp: false, limits: patience });
  const other = new ProofWorkers({ engine: 'webassembly', workers: 1, warmUp: false, limits: patience });
  context.after(() => Promise.all([pool.close(), other.close()]));
  const { wrong, good, denied, compared } = await fuzzProofs({
    count: 600,
    seed,
    pool,
    second: { pool: other, every: 25 },
  });
  assert.deepEqual(wrong, []);
  assert.ok(good > 0 && denied > 300 && compared > 20);
  assert.equal(pool.replaced, 0);
});
