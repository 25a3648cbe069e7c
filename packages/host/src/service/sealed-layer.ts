/**
 * Opens sealed requests and seals their answers (`wire/src/http/sealed-envelope.ts` has the layout). Every failure is
 * the same `sealMalformed`, whatever part of the request is wrong, so that nobody learns anything from it. Only a
 * header that is missing is named: everybody can see that. RSA is the platform's own and runs on its threads, never on
 * the event loop. Where the keys are kept is somebody else's business.
 */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPair,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
  webcrypto,
} from 'node:crypto';
import { promisify } from 'node:util';
import { assert } from '@symbolon/core/basics/assert';
import { concatBytes, encodeBase58, parseBase64, parseHex } from '@symbolon/core/basics/bytes';
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { Fault } from '@symbolon/core/faults/faults';
import { sealedLimits } from '@symbolon/core/limits/requests';
import type { SealKeysReply } from '@symbolon/wire/http/seal-keys';
import {
  answerLabel,
  associatedData,
  encodeFrame,
  missingSealHeader,
  parseSealedFrame,
  parseSealHeaders,
  type SealedFrame,
  type SealHeaders,
  sealBytes,
} from '@symbolon/wire/http/sealed-envelope';

/** The private keys of an RSA pair and of an X25519 pair, which clients use together. */
export interface SealKeys {
  readonly kid: string;
  /** DER. */
  readonly rsaPrivateKeyPkcs8: Uint8Array;
  /** Raw, 32 bytes. */
  readonly x25519PrivateKey: Uint8Array;
  /** When it stops opening requests; not planned yet if absent. */
  readonly validUntilMs?: number;
}

export interface RequestToOpen {
  /** The path of the route, as its table says: what the caller bound the request to. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export interface OpenedRequest {
  readonly bodyText: string;
  /** For the answer of this request, problem details included. */
  readonly sealAnswer: (text: string) => string;
}

export interface SealedLayer {
  /** Throws `Fault`: `sealMalformed`, or `overloaded` when too many are being opened. */
  open(request: RequestToOpen): Promise<OpenedRequest>;
  /** What `GET /cred/v1/keys` answers. */
  publicKeys(): Promise<SealKeysReply>;
}

export interface SealedLayerOptions {
  /** The pairs that open requests, the one that clients shall use first. Asked for at every request. */
  readonly keys: () => Promise<readonly SealKeys[]>;
  readonly openingMax?: number;
}

export function createSealedLayer({
  keys,
  openingMax = sealedLimits.openingMax,
}: SealedLayerOptions): SealedLayer {
  const imported = new Map<string, ImportedKeys>();
  let opening = 0;

  const liveKeys = async (): Promise<readonly ImportedKeys[]> => {
    const live = (await keys()).slice(0, sealedLimits.liveKeysMax);
    for (const kid of imported.keys()) if (!live.some((pair) => pair.kid === kid)) imported.delete(kid);
    for (const pair of live) if (!imported.has(pair.kid)) imported.set(pair.kid, await importKeys(pair));
    return live.flatMap((pair) => imported.get(pair.kid) ?? []);
  };

  return {
    async open({ path, headers, body }) {
      if (opening >= openingMax) throw new Fault('overloaded', { retryAfterSeconds: 1 });
      opening++;
      try {
        const lacking = missingSealHeader(headers);
        if (lacking !== undefined)
          throw new Fault('sealMalformed', { detail: `The header ${lacking} is missing` });
        const given = parseSealHeaders(headers);
        const frame = parseSealedFrame(body);
        if (!given || !frame) throw new Fault('sealMalformed');
        const agreed = await recoverKeys(given, await liveKeys());
        const bodyText = agreed && openFrame(frame, agreed.requestKey, path);
        if (!agreed || bodyText === undefined) throw new Fault('sealMalformed');
        return { bodyText, sealAnswer: (text) => encryptAnswer(text, agreed.answerKey, path) };
      } finally {
        opening--;
      }
    },
    publicKeys: async () => renderPublicKeys(await liveKeys()),
  };
}

interface ImportedKeys {
  readonly kid: string;
  readonly rsa: webcrypto.CryptoKey;
  readonly rsaPublic: KeyObject;
  readonly x25519: KeyObject;
  readonly validUntilMs: number | undefined;
}

const rsaAlgorithm = { name: 'RSA-OAEP', hash: 'SHA-256' };

async function importKeys(keys: SealKeys): Promise<ImportedKeys> {
  const { kid, rsaPrivateKeyPkcs8, x25519PrivateKey, validUntilMs } = keys;
  assert(kid !== '' && kid.length <= sealedLimits.keyIdCharsMax, 'the id of seal keys is short');
  const pkcs8 = Buffer.from(rsaPrivateKeyPkcs8);
  return {
    kid,
    rsa: await webcrypto.subtle.importKey('pkcs8', pkcs8, rsaAlgorithm, false, ['decrypt']),
    rsaPublic: createPublicKey(createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })),
    x25519: x25519PrivateKeyOf(x25519PrivateKey),
    validUntilMs,
  };
}

/** What stands in front of the raw bytes of an X25519 key in DER: a private one, and a public one. */
const x25519PrivatePrefix = parseHex('302e020100300506032b656e04220420') as Uint8Array;
const x25519PublicPrefix = parseHex('302a300506032b656e032100') as Uint8Array;

