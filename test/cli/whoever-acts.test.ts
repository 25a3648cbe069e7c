/**
 * Two issuers on one service, one of them in the profile: `--key` means that key, so nothing of the person in the
 * profile goes with it, neither an API key nor a BBS+ key. What stopped half-way is taken up by the same command.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { grantFunds } from '@symbolon/demo/funds';
import { didOfSigner, type Signer, signerFromSeed } from '@symbolon/sdk/keys/signer';
import { publishKey } from '@symbolon/sdk/transactions/did-keys';
import { ownerOfSuite } from '../support/owner.ts';
import { person, richest } from '../support/people.ts';
import { type CommandWorld, onlyJson, startCommandWorld } from './credential-world.ts';

describe('whoever acts', () => {
  const owner = ownerOfSuite();
  const mine = person('another issuer');
  const template = ['--name', 'Choir membership', '--attribute', 'voice:string:required'];
  let world: CommandWorld;
  let key: string[] = [];
  let bbsKey = '';
  let apiKey = '';

  /** A funded account whose BBS+ key the service keeps and the ledger shows. */
  async function openIssuer(signer: Signer): Promise<void> {
    const { service } = world;
    const did = didOfSigner(signer);
    const funder = await signerFromSeed(richest.seed);
    await grantFunds(service.ledger, funder, [{ address: signer.address, amount: 1_000_000_000n }]);
    const scopes = ['templates', 'issue', 'revoke', 'bbs'] as const;
    apiKey = (await service.served.apiKeys.create({ label: 'mine', did, scopes })).token;
    const made = await service.clientWith({ apiKey }).createBbsKey({ seed: '42'.repeat(32) });
    bbsKey = made.publicKeyMultibase;
    const type = 'Bls12381G2Key2020';
    await publishKey(service.ledger, { signer, type, publicKeyMultibase: bbsKey }, { pollIntervalMs: 5 });
  }

  before(async () => {
    world = await startCommandWorld(owner);
    writeFileSync(world.file('mine.key'), mine.privateKey, { mode: 0o600 });
    key = ['--key', world.file('mine.key')];
    await openIssuer(await signerFromSeed(mine.seed));
  });

  const run = (...args: string[]) => world.run(...args, '--json');
  const state = async (vcId: string): Promise<unknown> =>
    (await world.service.clientWith({ apiKey }).getApplication({ vcId })).status;

  async function apply(): Promise<string> {
    const applied = await run('vc', 'apply', 'Choir membership', '--set', 'voice=alto');
    assert.equal(applied.code, 0, applied.err);
    return String(onlyJson(applied.out).vcId);
  }

  test('is the key that is named, with nothing of the person in the profile', async () => {
    const refused = await run('template', 'create', ...template, ...key);
    assert.equal(refused.code, 1, refused.out);
    assert.match(refused.err, /SYMBOLON_API_KEY/, 'the API key of the person in the profile is not sent');
  });

  test('issues with its own BBS+ key, also what stopped half-way', async () => {
    process.env.SYMBOLON_API_KEY = apiKey;
    owner.after(() => void delete process.env.SYMBOLON_API_KEY);
    await world.json('template', 'create', ...template, ...key);
    const vcId = await apply();
    const stranger = world.service.issuer.bbsPublicKey;
    const stopped = await world.here('vc', 'issue', vcId, ...key, '--bbs-key', stranger);
    assert.equal(stopped.code, 1, stopped.out);
    assert.equal(await state(vcId), 'Approved');
    const { status } = await world.json('vc', 'issue', vcId, ...key);
    assert.equal(status, 'Issued');
  });
});
