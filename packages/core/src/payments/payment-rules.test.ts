import assert from 'node:assert/strict';
import { createHash, createPrivateKey, createPublicKey, sign, verify as verifySignature } from 'node:crypto';
import { describe, test } from 'node:test';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { createKeyFormat } from '../keys/keys.ts';
import { zetrixProfile } from '../keys/profile.ts';
import { encodeTransaction } from '../ledger/terms/transaction.ts';
import { TransactionSchema } from '../proto/ledger_pb.ts';
import { judgePayment, type PaymentContext } from './payment-rules.ts';
import type { ArrivedPayment, PaymentTerms } from './payment-terms.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
const keys = createKeyFormat(zetrixProfile, sha256);

function personOf(name: string) {
  const seed = sha256(Buffer.from(name));
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const key = createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  const raw = Buffer.from(x as string, 'base64url');
  return {
    address: keys.addressOf(raw),
    publicKey: keys.encodePublicKey(raw),
    sign: (bytes: Uint8Array): Uint8Array => sign(null, bytes, key),
  };
}
const [payer, payee, other, token] = ['payer', 'payee', 'other', 'token'].map(personOf);

const context: PaymentContext = {
  keys,
  sha256,
  verify: (publicKey, message, signature) => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') };
    return verifySignature(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature);
  },
  chainId: 0n,
  gasPrice: 1n,
  nowSeconds: 1_800_000_000,
};

type Fields = Exclude<MessageInitShape<typeof TransactionSchema>, { $typeName: string }>;
const nativePay = { type: 7, payCoin: { destAddress: payee.address, amount: 250n } };
const transferInput = (to: string, value: string) =>
  JSON.stringify({ method: 'transfer', params: { to, value } });
const tokenPay = {
  type: 7,
  payCoin: { destAddress: token.address, amount: 0n, input: transferInput(payee.address, '250') },
};
const usual: Fields = {
  sourceAddress: payer.address,
  nonce: 7n,
  feeLimit: 1_200n,
  gasPrice: 5n,
  operations: [nativePay],
};

function paymentOf(
  fields: Fields = {},
  changes: Partial<ArrivedPayment> = {},
  signer = payer,
): ArrivedPayment {
  const blob = encodeTransaction(create(TransactionSchema, { ...usual, ...fields }));
  return {
    scheme: 'exact',
    network: 'zetrix:testnet',
    blob,
    signatures: [{ publicKey: signer.publicKey, signature: signer.sign(blob) }],
    validBefore: context.nowSeconds + 300,
    ...changes,
  };
}

const nativeTerms: PaymentTerms = {
  network: 'zetrix:testnet',
  payTo: payee.address,
  asset: 'ZTX',
  amount: 250n,
  payer: payer.address,
};
const tokenTerms: PaymentTerms = { ...nativeTerms, asset: token.address };

const verdictOf = (payment: ArrivedPayment, terms?: PaymentTerms, more: Partial<PaymentContext> = {}) => {
  const judged = judgePayment(payment, terms, { ...context, ...more });
  return 'refusal' in judged ? judged.refusal.word : judged.paid;
};

