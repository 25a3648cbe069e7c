/**
 * The service's own keys: the registrar's Ed25519 key, which pays for anchors, and the key pairs of the sealed layer
 * (RSA and X25519 together under one `kid`). Replicas that make one at the same time end up with the same one, because
 * its id is fixed: the registrar's for good, a sealed pair's by the period it begins in. A pair lives for two periods,
 * so clients that fetched it before a change are still understood.
 */
import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { assert } from '@symbolon/core/basics/assert';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { sealedLimits } from '@symbolon/core/limits/requests';
import { generateSealKeys, type SealKeys } from '@symbolon/host/service/sealed-layer';
import type { Clock } from '@symbolon/host/work/clock';
import { remembered } from '@symbolon/host/work/remembered';
import type { Queries } from '../database/schema.ts';
import { recordLimits } from '../limits/service-limits.ts';
import { contexts } from './encryption-contexts.ts';
import type { KeyVault } from './vault.ts';
import { addVaultKey, findVaultKey, listVaultKeys, type VaultKeyRow } from './vault-key-rows.ts';

const generate = promisify(generateKeyPair);

const owner = 'service';
const registrarId = 'registrar';

interface Ed25519Key {
  /** 32 bytes. */
  readonly seed: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** The registrar's key, made when it is first asked for. */
export async function registrarKey(queries: Queries, vault: KeyVault, now: number): Promise<Ed25519Key> {
  let row = await findVaultKey(queries, registrarId);
  if (!row) {
    const fresh = await makeEd25519();
    const secret = await vault.encrypt(fresh.seed, contexts.vaultKey(registrarId));
    await addVaultKey(queries, {
      id: registrarId,
      kind: 'registrar',
      owner,
      publicKey: encodeHex(fresh.publicKey),
      secret,
      createdAt: now,
      validFrom: now,
    });
    row = await findVaultKey(queries, registrarId);
  }
  assert(row, 'a key that was added is there');
  return {
    seed: await decryptRegistrarSeed(vault, row.secret),
    publicKey: Buffer.from(row.publicKey, 'hex'),
  };
}

/** The registrar's seed out of its encrypted form. */
export const decryptRegistrarSeed = (vault: KeyVault, encrypted: Uint8Array): Promise<Uint8Array> =>
  vault.decrypt(encrypted, contexts.vaultKey(registrarId));

/** What precedes the seed of an Ed25519 key in PKCS#8 (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const seedBytes = 32;

/** A new key. Erase the seed after use. */
export async function makeEd25519(): Promise<Ed25519Key> {
  const { publicKey, privateKey } = await generate('ed25519');
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
  try {
    assert(pkcs8.length === pkcs8Prefix.length + seedBytes, 'an Ed25519 key has one form');
    const [seed, raw] = [pkcs8, spki].map((der) => Uint8Array.from(der.subarray(-seedBytes)));
    return { seed, publicKey: raw };
  } finally {
    pkcs8.fill(0);
  }
}

/** A seed as what signs; the seed itself is the caller's to erase. */
export function ed25519PrivateKey(seed: Uint8Array): KeyObject {
  const key = Buffer.concat([pkcs8Prefix, seed]);
  try {
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  } finally {
    key.fill(0);
  }
}

/**
 * The live pairs, newest first: what the sealed layer asks for at every request. They are read once a period; what is
 * needed for the next is made when it begins.
 */
export function createSealKeySource(
  queries: Queries,
  vault: KeyVault,
  clock: Clock,
): () => Promise<readonly SealKeys[]> {
  let known: { readonly period: number; readonly keys: () => Promise<readonly SealKeys[]> } | undefined;
  return () => {
    const period = Math.floor(clock.nowMs() / recordLimits.sealKeyRotationMs);
    if (known?.period !== period) {
      const read = () => makeOrReadSealKeys(queries, vault, { period, now: clock.nowMs() });
      known = { period, keys: remembered(read) };
    }
    return known.keys();
  };
}

async function makeOrReadSealKeys(
  queries: Queries,
  vault: KeyVault,
  { period, now }: { readonly period: number; readonly now: number },
): Promise<readonly SealKeys[]> {
  const { liveKeysMax } = sealedLimits;
  const kid = `seal-${period}`;
  if (!(await findVaultKey(queries, kid))) {
    const validFrom = period * recordLimits.sealKeyRotationMs;
    const validUntil = validFrom + liveKeysMax * recordLimits.sealKeyRotationMs;
    const secret = await vault.encryptText(
      writeSealKeys(await generateSealKeys({ kid })),
      contexts.vaultKey(kid),
    );
    await addVaultKey(queries, {
      id: kid,
      kind: 'seal',
      owner,
      publicKey: kid,
      secret,
      createdAt: now,
      validFrom,
      validUntil,
    });
  }
  const rows = await listVaultKeys(queries, { kind: 'seal', owner, at: now, limit: liveKeysMax });
  return Promise.all(rows.map((row) => openSealKeys(vault, row)));
}

const writeSealKeys = ({ rsaPrivateKeyPkcs8, x25519PrivateKey }: SealKeys): string =>
  JSON.stringify([rsaPrivateKeyPkcs8, x25519PrivateKey].map((key) => Buffer.from(key).toString('base64')));

async function openSealKeys(vault: KeyVault, row: VaultKeyRow): Promise<SealKeys> {
  const texts = JSON.parse(await vault.decryptText(row.secret, contexts.vaultKey(row.id))) as [
    string,
    string,
  ];
  const [rsaPrivateKeyPkcs8, x25519PrivateKey] = texts.map(
    (text) => new Uint8Array(Buffer.from(text, 'base64')),
  );
  assert(row.validUntil !== null, 'a sealed pair ends');
  return { kid: row.id, rsaPrivateKeyPkcs8, x25519PrivateKey, validUntilMs: row.validUntil };
}
