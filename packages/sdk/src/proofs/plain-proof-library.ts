/**
 * The draft's `ProofGen` and `ProofVerify` on the proof library, which has neither: its own proofs of a signature are others.
 * What it has is multiplying and adding points of G1, and a pairing check inside the verification of a signature; both
 * algorithms consist of these. The steps carry the draft's names.
 *
 * The library's products take a time that depends on their scalars, as everything it does for a holder. Nothing here touches
 * an issuer's secret key.
 */
import { calculateDomain, createGenerators } from '@symbolon/core/proofs/generators';
import {
  encodePlainProof,
  invertScalar,
  type PlainProof,
  parsePlainProof,
  plainChallenge,
  randomScalarBytes,
  scalarOf,
  scalarOfRandomBytes,
} from '@symbolon/core/proofs/plain-proofs';
import type { PlainDeriveOrder, PlainProofOrder, PlainStatement } from '@symbolon/core/proofs/proof-engine';
import { integerBytes, messageScalar, parseScalar } from '@symbolon/core/proofs/scalars';
import { pointBytes, scalarBytes } from '@symbolon/core/proofs/sizes';
import { basePointG1, basePointG2 } from '@symbolon/core/proofs/suite';
import type { DockModule } from './dock-library.ts';

type Term = readonly [point: Uint8Array, scalar: bigint];

/** The sum of points, each times its scalar. A scalar of 0 never comes so far: it would be an accident, or a forgery. */
function sumOf(dock: DockModule, terms: readonly Term[]): Uint8Array {
  if (terms.some(([, scalar]) => scalar === 0n)) throw new RangeError('a scalar of 0');
  return dock.pedersenCommitmentG1(
    terms.map(([point]) => point),
    terms.map(([, scalar]) => integerBytes(scalar, scalarBytes).reverse()),
  );
}

/** Random scalars, none of which is 0. */
export function randomScalars(count: number): bigint[] {
  return Array.from({ length: count }, () => {
    const bytes = crypto.getRandomValues(new Uint8Array(randomScalarBytes));
    const scalar = scalarOfRandomBytes(bytes);
    bytes.fill(0);
    return scalar === 0n ? 1n : scalar;
  });
}

/** Where the messages of a statement stand: its points, and the domain that binds key, header and number of messages. */
function placesOf(statement: PlainStatement, messageCount: number) {
  const generators = createGenerators('plain', messageCount);
  const domain = calculateDomain({ ...statement, interface: 'plain' }, generators);
  const [q1, ...messagePoints] = generators as [Uint8Array, ...Uint8Array[]];
  return { q1, messagePoints, domain };
}

const plainScalar = (bytes: Uint8Array): bigint => messageScalar('plain', { bytes });

/** What is not secret of a point for a hidden message. */
const pointsAt = (points: readonly Uint8Array[], indexes: readonly number[]): Uint8Array[] =>
  indexes.map((index) => points[index] as Uint8Array);

/** r1, r2, e~, r1~, r3~, then m~ for each hidden message. The factor that hides r2 while it is inverted is apart. */
const randomsBeforeMessages = 5;

