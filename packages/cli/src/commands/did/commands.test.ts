import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { encodeBbsPublicKey } from '@symbolon/core/did/did';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { createLedgerServer } from '@symbolon/host/http/ledger-server';
import { sha256 } from '@symbolon/host/work/sha256';
import { createHandlers } from '@symbolon/ledger-node/handlers/index';
import { signerFromSeed } from '@symbolon/sdk/keys/signer';
import { openTestChain } from '@symbolon/sdk/testing/test-chain.test';
import { sendTransaction } from '@symbolon/sdk/transactions/transactions';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { Command, CommanderError } from 'commander';
import { exitCodes, failureOf } from '../../terminal/failure.ts';
import { addDidCommands } from './commands.ts';

const bbs = (seed: number) =>
  encodeBbsPublicKey(Uint8Array.from({ length: 96 }, (_, index) => (index === 0 ? 0x81 : seed)));

async function run(...words: string[]): Promise<string> {
  const silent = { writeOut: () => {}, writeErr: () => {} };
  const program = new Command('symbolon').exitOverride().configureOutput(silent);
  const lines: string[] = [];
  addDidCommands(program, (text) => lines.push(...[text].flat()));
  for (const command of program.commands[0].commands) command.exitOverride().configureOutput(silent);
  await program.parseAsync(['did', ...words], { from: 'user' });
  return lines.join('\n');
}

/** A node behind a port, and a key file with an account on its chain. */
async function open(t: TestContext) {
  const { node, client, genesis } = await openTestChain(t);
  const silent = () => undefined;
  const server = createLedgerServer({
    routes: ledgerRoutes,
    handlers: createHandlers(node, {
      version: '0.0.0',
      socketPort: () => 0,
      socketClients: () => 0,
      onFailure: (name, error) => assert.fail(`${name}: ${error}`),
    }),
    logger: { debug: silent, info: silent, warn: silent, error: silent },
  });
  t.after(() => server.close());
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
  const seed = randomBytes(32);
  const signer = await signerFromSeed(seed);
  const priv = { masterWeight: 1n, thresholds: { txThreshold: 1n } };
  const createAccount = { destAddress: signer.address, initBalance: 100_000_000n, priv };
  await sendTransaction(
    client,
    { signers: [genesis], operations: [{ createAccount }] },
    { pollIntervalMs: 2 },
  );
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-did-commands-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const key = path.join(folder, 'key');
  const text = createKeyFormat(zetrixProfile, sha256).encodePrivateKey(seed);
  writeFileSync(key, text, { mode: 0o600 });
  const did = `did:zid:${signer.publicKey.slice(4, 68)}`;
  return { did, words: ['--key', key, '--url', url], url };
}

/** As whoever typed the command is told. */
const refusal = (exitCode: number, words: RegExp) => (error: unknown) => {
  const failure = failureOf(error);
  assert.match(failure.message, words);
  assert.equal(failure.exitCode, exitCode);
  return true;
};

