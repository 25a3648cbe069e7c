import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { encodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import { person } from '@symbolon/ledger-node/testing/people';
import { isReadError } from '@symbolon/wire/json/message-json';
import { transactionFromJson } from '@symbolon/wire/ledger/transaction-json';
import fc from 'fast-check';
import { CommandFailure, exitCodes } from '../../terminal/failure.ts';
import { readTransactionWord, withSignature, writeTransactionFile } from './file.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-tx-file-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const [ada, bob] = [person('ada'), person('bob')];
const read = transactionFromJson({
  source_address: ada.address,
  nonce: 1,
  operations: [{ type: 7, pay_coin: { dest_address: bob.address, amount: 5 } }],
});
assert.ok(!isReadError(read));
const blob = encodeTransaction(read);
const hex = encodeHex(blob);

function fileWith(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

const isUsage = (error: unknown): boolean =>
  error instanceof CommandFailure && error.exitCode === exitCodes.usage && !error.message.includes(hex);

describe('a transaction between machines', () => {
  test('is hex, a file with hex, or a file with signatures', async () => {
    for (const word of [hex, hex.toUpperCase(), fileWith('hex', `${hex}\n`)]) {
      const { transaction, signatures } = await readTransactionWord(word);
      assert.equal(transaction.sourceAddress, ada.address);
      assert.deepEqual(signatures, []);
    }
  });

  test('with a member that stands twice is refused by its name', async () => {
    const text = `{"transaction_blob":"${hex}","signatures":[],"transaction_blob":"${hex}"}`;
    await assert.rejects(
      readTransactionWord(fileWith('twice.json', text)),
      (error: Error) => isUsage(error) && /"transaction_blob" twice/.test(error.message),
    );
  });

  test('collects signatures over the very bytes that came', async () => {
    const unsigned = await readTransactionWord(hex);
    const once = withSignature(unsigned, ada.publicKey, ada.sign(blob));
    const twice = withSignature(once, bob.publicKey, bob.sign(blob));
    const file = path.join(folder, 'signed.json');
    await writeTransactionFile(file, once);
    await assert.rejects(writeTransactionFile(file, twice), /is there already/);
    await writeTransactionFile(file, twice, { replaces: true });
    const back = await readTransactionWord(file);
    assert.deepEqual(
      back.signatures.map(({ publicKey }) => publicKey),
      [ada.publicKey, bob.publicKey],
    );
    assert.equal(encodeHex(back.blob), hex);
    assert.deepEqual(Object.keys(JSON.parse(readFileSync(file, 'utf8'))), ['transaction_blob', 'signatures']);
  });

  test('cannot have signatures without end', async () => {
    let signed = await readTransactionWord(hex);
    await assert.rejects(async () => {
      for (let index = 0; index < 10_000; index++)
        signed = withSignature(signed, ada.publicKey, new Uint8Array(64));
    }, /at most \d+ signatures/);
  });

  const signatures = [{ public_key: ada.publicKey, sign_data: 'zz' }];
  const wrong: [string, string][] = [
    ['a cut blob', hex.slice(0, -2)],
    ['half a byte', hex.slice(0, -1)],
    ['an empty file', ''],
    ['JSON of another kind', '{"a":1}'],
    ['a blob that is none', '{"transaction_blob":"00ff"}'],
    ['a signature that is none', JSON.stringify({ transaction_blob: hex, signatures })],
    ['a list', `["${hex}"]`],
    ['half of JSON', `{"transaction_blob":"${hex}"`],
  ];
  for (const [what, text] of wrong)
    test(`${what} is refused without repeating it`, () =>
      assert.rejects(readTransactionWord(fileWith('wrong', text)), isUsage));

  test('a missing file, a folder and a far too large file are refused', async () => {
    await assert.rejects(readTransactionWord(path.join(folder, 'nothing')), isUsage);
    await assert.rejects(readTransactionWord(folder), isUsage);
    await assert.rejects(readTransactionWord(fileWith('large', 'a'.repeat(40_000_000))), isUsage);
  });

  test('any bytes are a transaction or a failure in words', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 200 }), async (bytes) => {
        await readTransactionWord(encodeHex(bytes)).catch((error) =>
          assert.ok(isUsage(error), String(error)),
        );
      }),
      { numRuns: 50 },
    );
  });
});
