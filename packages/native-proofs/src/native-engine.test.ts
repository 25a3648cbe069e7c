import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProofEngineError } from '@symbolon/core/proofs/proof-engine';
import { registerProofEngineConformance } from '@symbolon/sdk/proofs/proof-engine.conformance';
import { registerRecordedProofs } from '@symbolon/sdk/proofs/recorded-proofs.conformance';
import { deriveOrder, makeProofWorld } from '@symbolon/sdk/proofs/testing/proof-world';
import { createNativeEngine } from './native-engine.ts';

registerProofEngineConformance('NativeEngine', createNativeEngine);
registerRecordedProofs('NativeEngine', createNativeEngine);

test('a closed engine does nothing more, and another one of the same thread still works', async () => {
  const [first, second] = [await createNativeEngine(), await createNativeEngine()];
  const world = await makeProofWorld(first);
  await first.close();
  await assert.rejects(first.derive(deriveOrder(world)), ProofEngineError);
  assert.equal(second.isBroken, false);
  assert.equal(await second.verifySignature({ ...world.order, signature: world.signature }), true);
  await second.close();
});
