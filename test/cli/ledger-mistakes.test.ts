/** A stranger's mistakes: wrong port, wrong network, wrong key, mistyped words. Each is told in words with advice. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { bumoProfile } from '@symbolon/core/keys/profile';
import { sha256 } from '@symbolon/host/work/sha256';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { assertWords, type LedgerWorld, openLedgerWorld } from './ledger-world.ts';

describe('a mistake', () => {
  const owner = ownerOfSuite();
  let world: LedgerWorld;
  before(async () => {
    world = await openLedgerWorld(owner);
  });

  test('the wrong port: nobody there, or somebody else', async () => {
    const page = createServer((_request, response) => void response.end('<html>')).listen(0, '127.0.0.1');
    owner.after(() => {
      page.closeAllConnections();
      page.close();
    });
    await once(page, 'listening');
    const elsewhere = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
    const commands = [['account', 'show', 'holder'], ['tx', 'pay', 'holder', '1'], ['tail']];
    const ended = await Promise.all(
      commands.flatMap((words) =>
        ['http://127.0.0.1:1', elsewhere].map((url) => world.run([...words, '--ledger', url])),
      ),
    );
    for (const each of ended) assertWords(each, 69, /127\.0\.0\.1:\d+[\s\S]*\n\S/);
    assertWords(await world.run(['tx', 'pay', 'holder', '1', '--ledger', 'nonsense']), 2, /\S/);
  });

  test('the wrong network: an address of another chain', async () => {
    const stranger = createKeyFormat(bumoProfile, sha256).addressOf(new Uint8Array(32).fill(7));
    assertWords(await world.run(['tx', 'pay', stranger, '1']), 2, /address of another network \(bumo\)/);
  });

  test('the wrong key: one without account, one for the wrong place, none at all', async () => {
    const { folder, run, rich } = world;
    const unknown = person('nobody has paid me');
    writeFileSync(path.join(folder, 'unknown.key'), unknown.privateKey, { mode: 0o600 });
    writeFileSync(path.join(folder, 'public.key'), unknown.publicKey, { mode: 0o600 });
    const [noAccount, publicKey, pasted, noPerson] = await Promise.all([
      run(['tx', 'pay', 'holder', '1', '--key', 'unknown.key']),
      run(['tx', 'pay', 'holder', '1', '--key', 'public.key']),
      run(['keys', 'address', rich.privateKey]),
      run(['tx', 'pay', 'holder', '1', '--as', 'nobody']),
    ]);
    assertWords(noAccount, 1, /is not on this chain; nothing was sent[\s\S]*another key than you think/);
    assertWords(publicKey, 2, /does not hold a private key/);
    assertWords(pasted, 2, /This is a private key/);
    assertWords(noPerson, 2, /Nobody in the profile[\s\S]*such as issuer/);
    for (const { out, err } of [noAccount, publicKey, pasted, noPerson])
      assert.ok(!(out + err).includes(rich.privateKey) && !(out + err).includes(unknown.privateKey));
  });

  const mistyped: [string[], RegExp][] = [
    [['acount', 'show', 'x'], /Did you mean account\?/],
    [['account', 'shwo', 'x'], /Did you mean show\?/],
    [['tx', 'pya', 'x', '1'], /Did you mean pay\?/],
    [['keys', 'nwe'], /Did you mean new\?/],
    [['config', 'chek'], /Did you mean check\?/],
    [['doctr'], /Did you mean doctor\?/],
    [['tx', 'pay', 'holder', '1', '--jsn'], /Did you mean --json\?/],
    [['account', 'history', 'holder', '--blcks', '3'], /Did you mean --blocks\?/],
    [['reset', '--yess'], /Did you mean --yes\?/],
    [['tx', 'pay', 'holder', '1.5'], /whole number/],
    [['tx', 'pay', 'holder'], /missing required argument/],
    [['tx', 'pay', 'holder', '1', 'secret-looking-word'], /too many arguments/],
    [['tx', 'show', 'secret-looking-word'], /64 hex digits/],
    [['account', 'history', 'holder', '--limit', '0'], /whole number/],
  ];
  test('mistyped words are told with what was probably meant, and values are not repeated', async () => {
    for (let index = 0; index < mistyped.length; index += 4) {
      const some = mistyped.slice(index, index + 4);
      const ended = await Promise.all(some.map(([words]) => world.run(words)));
      for (const [at, each] of ended.entries()) {
        assertWords(each, 2, some[at]?.[1] as RegExp);
        assert.doesNotMatch(each.err, /secret-looking-word/);
      }
    }
  });
});
