/**
 * Seals requests to a credential service, so that only the service reads them, whoever carries them
 * (`wire/src/http/sealed-envelope.ts` has the layout). Wraps another transport; what is not served sealed passes as it
 * is if it carries nothing confidential, and is refused otherwise. Headers stay outside of the seal. Uses the
 * platform's Web Crypto, in browsers and on Node alike.
 *
 * The service's keys come from the service itself unless they are given: whoever can change what the network carries
 * could then put its own in their place. Give them where that matters.
 */
import { concatBytes, decodeUtf8, encodeUtf8, parseBase64 } from '@symbolon/core/basics/bytes';
import { type SealPublicKeys, sealKeysReply, sealKeysRoute } from '@symbolon/wire/http/seal-keys';
import {
  answerLabel,
  associatedData,
  encodeFrame,
  parseSealedFrame,
  readX25519Key,
  renderSealHeaders,
  sealBytes,
  sealedContentType,
} from '@symbolon/wire/http/sealed-envelope';
import { commonFaults, sealedFaults } from '@symbolon/wire/http/service-route';
import { isJsonObject, parseJsonOrNothing } from '@symbolon/wire/json/json';
import { assertMembers, type MembersOf } from '../arguments/exact-arguments.ts';
import { SdkError } from '../errors/errors.ts';
import type { ServiceAnswer, ServiceRequest, ServiceTransport } from './service-transport.ts';

/** What a client must know of the service. */
export type SealTarget = Pick<SealPublicKeys, 'kid' | 'rsaPublicKeyPem' | 'x25519PublicKey'>;

/** For whoever seals requests to a service. */
export interface SealedTransportOptions {
  /** Known keys of the service; asked for if absent. */
  readonly keys?: SealTarget;
  /** Also send what is confidential and cannot be sealed (docs/sealed.md lists it). */
  readonly allowUnsealed?: boolean;
}

const optionMembers: MembersOf<SealedTransportOptions> = { keys: true, allowUnsealed: true };

/** Seals what is confidential between this program and the service, over another transport. */
export function sealedTransport(
  inner: ServiceTransport,
  options: SealedTransportOptions = {},
): ServiceTransport {
  assertMembers(options, optionMembers, 'options of sealing');
  let known: Promise<SealTarget> | undefined;
  const target = (): Promise<SealTarget> => {
    if (options.keys) return Promise.resolve(options.keys);
    known ??= fetchKeys(inner).catch((error) => {
      known = undefined;
      throw error;
    });
    return known;
  };

  const assertSendable = ({ carries }: ServiceRequest): void => {
    if (carries === 'plain' || options.allowUnsealed === true) return;
    const hint =
      'Call it with a client that does not seal, or give allowUnsealed: TLS alone protects it then.';
    const message = 'nothing was sent: this route carries confidential data and is not served sealed';
    throw new SdkError('notProtected', message, { hint });
  };

  const call = async (request: ServiceRequest): Promise<ServiceAnswer> => {
    const { sealedPath } = request;
    if (sealedPath === undefined) {
      assertSendable(request);
      return inner(request);
    }
    // Sealed for whoever told the keys: over a way that others can change, only known ones protect anything.
    const carries = options.keys ? 'plain' : request.carries;
    const sealed = { ...request, carries, path: sealedPath };
    const keys = await target();
    const answer = await exchangeSealed(inner, sealed, keys);
    if (options.keys || !isKeyRefusal(answer)) return answer;
    // The service may have replaced its keys. It opened nothing, so sending once more does nothing twice.
    known = undefined;
    const newer = await target();
    return newer.kid === keys.kid ? answer : exchangeSealed(inner, sealed, newer);
  };
  const { stream } = inner;
  if (!stream) return call;
  return Object.assign(call, {
    stream: async (request: ServiceRequest) => {
      // No stream is served sealed.
      assertSendable(request);
      return stream(request);
    },
  });
}

async function fetchKeys(inner: ServiceTransport): Promise<SealTarget> {
  const { method, path } = sealKeysRoute;
  const answer = await inner({ method, path, carries: 'plain', query: '', headers: {} });
  const keys = sealKeysReply.safeParse(answer.status === 200 ? parseJsonOrNothing(answer.text) : undefined);
  if (keys.success) return keys.data;
  const hint = 'Is this a credential service? Its keys stand at /cred/v1/keys.';
  throw new SdkError('unexpectedReply', 'the service does not tell its keys for sealed requests', { hint });
}

const isKeyRefusal = ({ status, text }: ServiceAnswer): boolean =>
  status === 400 && text.includes('"sealMalformed"');

async function exchangeSealed(
  inner: ServiceTransport,
  request: ServiceRequest,
  target: SealTarget,
): Promise<ServiceAnswer> {
  const { path, bodyText = '' } = request;
  const agreed = await agreeOnKeys(target);
  const answer = await inner({
    ...request,
    headers: { ...request.headers, ...agreed.headers, 'content-type': sealedContentType },
    bodyText: await sealText(bodyText, agreed.requestKey, path),
  });
  if (answer.contentType.startsWith('text/plain')) {
    const text = await openText(answer.text, agreed.answerKey, path);
    const contentType = answer.status < 400 ? 'application/json' : 'application/problem+json';
    return { ...answer, contentType, text };
  }
  if (answer.status >= 400 && isSaidUnopened(answer.text)) return answer;
  throw notSealed();
}

