import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, hash, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { encodeHex, parseHex } from '../../basics/bytes.ts';
import { createKeyFormat } from '../../keys/keys.ts';
import { zetrixProfile } from '../../keys/profile.ts';
import { contractLimits } from '../../limits/consensus.ts';
import { ContractException, type ContractValue } from '../terms/engine.ts';
import { legacyUtilsNames } from '../terms/legacy-names.ts';
import { logCharsMax, utilsLibrary, utilsSteps } from './utils-library.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const keys = createKeyFormat(zetrixProfile, sha256);
const vectors = JSON.parse(
  readFileSync(new URL('../../../vectors/ledger/keys.json', import.meta.url), 'utf8'),
);

const asPublicKey = (raw: Uint8Array) =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(raw).toString('base64url') },
    format: 'jwk',
  });
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

function library() {
  const logged: string[] = [];
  const functions = utilsLibrary({
    keys,
    sha256,
    verifySignature: (publicKey, signature, message) =>
      verify(null, message, asPublicKey(publicKey), signature),
    log: (text) => logged.push(text),
    decimals: zetrixProfile.nativeAsset.decimals,
  });
  const call = (name: string, ...args: ContractValue[]): ContractValue => functions.get(name)!(args);
  return { functions, call, logged };
}

/** Everything that is not a text. */
const wrongKinds: ContractValue[] = [undefined, null, true, 0, 1.5, [], ['00'], {}, { length: 2 }];