const x25519PrivateKeyOf = (raw: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([x25519PrivatePrefix, raw]), format: 'der', type: 'pkcs8' });
const x25519PublicKeyOf = (raw: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([x25519PublicPrefix, raw]), format: 'der', type: 'spki' });

interface RecoveredKeys {
  readonly requestKey: Uint8Array;
  readonly answerKey: Uint8Array;
}

/** The keys on which both ways agree, if there is one pair of ours with which they do. */
async function recoverKeys(
  given: SealHeaders,
  live: readonly ImportedKeys[],
): Promise<RecoveredKeys | undefined> {
  let agreed: RecoveredKeys | undefined;
  for (const ours of live) {
    if (given.keyId !== undefined && given.keyId !== ours.kid) continue;
    // What RSA does not give is random, so that the rest runs just the same.
    const unwrapped = (await unwrapKey(ours.rsa, given.wrappedKey)) ?? randomBytes(sealBytes.key);
    for (const point of given.x25519PublicKeys) {
      const shared = exchange(ours.x25519, point);
      const requestKey = hkdfKey(shared ?? randomBytes(sealBytes.key), '');
      const isSame = timingSafeEqual(requestKey, unwrapped);
      if (shared && isSame) agreed = { requestKey, answerKey: hkdfKey(shared, answerLabel) };
    }
  }
  return agreed;
}

async function unwrapKey(rsa: webcrypto.CryptoKey, wrapped: Uint8Array): Promise<Uint8Array | undefined> {
  try {
    const key = await webcrypto.subtle.decrypt(rsaAlgorithm, rsa, Buffer.from(wrapped));
    return key.byteLength === sealBytes.key ? new Uint8Array(key) : undefined;
  } catch {
    // Another key's, or no such thing at all: the caller gets one and the same answer.
    return undefined;
  }
}

function exchange(privateKey: KeyObject, point: Uint8Array): Uint8Array | undefined {
  try {
    return diffieHellman({ privateKey, publicKey: x25519PublicKeyOf(point) });
  } catch {
    // A point of low order: the platform refuses the all-zero result.
    return undefined;
  }
}

const hkdfKey = (shared: Uint8Array, info: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', shared, '', info, sealBytes.key));

const algorithm = 'aes-256-gcm';
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function openFrame({ iv, ciphertext, tag }: SealedFrame, key: Uint8Array, path: string): string | undefined {
  try {
    const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: sealBytes.tag });
    decipher.setAAD(associatedData(path)).setAuthTag(tag);
    return strictUtf8.decode(concatBytes(decipher.update(ciphertext), decipher.final()));
  } catch {
    // Changed on its way, made for another path, or not text.
    return undefined;
  }
}

function encryptAnswer(text: string, key: Uint8Array, path: string): string {
  const iv = randomBytes(sealBytes.iv);
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength: sealBytes.tag });
  cipher.setAAD(associatedData(path));
  const ciphertext = concatBytes(cipher.update(text, 'utf8'), cipher.final());
  return encodeFrame({ iv, ciphertext, tag: cipher.getAuthTag() });
}

function renderPublicKeys(live: readonly ImportedKeys[]): SealKeysReply {
  const rendered = live.map(({ kid, rsaPublic, x25519, validUntilMs }) => {
    const rsaJwk = rsaPublic.export({ format: 'jwk' });
    const pointJwk = createPublicKey(x25519).export({ format: 'jwk' });
    const point = parseBase64(pointJwk.x ?? '');
    assert(point && rsaJwk.n && rsaJwk.e, 'a public key has its members');
    return {
      keys: {
        kid,
        rsaPublicKeyPem: rsaPublic.export({ format: 'pem', type: 'spki' }).toString(),
        x25519PublicKey: encodeBase58(point),
        validUntil: validUntilMs === undefined ? null : instantTextOfUnixMs(validUntilMs),
      },
      jwks: [
        { kty: 'RSA', kid, use: 'enc', alg: 'RSA-OAEP-256', n: rsaJwk.n, e: rsaJwk.e },
        { kty: 'OKP', kid, use: 'enc', alg: 'ECDH-ES', crv: 'X25519', x: pointJwk.x },
      ],
    };
  });
  const [current] = rendered;
  assert(current, 'there are keys for sealed requests');
  const { kid, rsaPublicKeyPem, x25519PublicKey } = current.keys;
  return {
    kid,
    rsaPublicKeyPem,
    x25519PublicKey,
    keys: rendered.map((entry) => entry.keys),
    jwks: { keys: rendered.flatMap((entry) => entry.jwks) },
  };
}

export interface NewSealKeys {
  readonly kid: string;
  readonly validUntilMs?: number;
  readonly rsaBits?: number;
}

const rsaBitsDefault = 3_072;
const generate = promisify(generateKeyPair);

/** Fresh pairs. Takes a second or two, on a thread of the platform. */
export async function generateSealKeys({
  rsaBits = rsaBitsDefault,
  ...named
}: NewSealKeys): Promise<SealKeys> {
  const rsa = await generate('rsa', { modulusLength: rsaBits });
  return {
    ...named,
    rsaPrivateKeyPkcs8: new Uint8Array(rsa.privateKey.export({ format: 'der', type: 'pkcs8' })),
    x25519PrivateKey: new Uint8Array(randomBytes(sealBytes.x25519Key)),
  };
}
