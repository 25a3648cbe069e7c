/** A verifier says by command whom it trusts: by DID, by a list at the service, by a file; with the service and without. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { publishName } from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import {
  assertHelpful,
  assertPlain,
  type CommandWorld,
  degree,
  issueDegree,
  onlyJson,
  registerDegree,
  startCommandWorld,
} from './credential-world.ts';

const nobody = `did:zid:${'0'.repeat(64)}`;

describe('whom a verifier trusts, by command', () => {
  const owner = ownerOfSuite();
  let world: CommandWorld;
  let issuer: string;
  let presentation: string;
  let templateId: string;
  before(async () => {
    world = await startCommandWorld(owner);
    issuer = world.service.issuer.did;
    templateId = String((await registerDegree(world)).templateId);
    await issueDegree(world, world.file('credential.json'));
    presentation = world.file('presentation.json');
    const shown = ['--reveal', 'degree', '--age', 'birthDate:18..'];
    await world.json('vp', 'create', world.file('credential.json'), ...shown, '--out', presentation);
  });

  test('a DID: good for the issuer, exit code 3 for a stranger, and who it was is told', async () => {
    const good = await world.run('verify', presentation, '--trust', issuer, '--template', degree.name);
    assert.equal(good.code, 0, good.err);
    assert.match(good.out, /^VERIFIED {3}saw: degree = "BSc Mathematics", birthDate: 18 or older$/m);
    assert.match(good.out, new RegExp(`^ {2}issued by ${issuer}: trusted$`, 'm'));
    assert.match(good.out, new RegExp(`^ {2}"University degree" 1\\.0\\.0, ${templateId}$`, 'm'));
    assert.match(good.out, /^ {2}valid .* active, ledger \d+$/m);
    const bad = await world.run('verify', presentation, '--trust', nobody);
    assert.equal(bad.code, 3);
    assert.match(
      bad.out,
      new RegExp(`^NOT VERIFIED {3}the issuer ${issuer} is not one of those trusted`, 'm'),
    );
    assert.ok(!bad.out.includes('Mathematics'));
    const open = await world.run('verify', presentation);
    assert.match(open.out, /not asked for: anybody can issue/);
    const other = await world.run('verify', presentation, '--template', nobody);
    assert.notEqual(other.code, 0);
    assertPlain(good.out + bad.out + open.out);
  });

  test('a list at the service: added to, shown, used, taken from', async () => {
    const add = ['trust', 'list', 'add', 'universities', issuer];
    const made = await world.json(...add, '--name', 'University of Example', '--template', degree.name);
    const entry = { did: issuer, name: 'University of Example', templates: [templateId] };
    assert.deepEqual(made, { name: 'universities', issuers: [entry] });
    assert.deepEqual(await world.json('trust', 'list', 'show', 'universities'), made);
    assert.deepEqual(await world.json('trust', 'list', 'show'), {
      lists: [{ name: 'universities', issuers: 1 }],
    });
    const told = await world.here('trust', 'list', 'show', 'universities');
    assert.match(told.out, /University of Example +for did:zid:/);

    const used = await world.run('verify', presentation, '--trust', '@universities', '--json');
    assert.equal(used.code, 0, used.err);
    const [credential] = onlyJson(used.out).credentials as [JsonObject];
    assert.deepEqual(
      [credential.issuer, credential.issuerName, credential.issuerNameSource, credential.issuerTrust],
      [issuer, 'University of Example', 'trustList', 'trusted'],
    );
    assert.deepEqual(credential.template, { id: templateId, name: degree.name, version: '1.0.0' });

    writeFileSync(world.file('trust.json'), JSON.stringify(made));
    const facts = world.file('facts.json');
    await world.json('verify', 'facts', presentation, '--out', facts);
    const offline = ['verify', presentation, '--offline', '--facts', facts];
    const alone = await world.run(...offline, '--trust', world.file('trust.json'));
    assert.equal(alone.code, 0, alone.err);
    assert.match(alone.out, /issued by "University of Example" \(your name for it\), did:zid:\w+: trusted/);
    assert.match(alone.out, /active, ledger \d+$/m);
    assert.equal((await world.run(...offline, '--trust', nobody)).code, 3);
    const listed = await world.run(...offline, '--trust', '@universities');
    assert.equal(listed.code, 2);
    assert.match(listed.err, /known to the service alone/);

    await world.json('trust', 'list', 'remove', 'universities', issuer);
    const gone = await world.run('verify', presentation, '--trust', '@universities');
    assert.equal(gone.code, 4, gone.err);
    assertHelpful(gone);
  });

  test('the name that the issuer publishes is told as its own word', async () => {
    const { signer } = world.service.issuer;
    await publishName(world.service.ledger, { signer, name: 'Example University' });
    const told = await world.run('verify', presentation, '--trust', issuer);
    assert.match(told.out, /issued by "Example University" \(its own word\), did:zid:\w+: trusted/);
    const facts = world.file('named.json');
    await world.json('verify', 'facts', presentation, '--out', facts);
    const alone = await world.run('verify', presentation, '--offline', '--facts', facts);
    assert.match(alone.out, /issued by "Example University" \(its own word\), did:zid:\w+: not asked for/);
  });

  test('what is no issuer, no list and no file is explained', async () => {
    const mistakes: readonly (readonly string[])[] = [
      ['verify', presentation, '--trust', 'University'],
      ['verify', presentation, '--trust', '@two words'],
      ['verify', presentation, '--trust', '@one', '--trust', '@two'],
      ['verify', presentation, '--trust', presentation],
      ['trust', 'list', 'add', 'universities', 'University'],
      ['trust', 'list', 'add', 'universities', issuer, '--name', 'Unіversity'],
      ['request', '--ask', 'degree', '--trust', 'University'],
    ];
    for (const words of mistakes) {
      const { code, err } = await world.here(...words);
      assert.equal(code, 2, `${words.join(' ')}: ${err}`);
    }
  });
});
