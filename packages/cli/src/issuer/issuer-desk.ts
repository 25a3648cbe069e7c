/**
 * What a service does for somebody who becomes an issuer: an API key, and a BBS+ key that it keeps. Where the folder of
 * the service is here, its operator has both made in its records, whether it runs or not; else the service is asked.
 */
import { randomBytes } from 'node:crypto';
import { encodeBbsPublicKey } from '@symbolon/core/did/did';
import type { ServiceConfig } from '@symbolon/credential-service/parts/service-config';
import type { Records } from '@symbolon/credential-service/wiring/open-records';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { createProofEngine } from '@symbolon/sdk/proofs/engine-choice';
import { createCredentialClient } from '@symbolon/sdk/service/credential-client';
import type { ApiScope } from '@symbolon/wire/http/service-route';

/** What an issuer's API key is good for. */
export const issuerScopes: readonly ApiScope[] = ['templates', 'issue', 'revoke', 'bbs', 'verify'];

/** What is kept for one issuer. */
export interface KeptKeys {
  /** Whether the secret of this public key is in the vault, for this issuer. */
  holds(publicKeyMultibase: string): Promise<boolean>;
  /** Makes one there, and answers its public key. */
  make(): Promise<string>;
}

export interface IssuerDesk {
  /** Who pays for what the service records, and the gas it must be able to pay for; where that is known here. */
  readonly registrar?: () => Promise<{ readonly address: string; readonly gas: bigint }>;
  /** Whether an API key is one of this service, which may be found at another address than before; where that is known here. */
  readonly knowsApiKey?: (apiKey: string) => Promise<boolean>;
  /** A key that is good for this issuer: the known one, or a new one; undefined where none can be made here. */
  apiKeyFor(
    issuer: { readonly did: string; readonly label: string },
    known: string | undefined,
  ): Promise<{ readonly apiKey: string; readonly isNew: boolean } | undefined>;
  keysOf(did: string, apiKey: string): KeptKeys;
}

const newSeed = (): string => randomBytes(32).toString('hex');

/** By the records of a service whose folder is here. */
export function folderDesk({ apiKeys, audit, database, vault, registrarSigner }: Records): IssuerDesk {
  return {
    async registrar() {
      const { registrarGas } = await import('@symbolon/credential-service/wiring/open-parts');
      return { address: registrarSigner.address, gas: await registrarGas(database.kysely) };
    },
    knowsApiKey: async (apiKey) => (await apiKeys.authenticate(apiKey)) !== undefined,
    async apiKeyFor({ did, label }, known) {
      const bearer = known === undefined ? undefined : await apiKeys.authenticate(known);
      const isGood = bearer?.did === did && issuerScopes.every((scope) => bearer.scopes.has(scope));
      if (known !== undefined && isGood) return { apiKey: known, isNew: false };
      const { token, facts } = await apiKeys.create({ label, did, scopes: issuerScopes });
      await audit.record({ action: 'apiKey.create', subject: facts.id, outcome: 'done' });
      return { apiKey: token, isNew: true };
    },
    keysOf: (owner) => ({
      async holds(publicKey) {
        const { hasBbsKey } = await import('@symbolon/credential-service/vault/caller-keys');
        return hasBbsKey(database.kysely, { owner, publicKey });
      },
      async make() {
        const [{ keepBbsKey }, { secretKeyOfSeed }] = await Promise.all([
          import('@symbolon/credential-service/vault/caller-keys'),
          import('@symbolon/credential-service/bbs/bbs-seeds'),
        ]);
        const secretKey = await secretKeyOfSeed(newSeed());
        try {
          const raw = await publicKeyOf(secretKey);
          const publicKey = encodeBbsPublicKey(raw);
          await keepBbsKey(database.kysely, vault, { owner, publicKey, secretKey, now: Date.now() });
          await audit.record({ action: 'bbsKey.create', subject: publicKey, outcome: 'done' });
          return publicKey;
        } finally {
          secretKey.fill(0);
        }
      },
    }),
  };
}

async function publicKeyOf(secretKey: Uint8Array): Promise<Uint8Array> {
  const engine = await createProofEngine();
  try {
    return await engine.publicKeyOf(secretKey);
  } finally {
    await engine.close();
  }
}

/** A text that only shows that a signature can be made. */
const trialText = 'symbolon issuer init: is this key kept here?';

/** By the service itself. It makes no API keys: that is its operator's to do. */
export function serviceDesk(serviceUrl: string, givenApiKey: string | undefined): IssuerDesk {
  const clientOf = (apiKey: string) => createCredentialClient(serviceUrl, { apiKey });
  return {
    async apiKeyFor(_issuer, known) {
      for (const apiKey of [known, givenApiKey]) {
        if (apiKey === undefined || !(await isTaken(() => clientOf(apiKey).listApplications({ limit: '1' }))))
          continue;
        return { apiKey, isNew: apiKey !== known };
      }
      return undefined;
    },
    keysOf: (_did, apiKey) => ({
      holds: (publicKeyMultibase) =>
        isTaken(() => clientOf(apiKey).signWithBbs({ publicKeyMultibase, data: [trialText] })),
      make: async () => (await clientOf(apiKey).createBbsKey({ seed: newSeed() })).publicKeyMultibase,
    }),
  };
}

/** Refusals that say no, and nothing else. */
const plainNo: readonly string[] = ['keyUnknown', 'notAuthenticated'];

async function isTaken(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (error instanceof ServiceError && plainNo.includes(error.code)) return false;
    throw error;
  }
}

/** Where a service of these settings is reached from this machine. */
export function addressOfService({ publicUrl, host, port }: ServiceConfig): string {
  if (publicUrl !== undefined) return publicUrl;
  const everywhere = host === '0.0.0.0' || host === '::';
  const reached = everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${reached}:${port}`;
}
