/** A verifier's words on the command line: each is taken where it can be obeyed, and refused everywhere else. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createProgram } from '../../program.ts';
import { CommandFailure, exitCodes } from '../../terminal/failure.ts';
import { readFactsFile } from './facts.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'symbolon-verify-'));
});
after(() => rm(folder, { recursive: true, force: true }));

async function run(...words: string[]): Promise<void> {
  const program = await createProgram(words);
  for (const command of [
    program,
    ...program.commands,
    ...program.commands.flatMap(({ commands }) => commands),
  ])
    command.exitOverride().configureOutput({ writeErr: () => undefined });
  await program.parseAsync(words, { from: 'user' });
}

test('options of other programs are refused', async () => {
  const foreign = [
    '--trusted-issuers',
    '--issuer',
    '--nonce',
    '--min-age',
    '--reveal',
    '--request',
    '--audience',
  ];
  for (const option of foreign)
    for (const words of [
      ['verify', 'vp.json', option, 'x'],
      ['request', '--ask', 'degree', option, 'x'],
    ])
      await assert.rejects(run(...words), { code: 'commander.unknownOption' }, words.join(' '));
});

describe('options that do not go together', () => {
  const isUsage = (words: RegExp) => (error: unknown) => {
    assert.ok(error instanceof CommandFailure, String(error));
    assert.equal(error.exitCode, exitCodes.usage);
    assert.match(error.message, words);
    return true;
  };

  test('what is not there may have been either', async () => {
    const missing = path.join(folder, 'nowhere');
    await assert.rejects(run('verify', missing), isUsage(/no such file or folder[\s\S]*folder of a backup/));
  });

  test('a backup shows nothing to anybody', async () => {
    const conditions = [
      ['--challenge', 'c'],
      ['--domain', 'd'],
      ['--ask', 'degree'],
      ['--range', 'points:1..'],
      ['--age', 'born:18..'],
      ['--offline'],
      ['--facts', 'facts.json'],
      ['--facts-by', 'did:zid:1'],
      ['--own-facts'],
      ['--max-age', '7d'],
    ];
    for (const words of conditions)
      await assert.rejects(run('verify', folder, ...words), isUsage(new RegExp(`folder.*\\n.*${words[0]}`)));
  });

  test('a presentation has no blocks, and facts are for verdicts without a network', async () => {
    const file = path.join(folder, 'vp.json');
    await writeFile(file, '{"type":["VerifiablePresentation"]}');
    await assert.rejects(run('verify', file, '--full'), isUsage(/--full/));
    for (const words of [
      ['--facts', 'facts.json'],
      ['--facts-by', 'did:zid:1'],
      ['--own-facts'],
      ['--max-age', '7d'],
    ])
      await assert.rejects(run('verify', file, ...words), isUsage(/--offline/));
    await assert.rejects(run('verify', file, '--max-age', 'long'), { code: 'commander.invalidArgument' });
    const somebody = `did:zid:${'ab'.repeat(32)}`;
    await assert.rejects(run('verify', file, '--made-by', somebody), isUsage(/--made-by is for a backup/));
    await assert.rejects(run('verify', file, '--made-by', 'ZTX'), { code: 'commander.invalidArgument' });
  });
});

test('a file with facts has nothing in it that is not known', async () => {
  const file = path.join(folder, 'facts.json');
  const record = {
    registry: 'ZTX3',
    issuedAt: '2026-01-01T00:00:00Z',
    ledgerSeq: '3',
    validFrom: '2026-01-01T00:00:00Z',
    validUntil: '2027-01-01T00:00:00Z',
    commitment: null,
    template: null,
  };
  const facts = {
    form: 'symbolon-verification-facts-3',
    fetchedAt: '2026-01-01T00:00:00Z',
    basis: { service: 'http://127.0.0.1:8080' },
    issuerKeys: [{ verificationMethod: 'did:zid:1#delegateKey-1', publicKeyMultibase: 'z1' }],
    statuses: [
      { vcId: 'did:zid:1', issuer: 'did:zid:2', status: 'Active', changedAt: null, txHash: null, record },
    ],
    issuerNames: [],
  };
  await writeFile(file, JSON.stringify(facts));
  assert.equal((await readFactsFile(file)).statuses.length, 1);
  for (const more of [
    { trustedIssuers: [] },
    { basis: { server: 'x' } },
    { proof: { collector: 'did:zid:1' } },
    { issuerKeys: [{ ...facts.issuerKeys[0], validUntill: '2020-01-01T00:00:00Z' }] },
    { statuses: [{ ...facts.statuses[0], revoked: true }] },
    { statuses: [{ ...facts.statuses[0], record: { ...record, template: {} } }] },
  ]) {
    await writeFile(file, JSON.stringify({ ...facts, ...more }));
    await assert.rejects(readFactsFile(file), CommandFailure);
  }
  const { basis: _basis, ...older } = { ...facts, form: 'symbolon-verification-facts-2', service: 'x' };
  await writeFile(file, JSON.stringify(older));
  await assert.rejects(readFactsFile(file), /older form.*\n.*symbolon verify facts/);
});