describe('payments', () => {
  test('a native payment that fits is taken, and says what it pays', () => {
    const payment = paymentOf();
    const { payer: _, ...anybody } = nativeTerms;
    for (const terms of [nativeTerms, anybody, undefined])
      assert.deepEqual(verdictOf(payment, terms), {
        ...nativeTerms,
        hash: Buffer.from(sha256(payment.blob)).toString('hex'),
        nonce: 7n,
        feeLimit: 1_200n,
        gasPrice: 5n,
        feePayer: payer.address,
        publicKey: payer.publicKey,
      });
  });

  test('a key may come without its checksum, and is encoded for the ledger', () => {
    const [{ signature }] = paymentOf().signatures;
    const raw = payer.publicKey.slice(4, 68);
    const paid = verdictOf(paymentOf({}, { signatures: [{ publicKey: raw, signature }] }), nativeTerms);
    assert.equal((paid as { publicKey: string }).publicKey, payer.publicKey);
    const foreign = [{ publicKey: other.publicKey.slice(4, 68), signature }];
    assert.equal(verdictOf(paymentOf({}, { signatures: foreign }), nativeTerms), 'invalidSignature');
    const torn = [{ publicKey: `${payer.publicKey.slice(0, -1)}${'z'}`, signature }];
    assert.equal(verdictOf(paymentOf({}, { signatures: torn }), nativeTerms), 'invalidSignature');
  });

  test('a transfer of a token that fits is taken', () => {
    const paid = verdictOf(paymentOf({ operations: [tokenPay] }), tokenTerms);
    assert.ok(typeof paid === 'object' && paid.asset === token.address && paid.amount === 250n);
    const swapped = JSON.stringify({ params: { value: '250', to: payee.address }, method: 'transfer' });
    const operation = { type: 7, payCoin: { ...tokenPay.payCoin, input: swapped } };
    assert.equal(typeof verdictOf(paymentOf({ operations: [operation] }), tokenTerms), 'object');
  });

  test('payments of the family are read as the family means them', () => {
    // Vectors whose transactions were made and signed by other software.
    const native =
      '0a255a54583353614d7731363456706b764835454776624a354b6974396a46576436476a4c6a7910072256080712255a54583353614d7731363456706b764835454776624a354b6974396a46576436476a4c6a79622b0a255a545833633778355a69754759796a724638476755796634447a676e7839315a354b5768761090a10f30b0093805';
    const signature =
      '8c710239e93b82047d06f0494d20fb739d3fad195c9767e58ef7ef7935809b9c09fa8f2f737b88240b2715d00252e5a1e6f0ffda30dd549cfafe2fc69c997102';
    const publicKey = 'b0017f0b0cd2f99de9b7e71cfe2b9ba3d2e4d4db999d6eb5d7cce1b82bfafad68a31c1f3942e';
    const paid = verdictOf({
      ...paymentOf(),
      blob: Buffer.from(native, 'hex'),
      signatures: [{ publicKey, signature: Buffer.from(signature, 'hex') }],
    });
    assert.ok(typeof paid === 'object');
    assert.equal(paid.hash, '9c35c303ebc244d93f60fc5ca4cc47cc2be8ecc7c48fcb6a29e6d151305facf1');
    assert.equal(paid.payTo, 'ZTX3c7x5ZiuGYyjrF8GgUyf4Dzgnx91Z5KWhv');
    assert.equal(paid.amount, 250_000n);
    assert.equal(paid.asset, 'ZTX');
  });

  const inputs: Readonly<Record<string, string>> = {
    'another method': JSON.stringify({ method: 'approve', params: { to: payee.address, value: '250' } }),
    'a number': `{"method":"transfer","params":{"to":"${payee.address}","value":250}}`,
    'a member twice': `{"method":"transfer","params":{"to":"${other.address}","value":"250"},"params":{"to":"${payee.address}","value":"250"}}`,
    'a further member': JSON.stringify({
      method: 'transfer',
      params: { to: payee.address, value: '250', from: 'x' },
    }),
    'white space': ` ${transferInput(payee.address, '250')}`,
    'a signed value': transferInput(payee.address, '+250'),
    'a leading zero': transferInput(payee.address, '0250'),
    'too much for 64 bits': transferInput(payee.address, '9223372036854775808'),
    'no JSON': 'transfer',
    'a list': '[]',
  };
  for (const [what, input] of Object.entries(inputs))
    test(`a token's input with ${what} is refused`, () => {
      const operations = [{ type: 7, payCoin: { ...tokenPay.payCoin, input } }];
      assert.equal(verdictOf(paymentOf({ operations }), tokenTerms), 'payloadRequirementsMismatch');
      assert.equal(verdictOf(paymentOf({ operations })), 'payloadRequirementsMismatch');
    });

  const spoilt: readonly (readonly [string, string, Fields])[] = [
    ['no operation', 'payloadRequirementsMismatch', { operations: [] }],
    ['two operations', 'payloadRequirementsMismatch', { operations: [nativePay, nativePay] }],
    ['another type', 'payloadRequirementsMismatch', { operations: [{ ...nativePay, type: 8 }] }],
    [
      'a second body',
      'payloadRequirementsMismatch',
      { operations: [{ ...nativePay, log: { topic: 'x', datas: [] } }] },
    ],
    ['metadata', 'payloadRequirementsMismatch', { metadata: Uint8Array.of(1) }],
    ['a condition', 'payloadRequirementsMismatch', { exprCondition: '1==1' }],
    ['a last block', 'payloadRequirementsMismatch', { ceilLedgerSeq: 9n }],
    [
      'metadata of the operation',
      'payloadRequirementsMismatch',
      { operations: [{ ...nativePay, metadata: Uint8Array.of(1) }] },
    ],
    [
      'a condition of the operation',
      'payloadRequirementsMismatch',
      { operations: [{ ...nativePay, exprCondition: '1==1' }] },
    ],
    [
      "somebody else's money",
      'payloadRequirementsMismatch',
      { operations: [{ ...nativePay, sourceAddress: other.address }] },
    ],
    ['another chain', 'unsupportedNetwork', { chainId: 1n }],
    ['too low a price of gas', 'feeOutOfBounds', { gasPrice: 0n }],
    ['an absurd fee', 'feeOutOfBounds', { feeLimit: 2_000_000_000_000n }],
    ['a negative fee', 'feeOutOfBounds', { feeLimit: -1n }],
    ['another source than signer', 'invalidSignature', { sourceAddress: other.address }],
    [
      'another amount',
      'payloadRequirementsMismatch',
      { operations: [{ type: 7, payCoin: { destAddress: payee.address, amount: 249n } }] },
    ],
    [
      'nothing',
      'payloadRequirementsMismatch',
      { operations: [{ type: 7, payCoin: { destAddress: payee.address, amount: 0n } }] },
    ],
    [
      'another payee',
      'payloadRequirementsMismatch',
      { operations: [{ type: 7, payCoin: { destAddress: other.address, amount: 250n } }] },
    ],
    ['another asset', 'payloadRequirementsMismatch', { operations: [tokenPay] }],
    [
      'an amount with a transfer',
      'payloadRequirementsMismatch',
      { operations: [{ type: 7, payCoin: { ...tokenPay.payCoin, amount: 1n } }] },
    ],
  ];
  for (const [what, word, fields] of spoilt)
    test(`${what}: ${word}`, () => assert.equal(verdictOf(paymentOf(fields), nativeTerms), word));

  test('the wrapping is judged, too', () => {
    const cases: readonly (readonly [string, Partial<ArrivedPayment>])[] = [
      ['unsupportedScheme', { scheme: 'upto' }],
      ['unsupportedNetwork', { network: 'zetrix:mainnet' }],
      ['blobExpired', { validBefore: context.nowSeconds }],
      ['blobExpired', { validBefore: Number.NaN }],
      ['payloadDecodeFailed', { blob: Uint8Array.of(1, 2, 3) }],
      ['payloadDecodeFailed', { blob: new Uint8Array(10_000) }],
      ['invalidSignature', { signatures: [] }],
      ['invalidSignature', { signatures: [...paymentOf().signatures, ...paymentOf().signatures] }],
      ['invalidSignature', { signatures: [{ publicKey: 'b001', signature: new Uint8Array(64) }] }],
      ['invalidSignature', { signatures: [{ publicKey: payer.publicKey, signature: new Uint8Array(64) }] }],
    ];
    for (const [word, changes] of cases) assert.equal(verdictOf(paymentOf({}, changes), nativeTerms), word);
  });

  test('an unknown field makes it no transaction', () => {
    const blob = Buffer.concat([paymentOf().blob, Uint8Array.of(0xfa, 0x01, 0x01, 0x00)]);
    const signatures = [{ publicKey: payer.publicKey, signature: payer.sign(blob) }];
    assert.equal(verdictOf(paymentOf({}, { blob, signatures }), nativeTerms), 'payloadDecodeFailed');
  });

  test('what its own wrapping says of it must be so, and what is asked for must be this scheme', () => {
    assert.equal(typeof verdictOf(paymentOf({}, { accepted: { network: 'zetrix:testnet' } })), 'object');
    const accepted: readonly Partial<PaymentTerms>[] = [
      { payTo: other.address },
      { amount: 249n },
      { asset: token.address },
    ];
    for (const said of accepted)
      assert.equal(verdictOf(paymentOf({}, { accepted: said })), 'payloadRequirementsMismatch');
    assert.equal(verdictOf(paymentOf(), { ...nativeTerms, scheme: 'upto' }), 'unsupportedScheme');
  });

  test('another payer than the one who must pay is refused', () => {
    const payment = paymentOf({ sourceAddress: other.address }, {}, other);
    assert.equal(verdictOf(payment, nativeTerms), 'payloadRequirementsMismatch');
  });

  test('only the sponsor may pay the fee of another', () => {
    const operations = [{ ...nativePay, sourceAddress: payer.address }];
    const payment = paymentOf({ sourceAddress: other.address, operations });
    const paid = verdictOf(payment, nativeTerms, { isSponsor: (address) => address === other.address });
    assert.ok(typeof paid === 'object');
    assert.deepEqual([paid.payer, paid.feePayer], [payer.address, other.address]);
    assert.equal(verdictOf(payment, nativeTerms), 'payloadRequirementsMismatch');
  });

  test('no change of a single bit is taken', () => {
    const payment = paymentOf();
    fc.assert(
      fc.property(fc.nat(payment.blob.length * 8 - 1), (bit) => {
        const blob = Uint8Array.from(payment.blob);
        blob[bit >> 3] ^= 1 << (bit & 7);
        assert.equal(typeof verdictOf({ ...payment, blob }, nativeTerms), 'string');
      }),
    );
  });
});
