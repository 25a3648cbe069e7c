import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProofEngineError } from '@symbolon/core/proofs/proof-engine';
import { createDockEngine } from './dock-engine.ts';
import { registerProofEngineConformance } from './proof-engine.conformance.ts';
import { registerRecordedProofs } from './recorded-proofs.conformance.ts';
import { deriveOrder, makeProofWorld } from './testing/proof-world.ts';

registerProofEngineConformance('DockEngine', createDockEngine);
registerRecordedProofs('DockEngine', createDockEngine);

test('a closed engine does nothing more, and another one of the same thread still works', async () => {
  const [first, second] = [await createDockEngine(), await createDockEngine()];
  const world = await makeProofWorld(first);
  await first.close();
  await assert.rejects(first.derive(deriveOrder(world)), ProofEngineError);
  assert.equal(second.isBroken, false);
  assert.equal(await second.verifySignature({ ...world.order, signature: world.signature }), true);
  await second.close();
});
