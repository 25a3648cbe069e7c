import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import { encodeBase64, encodeHex } from '@symbolon/core/basics/bytes';
import { didOfPublicKey } from '@symbolon/core/did/did';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { envelopeOf } from '@symbolon/core/ledger/terms/transaction';
import { TransactionEnvSchema, TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { transactionToJson } from '@symbolon/wire/ledger/transaction-json';
import fc from 'fast-check';
import { signerFromSeed } from '../keys/signer.ts';
import { usualKeyFormat } from '../keys/usual-keys.ts';
import { joinedSignatures, readForeignSignatures, signerAddress } from './foreign-signatures.ts';
import { actingAccounts, isSignedEnough, requiredWeights } from './required-weights.ts';
import { openItem, openMade, readTransactionText, transactionItem } from './transaction-texts.ts';
import { signTransaction } from './transactions.ts';

const seed = new Uint8Array(32).fill(7);
const signer = await signerFromSeed(seed);
const payment = create(TransactionSchema, {
  sourceAddress: signer.address,
  nonce: 2n ** 60n,
  operations: [{ type: 7, payCoin: { destAddress: 'bob', amount: 5n } }],
});
const signed = await signTransaction(payment, [signer]);
const hash = encodeHex(signed.hash);

describe('a text that somebody pastes', () => {
  const envelope = toBinary(TransactionEnvSchema, envelopeOf(signed));
  const forms: [name: string, text: string, form: string, signatures: number][] = [
    ['a blob in hex', encodeHex(signed.blob), 'hex', 0],
    [
      'a blob in capitals, with line breaks',
      ` ${encodeHex(signed.blob).toUpperCase().slice(0, 20)}\n${encodeHex(signed.blob).toUpperCase().slice(20)}`,
      'hex',
      0,
    ],
    ['a blob in base64', encodeBase64(signed.blob), 'base64', 0],
    ['an envelope', encodeHex(envelope), 'hex', 1],
    ['an item of a submission', stringifyJson(transactionItem(signed)), 'item', 1],
    ['an item without signatures', stringifyJson(transactionItem({ ...signed, signatures: [] })), 'item', 0],
    ['JSON', stringifyJson(transactionToJson(payment)), 'json', 0],
    ['a record', stringifyJson({ transaction: transactionToJson(payment) }), 'json', 0],
  ];
  for (const [name, text, form, signatures] of forms)
    test(`is a transaction as ${name}`, () => {
      const read = readTransactionText(text);
      assert.ok(read.kind === 'transaction');
      assert.equal(read.form, form);
      assert.equal(encodeHex(read.signed.hash), hash);
      assert.equal(read.signed.signatures.length, signatures);
    });

  test('is what belongs to one, and a private key is not kept', () => {
    const publicKey = usualKeyFormat.parsePublicKey(signer.publicKey) as Uint8Array;
    const { address } = signer;
    assert.deepEqual(readTransactionText(hash), { kind: 'hash', hash });
    assert.deepEqual(readTransactionText(address), { kind: 'address', address });
    assert.deepEqual(readTransactionText(signer.publicKey), { kind: 'publicKey', address });
    assert.deepEqual(readTransactionText(didOfPublicKey(publicKey, zetrixProfile)), { kind: 'did', address });
    assert.deepEqual(readTransactionText('ab'.repeat(64)), { kind: 'signature' });
    assert.deepEqual(readTransactionText(usualKeyFormat.encodePrivateKey(seed)), { kind: 'privateKey' });
  });

  test('is nothing, or JSON with a mistake that has a name', () => {
    for (const text of ['', 'x', '{}', '[]', '7', '{"transaction_blob":"zz"}'])
      assert.equal(readTransactionText(text).kind, 'unknown', text);
    assert.equal(readTransactionText('{"source_address":[]}').kind, 'unknown');
    const wrong = readTransactionText('{"source_address":"a","nonce":"x"}');
    assert.ok(wrong.kind === 'unknown' && wrong.problem?.startsWith('nonce'));
  });

  test('never breaks the reader', () => {
    fc.assert(fc.property(fc.string(), (text) => void readTransactionText(text)));
    fc.assert(fc.property(fc.json(), (text) => void readTransactionText(text)));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readTransactionText(encodeHex(bytes))),
    );
  });

  test('goes to another machine and comes back the same', () => {
    const back = openItem(transactionItem(signed));
    assert.deepEqual(back?.signatures, signed.signatures);
    assert.deepEqual(openMade(payment)?.hash, signed.hash);
    assert.equal(openMade(create(TransactionSchema, {})), undefined);
  });
});

