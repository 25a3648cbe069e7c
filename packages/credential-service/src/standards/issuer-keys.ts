/**
 * Keys by which the service signs for an issuer in the forms of the standards: ES256 for SD-JWT, request objects and
 * status lists, Ed25519 for eddsa-rdfc-2022, BBS for bbs-2023. An issuer's own key is its own, so these are delegated: the
 * vault keeps them, and the issuer's `did:web` document and JWKS publish them. Each is made when it is first signed with;
 * replicas that make one at the same time end up with the same one, because its number is fixed. A former key stays
 * published, so that what was signed with it is verified; one that has ended is not.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
  sign as signBytes,
} from 'node:crypto';
import { promisify } from 'node:util';
import { assert } from '@symbolon/core/basics/assert';
import { encodeBase64Url, encodeHex, encodeUtf8, parseHex } from '@symbolon/core/basics/bytes';
import { RecentMap } from '@symbolon/core/basics/recent-map';
import type { DidKeyType } from '@symbolon/core/did/did';
import type { DelegatedKey } from '@symbolon/core/did/foreign-document';
import { keyOfJwk, type PublicJwkMembers, publicJwk } from '@symbolon/core/did/public-jwk';
import { Fault } from '@symbolon/core/faults/faults';
import { generateSecretKey } from '@symbolon/core/proofs/scalars';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import type { DelegatedKeyKind } from '../database/standards-tables.ts';
import { issuerKeyLimits as limits } from '../limits/service-limits.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import {
  addDelegatedKey,
  type DelegatedKeyRow,
  endDelegatedKey,
  findDelegatedKey,
  listDelegatedKeys,
} from './issuer-key-rows.ts';

export type SigningKind = Exclude<DelegatedKeyKind, 'bbs2023'>;

/** A public key as RFC 7517 writes it, with what it is for. */
export type IssuerJwk = PublicJwkMembers & {
  readonly kid: string;
  readonly alg: string;
  readonly use: 'sig';
};

export interface IssuerJwsOrder {
  /** ES256, if left out. */
  readonly kind?: SigningKind;
  /** Beside `alg`; its `kid` comes first, and the key's own where it has none. A function is given the key. */
  readonly header?: JsonObject | ((key: IssuerJwk) => JsonObject);
  /** An object is signed as its JSON. */
  readonly payload: JsonObject | string | Uint8Array;
}

export interface IssuerSignature {
  readonly kid: string;
  readonly signature: Uint8Array;
}

export interface BbsKeyPair extends DelegatedKey {
  /** Erase it after use. */
  readonly secretKey: Uint8Array;
}

/** By the issuer's DID. Only what signs makes a key: asking for public ones is everybody's. */
export interface IssuerKeys {
  /** Compact. */
  signJws(issuer: string, order: IssuerJwsOrder): Promise<string>;
  /** ES256 as r and s together. */
  sign(issuer: string, kind: SigningKind, bytes: Uint8Array): Promise<IssuerSignature>;
  bbsKey(issuer: string): Promise<BbsKeyPair>;
  /** The key that is signed with now; made where there is none. */
  currentKey(issuer: string, kind: DelegatedKeyKind): Promise<DelegatedKey>;
  /** Every key that has not ended, newest first of each kind. */
  publicKeys(issuer: string): Promise<readonly DelegatedKey[]>;
  jwksOf(issuer: string): Promise<{ readonly keys: readonly IssuerJwk[] }>;
  /** From now on another key signs. */
  rotate(issuer: string, kind: DelegatedKeyKind): Promise<DelegatedKey>;
  /** Takes a key out of all documents, for good: nothing that it has signed is verified any more. */
  end(issuer: string, kid: string): Promise<void>;
}

type KeyParts = Pick<ServiceParts, 'database' | 'vault' | 'clock'> & {
  readonly proofs: Pick<ServiceParts['proofs'], 'publicKeyOf'>;
};

const keyTypes: Readonly<Record<DelegatedKeyKind, DidKeyType>> = {
  es256: 'p256',
  ed25519: 'ed25519',
  bbs2023: 'bls12381g2',
};
const kinds = Object.keys(keyTypes) as DelegatedKeyKind[];
const algorithms: Readonly<Record<SigningKind, string>> = { es256: 'ES256', ed25519: 'EdDSA' };

/** The owner is a part of the id, which the encryption covers: rewriting the owner gives the key to nobody. */
const idOf = (issuer: string, kid: string): string => `${issuer} ${kid}`;
const kidOf = ({ kind, number }: DelegatedKeyRow): string => `${kind}-${number}`;