describe('the Utils library', () => {
  const { functions, call } = library();

  it('has the functions of the interface, and the old plain names of some', () => {
    const names = [...functions.keys()];
    for (const name of 'log assert toBaseUnit hexToDec addressCheck toAddress sha256 ecVerify'.split(' ')) {
      assert.ok(names.includes(`Utils.${name}`), name);
    }
    assert.equal(names.filter((name) => name.startsWith('Utils.')).length, 8 + 14 + 18);
    assert.deepEqual(
      names.filter((name) => !name.startsWith('Utils.')),
      [...legacyUtilsNames],
    );
    for (const name of legacyUtilsNames) assert.equal(functions.get(name), functions.get(`Utils.${name}`));
  });

  it('asserts booleans', () => {
    assert.equal(call('Utils.assert', true), true);
    assert.equal(call('assert', true, 'unused'), true);
    const throwsText = (args: ContractValue[], message: string | RegExp): void =>
      assert.throws(
        () => call('Utils.assert', ...args),
        (error: unknown) =>
          error instanceof ContractException &&
          (typeof message === 'string' ? error.message === message : message.test(error.message)),
      );
    throwsText([false], 'Assertion exception occurred');
    throwsText([false, 'Not enough.'], 'Not enough.');
    throwsText([false, ''], '');
    throwsText([false, { code: 1 }], 'Assertion exception occurred');
    for (const notBoolean of [undefined, null, 1, 'true', [], {}])
      throwsText([notBoolean, 'x'], /argument 0/);
  });

  it('logs whatever it is given, cut short, and answers nothing', () => {
    const own = library();
    assert.equal(own.call('log', 'hello'), undefined);
    assert.equal(own.call('Utils.log', { a: ['x', 1, null, undefined], b: true }), undefined);
    assert.equal(own.call('Utils.log', undefined), undefined);
    assert.equal(own.call('Utils.log', 'x'.repeat(1_000_000)), undefined);
    let deep: ContractValue = 'bottom';
    for (let level = 0; level < 100_000; level++) deep = [deep];
    assert.equal(own.call('Utils.log', deep), undefined);
    assert.equal(own.call('Utils.log'), false);
    assert.deepEqual(own.logged.slice(0, 3), ['hello', '{"a":["x",1,null,undefined],"b":true}', 'undefined']);
    assert.equal(own.logged[3].length, logCharsMax);
    assert.equal(own.logged[4], `${'['.repeat(8)}…${']'.repeat(8)}`);
    assert.equal(own.logged.length, 5);
  });

  it('hashes hex, text and base64', () => {
    const expected = encodeHex(sha256(Buffer.from('abcd')));
    assert.equal(call('Utils.sha256', '61626364'), expected);
    assert.equal(call('Utils.sha256', '61626364', 0), expected);
    assert.equal(call('Utils.sha256', 'abcd', 1), expected);
    assert.equal(call('Utils.sha256', 'YWJjZA==', 2), expected);
    assert.equal(call('Utils.sha256', 'ABCD'), encodeHex(sha256(Uint8Array.of(0xab, 0xcd))));
    assert.equal(call('Utils.sha256', 'é€😀', 1), encodeHex(sha256(Buffer.from('é€😀'))));
  });

  it('answers false to what it cannot hash', () => {
    const { hashedCharsMax } = contractLimits;
    for (const [data, form] of [
      ['', undefined],
      ['', 1],
      ['', 2],
      ['abc', 0],
      ['zz', 0],
      ['0x61', 0],
      ['YWJjZA', 2],
      ['YWJjZB==', 2],
      ['YWJj ZA==', 2],
      ['YWJj-_==', 2],
      ['\ud800', 1],
      ['61', 3],
      ['61', -1],
      ['61', 0.5],
      ['61', '0'],
      ['61', null],
      ['61', true],
      ['0'.repeat(hashedCharsMax + 2), 0],
      ['a'.repeat(hashedCharsMax + 1), 1],
    ] as const) {
      assert.equal(call('Utils.sha256', data, form), false, `${data.slice(0, 20)} ${form}`);
    }
    for (const wrong of wrongKinds) assert.equal(call('Utils.sha256', wrong), false);
    assert.equal(typeof call('Utils.sha256', 'a'.repeat(hashedCharsMax), 1), 'string');
  });

  it('checks addresses and derives them from public keys', () => {
    for (const key of vectors.keys) {
      assert.equal(call('Utils.addressCheck', key.zetrix_address), true);
      assert.equal(call('addressCheck', key.bumo_address), false);
      assert.equal(call('Utils.toAddress', key.public_key), key.zetrix_address);
      assert.equal(call('Utils.toAddress', key.public_key.slice(2)), false);
      assert.equal(call('Utils.toAddress', key.raw_public_key_hex), false);
    }
    for (const { address } of vectors.invalid_addresses)
      assert.equal(call('Utils.addressCheck', address), false);
    for (const wrong of [...wrongKinds, '', 'x'.repeat(1_000_000)]) {
      assert.equal(call('Utils.addressCheck', wrong), false);
      assert.equal(call('Utils.toAddress', wrong), false);
    }
  });

  it('verifies signatures over hex, text and base64', () => {
    const [key, other] = vectors.keys;
    const privateKey = createPrivateKey({
      key: Buffer.concat([pkcs8Head, parseHex(key.raw_private_key_hex) as Uint8Array]),
      format: 'der',
      type: 'pkcs8',
    });
    const signature = sign(null, Buffer.from('abcd'), privateKey).toString('hex');
    const verified = (...args: ContractValue[]) => call('Utils.ecVerify', ...args);
    assert.equal(verified(signature, key.public_key, '61626364'), true);
    assert.equal(verified(signature, key.public_key, 'abcd', 1), true);
    assert.equal(verified(signature.toUpperCase(), key.public_key, 'YWJjZA==', 2), true);

    assert.equal(verified(signature, key.public_key, 'abce', 1), false);
    assert.equal(verified(signature, other.public_key, 'abcd', 1), false);
    assert.equal(verified(signature, key.raw_public_key_hex, 'abcd', 1), false);
    assert.equal(verified(signature.slice(2), key.public_key, 'abcd', 1), false);
    assert.equal(verified(`${signature}00`, key.public_key, 'abcd', 1), false);
    assert.equal(verified('z'.repeat(128), key.public_key, 'abcd', 1), false);
    assert.equal(verified('00'.repeat(64), key.public_key, 'abcd', 1), false);
    assert.equal(verified(signature, key.public_key, '', 1), false);
    assert.equal(verified(signature, key.public_key, 'abcd', 4), false);
    for (const wrong of wrongKinds) {
      assert.equal(verified(wrong, key.public_key, '61'), false);
      assert.equal(verified(signature, wrong, '61'), false);
      assert.equal(verified(signature, key.public_key, wrong), false);
    }
  });

  it('throws nothing but contract exceptions, whatever it is called with', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<ContractValue>,
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.bigInt({ min: -(2n ** 260n), max: 2n ** 260n }).map(String),
      fc.constant(undefined),
    );
    fc.assert(
      fc.property(fc.constantFrom(...functions.keys()), fc.array(value, { maxLength: 5 }), (name, args) => {
        try {
          assert.ok(['boolean', 'string', 'number', 'undefined'].includes(typeof call(name, ...args)));
        } catch (error) {
          assert.ok(error instanceof ContractException, `${name}: ${error}`);
        }
        assert.ok(utilsSteps(name)(args) >= 1);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('what the Utils functions cost', () => {
  it('grows with the text that is hashed, and is bounded', () => {
    assert.equal(utilsSteps('Utils.sha256')(['']), 1);
    assert.equal(utilsSteps('Utils.sha256')(['61']), 2);
    assert.equal(utilsSteps('Utils.sha256')(['0'.repeat(10_240)]), 11);
    assert.equal(utilsSteps('Utils.sha256')([7]), 1);
    assert.equal(utilsSteps('Utils.sha256')(['0'.repeat(9_000_000)]), 1_025);
    assert.equal(utilsSteps('Utils.ecVerify')(['', '', '61', 0]), 21);
  });

  it('is the same under both names, and one step for most', () => {
    assert.equal(utilsSteps('addressCheck')(['x']), utilsSteps('Utils.addressCheck')(['x']));
    assert.equal(utilsSteps('int64Add')(['1', '2']), 1);
    assert.equal(utilsSteps('Utils.int256Mul')(['1', '2']), 1);
    assert.equal(utilsSteps('constructor')([]), 1);
  });
});
