/**
 * Offers by OpenID4VCI at the command line: an issuer makes one, a holder sees what it is and takes it, and the wallet has
 * what came of it, sealed, beside its other credentials.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { accept } from '@symbolon/cli/commands/wallet/accepting';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import {
  assertHelpful,
  type CommandWorld,
  degree,
  registerDegree,
  startCommandWorld,
} from './credential-world.ts';
import { terminalOf } from './wallet-terminal.ts';

const owner = ownerOfSuite();
let world: CommandWorld;
before(async () => {
  world = await startCommandWorld(owner);
  await registerDegree(world);
});

const newWallet = (): readonly string[] => ['--wallet', tempFolder(owner)];
const atTerminal = terminalOf(() => world);
const values = degree.values.flatMap((value) => ['--set', value]);

interface Made {
  readonly link: string;
  readonly vcId: string;
  readonly txCode?: string;
}
const offer = async (...words: string[]): Promise<Made> =>
  (await world.json('offer', 'new', degree.name, ...values, '--openid', ...words)) as unknown as Made;

describe('an offer by OpenID4VCI', () => {
  test('is shown before it is taken, and kept sealed', async () => {
    const { link } = await offer('--no-pin');
    const wallet = newWallet();
    const declined = await atTerminal(accept, link, { typed: ['n'], wallet });
    assert.match(declined.err, /is offered to you by/);
    assert.match(declined.err, /think of whoever gave you the link/);
    assert.doesNotMatch(declined.err, /Aroha/);
    assert.match(declined.failure ?? '', /^Nothing was accepted\./);
    const taken = await atTerminal(accept, link, { typed: ['y'], wallet });
    assert.equal(taken.failure, undefined, taken.failure);
    assert.match(taken.out, /^Kept: "[^"]+", [0-9a-f]{8}\. It says:\n/);
    assert.match(taken.out, /Aroha Ngata/);
    const [address = ''] = readdirSync(wallet[1] ?? '');
    const file = path.join(wallet[1] ?? '', address, 'wallet.db');
    assert.ok(!readFileSync(file).includes('Aroha'));
    const { credentials } = await world.json('wallet', 'list', ...wallet);
    const [kept] = credentials as JsonObject[];
    assert.deepEqual([kept?.status, kept?.format], ['valid', 'dc+sd-jwt']);
    const shown = await world.here('wallet', 'show', String(kept?.id).slice(0, 8), ...wallet);
    assert.match(shown.out, /Aroha Ngata[\s\S]*By its issuer's list valid/);
    for (const line of shown.out.split('\n')) assert.ok(line.length <= 120, line);
  });

  test('with a PIN needs the right one', async () => {
    const { link, txCode = '' } = await offer('--format', 'bbs-2023');
    const wallet = newWallet();
    const without = await world.here('wallet', 'accept', link, '--yes', ...wallet);
    assert.equal(without.code, 2);
    assertHelpful(without);
    const pin = world.file('pin.txt');
    writeFileSync(pin, `${txCode.slice(0, 3)}`);
    assert.match(
      (await world.here('wallet', 'accept', link, '--yes', '--pin-file', pin, ...wallet)).err,
      /6 digits/,
    );
    writeFileSync(pin, `${txCode}\n`);
    const taken = await world.json('wallet', 'accept', link, '--yes', '--pin-file', pin, ...wallet);
    assert.equal(taken.isKept, true);
    assert.equal(taken.format, 'ldp_vc');
    const again = await world.here('wallet', 'accept', link, '--yes', '--pin-file', pin, '--json', ...wallet);
    assert.equal(again.code, 1, again.out);
    assertHelpful(again);
  });

  test('that is revoked is listed so', async () => {
    const { link, vcId } = await offer('--no-pin');
    const wallet = newWallet();
    await world.json('wallet', 'accept', link, '--yes', '--copies', '2', ...wallet);
    await world.json('vc', 'revoke', vcId);
    await until('the list says so', async () => {
      const { credentials } = await world.json('wallet', 'list', ...wallet);
      const [{ status, copies }] = credentials as [JsonObject];
      assert.equal(copies, 2);
      return status === 'revoked';
    });
  });

  test('has options of its own', async () => {
    const mixed = await world.here('offer', 'new', degree.name, ...values, '--format', 'bbs-2023');
    assert.equal(mixed.code, 2);
    assertHelpful(mixed);
    const free = await world.here('offer', 'new', degree.name, ...values, '--openid', '--free');
    assert.equal(free.code, 2);
    assertHelpful(free);
  });
});
