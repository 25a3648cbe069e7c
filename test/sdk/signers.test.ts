/**
 * Signers whose keys lie elsewhere: in a file that the family's own package reads and writes, too, and in a hardware
 * module (SoftHSM2). What they sign is taken by a ledger.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { before, describe, test } from 'node:test';
import { HardwareToken } from '@symbolon/host/pkcs11/hardware-token';
import { signerFromToken } from '@symbolon/host/pkcs11/pkcs11-signer';
import {
  createLedgerClient,
  httpTransport,
  type LedgerClient,
  type Signer,
  sendTransaction,
  signerFromKeyFile,
  writeFamilyKeyFile,
} from '@symbolon/sdk';
import { ownerOfSuite } from '../support/owner.ts';
import { person, richest } from '../support/people.ts';
import { startNode } from '../support/running-node.ts';
import { fund } from '../support/service-world.ts';
import { findSoftHsm, type SoftHsmTokens, softHsmTokens } from '../support/softhsm.ts';
import { CallRecord, openEncryption } from '../support/zetrix-sdk.ts';

const owner = ownerOfSuite();
const softHsm = await findSoftHsm();
const skip = 'missing' in softHsm && softHsm.missing;
let ledger: LedgerClient;
let tokens: SoftHsmTokens;

before(async () => {
  ledger = createLedgerClient(httpTransport((await startNode(owner)).url));
  if (!('missing' in softHsm)) tokens = softHsmTokens(owner, softHsm);
});

async function paysWith(signer: Signer): Promise<void> {
  await fund(ledger, [{ ...person('unused'), address: signer.address }]);
  const operations = [{ payCoin: { destAddress: richest.address, amount: 3n } }];
  assert.equal((await sendTransaction(ledger, { operations, signers: [signer] })).code, 0);
}

describe('a key file', () => {
  const { keystore } = openEncryption(new CallRecord());
  const bob = person('bob');
  const password = 'pass wörd 1';

  /** The package reports by callback, and what it works on to the console. */
  function quietly<Answer>(call: (done: (answer: Answer) => void) => void): Promise<Answer> {
    const { log } = console;
    console.log = () => undefined;
    return new Promise<Answer>((resolve) => call(resolve)).finally(() => {
      console.log = log;
    });
  }

  test('of ours in the form of the family is read by its package', async () => {
    const file = JSON.parse(await writeFamilyKeyFile(bob.privateKey, password)) as unknown;
    const opened = await quietly<string>((done) => keystore.decrypt1(file, password, done));
    assert.equal(opened, bob.privateKey);
  });

  test('of that package is read by us, and signs', async () => {
    const { codec } = createRequire(import.meta.url)('sjcl') as {
      codec: { hex: { fromBits(words: unknown): string } };
    };
    const made = await quietly<{ encrypted: object; salt: unknown; iv: unknown }>((done) =>
      keystore.encrypt(bob.privateKey, password, done),
    );
    const file = JSON.stringify({
      cypher_text: Buffer.from(String(made.encrypted), 'utf8').toString('base64'),
      aesctr_iv: codec.hex.fromBits(made.iv),
      scrypt_params: { n: 16_384, p: 1, r: 8, salt: codec.hex.fromBits(made.salt) },
      version: 2,
    });
    const signer = await signerFromKeyFile(file, password);
    assert.equal(signer.address, bob.address);
    await paysWith(signer);
    await assert.rejects(signerFromKeyFile(file, 'pass word 1'), { code: 'passwordWrong' });
  });
});

describe('a key in a hardware module', { skip }, () => {
  test('signs for an account, and only the one that was meant', async (context) => {
    const pin = 'pin-of-signers';
    await tokens.makeToken('signers', pin);
    const token = await HardwareToken.open({ module: tokens.module, tokenLabel: 'signers', pin });
    context.after(() => token.close());
    const { id } = await token.generateEd25519Key({ label: 'account' });
    const signer: Signer = await signerFromToken(token, { label: 'account' });
    assert.deepEqual((await signerFromToken(token, { id })).address, signer.address);
    await paysWith(signer);

    await assert.rejects(signerFromToken(token, { label: 'nobody' }), { code: 'keyUnknown' });
    await assert.rejects(signerFromToken(token, { id: 'ff' }), { code: 'keyUnknown' });
    const other = await token.generateEd25519Key({ label: 'account' });
    await assert.rejects(signerFromToken(token, { label: 'account' }), { code: 'keyAmbiguous' });
    const liar = {
      listKeys: token.listKeys.bind(token),
      publicKey: token.publicKey.bind(token),
      sign: (_key: unknown, bytes: Uint8Array) => token.sign(other, bytes),
    };
    const deceived = await signerFromToken(liar, { id });
    await assert.rejects(deceived.sign(Uint8Array.of(1)), { code: 'answerMalformed' });
  });
});
