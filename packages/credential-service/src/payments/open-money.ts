/**
 * Opens what payments need: the ledger as they see it and, where the operator pays fees for others, the account that
 * does. Its key is made on the first start and sealed in the vault; the operator funds its address.
 */
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { assert } from '@symbolon/core/assert';
import type { Log } from '@symbolon/host/log';
import { type LedgerClient, type Signer, signerFromSeed } from '@symbolon/sdk/index';
import type { Foundation } from '../open-foundation.ts';
import { putSettingOnce, readSetting } from '../store/settings.ts';
import type { SealContext } from '../vault/vault.ts';
import type { Money } from './money.ts';
import { createPaymentLedger } from './payment-ledger.ts';

const generate = promisify(generateKeyPair);
const name = 'payments.sponsor';
const place: SealContext = { table: 'settings', row: name, purpose: 'secret' };

export interface MoneyOptions {
  readonly client: LedgerClient;
  readonly log: Log;
}

export async function openMoney(foundation: Foundation, options: MoneyOptions): Promise<Money> {
  const { config } = foundation;
  const { client, log } = options;
  const { enabled, ...policy } = config.facilitator.sponsor;
  const signer = enabled ? await sponsorSigner(foundation) : undefined;
  if (signer)
    log.info({ address: signer.address }, 'fees of others are paid from this account: keep it funded');
  return {
    ledger: createPaymentLedger(client),
    lenientSignatures: config.compat.lenientSignatures,
    sponsor: signer && { ...policy, signer },
    note: (facts, message) => log.warn(facts, message),
  };
}

async function sponsorSigner({ database, vault, clock, profile }: Foundation): Promise<Signer> {
  const { kysely } = database;
  const stored =
    (await readSetting(kysely, name)) ??
    (await putSettingOnce(kysely, {
      name,
      secret: await vault.seal(await makeSeed(), place),
      now: clock.nowMs(),
    }));
  assert(stored.secret, 'the key of the account that pays fees is sealed');
  const seed = await vault.open(stored.secret, place);
  try {
    return await signerFromSeed(seed, { profile });
  } finally {
    seed.fill(0);
  }
}

async function makeSeed(): Promise<Uint8Array> {
  const { privateKey } = await generate('ed25519');
  const { d } = privateKey.export({ format: 'jwk' });
  assert(d !== undefined, 'a private key has its secret half');
  return Buffer.from(d, 'base64url');
}
