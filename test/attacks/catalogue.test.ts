/**
 * The catalogue of re-signed presentations: every kind of forgery that is known, each signed anew by whoever presents
 * it, so that nothing but proofs and facts can stop it. Judged over HTTP, in a verification session and without a
 * service; none may be accepted by any of them, and each must be refused for the right reasons.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ownerOfSuite } from '../support/owner.ts';
import { type AttackWorld, question, startAttackWorld } from './attack-world.ts';
import { catalogue } from './catalogue.ts';
import { askBoth, askSession, assertRefused } from './three-verifiers.ts';

const owner = ownerOfSuite();
let world: AttackWorld;

before(async () => {
  world = await startAttackWorld(owner);
});

const kindsMin = 150;

test('the catalogue has enough kinds, and none twice', () => {
  const names = Object.values(catalogue).flatMap((attacks) => attacks.map(({ name }) => name));
  assert.equal(new Set(names).size, names.length);
  assert.ok(names.length >= kindsMin, `${names.length} kinds`);
});

test('what the attacks start from verifies, with all three', async () => {
  const { bound, two, ...others } = world.good;
  for (const [name, good] of Object.entries({ ...others, two }))
    assert.deepEqual(await askBoth(world, good), [], name);
  assert.deepEqual(await askBoth(world, bound, question), []);
  for (const good of Object.values(others)) assert.deepEqual(await askSession(world, good), []);
});

for (const [theme, attacks] of Object.entries(catalogue))
  describe(theme, () => {
    for (const attack of attacks) test(attack.name, () => assertRefused(world, attack));
  });
