/** Tokens and keys for tests, made with the platform's own cryptography and none of the code under test. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { encodeBase58 } from '@symbolon/core/basics/bytes';

export interface TestKey {
  readonly alg: string;
  readonly key: KeyObject;
  readonly jwk: Readonly<Record<string, unknown>>;
}

export function testKey(kind: 'ec' | 'ed25519'): TestKey {
  const { privateKey, publicKey } =
    kind === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519');
  const jwk = publicKey.export({ format: 'jwk' }) as TestKey['jwk'];
  return { alg: kind === 'ec' ? 'ES256' : 'EdDSA', key: privateKey, jwk };
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function signedToken(header: object, payload: object, { key }: TestKey): string {
  const input = `${encode(header)}.${encode(payload)}`;
  const isEc = key.asymmetricKeyType === 'ec';
  const signature = isEc
    ? sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
    : sign(null, Buffer.from(input), key);
  return `${input}.${signature.toString('base64url')}`;
}

export function didKeyOfP256({ x, y }: TestKey['jwk']): string {
  const [across, up] = [x, y].map((part) => Buffer.from(part as string, 'base64url'));
  const point = Buffer.concat([Buffer.of(0x80, 0x24, 2 + (up[31] & 1)), across]);
  return `did:key:z${encodeBase58(point)}`;
}
