/**
 * P-256 keys of issuers, with which tokens of OpenID are signed: made when they are first needed, one for each issuer. Of
 * two replicas that make one, both use the one that was stored.
 */
import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { assert } from '@symbolon/core/basics/assert';
import { sha256 } from '@symbolon/host/work/sha256';
import type { Clock } from '@symbolon/host/work/clock';
import type { JwsSigner } from '@symbolon/formats/jose/compact-jws';
import { keyThumbprint, type PublicJwk } from '@symbolon/formats/jose/public-keys';
import type { ServiceDatabase } from '../database/schema.ts';
import { addOnce, rowBy } from '../database/statements.ts';
import { nodeSigner } from '../jose/node-signatures.ts';
import { contexts } from './encryption-contexts.ts';
import type { KeyVault } from './vault.ts';

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

  const find = rowBy('openidIssuerKeys', 'issuer');

  const open = async (issuer: string): Promise<IssuerSigningKey> => {
    const found = await find(database.kysely, issuer);
    if (!found) await make(issuer);
    const row = found ?? (await find(database.kysely, issuer));
    assert(row, 'a key that was added is there');
    const der = await vault.decrypt(row.secret, contexts.openidIssuerKey(issuer));
    const key = createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' });
    der.fill(0);
    return signingKeyOf(key, JSON.parse(row.publicKey) as PublicJwk);
  };

  const make = async (issuer: string): Promise<void> => {
    const { privateKey, publicKey } = await generate('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const der = privateKey.export({ format: 'der', type: 'pkcs8' });
    const secret = await vault.encrypt(der, contexts.openidIssuerKey(issuer));
    der.fill(0);
    await addOnce(database.kysely, 'openidIssuerKeys', {
      ...{ issuer, secret, createdAt: clock.nowMs() },
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
  return { kid, publicKey, signer: nodeSigner('ES256', key, { kid }) };
}
