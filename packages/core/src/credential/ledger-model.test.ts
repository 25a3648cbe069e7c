/**
 * Whatever is called verified stands on the ledger, term by term and message by message: over invented ledgers, and an
 * attacker with any keys, frames and entries. Proofs are ideal: good exactly if a signature by this key over exactly
 * these contents exists, they show what they say, and they open the commitment that the verifier has.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { concatBytes, equalBytes } from '../basics/bytes.ts';
import type { BbsMessage, CommitOrder, ProofOrder, ProofStatement } from '../proofs/proof-engine.ts';
import {
  canBeSigned,
  factsOf,
  type ModelProver,
  presentAttack,
  unfounded,
  verdictOnAttack,
} from './testing/ledger-claims.ts';
import {
  attackOn,
  headerAndMessages,
  ledgers,
  type ModelAttack,
  type ModelLedger,
} from './testing/ledger-model.ts';
import { sha256 } from './testing/sample-credentials.ts';

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return `${part}n`;
    return part instanceof Uint8Array ? Buffer.from(part).toString('hex') : part;
  });
const digestOf = (value: unknown): Uint8Array => sha256(Buffer.from(textOf(value), 'utf8'));

/** Binding, because a digest is; that it hides is the engine's to show. */
const idealCommit = ({ header, messages }: CommitOrder): Uint8Array =>
  concatBytes(digestOf({ header, messages }), new Uint8Array(16));

interface Opening {
  readonly isSigned: boolean;
  readonly publicKey: Uint8Array;
  readonly header: Uint8Array;
  readonly messages: readonly BbsMessage[];
  readonly statement: string;
}

/** What a proof is for, beside the contents. */
const purposeOf = ({ context, nonce, messageCount }: ProofStatement): string =>
  textOf({ context, nonce, messageCount });

/** Keeps what every proof is of, and judges by that. */
function idealProver(ledger: ModelLedger): ModelProver {
  const openings: Opening[] = [];
  return {
    commit: (contents) => idealCommit(headerAndMessages(contents)),
    publicKeyOf: (issuer, number) =>
      concatBytes(...[1, 2, 3].map((part) => digestOf([issuer, number, part]))),
    async prove(order, attack) {
      const { publicKey, header, messages } = order;
      const isSigned = canBeSigned(ledger, attack);
      return Uint8Array.of(
        openings.push({ isSigned, publicKey, header, messages, statement: purposeOf(order) }),
      );
    },
    async verify(order: ProofOrder) {
      const opening = openings[order.proof[0] - 1];
      return (
        opening?.isSigned === true &&
        equalBytes(opening.publicKey, order.publicKey) &&
        equalBytes(opening.header, order.header) &&
        opening.statement === purposeOf(order) &&
        order.revealed.every(({ index, message }) => textOf(opening.messages[index]) === textOf(message)) &&
        (order.commitment === undefined || equalBytes(order.commitment, idealCommit(opening)))
      );
    },
  };
}

interface Case {
  readonly ledger: ModelLedger;
  readonly attack: ModelAttack;
}
const cases: fc.Arbitrary<Case> = ledgers.chain((ledger) =>
  attackOn(ledger).map((attack) => ({ ledger, attack })),
);

test('what is called verified stands on the ledger under its issuer', async () => {
  const counts = { verified: 0, refused: 0, byStolenKey: 0 };
  await fc.assert(
    fc.asyncProperty(cases, async ({ ledger, attack }) => {
      const prover = idealProver(ledger);
      const facts = factsOf(ledger, prover);
      const presentation = await presentAttack(attack, prover);
      assert.ok(presentation);
      const verdict = await verdictOnAttack(presentation, facts, prover);
      counts[verdict.verified ? 'verified' : 'refused']++;
      if (!verdict.verified) return;
      const { keyIssuer, keyNumber } = attack;
      const isStolen = ledger.keys.some(
        (key) => key.issuer === keyIssuer && key.number === keyNumber && key.isStolen,
      );
      counts.byStolenKey += isStolen ? 1 : 0;
      assert.deepEqual(unfounded(ledger, attack), []);
    }),
    { numRuns: 2_000 },
  );
  // Neither side is empty: good credentials verify, also by a key that others have, and most attacks do not.
  assert.ok(
    counts.verified >= 20 && counts.byStolenKey >= 5 && counts.refused >= 1_000,
    JSON.stringify(counts),
  );
});
