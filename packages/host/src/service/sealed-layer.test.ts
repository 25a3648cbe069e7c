import assert from 'node:assert/strict';
import { createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync } from 'node:crypto';
import { before, describe, it } from 'node:test';
import {
  encodeBase58,
  encodeBase64Url,
  encodeHex,
  encodeUtf8,
  parseBase58,
  parseBase64,
} from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import { sealKeysReply } from '@symbolon/wire/http/seal-keys';
import { answerLabel, parseSealedFrame, sealBytes } from '@symbolon/wire/http/sealed-envelope';
import { createSealedLayer, generateSealKeys, type RequestToOpen, type SealKeys } from './sealed-layer.ts';

const path = '/cred/v1/vc/enc/apply';
const bodyText = '{"templateId":"did:zid:00","größe":1}';

const isUniform = (error: unknown): boolean =>
  error instanceof Fault &&
  error.code === 'sealMalformed' &&
  error.message === 'The sealed request cannot be opened' &&
  error.errors.length === 0;

/** A client written with other calls than the layer: Web Crypto, and keys as the service publishes them. */
async function sealRequest(
  {
    x25519PublicKey,
    rsaPublicKeyPem,
    kid,
  }: { x25519PublicKey: string; rsaPublicKeyPem: string; kid: string },
  { text = bodyText as string | Uint8Array, boundTo = path, otherKey = false } = {},
) {
  const own = generateKeyPairSync('x25519');
  const point = parseBase58(x25519PublicKey, 64)!;
  const theirs = createPublicKey({
    key: { kty: 'OKP', crv: 'X25519', x: encodeBase64Url(point) },
    format: 'jwk',
  });
  const shared = diffieHellman({ privateKey: own.privateKey, publicKey: theirs });
  const derive = (info: string) => Buffer.from(hkdfSync('sha256', shared, new Uint8Array(0), info, 32));
  const { subtle } = globalThis.crypto;
  const gcmKey = (raw: Buffer) => subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']);
  const iv = globalThis.crypto.getRandomValues(new Uint8Array(sealBytes.iv));
  const additionalData = Buffer.from(boundTo);
  const plain = Buffer.from(typeof text === 'string' ? encodeUtf8(text) : text);
  const sealed = await subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData },
    await gcmKey(derive('')),
    plain,
  );
  const oaep = { name: 'RSA-OAEP', hash: 'SHA-256' };
  const spki = Buffer.from(createPublicKey(rsaPublicKeyPem).export({ format: 'der', type: 'spki' }));
  const rsa = await subtle.importKey('spki', spki, oaep, false, ['encrypt']);
  const wrapped = await subtle.encrypt(oaep, rsa, otherKey ? Buffer.alloc(32, 7) : derive(''));
  const ownPoint = parseBase64(own.publicKey.export({ format: 'jwk' }).x!)!;
  const request: RequestToOpen = {
    path,
    headers: {
      secretkey: encodeBase64Url(new Uint8Array(wrapped)),
      x25519pubkey: encodeBase58(ownPoint),
      kid,
    },
    body: encodeBase64Url(Buffer.concat([iv, Buffer.from(sealed)])),
  };
  const openAnswer = async (answer: string, info = answerLabel) => {
    const { iv, ciphertext, tag } = parseSealedFrame(answer)!;
    const bytes = Buffer.concat([ciphertext, tag]);
    const opened = await subtle.decrypt(
      { name: 'AES-GCM', iv: Buffer.from(iv), additionalData },
      await gcmKey(derive(info)),
      bytes,
    );
    return Buffer.from(opened).toString();
  };
  return { request, ownPoint, openAnswer };
}

