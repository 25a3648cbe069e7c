/**
 * The rules over invented ledgers, with real proofs: what verifies stands on the ledger, whichever keys the attacker
 * has. The same property with ideal proofs, and many more cases, is in the core beside the rules.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  canBeSigned,
  factsOf,
  type ModelProver,
  presentAttack,
  unfounded,
  verdictOnAttack,
} from '@symbolon/core/credential/testing/ledger-claims';
import {
  attackOn,
  headerAndMessages,
  issuers,
  ledgers,
  type ModelLedger,
  methodOf,
} from '@symbolon/core/credential/testing/ledger-model';
import { commitContents } from '@symbolon/core/proofs/commitment';
import type { ProofEngine } from '@symbolon/core/proofs/proof-engine';
import fc from 'fast-check';
import { createDockEngine } from './dock-engine.ts';

let engine: ProofEngine;
const keys = new Map<string, { readonly secretKey: Uint8Array; readonly publicKey: Uint8Array }>();

before(async () => {
  engine = await createDockEngine();
  for (const [place, { did }] of issuers.entries())
    for (const number of [1, 2]) {
      const secretKey = new Uint8Array(32).fill(1 + 2 * place + number);
      keys.set(methodOf(did, number), { secretKey, publicKey: await engine.publicKeyOf(secretKey) });
    }
});
after(() => engine.close());

const keyOf = (issuer: string, number: number) => {
  const key = keys.get(methodOf(issuer, number));
  assert.ok(key);
  return key;
};

/** Signs with the secret where the attacker can have such a signature, and derives an honest proof of that. */
const realProver = (ledger: ModelLedger): ModelProver => ({
  commit: (contents) => commitContents(headerAndMessages(contents)),
  publicKeyOf: (issuer, number) => keyOf(issuer, number).publicKey,
  async prove(order, attack) {
    if (!canBeSigned(ledger, attack)) return undefined;
    const { secretKey } = keyOf(attack.keyIssuer, attack.keyNumber);
    const signature = await engine.sign({ ...order, secretKey });
    return engine.derive({ ...order, signature });
  },
  verify: (order) => engine.verifyProof(order),
});

test('what is called verified stands on the ledger, with real proofs', async () => {
  const cases = ledgers.chain((ledger) => attackOn(ledger).map((attack) => ({ ledger, attack })));
  const counts = { verified: 0, refused: 0 };
  const property = fc.asyncProperty(cases, async ({ ledger, attack }) => {
    const prover = realProver(ledger);
    const presentation = await presentAttack(attack, prover);
    if (!presentation) return;
    const verdict = await verdictOnAttack(presentation, factsOf(ledger, prover), prover);
    counts[verdict.verified ? 'verified' : 'refused']++;
    if (verdict.verified) assert.deepEqual(unfounded(ledger, attack), []);
  });
  // Few attacks are none, so it may take more of them to see one that is verified.
  for (let round = 0; round < 4 && counts.verified === 0; round++)
    await fc.assert(property, { numRuns: 150 });
  assert.ok(counts.verified >= 1 && counts.refused >= 40, JSON.stringify(counts));
});
