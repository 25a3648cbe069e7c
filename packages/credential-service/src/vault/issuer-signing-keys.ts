/**
 * P-256 keys of issuers, with which tokens of OpenID are signed: made when they are first needed, one for each issuer. Of
 * two replicas that make one, both use the one that was stored.
 */
import { createPrivateKey, generateKeyPair, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { assert } from '@symbolon/core/basics/assert';
import { sha256, sha256Hex } from '@symbolon/host/work/sha256';
import type { Clock } from '@symbolon/host/work/clock';
import type { JwsSigner } from '@symbolon/formats/jose/compact-jws';
import { keyThumbprint, type PublicJwk } from '@symbolon/formats/jose/public-keys';
import type { ServiceDatabase } from '../database/schema.ts';
import { contexts } from './encryption-contexts.ts';
import type { KeyVault } from './vault.ts';
import { addVaultKey, findVaultKey } from './vault-key-rows.ts';

const generate = promisify(generateKeyPair);

export interface IssuerSigningKey {
  readonly kid: string;
  readonly publicKey: PublicJwk;
  readonly signer: JwsSigner;
}

export interface IssuerSigningKeys {
  of(issuer: string): Promise<IssuerSigningKey>;
}

const keptMax = 1_000;

export function createIssuerSigningKeys({
  database,
  vault,
  clock,
}: {
  readonly database: ServiceDatabase;
  readonly vault: KeyVault;
  readonly clock: Clock;
}): IssuerSigningKeys {
  const kept = new Map<string, Promise<IssuerSigningKey>>();

  const open = async (issuer: string): Promise<IssuerSigningKey> => {
    const id = sha256Hex(JSON.stringify(['openid', issuer]));
    const found = await findVaultKey(database.kysely, id);
    if (!found) await make(id, issuer);
    const row = found ?? (await findVaultKey(database.kysely, id));
    assert(row, 'a key that was added is there');
    const der = await vault.decrypt(row.secret, contexts.vaultKey(id));
    const key = createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' });
    return signingKeyOf(key, JSON.parse(row.publicKey) as PublicJwk);
  };

  const make = async (id: string, issuer: string): Promise<void> => {
    const { privateKey, publicKey } = await generate('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const secret = await vault.encrypt(
      privateKey.export({ format: 'der', type: 'pkcs8' }),
      contexts.vaultKey(id),
    );
    const now = clock.nowMs();
    await addVaultKey(database.kysely, {
      ...{ id, kind: 'openid', owner: issuer, secret, createdAt: now, validFrom: now },
      publicKey: JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }),
    });
  };

  return {
    of(issuer) {
      const known = kept.get(issuer);
      if (known) return known;
      if (kept.size >= keptMax) kept.clear();
      const opened = open(issuer);
      kept.set(issuer, opened);
      opened.catch(() => kept.delete(issuer));
      return opened;
    },
  };
}

function signingKeyOf(key: KeyObject, publicKey: PublicJwk): IssuerSigningKey {
  const kid = keyThumbprint(publicKey, sha256);
  const signer: JwsSigner = {
    alg: 'ES256',
    header: { kid },
    sign: (data) => sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' }),
  };
  return { kid, publicKey, signer };
}
