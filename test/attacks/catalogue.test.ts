/**
 * The catalogue of re-signed presentations: every kind of forgery that is known, each signed anew by whoever presents
 * it, so that nothing but proofs and facts can stop it. Judged over HTTP, in a verification session and without a
 * service; none may be accepted by any of them, and each must be refused for the right reasons.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { encodeHex, parseHex } from '@symbolon/core/basics/bytes';
import type { UnsignedCredential } from '@symbolon/core/documents/model';
import { templateId } from '@symbolon/core/names/template-names';
import { ownerOfSuite } from '../support/owner.ts';
import {
  type AttackIssuer,
  type AttackWorld,
  question,
  startAttackWorld,
  universityTemplate,
} from './attack-world.ts';
import { altered, counterfeit, recordEntry, renamed, show, unsignedOf } from './attacker.ts';
import { catalogue } from './catalogue.ts';
import { askBoth, askSession, assertRefused, sha256 } from './three-verifiers.ts';

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

describe('what an attacker cannot put on the ledger', () => {
  const recordingBy = async (issuer: AttackIssuer, changes: Partial<UnsignedCredential>) => {
    const { credentials, maker } = world;
    const credential = {
      ...renamed(unsignedOf(credentials.first), `did:zid:${'d1'.repeat(32)}`),
      ...changes,
    };
    const made = await counterfeit(world, { credential, key: maker.keys[0] });
    return recordEntry(world, { issuer, made });
  };

  test("an entry by another issuer's template", async () => {
    const { maker } = world;
    await assert.rejects(recordingBy(maker, { issuer: maker.did }), /templateUnknown/);
  });

  test("an entry under another issuer's name, whichever BBS+ keys it has", async () => {
    const { university, maker } = world;
    const { address, sign } = maker.signer;
    const signer = { ...university.signer, address, sign: sign.bind(maker.signer) };
    await assert.rejects(recordingBy({ ...university, signer }, {}));
  });
});

test('a template of the same name is not the one that a session asks for', async () => {
  const { service, maker, holder, credentials } = world;
  const { ledger, profile } = service.served.parts;
  const draft = { name: universityTemplate, version: '1.0.0', issuer: maker.did };
  const attributes = credentials.first.credentialSchema.attributes.map(({ key, type, format }) => ({
    key,
    label: key,
    type,
    format,
    mandatory: key !== 'remark',
  }));
  const template = {
    ...draft,
    id: templateId(draft, { didMethod: profile.didMethod, sha256 }),
    attributes,
  };
  const { signer } = maker;
  const order = { template, issuerAddress: signer.address, issuerKey: signer.publicKey };
  const { blob } = await ledger.registerTemplateTransaction(order);
  const signature = encodeHex(await signer.sign(parseHex(blob) as Uint8Array));
  await ledger.submitSigned({ blob, publicKey: signer.publicKey, signature });
  const own = renamed(unsignedOf(credentials.first), `did:zid:${'d2'.repeat(32)}`);
  const credential = altered(own, { issuer: maker.did, schema: { id: template.id } });
  const made = await counterfeit(world, { credential, key: maker.keys[0] });
  await recordEntry(world, { issuer: maker, made });
  const presentation = await show(world, [made], { holder });
  assert.deepEqual(await askBoth(world, presentation), [], 'it is what its issuer recorded');
  assert.notDeepEqual(await askSession(world, presentation), []);
});

for (const [theme, attacks] of Object.entries(catalogue))
  describe(theme, () => {
    for (const attack of attacks) test(attack.name, () => assertRefused(world, attack));
  });