/** Makes a proof. The random scalars are the caller's to give in tests alone, in the order of the draft. */
export function derivePlainProof(
  dock: DockModule,
  order: PlainDeriveOrder,
  drawn: (count: number) => bigint[] = randomScalars,
): Uint8Array {
  const { messages, signature, revealed } = order;
  const { q1, messagePoints, domain } = placesOf(order, messages.length);
  const scalars = messages.map(plainScalar);
  const shown = new Set(revealed);
  const hidden = [...messages.keys()].filter((index) => !shown.has(index));
  const a = signature.slice(0, pointBytes);
  const e = parseScalar(signature.subarray(pointBytes)) as bigint;
  const [r1, r2, eRandom, r1Random, r3Random, ...messageRandoms] = drawn(
    randomsBeforeMessages + hidden.length,
  ) as [bigint, bigint, bigint, bigint, bigint, ...bigint[]];
  const [factor] = randomScalars(1) as [bigint];

  // ProofInit. B is never computed: D is B times r2, so each of its terms is.
  const d = sumOf(dock, [
    [basePointG1, r2],
    [q1, scalarOf(domain * r2)],
    ...messagePoints.map((point, index): Term => [point, scalarOf((scalars[index] as bigint) * r2)]),
  ]);
  const aBar = sumOf(dock, [[a, scalarOf(r1 * r2)]]);
  const bBar = sumOf(dock, [
    [d, r1],
    [aBar, scalarOf(-e)],
  ]);
  const t1 = sumOf(dock, [
    [aBar, eRandom],
    [d, r1Random],
  ]);
  const hiddenPoints = pointsAt(messagePoints, hidden);
  const t2 = sumOf(dock, [
    [d, r3Random],
    ...hiddenPoints.map((point, index): Term => [point, messageRandoms[index] as bigint]),
  ]);
  const challenge = plainChallenge(
    {
      points: { aBar, bBar, d },
      t1,
      t2,
      domain,
      revealed: revealed.map((index) => ({ index, scalar: scalars[index] as bigint })),
    },
    order,
  );

  // ProofFinalize.
  const r3 = invertScalar(r2, factor);
  return encodePlainProof({
    aBar,
    bBar,
    d,
    eResponse: scalarOf(eRandom + e * challenge),
    r1Response: scalarOf(r1Random - r1 * challenge),
    r3Response: scalarOf(r3Random - r3 * challenge),
    messageResponses: hidden.map((index, place) =>
      scalarOf((messageRandoms[place] as bigint) + (scalars[index] as bigint) * challenge),
    ),
    challenge,
  });
}

/** Whether a proof is one; a refusal of the library, which throws, is a no as well. */
export function verifyPlainProof(dock: DockModule, order: PlainProofOrder): boolean {
  const proof = parsePlainProof(order.proof);
  if (proof === undefined) return false;
  const messageCount = order.revealed.length + proof.messageResponses.length;
  const shown = new Set(order.revealed.map(({ index }) => index));
  const hidden = [...Array(messageCount).keys()].filter((index) => !shown.has(index));
  // As many as responses only if every revealed index is one of the messages.
  if (hidden.length !== proof.messageResponses.length) return false;
  return isChallengeMet(dock, order, proof, hidden) && isPaired(dock, order.publicKey, proof);
}

/** ProofVerifyInit: T1 and T2 as the responses make them must hash to the challenge that they answer. */
function isChallengeMet(
  dock: DockModule,
  order: PlainProofOrder,
  proof: PlainProof,
  hidden: readonly number[],
): boolean {
  const { aBar, bBar, d, challenge } = proof;
  const { q1, messagePoints, domain } = placesOf(order, order.revealed.length + hidden.length);
  const revealed = order.revealed.map(({ index, message }) => ({ index, scalar: plainScalar(message) }));
  const t1 = sumOf(dock, [
    [bBar, challenge],
    [aBar, proof.eResponse],
    [d, proof.r1Response],
  ]);
  // Bv times the challenge, term by term, and the rest of T2 in the same sum.
  const t2 = sumOf(dock, [
    [basePointG1, challenge],
    [q1, scalarOf(domain * challenge)],
    ...revealed.map(
      ({ index, scalar }): Term => [messagePoints[index] as Uint8Array, scalarOf(scalar * challenge)],
    ),
    [d, proof.r3Response],
    ...pointsAt(messagePoints, hidden).map(
      (point, place): Term => [point, proof.messageResponses[place] as bigint],
    ),
  ]);
  return plainChallenge({ points: proof, t1, t2, domain, revealed }, order) === challenge;
}

const zero = new Uint8Array(scalarBytes);

/**
 * Whether Abar times the secret key is Bbar: e(Abar, W) = e(Bbar, BP2). The library verifies a signature (A, e) over messages
 * by e(A, W + BP2·e) = e(P1 + Σ H·m, BP2); with e and the one message 0 and Bbar in the place of P1 that is the same.
 */
function isPaired(dock: DockModule, publicKey: Uint8Array, { aBar, bBar }: PlainProof): boolean {
  const signature = new Uint8Array(pointBytes + scalarBytes);
  signature.set(aBar);
  const parameters = { g1: bBar, g2: basePointG2, h: [basePointG1] };
  return dock.bbsVerify([zero], signature, publicKey, parameters, false).verified === true;
}
