/** Attacks on presentations of several credentials. */
import assert from 'node:assert/strict';
import type { JsonObject } from '@symbolon/wire/json/json';
import { type Forgery, firstOf, forge, type LooseCredential } from '../support/credential-fixtures.ts';
import { type AttackWorld, asJson, birthRange, derive, revealAttributes } from './attack-world.ts';
import { counterfeit, show, unsignedOf } from './attacker.ts';
import { type Attack, proofFails } from './three-verifiers.ts';

/** Something done to both credentials of a presentation of two. */
const withBoth =
  (change: (first: LooseCredential, second: LooseCredential) => void): Forgery =>
  ({ verifiableCredential: [first, second] }) => {
    assert.ok(first && second);
    change(first, second);
  };

const exchanged = (member: string): Forgery =>
  withBoth((first, second) => {
    const kept = first[member] as JsonObject;
    (first as JsonObject)[member] = second[member];
    (second as JsonObject)[member] = kept;
  });

const ofTwo = (name: string, checks: readonly string[], change: Forgery): Attack => ({
  name,
  checks,
  forge: ({ good, holder }) => forge(good.two, holder, change),
});

const joined =
  (other: LooseCredential, subject: JsonObject = {}): Forgery =>
  (all) =>
    void all.verifiableCredential.push({
      ...structuredClone(other),
      credentialSubject: { ...other.credentialSubject, ...subject },
    });

/** A good credential and one of which the ledger says no. */
const besides = (name: string, of: 'revoked' | 'suspended' | 'future'): Attack => ({
  name,
  checks: ['status'],
  forge: (world: AttackWorld) =>
    derive(world, world.holder, {
      vcs: [world.credentials.first, world.credentials[of]].map((vc) => ({
        vc: asJson(vc),
        revealAttributes,
      })),
    }),
});

export const severalCredentials: readonly Attack[] = [
  ofTwo("values of one's own two credentials exchanged", proofFails, exchanged('credentialSubject')),
  ofTwo("proofs of one's own two credentials exchanged", proofFails, exchanged('proof')),
  ofTwo(
    'the second with an attribute less',
    [...proofFails, 'status'],
    withBoth((_first, { credentialSchema }) => {
      credentialSchema.attributes = (credentialSchema.attributes as JsonObject[]).slice(0, -1);
    }),
  ),
  ofTwo(
    'one value of the second changed',
    proofFails,
    withBoth((_first, { credentialSubject }) => {
      credentialSubject.nationality = 'NZ';
    }),
  ),
  ofTwo(
    'the proof of the first for both',
    proofFails,
    withBoth((first, second) => {
      second.proof = structuredClone(first.proof);
    }),
  ),
  ofTwo(
    'the second with the identifier of the first',
    ['bbsProof', 'disclosure', 'revealedAttributes', 'status'],
    withBoth((first, second) => {
      second.id = first.id as string;
    }),
  ),
  {
    name: "somebody else's credential joined",
    checks: ['holderSignature'],
    forge: ({ good, holder }) => forge(good.plain, holder, joined(firstOf(good.thiefs))),
  },
  {
    name: "somebody else's credential joined, under the holder's name",
    checks: proofFails,
    forge: ({ good, holder }) => forge(good.plain, holder, joined(firstOf(good.thiefs), { id: holder.did })),
  },
  {
    name: 'a credential joined whose proof is of a presentation with a challenge',
    checks: ['bbsProof', 'disclosure', 'revealedAttributes'],
    forge: ({ good, holder }) => forge(good.plain, holder, joined(firstOf(good.bound))),
  },
  {
    name: 'the same credential once more',
    checks: ['disclosure'],
    forge: ({ good, holder }) => forge(good.plain, holder, joined(firstOf(good.plain))),
  },
  {
    name: 'one request answered by parts of two credentials',
    checks: ['disclosure'],
    asked: { request: { revealAttributes, rangeProof: birthRange } },
    forge: (world) =>
      derive(world, world.holder, {
        vcs: [
          { vc: asJson(world.credentials.first), revealAttributes },
          { vc: asJson(world.credentials.second), rangeProof: birthRange },
        ],
      }),
  },
  besides('a revoked one beside a good one', 'revoked'),
  besides('a suspended one beside a good one', 'suspended'),
  besides('one that is not valid yet beside a good one', 'future'),
  {
    name: 'a counterfeit beside a good one',
    checks: ['status'],
    forge: async (world) => {
      const { good, holder, maker, credentials } = world;
      const credential = { ...unsignedOf(credentials.second), issuer: maker.did };
      const made = await counterfeit(world, { credential, key: maker.keys[0], salt: null });
      const shown = await show(world, [made], { holder });
      return forge(good.plain, holder, joined(firstOf(shown)));
    },
  },
  {
    name: "a credential by a stolen key beside a good one, with the good one's salt",
    checks: proofFails,
    forge: async (world) => {
      const { good, holder, university, credentials } = world;
      const credential = unsignedOf(credentials.second);
      const { salt } = credentials.first.proof[0];
      const made = await counterfeit(world, { credential, key: university.keys[0], salt });
      const shown = await show(world, [made], { holder });
      return forge(good.plain, holder, joined(firstOf(shown)));
    },
  },
];
