/** Signatures and proofs of wallets in the field, recorded once: every engine takes them, and nothing else for them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { ProofEngine, ProofOrder, SignatureOrder } from '@symbolon/core/proofs/proof-engine';

type Recorded = { readonly name: string } & (
  | { readonly order: ProofOrder }
  | { readonly signed: SignatureOrder }
);

const file = new URL('../../../core/vectors/recorded-proofs.json', import.meta.url);

const readRecorded = (): readonly Recorded[] =>
  JSON.parse(readFileSync(file, 'utf8'), (_name, value) => {
    if (value?.$n !== undefined) return BigInt(value.$n);
    return value?.$b === undefined ? value : new Uint8Array(Buffer.from(value.$b, 'hex'));
  });

export function registerRecordedProofs(name: string, make: () => Promise<ProofEngine>): void {
  describe(`${name} and what was recorded`, () => {
    let engine: ProofEngine;
    before(async () => {
      engine = await make();
    });
    after(() => engine.close());

    for (const one of readRecorded()) {
      test(`${one.name}: holds as it was recorded, and for nothing else`, async () => {
        if ('signed' in one) {
          assert.equal(await engine.verifySignature(one.signed), true);
          const header = Uint8Array.of(...one.signed.header, 0);
          assert.equal(await engine.verifySignature({ ...one.signed, header }), false);
          return;
        }
        assert.equal(await engine.verifyProof(one.order), true);
        const nonce = new Uint8Array(one.order.nonce.length);
        assert.equal(await engine.verifyProof({ ...one.order, nonce }), false);
      });
    }
  });
}