export function createIssuerKeys(parts: KeyParts): IssuerKeys {
  const { database, vault, clock } = parts;
  const queries = database.kysely;
  const ready = new RecentMap<string, KeyObject>(limits.openKeysMax);

  const rowsOf = async (issuer: string, kind: DelegatedKeyKind): Promise<readonly DelegatedKeyRow[]> =>
    (await listDelegatedKeys(queries, { issuer, kind })).filter((row) => row.id === idOf(issuer, kidOf(row)));

  const make = async (issuer: string, kind: DelegatedKeyKind, number: number): Promise<DelegatedKeyRow> => {
    const id = idOf(issuer, `${kind}-${number}`);
    const { publicKey, secret } = await generate(kind, parts);
    await addDelegatedKey(queries, {
      id,
      issuer,
      kind,
      number,
      publicKey: encodeHex(publicKey),
      secret: await vault.encrypt(secret, contexts.delegatedKey(id)),
      createdAt: clock.nowMs(),
    });
    secret.fill(0);
    const row = await findDelegatedKey(queries, id);
    assert(row, 'a key that was added is there');
    return row;
  };

  const current = async (issuer: string, kind: DelegatedKeyKind): Promise<DelegatedKeyRow> => {
    const [newest] = await rowsOf(issuer, kind);
    if (newest && newest.endedAt === null) return newest;
    return make(issuer, kind, newest ? newest.number + 1 : 1);
  };

  const secretOf = async ({ id, secret }: DelegatedKeyRow): Promise<Uint8Array> => {
    assert(secret, 'a key that has not ended has its secret');
    return vault.decrypt(secret, contexts.delegatedKey(id));
  };

  const open = async (row: DelegatedKeyRow): Promise<KeyObject> => {
    const known = ready.get(row.id);
    if (known) return known;
    const der = await secretOf(row);
    const key = createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' });
    der.fill(0);
    ready.set(row.id, key);
    return key;
  };

  const signWith = async (row: DelegatedKeyRow, bytes: Uint8Array): Promise<Uint8Array> => {
    const key = await open(row);
    const signature =
      row.kind === 'es256'
        ? signBytes('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' })
        : signBytes(null, bytes, key);
    return new Uint8Array(signature);
  };

  const publicKeys: IssuerKeys['publicKeys'] = async (issuer) => {
    const all = await Promise.all(kinds.map((kind) => rowsOf(issuer, kind)));
    return all
      .flat()
      .filter(({ endedAt }) => endedAt === null)
      .map(delegated);
  };

  return {
    async signJws(issuer, { kind = 'es256', header = {}, payload }) {
      const row = await current(issuer, kind);
      const jwk = jwkOf(row);
      const own = typeof header === 'function' ? header(jwk) : header;
      const head = { kid: jwk.kid, ...own, alg: jwk.alg };
      const input = [encodeUtf8(stringifyJson(head)), payloadBytes(payload)].map(encodeBase64Url).join('.');
      return `${input}.${encodeBase64Url(await signWith(row, encodeUtf8(input)))}`;
    },
    async sign(issuer, kind, bytes) {
      const row = await current(issuer, kind);
      return { kid: kidOf(row), signature: await signWith(row, bytes) };
    },
    async bbsKey(issuer) {
      const row = await current(issuer, 'bbs2023');
      return { ...delegated(row), secretKey: await secretOf(row) };
    },
    currentKey: async (issuer, kind) => delegated(await current(issuer, kind)),
    publicKeys,
    async jwksOf(issuer) {
      const rows = await Promise.all(signingKinds.map((kind) => rowsOf(issuer, kind)));
      return {
        keys: rows
          .flat()
          .filter(({ endedAt }) => endedAt === null)
          .map(jwkOf),
      };
    },
    async rotate(issuer, kind) {
      const [newest] = await rowsOf(issuer, kind);
      return delegated(await make(issuer, kind, newest ? newest.number + 1 : 1));
    },
    async end(issuer, kid) {
      const id = idOf(issuer, kid);
      if (!(await endDelegatedKey(queries, id, clock.nowMs())))
        throw new Fault('keyUnknown', { detail: 'there is no such key, or it has ended' });
      ready.delete(id);
    },
  };
}

function payloadBytes(payload: IssuerJwsOrder['payload']): Uint8Array {
  if (payload instanceof Uint8Array) return payload;
  return encodeUtf8(typeof payload === 'string' ? payload : stringifyJson(payload));
}

const signingKinds = Object.keys(algorithms) as SigningKind[];

function delegated(row: DelegatedKeyRow): DelegatedKey {
  const publicKey = parseHex(row.publicKey);
  assert(publicKey, 'a stored public key is hex');
  return { kid: kidOf(row), keyType: keyTypes[row.kind], publicKey };
}

function jwkOf(row: DelegatedKeyRow): IssuerJwk {
  const { kid, keyType, publicKey } = delegated(row);
  const jwk = publicJwk(keyType, publicKey);
  assert(jwk, 'a signing key has a JWK');
  return { ...jwk, kid, alg: algorithms[row.kind as SigningKind], use: 'sig' };
}

const generatePair = promisify(generateKeyPair);
const bbsSeedBytes = 32;
/** Separates these keys from any other use of BBS. */
const bbsKeyInfo = encodeUtf8('symbolon/bbs-2023/issuer/0');

/** The secret of a signing key is PKCS#8, that of BBS the scalar. */
async function generate(
  kind: DelegatedKeyKind,
  { proofs }: KeyParts,
): Promise<{ readonly publicKey: Uint8Array; readonly secret: Uint8Array }> {
  if (kind === 'bbs2023') {
    const secret = generateSecretKey(randomBytes(bbsSeedBytes), bbsKeyInfo);
    assert(secret, 'a seed of this length makes a key');
    return { publicKey: await proofs.publicKeyOf(secret), secret };
  }
  const { privateKey } =
    kind === 'es256' ? await generatePair('ec', { namedCurve: 'P-256' }) : await generatePair('ed25519');
  const key = keyOfJwk(createPublicKey(privateKey).export({ format: 'jwk' }));
  assert(key, 'a made key has a known form');
  return { publicKey: key.publicKey, secret: privateKey.export({ format: 'der', type: 'pkcs8' }) };
}