describe('the sealed layer', () => {
  let older: SealKeys;
  let newer: SealKeys;
  const layerOf = (...keys: SealKeys[]) => createSealedLayer({ keys: async () => keys });
  const sealFor = async (keys: SealKeys, options?: Parameters<typeof sealRequest>[1]) =>
    sealRequest(await layerOf(keys).publicKeys(), options);

  before(async () => {
    older = await generateSealKeys({ kid: 'older', rsaBits: 2048, validUntilMs: Date.UTC(2030, 0, 1) });
    newer = await generateSealKeys({ kid: 'newer', rsaBits: 2048 });
  });

  it('opens a request and seals its answer', async () => {
    const { request, openAnswer } = await sealFor(newer);
    const opened = await layerOf(newer).open(request);
    assert.equal(opened.bodyText, bodyText);
    assert.equal(await openAnswer(opened.sealAnswer('{"vcId":"ü"}')), '{"vcId":"ü"}');
    assert.equal(await openAnswer(opened.sealAnswer('')), '');
    await assert.rejects(openAnswer(opened.sealAnswer('x'), ''), 'the answer has a key of its own');
    assert.notEqual(opened.sealAnswer('x'), opened.sealAnswer('x'), 'every answer has its own IV');
  });

  it('opens with each live pair, with and without a key id', async () => {
    for (const keys of [older, newer]) {
      const { request } = await sealFor(keys);
      const { kid: _, ...anonymous } = request.headers;
      assert.equal((await layerOf(newer, older).open(request)).bodyText, bodyText);
      assert.equal((await layerOf(newer, older).open({ ...request, headers: anonymous })).bodyText, bodyText);
    }
  });

  it('takes the spellings of public key and body that clients use', async () => {
    const { request, ownPoint } = await sealFor(newer);
    for (const x25519pubkey of [
      encodeHex(ownPoint),
      encodeHex(ownPoint).toUpperCase(),
      encodeBase64Url(ownPoint),
    ]) {
      await layerOf(newer).open({ ...request, headers: { ...request.headers, x25519pubkey } });
    }
    const padded = `${request.body}${'='.repeat((4 - (request.body.length % 4)) % 4)}`;
    for (const body of [`"${request.body}"`, ` ${request.body}\n`, padded]) {
      await layerOf(newer).open({ ...request, body });
    }
  });

  it('opens nothing once a pair is gone, or under the name of another', async () => {
    const { request } = await sealFor(older);
    await assert.rejects(layerOf(newer).open(request), isUniform);
    const renamed = { ...request, headers: { ...request.headers, kid: 'newer' } };
    await assert.rejects(layerOf(newer, older).open(renamed), isUniform);
    const unknown = { ...request, headers: { ...request.headers, kid: 'nobody' } };
    await assert.rejects(layerOf(newer, older).open(unknown), isUniform);
  });

  it('forgets a pair that rotation took away', async () => {
    let live = [older];
    const layer = createSealedLayer({ keys: async () => live });
    const { request } = await sealFor(older);
    await layer.open(request);
    live = [newer];
    await assert.rejects(layer.open(request), isUniform);
    assert.equal((await layer.publicKeys()).kid, 'newer');
  });

  it('gives the same answer to every part that was tampered with', async () => {
    const { request } = await sealFor(newer);
    const flip = (text: string, at: number) => {
      const bytes = parseBase64(text)!.slice();
      bytes[at < 0 ? bytes.length + at : at] ^= 1;
      return encodeBase64Url(bytes);
    };
    const withHeader = (name: string, value: string | string[] | undefined): RequestToOpen => ({
      ...request,
      headers: { ...request.headers, [name]: value },
    });
    const secret = request.headers.secretkey as string;
    const point = parseBase58(request.headers.x25519pubkey as string, 64)!;
    const otherPoint = point.slice();
    otherPoint[3] ^= 4;
    const bad: Record<string, RequestToOpen> = {
      iv: { ...request, body: flip(request.body, 0) },
      ciphertext: { ...request, body: flip(request.body, sealBytes.iv) },
      tag: { ...request, body: flip(request.body, -1) },
      'short body': { ...request, body: encodeBase64Url(new Uint8Array(27)) },
      'cut body': { ...request, body: request.body.slice(0, -4) },
      'empty body': { ...request, body: '' },
      'body that is not base64': { ...request, body: '{"templateId":1}' },
      path: { ...request, path: '/cred/v1/vc/enc/create' },
      'wrapped key': withHeader('secretkey', flip(secret, 40)),
      'short wrapped key': withHeader('secretkey', secret.slice(0, 40)),
      'long wrapped key': withHeader('secretkey', secret.repeat(9)),
      'two wrapped keys': withHeader('secretkey', [secret, secret]),
      'other point': withHeader('x25519pubkey', encodeBase58(otherPoint)),
      'point of low order': withHeader('x25519pubkey', '00'.repeat(32)),
      'point of order 8': withHeader(
        'x25519pubkey',
        '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
      ),
      'short point': withHeader('x25519pubkey', encodeBase58(point.slice(1))),
      'long key id': withHeader('kid', 'k'.repeat(65)),
    };
    for (const [part, tampered] of Object.entries(bad)) {
      await assert.rejects(layerOf(newer).open(tampered), isUniform, part);
    }
    assert.equal((await layerOf(newer).open(request)).bodyText, bodyText, 'a good one still opens');
    for (const name of ['secretKey', 'x25519PubKey'])
      await assert.rejects(layerOf(newer).open(withHeader(name.toLowerCase(), undefined)), {
        code: 'sealMalformed',
        message: `The header ${name} is missing`,
      });
  });

  it('wants both ways to lead to the same key', async () => {
    const { request } = await sealFor(newer, { otherKey: true });
    await assert.rejects(layerOf(newer).open(request), isUniform);
  });

  it('refuses what is not text, and what was sealed for another path', async () => {
    const bytes = await sealFor(newer, { text: Uint8Array.of(0xff, 0xfe) });
    await assert.rejects(layerOf(newer).open(bytes.request), isUniform);
    const elsewhere = await sealFor(newer, { boundTo: '/cred/v1/vp/enc/verify' });
    await assert.rejects(layerOf(newer).open(elsewhere.request), isUniform);
  });

  it('bounds how many are opened at once, and recovers', async () => {
    const { request } = await sealFor(newer);
    const layer = createSealedLayer({ keys: async () => [newer], openingMax: 2 });
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => layer.open(request)));
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'rejected'],
    );
    const { reason } = outcomes[3] as PromiseRejectedResult;
    assert.equal(reason.code, 'overloaded');
    assert.equal((await layer.open(request)).bodyText, bodyText);
  });

  it('publishes the public halves alone', async () => {
    const published = await layerOf(newer, older).publicKeys();
    assert.ok(sealKeysReply.safeParse(published).success);
    assert.equal(published.kid, 'newer');
    assert.deepEqual(
      published.keys.map(({ kid, validUntil }) => [kid, validUntil]),
      [
        ['newer', null],
        ['older', '2030-01-01T00:00:00Z'],
      ],
    );
    const [rsa, point] = published.jwks.keys;
    const fromJwk = createPublicKey({ key: rsa, format: 'jwk' }).export({ format: 'pem', type: 'spki' });
    assert.equal(fromJwk, published.rsaPublicKeyPem);
    assert.equal(encodeBase58(parseBase64(point.x!)!), published.x25519PublicKey);
    const text = JSON.stringify(published);
    assert.ok(!/PRIVATE|"d"|"p"/.test(text));

    assert.ok(!text.includes(encodeBase64Url(newer.x25519PrivateKey)));
  });
});
