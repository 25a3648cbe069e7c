import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { canonicalJsonBytes } from '@symbolon/core/basics/jcs';
import { jwsSigningInput } from '@symbolon/core/credential/jws';
import { Fault } from '@symbolon/core/faults/faults';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../json/json.ts';
import { carriesNonce, type PresentedToken, readVpToken } from './vp-token.ts';

const nonce = '5f0c2a9be47d4310a6c1d8e2937b0f64';
const holder = `did:zid:${'02'.repeat(32)}`;
const signature = Buffer.alloc(64, 7);

const presentation = (proofOfCredential: JsonObject = {}): JsonObject => ({
  holder,
  verifiableCredential: [
    { id: 'c', proof: { created: '2026-01-01T00:00:00Z', proofValue: 'u1', ...proofOfCredential } },
  ],
  proof: { challenge: nonce, jws: 'head..signature' },
});

function tokenOf(given: JsonValue): PresentedToken {
  const read = readVpToken(given);
  assert.ok('token' in read);
  return read.token;
}

const part = (value: JsonValue | Buffer): string =>
  Buffer.from(Buffer.isBuffer(value) ? value : JSON.stringify(value)).toString('base64url');
const jwtOf = (payload: JsonValue, header: JsonValue = { alg: 'EdDSA' }, third: Buffer = signature) =>
  `${part(header)}.${part(payload)}.${part(third)}`;

describe('forms of a token', () => {
  test('an object: everything but the signature is signed', () => {
    const given = presentation();
    const { presentation: read, signedBytes, derivedNonces } = tokenOf(given);
    assert.deepEqual(read, given);
    const signed = { ...given, proof: { challenge: nonce } };
    assert.deepEqual(signedBytes, jwsSigningInput('holder', canonicalJsonBytes(signed)));
    assert.deepEqual(derivedNonces, [undefined]);
  });

  test('the same as base64, base64url or JSON text', () => {
    const given = presentation();
    const text = JSON.stringify(given);
    const forms = [text, Buffer.from(text).toString('base64'), Buffer.from(text).toString('base64url')];
    for (const form of forms) assert.deepEqual(tokenOf(form), tokenOf(given));
  });

  test('a JWT without a proof: its own letters are signed, by the key of the holder', () => {
    const { proof: _proof, ...payload } = presentation({ nonce: `u${nonce}` });
    const jwt = jwtOf(payload);
    const token = tokenOf(jwt);
    assert.deepEqual(token.signedBytes, encodeUtf8(jwt.slice(0, jwt.lastIndexOf('.'))));
    assert.ok(carriesNonce(token, nonce));
    const proof = token.presentation.proof as JsonObject;
    assert.equal(proof.verificationMethod, `${holder}#controllerKey`);
    assert.equal(proof.jws, `${part({ alg: 'EdDSA' })}..${signature.toString('base64url')}`);
    assert.equal(proof.challenge, undefined);
    const [credential] = token.presentation.verifiableCredential as JsonObject[];
    assert.deepEqual(credential?.proof, { created: '2026-01-01T00:00:00Z', proofValue: 'u1' });
  });

  test('a JWT with a proof keeps its challenge; a signature may be written as hex', () => {
    const hex = Buffer.from(signature.toString('hex').toUpperCase());
    const token = tokenOf(jwtOf(presentation(), { alg: 'EdDSA', typ: 'JWT' }, hex));
    const proof = token.presentation.proof as JsonObject;
    assert.equal(proof.challenge, nonce);
    assert.match(proof.jws as string, new RegExp(`${signature.toString('base64url')}$`));
  });

  test('the nonce of a derived proof counts only if every proof has it', () => {
    const first = (presentation({ nonce }).verifiableCredential as JsonObject[])[0] as JsonObject;
    const bare = (presentation().verifiableCredential as JsonObject[])[0] as JsonObject;
    const both = (list: JsonObject[]) => tokenOf({ ...presentation(), verifiableCredential: list });
    assert.ok(carriesNonce(both([first, { ...first, proof: [first.proof ?? null] }]), nonce));
    assert.ok(!carriesNonce(both([first, bare]), nonce));
    assert.ok(!carriesNonce(both([]), nonce));
    assert.ok(!carriesNonce(both([first]), '0'.repeat(32)));
  });

  test('the id of a presentation that is kept', () => {
    const savedId = 'v2-0f8fad5b-d9cb-469f-a165-70867728950e';
    assert.deepEqual(readVpToken(savedId), { savedId });
  });
});

describe('what is no token', () => {
  const cases: Readonly<Record<string, JsonValue>> = {
    number: 5,
    'an empty text': '',
    'an object without proof': { holder },
    'base64 of something else': Buffer.from('hello').toString('base64'),
    'bytes that are no text': Buffer.from([0xff, 0xfe, 0x80]).toString('base64'),
    'a JWT with another algorithm': jwtOf(presentation(), { alg: 'none' }),
    'a JWT whose payload is not encoded': jwtOf(presentation(), { alg: 'EdDSA', b64: false, crit: ['b64'] }),
    'a JWT without a holder': jwtOf({ verifiableCredential: [] }),
    'a JWT with a short signature': jwtOf(presentation(), { alg: 'EdDSA' }, Buffer.alloc(63)),
    'a JWT of an array': jwtOf([]),
    'a number that is not exact': { ...presentation(), n: 2n ** 70n },
  };
  for (const [what, given] of Object.entries(cases))
    test(what, () => {
      assert.throws(
        () => readVpToken(given),
        (error) => error instanceof Fault && error.code === 'presentationMalformed',
      );
    });

  test('anything else is read or refused, never thrown out of', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.jsonValue(), fc.base64String()), (given) => {
        try {
          readVpToken(given as JsonValue);
          readVpToken({ proof: {}, verifiableCredential: given } as JsonObject);
        } catch (error) {
          assert.ok(error instanceof Fault, String(error));
        }
      }),
      { numRuns: 300 },
    );
  });
});