describe('symbolon did', () => {
  test('publishes, rotates, ends, shows and deactivates', async (t) => {
    const { did, words, url } = await open(t);
    const published = JSON.parse(
      await run('publish-key', bbs(1), '--valid-until', '2999-01-01', '--json', ...words),
    );
    assert.equal(published.verificationMethod, `${did}#delegateKey-1`);
    assert.match(await run('rotate-key', '1', bbs(2), ...words), /rotated[\s\S]*delegateKey-2\n/);
    assert.match(await run('name', ' Registry  office ', ...words), /The name is published/);
    const named = JSON.parse(await run('show', did, '--url', url));
    assert.equal(named.didDocumentMetadata.name, 'Registry office');
    await assert.rejects(
      run('name', 'Regіstry', ...words),
      refusal(exitCodes.usage, /mixes letters of Latin/),
    );
    await assert.rejects(run('name', ...words), refusal(exitCodes.usage, /Give a name/));
    assert.match(await run('name', '--end', ...words), /The name has ended/);
    const shown = JSON.parse(await run('show', did, '--url', url));
    assert.equal(shown.didDocument.verificationMethod[2].publicKeyMultibase, bbs(2));
    const old = JSON.parse(
      await run('show', did, '--url', url, '--version-id', String(published.block), '--json'),
    );
    assert.equal(old.didDocument.verificationMethod[2].publicKeyMultibase, bbs(1));
    await assert.rejects(run('end-key', '1', ...words), refusal(exitCodes.usage, /ended already/));
    assert.match(await run('end-key', '2', ...words), /has ended/);
    await assert.rejects(run('deactivate', ...words), refusal(exitCodes.usage, /never comes back/));
    await run('deactivate', '--yes', ...words);
    const last = JSON.parse(await run('show', did, '--url', url));
    assert.equal(last.didDocumentMetadata.deactivated, true);
    await assert.rejects(run('show', did, '--url', url, '--version-id', '99999'), refusal(1, /no version/));
  });

  test('ends the key that is named, and tells which one it was', async (t) => {
    const { words } = await open(t);
    for (const seed of [1, 2]) await run('publish-key', bbs(seed), ...words);
    const wrong = ['end-key', '2', '--public-key', bbs(1), ...words];
    await assert.rejects(run(...wrong), refusal(exitCodes.failed, /key 2 is another key/i));
    const rotate = ['rotate-key', '2', bbs(3), '--public-key', bbs(1), ...words];
    await assert.rejects(run(...rotate), refusal(exitCodes.failed, /key 2 is another key/i));
    assert.ok(
      (await run('end-key', '1', '--public-key', bbs(1), ...words)).includes(`ended        ${bbs(1)}`),
    );
    const { endedPublicKey } = JSON.parse(await run('rotate-key', '2', bbs(3), '--json', ...words));
    assert.equal(endedPublicKey, bbs(2));
  });

  test('ends a key as compromised, also one that has ended, and says since when', async (t) => {
    const { did, words, url } = await open(t);
    const sinceOf = async () => {
      const { didDocumentMetadata } = JSON.parse(await run('show', did, '--url', url));
      return didDocumentMetadata.compromisedKeys;
    };
    await run('publish-key', bbs(1), ...words);
    await run('publish-key', bbs(2), ...words);
    await run('end-key', '1', ...words);
    assert.equal(await sinceOf(), undefined);
    const told = await run('end-key', '1', '--compromised', '--since', '2026-01-02T03:04:05Z', ...words);
    assert.match(told, /ended as compromised/);
    assert.deepEqual(await sinceOf(), [{ id: `${did}#delegateKey-1`, since: '2026-01-02T03:04:05Z' }]);
    await assert.rejects(run('end-key', '2', '--compromised', '--since', '2999-01-01', ...words), /future/);
    await run('end-key', '2', '--compromised', ...words);
    const [, second] = await sinceOf();
    assert.equal(second.id, `${did}#delegateKey-2`);
    assert.ok(Math.abs(Date.parse(second.since) - Date.now()) < 120_000, second.since);
    const later = ['end-key', '1', '--compromised', '--since', '2026-02-01T00:00:00Z'];
    await assert.rejects(run(...later, ...words), refusal(exitCodes.usage, /ended already/));
    const alone = ['end-key', '1', '--since', '2026-01-01T00:00:00Z'];
    await assert.rejects(run(...alone, ...words), refusal(exitCodes.usage, /Say --compromised too/));
  });

  const did = `did:zid:${'00'.repeat(32)}`;
  const wrong: string[][] = [
    ['publish-key', '--key', 'x'],
    ['publish-key', bbs(1), '--key', 'x', '--type', 'rsa'],
    ['publish-key', bbs(1), '--key', 'x', '--valid-until', 'tomorrow'],
    ['end-key', '0', '--key', 'x'],
    ['end-key', 'one', '--key', 'x'],
    ['end-key', '1', '--key', 'x', '--compromised', '--since', 'yesterday'],
    ['rotate-key', '1', '--key', 'x'],
    ['show'],
    ['show', did, '--version-id', '-1'],
    ['show', did, '--version-time', '2020'],
  ];
  for (const words of wrong)
    test(`does not take "${words.join(' ').slice(0, 60)}"`, () =>
      assert.rejects(run(...words), CommanderError));

  test('wants to know who signs, and to be sure of the end', async () => {
    const nobody = refusal(exitCodes.usage, /Nobody signs[\s\S]*--as[\s\S]*--key/);
    await assert.rejects(run('publish-key', bbs(1)), nobody);
    await assert.rejects(run('deactivate', '--yes'), nobody);
    await assert.rejects(run('deactivate'), refusal(exitCodes.usage, /never comes back/));
  });

  test('says what is wrong with an identifier, a key file or a node', async () => {
    await assert.rejects(run('show', 'did:web:x'), refusal(exitCodes.usage, /64 lower-case hex/));
    const both = ['--version-id', '1', '--version-time', '2020-01-01'];
    await assert.rejects(run('show', did, ...both), refusal(exitCodes.usage, /not both/));
    const away = ['--url', 'http://127.0.0.1:1'];
    await assert.rejects(run('show', did, ...away), refusal(exitCodes.unreachable, /./));
    const missing = ['--key', '/nonexistent/key'];
    await assert.rejects(run('end-key', '1', ...missing), refusal(exitCodes.usage, /cannot be read/));
  });
});
