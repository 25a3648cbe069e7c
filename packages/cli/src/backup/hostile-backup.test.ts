/** Backups that somebody else has made or had their hands on: who made them, what they would load, what they are. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { initNodeFolder } from '@symbolon/ledger-node/node/node-folder';
import { signerFromSeed } from '@symbolon/sdk/keys/signer';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import type { Lines } from '../terminal/terminal.ts';
import {
  forge,
  passphrase,
  rewrite,
  serviceFolder,
  stranger,
  terminal,
  writeUnsigned,
} from './backup-fixture.ts';
import { makerWords, signerAs } from './maker.ts';
import { readManifest } from './manifest.ts';
import { isNamedByChain, verifyBackup } from './verify-backup.ts';

const failing = (exitCode: number, words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof CommandFailure, String(error));
  assert.match(error.message, words);
  assert.equal(error.exitCode, exitCode, error.message);
  return true;
};
const usage = (words: RegExp) => failing(exitCodes.usage, words);
const damaged = (words: RegExp) => failing(exitCodes.damaged, words);
/** What hangs is a failure, not a long test. */
const patience = { timeout: 60_000 };

test('a backup is signed by the service that made it, and held against whom one expects', async (context) => {
  const { place, out, address, backUp, restore } = await serviceFolder(context);
  await backUp();
  const { maker } = await verifyBackup(out, { terminal, madeBy: address });
  assert.equal(maker?.as, 'service');
  await restore(path.join(place, 'a'), { madeBy: address });
  await restore(path.join(place, 'b'), { madeBy: `did:zid:${maker?.publicKey}` });
  await rewrite(out, await readManifest(out));
  const forged = failing(exitCodes.notVerified, new RegExp(`made by ZTX\\w+, not by ${address}`));
  await assert.rejects(verifyBackup(out, { terminal, madeBy: address }), forged);
  await assert.rejects(restore(path.join(place, 'c'), { madeBy: address }), forged);
  assert.equal(existsSync(path.join(place, 'c')), false);
});

test('where nobody can be asked, the maker and the contents must be known beforehand', async (context) => {
  const { place, out, address, backUp, restore } = await serviceFolder(context);
  await backUp();
  await assert.rejects(restore(undefined, { anyMaker: false }), usage(/--made-by[\s\S]*--any-maker/));
  await assert.rejects(restore(undefined, { isConfirmed: false }), usage(/--yes/));
  await assert.rejects(restore(undefined, { madeBy: address, anyMaker: true }), usage(/--any-maker/));
  assert.deepEqual(readdirSync(place).sort(), ['backup', 'service']);
  rmSync(out, { recursive: true });
  await backUp(passphrase);
  await restore(undefined, { anyMaker: false });
});

test('a person sees who made it and what it would load, and says yes or no', async (context) => {
  const { place, out, address, backUp, restore } = await serviceFolder(context);
  await backUp();
  const module = '/tmp/\u001b[2Kevil\u202e.so';
  const settings = {
    port: 9,
    nodeUrl: 'http://node.example',
    masterKey: { hsm: { module, tokenLabel: 't' } },
  };
  await forge(out, 'service/service.json', JSON.stringify(settings));
  let shown = '';
  const asked: string[] = [];
  const remark = (lines: Lines) => {
    shown += `${[lines].flat().join('\n')}\n`;
  };
  const watching = { ...terminal, remark };
  const answering = (answer: boolean) => ({
    terminal: watching,
    anyMaker: false,
    isConfirmed: false,
    ask: async (question: string) => {
      asked.push(question);
      return answer;
    },
  });
  await assert.rejects(restore(undefined, answering(false)), /Nothing was restored/);
  assert.equal(existsSync(path.join(place, 'restored')), false);
  assert.equal(asked.length, 1);
  assert.ok(
    shown.includes((await stranger()).maker.publicKey) === false && /made by +ZTX/.test(shown),
    shown,
  );
  assert.ok(!shown.includes(address));
  assert.match(shown, /runs as code[\s\S]*masterKey\.hsm\.module +"\/tmp\/\\u001b\[2Kevil\\u202e\.so"/);
  assert.match(shown, /nodeUrl +"http:\/\/node\.example"/);
  assert.match(shown, /port +9/);
  await restore(undefined, answering(true));
  assert.ok(existsSync(path.join(place, 'restored/service.json')));
});

test('a backup without a signature is restored on an explicit word alone', async (context) => {
  const { place, out, address, backUp, restore } = await serviceFolder(context);
  await backUp();
  await assert.rejects(restore(undefined, { isUnsigned: true }), usage(/--unsigned/));
  writeUnsigned(out, await readManifest(out));
  assert.equal((await verifyBackup(out, { terminal })).maker, undefined);
  await assert.rejects(verifyBackup(out, { terminal, madeBy: address }), failing(3, /nobody has signed/));
  const yes = { ask: async () => true };
  await assert.rejects(restore(undefined, { ...yes, anyMaker: true }), usage(/--unsigned/));
  await assert.rejects(restore(undefined, { madeBy: address }), failing(3, /nobody has signed/));
  await restore(path.join(place, 'restored'), { isUnsigned: true, anyMaker: false });
});

