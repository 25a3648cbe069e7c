/** Attacks on the bytes of a derived proof, piece by piece (`sdk/src/proofs/proof-layout.ts`). */
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { encodeProofValue, parseProofValue } from '@symbolon/core/credential/credential-shapes';
import { firstOf, forge, forgery } from '../support/credential-fixtures.ts';
import type { AttackWorld, GoodPresentations } from './attack-world.ts';
import { type Attack, proofFails } from './three-verifiers.ts';

type Bytes = (proof: Uint8Array, world: AttackWorld) => Uint8Array;

/** Of the first credential of a presentation. */
const bytesOf = (good: GoodPresentations, name: keyof GoodPresentations): Uint8Array =>
  parseProofValue(firstOf(good[name]).proof.proofValue as string) as Uint8Array;

const changedAt =
  (position: number, ...bytes: number[]): Bytes =>
  (proof) => {
    const copy = proof.slice();
    copy.set(bytes, position < 0 ? proof.length + position : position);
    return copy;
  };
const flippedAt =
  (position: number, mask = 1): Bytes =>
  (proof) => {
    const copy = proof.slice();
    const place = position < 0 ? proof.length + position : position;
    copy[place] = (copy[place] as number) ^ mask;
    return copy;
  };

const zeroPoint = [0xc0, ...new Uint8Array(47)];
const basePoint = [...bls12_381.G1.Point.BASE.toBytes(true)];

/** Where pieces begin: a count of 8 bytes, a tag, four points, two scalars, a point, 1, a count, the responses. */
const firstPoint = 9;
const scalarsAt = firstPoint + 4 * 48;
const lastPoint = scalarsAt + 2 * 32;
const responses = lastPoint + 48 + 1 + 8;
/** Nine hidden attributes and the salt are twelve less three and one; with one response more than hidden ones. */
const hiddenCount = 10;
const afterResponses = responses + (hiddenCount + 1) * 32 + 1;
const commitmentTag = afterResponses;
const commitmentPoint = commitmentTag + 1;
const commitmentCounts = commitmentPoint + 48;

const changes: Readonly<Record<string, Bytes>> = {
  'a proof of no statement': changedAt(0, 0),
  'a proof that counts one statement less': changedAt(0, 1),
  'a proof that counts one statement more': changedAt(0, 3),
  'the tag of another signature scheme': changedAt(8, 0),
  'another first point': changedAt(firstPoint, ...basePoint),
  'no first point': changedAt(firstPoint, ...zeroPoint),
  'the second point negated': flippedAt(firstPoint + 48, 0x20),
  'the third point negated': flippedAt(firstPoint + 96, 0x20),
  'no fourth point': changedAt(firstPoint + 144, ...zeroPoint),
  'the first scalar changed': flippedAt(scalarsAt),
  'a scalar that is too large': changedAt(scalarsAt, ...new Uint8Array(32).fill(0xff)),
  'the second scalar 0': changedAt(scalarsAt + 32, ...new Uint8Array(32)),
  'another point for the responses': changedAt(lastPoint, ...basePoint),
  'another number of responses': changedAt(responses - 8, hiddenCount),
  'the first response changed': flippedAt(responses),
  "the salt's response changed": flippedAt(responses + hiddenCount * 32),
  'all responses 0': changedAt(responses, ...new Uint8Array((hiddenCount + 1) * 32)),
  'two responses exchanged': (proof) => {
    const copy = proof.slice();
    copy.set(proof.subarray(responses, responses + 32), responses + 32);
    copy.set(proof.subarray(responses + 32, responses + 64), responses);
    return copy;
  },
  'the tag of another commitment': changedAt(commitmentTag, 0x21),
  'no point for the commitment': changedAt(commitmentPoint, ...zeroPoint),
  'another point for the commitment': changedAt(commitmentPoint, ...basePoint),
  "the commitment's point negated": flippedAt(commitmentPoint, 0x20),
  'a commitment with responses of its own': changedAt(commitmentCounts, 1),
  'a commitment of one message less': changedAt(commitmentCounts + 8, hiddenCount - 1),
  'a commitment of no message': changedAt(commitmentCounts + 8, 0),
  'the statement of the commitment left out': (proof) => {
    const rest = proof.subarray(commitmentCounts + 16);
    return Uint8Array.from([1, ...proof.subarray(1, commitmentTag), ...rest]);
  },
  'the statement of the commitment twice': (proof) => {
    const end = commitmentCounts + 16;
    return Uint8Array.from([
      3,
      ...proof.subarray(1, end),
      ...proof.subarray(commitmentTag, end),
      ...proof.subarray(end),
    ]);
  },
  "the commitment's statement of the other credential": (proof, { good }) => {
    const other = parseProofValue(
      (good.two.verifiableCredential as { proof: { proofValue: string } }[])[1]?.proof.proofValue ?? '',
    ) as Uint8Array;
    const copy = proof.slice();
    copy.set(other.subarray(commitmentTag, commitmentCounts + 16), commitmentTag);
    return copy;
  },
  'the last byte changed': flippedAt(-1),
  'a byte less': (proof) => proof.subarray(0, -1),
  'a byte more': (proof) => Uint8Array.from([...proof, 0]),
  'half of it': (proof) => proof.subarray(0, proof.length / 2),
  'nothing but zeros': (proof) => new Uint8Array(proof.length),
  "somebody else's proof": (_proof, { good }) => bytesOf(good, 'thiefs'),
  'the proof with a range in the place of the one without': (_proof, { good }) => bytesOf(good, 'membership'),
  'the proof that was made for a verifier': (_proof, { good }) => bytesOf(good, 'bound'),
};

export const proofBytes: readonly Attack[] = [
  ...Object.entries(changes).map(
    ([name, change]): Attack => ({
      name,
      checks: proofFails,
      forge: (world) => {
        const proofValue = encodeProofValue(change(bytesOf(world.good, 'plain'), world));
        return forge(world.good.plain, world.holder, forgery.proof({ proofValue }));
      },
    }),
  ),
  {
    name: 'an empty proof',
    checks: ['malformed'],
    forge: ({ good, holder }) => forge(good.plain, holder, forgery.proof({ proofValue: 'u' })),
  },
  {
    name: 'a proof in another base',
    checks: ['malformed'],
    forge: ({ good, holder }) =>
      forge(good.plain, holder, (_all, { proof }) => {
        proof.proofValue = `z${(proof.proofValue as string).slice(1)}`;
      }),
  },
];
