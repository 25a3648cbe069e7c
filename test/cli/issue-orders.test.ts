/**
 * What `vc issue` and its siblings sign: shown before, for whom it was meant, on the network that the profile knows.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { issue } from '@symbolon/cli/commands/vc/issuing';
import type { Connection } from '@symbolon/cli/profile/connection';
import { createTerminal } from '@symbolon/cli/terminal/terminal';
import type { DemoDocument } from '@symbolon/demo/file';
import { SdkError } from '@symbolon/sdk/index';
import { ownerOfSuite } from '../support/owner.ts';
import {
  type CommandWorld,
  degree,
  onlyJson,
  registerDegree,
  startCommandWorld,
} from './credential-world.ts';

const owner = ownerOfSuite();
const otherRegistry = 'ZTX3Ta7d4GyAXD41H2kFCTd2eXhDesM83rvC3';

describe('an issuer by command', () => {
  let world: CommandWorld;
  let demo: DemoDocument;

  before(async () => {
    world = await startCommandWorld(owner);
    demo = JSON.parse(readFileSync(path.join(world.service.folder, 'demo.json'), 'utf8'));
    await registerDegree(world);
  });

  const apply = async (): Promise<string> => {
    const values = degree.values.flatMap((value) => ['--set', value]);
    return String((await world.json('vc', 'apply', degree.name, ...values)).vcId);
  };
  const stateOf = async (vcId: string) => (await world.json('vc', 'show', vcId)).status;

  const profileWith = (pins: object): string => {
    const file = world.file(`profile-${Object.keys(pins).join('-')}.json`);
    writeFileSync(file, JSON.stringify({ ...demo, pins: { ...demo.pins, ...pins } }), { mode: 0o600 });
    return file;
  };
  const refusedWith = async (name: string, words: RegExp, ...args: string[]) => {
    const { code, out, err } = await world.run(...args, '--json');
    assert.equal(code, 1, err);
    const { error } = onlyJson(out) as unknown as { error: { code: string; message: string } };
    assert.equal(error.code, name, err);
    assert.match(error.message, words);
    return error.message;
  };
  const refused = (member: RegExp, ...args: string[]) => refusedWith('notAsOrdered', member, ...args);

  test('knows the network from the profile of the demo', () => {
    const { templates, credentials } = world.service.served.parts.ledger.registries;
    assert.deepEqual(demo.pins, { chainId: 0, templateRegistry: templates, credentialRegistry: credentials });
  });

  test('sees what is signed, and signs it for the holder that was meant and for nobody else', async () => {
    const vcId = await apply();
    const stranger = `did:zid:${'e'.repeat(64)}`;
    await refused(/another holder's/, 'vc', 'issue', vcId, '--holder', stranger);
    assert.equal(await stateOf(vcId), 'Pending');
    assert.match((await world.here('vc', 'show', vcId)).out, /signature +the holder's, over these values/);
    const words = ['--holder', demo.holder.did, '--set', 'points=300', '--valid-until', '2090-01-01'];
    const { code, err } = await world.here('vc', 'issue', vcId, ...words);
    assert.equal(code, 0, err);
    for (const shown of [demo.holder.did, 'University degree 1.0.0', 'Aroha Ngata', '300', '2090-01-01'])
      assert.ok(err.includes(shown), `${shown} is shown: ${err}`);
  });

  test('signs no application but the one that was named', async () => {
    const vcId = await apply();
    const { client, signer } = world.service.issuer;
    const other = `vc:${'e'.repeat(64)}`;
    const service = {
      ...client,
      getApplication: async (choice: { vcId: string }) => ({
        ...(await client.getApplication(choice)),
        vcId: other,
      }),
      createCredential: () => assert.fail('nothing is ordered for another application'),
    };
    const { issuer: person } = demo;
    const connection = { service, signer: async () => signer, person, pins: {} } as unknown as Connection;
    const terminal = createTerminal({ out: () => {}, err: () => {}, isWatched: false, hasColours: false });
    const issued = issue({ connection, words: { profile: '', json: true }, terminal }, vcId);
    await assert.rejects(
      issued,
      (error) => error instanceof SdkError && error.code === 'notAsOrdered' && /vcId/.test(error.message),
    );
    await world.json('vc', 'reject', vcId, '--reason', 'answered under another id');
  });

  test('signs nothing for a registry or a chain that is not the pinned one', async () => {
    const vcId = await apply();
    const elsewhere = profileWith({ credentialRegistry: otherRegistry });
    await refused(/credentialStatus\.id/, 'vc', 'issue', vcId, '--profile', elsewhere);
    const template = ['template', 'create', '--name', 'Elsewhere', '--attribute', 'a:string'];
    const away = profileWith({ templateRegistry: otherRegistry });
    const said = await refused(/destAddress/, ...template, '--profile', away);
    assert.match(said, new RegExp(`pins templateRegistry ${otherRegistry}, and the service offers ZTX3`));
    await refused(/the ledger has none/, 'vc', 'issue', vcId, '--profile', away);
    await refused(/chainId/, ...template, '--profile', profileWith({ chainId: 7 }));
    const cheap = profileWith({ feeLimitMax: 1 });
    const dear = await refusedWith('feeTooHigh', /above the cap of 1\b/, ...template, '--profile', cheap);
    assert.match(dear, /put feeLimitMax \d+ and gasPriceMax \d+ into/);
    const issued = await apply();
    await world.json('vc', 'issue', issued);
    await refused(/destAddress/, 'vc', 'revoke', issued, '--profile', elsewhere);
    assert.equal((await world.json('vc', 'status', issued)).status, 'Active');
    const registry = demo.pins?.credentialRegistry ?? '';
    const named = await world.run('vc', 'suspend', issued, '--profile', elsewhere, '--registry', registry);
    assert.equal(named.code, 0, named.err);
    await world.json('vc', 'issue', vcId);
    assert.equal(await stateOf(vcId), 'Issued', 'what was refused is done at once with the right order');
  });
});