test('no secret lies open in a backup, neither as a file nor as a setting', async (context) => {
  const { place, out, backUp, restore } = await serviceFolder(context);
  await backUp();
  const kept = path.join(place, 'kept');
  cpSync(out, kept, { recursive: true });
  const refuse = async (name: string, text: string, words: RegExp) => {
    await forge(out, name, text);
    await assert.rejects(verifyBackup(out, { terminal }), damaged(words), name);
    await assert.rejects(restore(), damaged(words), name);
    rmSync(out, { recursive: true });
    cpSync(kept, out, { recursive: true });
  };
  await refuse('service/master.key', 'ab'.repeat(32), /service\/master\.key is a secret/);
  mkdirSync(path.join(kept, 'ledger'));
  cpSync(kept, out, { recursive: true });
  await refuse('ledger/validator.key', 'priv', /ledger\/validator\.key is a secret/);
  await refuse('ledger/genesis.json', '{}', /of a service/);
  const settings: [object, RegExp][] = [
    [{ masterKey: { value: 'ab'.repeat(32) } }, /masterKey\.value/],
    [{ database: 'postgres://u:p@host/name' }, /database/],
    [{ database: 'sqlite:/somewhere/else.db' }, /database/],
    [{ masterKey: { file: '/somewhere/else' } }, /masterKey\.file/],
  ];
  for (const [value, words] of settings) await refuse('service/service.json', JSON.stringify(value), words);
  await refuse('service/service.json', '[1]', /service\.json/);
});

test('no link is followed, neither in the backup nor where it goes', async (context) => {
  const { place, out, backUp, restore } = await serviceFolder(context);
  await backUp();
  const aside = path.join(place, 'aside');
  mkdirSync(aside);
  symlinkSync(aside, path.join(place, 'link'));
  for (const target of ['link', 'link/restored', 'link/deep/er'])
    await assert.rejects(restore(path.join(place, target)), usage(/is a link/));
  assert.deepEqual(readdirSync(aside), []);
  renameSync(path.join(out, 'service'), path.join(aside, 'service'));
  symlinkSync(path.join(aside, 'service'), path.join(out, 'service'));
  await assert.rejects(verifyBackup(out, { terminal }), damaged(/service is a link/));
  await assert.rejects(restore(), damaged(/service is a link/));
});

test('nothing lies at the top of a backup that is none of its parts', async (context) => {
  const { place, out, backUp, restore } = await serviceFolder(context);
  await backUp();
  const kept = path.join(place, 'kept');
  cpSync(out, kept, { recursive: true });
  const spoils: [string, (file: string) => void][] = [
    ['demo.json', (file) => writeFileSync(file, '{}')],
    ['master.key', (file) => writeFileSync(file, 'ab'.repeat(32))],
    ['secrets.sealed', (file) => writeFileSync(file, 'x')],
    ['link', (file) => symlinkSync('/etc', file)],
    ['ledger', (file) => symlinkSync('/etc', file)],
    ['evil', (file) => mkdirSync(file)],
  ];
  for (const [name, spoil] of spoils) {
    spoil(path.join(out, name));
    const words = name === 'ledger' ? /ledger is a link/ : new RegExp(`${name} is not in the manifest`);
    await assert.rejects(verifyBackup(out, { terminal }), damaged(words), name);
    await assert.rejects(restore(), damaged(words), name);
    rmSync(out, { recursive: true });
    cpSync(kept, out, { recursive: true });
  }
  writeFileSync(path.join(out, 'UNFINISHED'), 'cut off after the manifest was written');
  await verifyBackup(out, { terminal });
});

test('whose key has signed is the maker’s word, unless the chain in the backup names it', async (context) => {
  const { place, backUp, restore } = await serviceFolder(context);
  const validator = await signerFromSeed(new Uint8Array(32).fill(7));
  const { maker } = signerAs('validator', validator);
  await backUp(undefined, async () => signerAs('validator', validator));
  let shown = '';
  const remark = (lines: Lines) => {
    shown += [lines].flat().join('\n');
  };
  await restore(undefined, { terminal: { ...terminal, remark } });
  assert.match(shown, /says it is a validator's key/);
  const chain = (name: string, seed: number) =>
    initNodeFolder(path.join(place, name), { validatorSeed: new Uint8Array(32).fill(seed) });
  await chain('its-own', 7);
  await chain('another', 8);
  assert.equal(await isNamedByChain(maker, path.join(place, 'its-own')), true);
  assert.equal(await isNamedByChain(maker, path.join(place, 'another')), false);
  assert.equal(await isNamedByChain(maker, undefined), false);
  const service = signerAs('service', validator).maker;
  assert.equal(await isNamedByChain(service, path.join(place, 'its-own')), false);
  assert.match(makerWords(maker, true), /\(a validator's key\)/);
  assert.match(makerWords(service), /\(says it is a service's key\)/);
});

test(
  'what is no plain file of its size is not read: pipes, devices, endless files',
  patience,
  async (context) => {
    const { place, out, backUp, restore } = await serviceFolder(context);
    await backUp(passphrase);
    const kept = path.join(place, 'kept');
    renameSync(out, kept);
    const spoils: [string, (file: string) => void, RegExp][] = [
      ['pipe', (file) => void spawnSync('mkfifo', [file]), /no plain file/],
      ['endless', (file) => symlinkSync('/dev/zero', file), /no plain file/],
      ['huge', (file) => truncateSync(file, 2 ** 40), /1099511627776 bytes instead of|too large/],
    ];
    for (const name of ['manifest.json', 'secrets.sealed', 'service/service.json', 'service/service.db'])
      for (const [kind, spoil, words] of spoils) {
        cpSync(kept, out, { recursive: true });
        const file = path.join(out, name);
        if (kind !== 'huge') rmSync(file);
        spoil(file);
        await assert.rejects(verifyBackup(out, { terminal }), damaged(words), `${kind} ${name}`);
        await assert.rejects(restore(), damaged(words), `${kind} ${name}`);
        rmSync(out, { recursive: true });
      }
  },
);
