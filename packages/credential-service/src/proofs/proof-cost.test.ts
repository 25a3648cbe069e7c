import assert from 'node:assert/strict';
import { test } from 'node:test';
import { credentialLimits } from '@symbolon/core/limits/documents';
import { serviceLimits } from '../limits/service-limits.ts';
import { type ProofWork, proofCost, proofCosts } from './proof-cost.ts';

type Method = 'bulletproofs' | 'set-membership';

function work(
  kind: 'derive' | 'verifyProof',
  ranges = 0,
  method: Method = 'bulletproofs',
  messageCount = 12,
) {
  const bound = (index: number) => ({ index, min: 0n, max: 1n });
  const rangeParameters = method === 'bulletproofs' ? { method } : { method, parameters: new Uint8Array(0) };
  const order = {
    messageCount,
    ranges: Array.from({ length: ranges }, (_, index) => bound(index)),
    rangeParameters,
  };
  return { kind, order } satisfies ProofWork;
}

test('a proof without ranges is one unit, and everything else so many of them', () => {
  assert.equal(proofCost(work('derive')), 1);
  assert.equal(proofCost(work('verifyProof')), 1);
  assert.equal(proofCost(work('derive', 15)), 361);
  assert.equal(proofCost(work('verifyProof', 15)), 76);
  assert.equal(proofCost(work('derive', 2, 'set-membership')), 8);
  assert.equal(proofCost(work('verifyProof', 2, 'set-membership')), 10);
  assert.equal(
    proofCost({ kind: 'verifySignature', order: { messages: Array(12).fill({ integer: 1n }) } }),
    0.5,
  );
  const plain = { messages: Array(12).fill(new Uint8Array(1)) };
  assert.equal(proofCost({ kind: 'derivePlain', order: plain }), 7);
  const shown = { revealed: Array(3).fill({ index: 0, message: new Uint8Array(1) }) };
  assert.equal(
    proofCost({ kind: 'verifyPlain', order: { ...shown, proof: new Uint8Array(272 + 9 * 32) } }),
    7,
  );
  assert.equal(proofCost({ kind: 'verifyPlain', order: { ...shown, proof: new Uint8Array(7) } }), 4);
  assert.ok(proofCost({ kind: 'publicKeyOf' }) > 0);
  assert.ok(proofCost({ kind: 'makeRangeParameters' }) > 1);
});

test('more messages, ranges and credentials cost more, never less', () => {
  for (const kind of ['derive', 'verifyProof'] as const)
    for (const method of ['bulletproofs', 'set-membership'] as const) {
      let before = 0;
      for (let ranges = 0; ranges <= credentialLimits.rangesMax; ranges++) {
        const cost = proofCost(work(kind, ranges, method));
        assert.ok(cost > before);
        assert.ok(proofCost(work(kind, ranges, method, 60)) > cost);
        before = cost;
      }
    }
  assert.equal(proofCosts([work('derive'), work('derive', 1)]), 26);
});

test('whoever shows a key can have the largest presentation made, and anybody have it verified', () => {
  const {
    presentedCredentialsMax: credentials,
    presentationRangesMax: ranges,
    attributesMax,
  } = credentialLimits;
  const largest = (kind: 'derive' | 'verifyProof') =>
    proofCosts([
      work(kind, ranges, 'bulletproofs', attributesMax),
      ...Array.from({ length: credentials - 1 }, () => work(kind, 0, 'bulletproofs', attributesMax)),
    ]);
  const whole = (perMinute: number) => perMinute * serviceLimits.proofBurstShare;
  const signatures = credentials * 1.5;
  assert.ok(largest('derive') + signatures <= whole(serviceLimits.proofUnitsPerMinuteWithKey));
  assert.ok(largest('derive') > whole(serviceLimits.proofUnitsPerMinute));
  assert.ok(largest('verifyProof') <= whole(serviceLimits.proofUnitsPerMinute));
});