describe('the weights that a transaction needs', () => {
  const bob = {
    address: 'bob',
    balance: 0,
    nonce: 0,
    priv: {
      master_weight: 1,
      signers: [{ address: 'eve', weight: 2 }],
      thresholds: { tx_threshold: 1, type_thresholds: [{ type: 7, threshold: 3 }] },
    },
  };
  const transaction = create(TransactionSchema, {
    sourceAddress: 'bob',
    operations: [
      { type: 7, payCoin: {} },
      { type: 4, sourceAddress: 'ada', setMetadata: {} },
    ],
  });

  test('are those of each account, of the type that needs most', () => {
    assert.deepEqual(actingAccounts(transaction), ['bob', 'ada']);
    const accounts = new Map([['bob', bob]]);
    const [first, second] = requiredWeights(transaction, accounts, new Set(['eve']));
    assert.deepEqual(first, {
      address: 'bob',
      exists: true,
      needed: 3n,
      given: 2n,
      signers: [
        { address: 'eve', weight: 2n, hasSigned: true },
        { address: 'bob', weight: 1n, hasSigned: false },
      ],
    });
    assert.equal(second?.exists, false);
  });

  test('are enough when every account has its own', () => {
    const own = create(TransactionSchema, { ...transaction, operations: transaction.operations.slice(0, 1) });
    const accounts = new Map([['bob', bob]]);
    assert.equal(isSignedEnough(requiredWeights(own, accounts, new Set(['eve']))), false);
    assert.equal(isSignedEnough(requiredWeights(own, accounts, new Set(['eve', 'bob']))), true);
    assert.equal(isSignedEnough(requiredWeights(transaction, accounts, new Set(['eve', 'bob']))), false);
    assert.equal(isSignedEnough([]), false);
  });
});

describe('signatures from elsewhere', () => {
  const [own] = signed.signatures;
  assert.ok(own);
  const words = `${own.publicKey} ${encodeHex(own.signData)}`;

  test('are taken from a file, an object or two words', async () => {
    const item = transactionItem(signed);
    const object = stringifyJson((item.signatures as JsonObject[])[0] ?? {});
    for (const text of [stringifyJson(item), object, words, words.replace(' ', ':\n')])
      assert.deepEqual(await readForeignSignatures(text, signed), [own]);
    assert.equal(signerAddress(own), signer.address);
    assert.deepEqual(joinedSignatures([own], [own]), [own]);
    assert.deepEqual(joinedSignatures([], [own]), [own]);
  });

  test('are refused over another transaction, by another key or where they cannot be read', async () => {
    const other = await signTransaction({ ...payment, nonce: 1n }, [signer]);
    const ask = (text: string) => readForeignSignatures(text, signed);
    assert.equal(await ask(stringifyJson(transactionItem(other))), 'otherTransaction');
    const [foreign] = other.signatures;
    assert.equal(await ask(`${own.publicKey} ${encodeHex(foreign?.signData ?? seed)}`), 'wrong');
    assert.equal(await ask(`b001 ${encodeHex(own.signData)}`), 'wrong');
    for (const text of [
      '',
      'x',
      '{}',
      `${words} more`,
      stringifyJson(transactionItem({ ...signed, signatures: [] })),
    ])
      assert.equal(await ask(text), 'unreadable', text);
  });
});