/** What a service refuses before it has opened a request: it has no key to seal that with. */
const unopenedFaults: ReadonlySet<string> = new Set([...sealedFaults, ...commonFaults, 'routeUnknown']);

/** Any other refusal, and every price, is sealed by the service; in clear it is by somebody on the way. */
function isSaidUnopened(text: string): boolean {
  const value = parseJsonOrNothing(text);
  // A page of something in between says nothing that could be taken for a word of the service.
  if (value === undefined) return true;
  return isJsonObject(value) && typeof value.code === 'string' && unopenedFaults.has(value.code);
}

const notSealed = (cause?: unknown): SdkError =>
  new SdkError('unexpectedReply', 'the answer to a sealed request is not sealed for this request', {
    hint: 'Something between client and service may have changed it.',
    cause,
  });

interface AgreedKeys {
  readonly headers: Record<string, string>;
  readonly requestKey: CryptoKey;
  readonly answerKey: CryptoKey;
}

/** Node and the browsers declare these under different names. */
type Subtle = typeof globalThis.crypto.subtle;
type CryptoKey = Awaited<ReturnType<Subtle['importKey']>>;
type KeyPair = { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey };

/** Browsers have it on secure pages only. */
function subtleCrypto(): Subtle {
  const { crypto } = globalThis;
  if (crypto?.subtle) return crypto.subtle;
  const hint = 'In a browser the page must come over https, or from this very machine.';
  throw new SdkError('sealingUnavailable', 'there is no Web Crypto to seal requests with', { hint });
}

const x25519 = { name: 'X25519' };
const oaep = { name: 'RSA-OAEP', hash: 'SHA-256' };

/** A pair of our own for this request alone, so that no two requests share a key. */
async function agreeOnKeys({ kid, rsaPublicKeyPem, x25519PublicKey }: SealTarget): Promise<AgreedKeys> {
  const subtle = subtleCrypto();
  const [theirs, rsa] = await Promise.all([
    subtle.importKey('raw', pointOf(x25519PublicKey), x25519, false, []),
    subtle.importKey('spki', derOf(rsaPublicKeyPem), oaep, false, ['encrypt']),
  ]).catch((cause) => {
    throw unusableKeys(cause);
  });
  const own = (await subtle.generateKey(x25519, false, ['deriveBits'])) as KeyPair;
  // A point that agrees on the same with everybody is refused by the platform.
  const bits = await subtle
    .deriveBits({ ...x25519, public: theirs }, own.privateKey, 8 * sealBytes.key)
    .catch((cause) => {
      throw unusableKeys(cause);
    });
  const shared = await subtle.importKey('raw', bits, 'HKDF', false, ['deriveBits']);
  const [requestKey, answerKey] = await Promise.all([deriveKey(shared, ''), deriveKey(shared, answerLabel)]);
  const wrappedKey = new Uint8Array(await subtle.encrypt(oaep, rsa, requestKey));
  const point = new Uint8Array(await subtle.exportKey('raw', own.publicKey));
  return {
    headers: renderSealHeaders({ wrappedKey, x25519PublicKey: point, keyId: kid }),
    requestKey: await subtle.importKey('raw', requestKey, 'AES-GCM', false, ['encrypt']),
    answerKey: await subtle.importKey('raw', answerKey, 'AES-GCM', false, ['decrypt']),
  };
}

const deriveKey = (shared: CryptoKey, info: string): Promise<ArrayBuffer> =>
  subtleCrypto().deriveBits(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info: plain(encodeUtf8(info)) },
    shared,
    8 * sealBytes.key,
  );

/** The platform's types want bytes that no other thread shares. */
const plain = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

function pointOf(text: string): Uint8Array<ArrayBuffer> {
  const [point] = readX25519Key(text);
  if (!point) throw unusableKeys();
  return plain(point);
}

function derOf(pem: string): Uint8Array<ArrayBuffer> {
  const der = parseBase64(pem.replace(/-----[A-Z ]+-----/g, '').replace(/\s+/g, ''));
  if (!der) throw unusableKeys();
  return plain(der);
}

const unusableKeys = (cause?: unknown): SdkError =>
  cause instanceof SdkError
    ? cause
    : new SdkError('unexpectedReply', "the service's keys for sealed requests cannot be used", {
        hint: 'The platform needs RSA-OAEP and X25519 in Web Crypto, and the keys must be the ones of /cred/v1/keys.',
        cause,
      });

const gcm = (iv: Uint8Array, path: string) => ({
  name: 'AES-GCM',
  iv: plain(iv),
  additionalData: plain(associatedData(path)),
  tagLength: 8 * sealBytes.tag,
});

async function sealText(text: string, key: CryptoKey, path: string): Promise<string> {
  const iv = globalThis.crypto.getRandomValues(new Uint8Array(sealBytes.iv));
  const sealed = new Uint8Array(await subtleCrypto().encrypt(gcm(iv, path), key, plain(encodeUtf8(text))));
  return encodeFrame({
    iv,
    ciphertext: sealed.subarray(0, -sealBytes.tag),
    tag: sealed.subarray(-sealBytes.tag),
  });
}

async function openText(text: string, key: CryptoKey, path: string): Promise<string> {
  const frame = parseSealedFrame(text);
  if (!frame) throw notSealed();
  const sealed = plain(concatBytes(frame.ciphertext, frame.tag));
  try {
    return decodeUtf8(new Uint8Array(await subtleCrypto().decrypt(gcm(frame.iv, path), key, sealed)));
  } catch (cause) {
    throw notSealed(cause);
  }
}
