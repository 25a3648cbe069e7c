/**
 * Opens what payments need: the ledger as they see it and, where the operator pays fees for others, the accounts that
 * do. One key is made on the first start and encrypted in the vault; the operator funds its address. The keys of the
 * accounts that send payments are derived from it, so that whoever has the one backup has them all.
 */
import { hkdfSync } from 'node:crypto';
import { assert } from '@symbolon/core/basics/assert';
import type { Log } from '@symbolon/host/telemetry/log';
import { type LedgerClient, type Signer, signerFromSeed } from '@symbolon/sdk/index';
import { settingOnce } from '../database/settings.ts';
import { createPaymentLedger } from '../payments/payment-ledger.ts';
import type { PaymentParts, Sponsor } from '../payments/payment-parts.ts';
import { addSponsorAccounts } from '../payments/sponsor-rows.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { makeEd25519 } from '../vault/service-keys.ts';
import type { Foundation } from './open-foundation.ts';

const name = 'payments.sponsor';
const place = contexts.setting(name);

export async function openPayments(
  foundation: Foundation,
  { client, log }: { readonly client: LedgerClient; readonly log: Log },
): Promise<Pick<PaymentParts, 'paymentLedger' | 'lenientSignatures' | 'sponsor' | 'warn'>> {
  return {
    paymentLedger: createPaymentLedger(client),
    lenientSignatures: foundation.config.compat.lenientSignatures,
    sponsor: await openSponsor(foundation, log),
    warn: (facts, message) => log.warn(facts, message),
  };
}

async function openSponsor(foundation: Foundation, log: Log): Promise<Sponsor | undefined> {
  const { enabled, accounts: count, ...policy } = foundation.config.facilitator.sponsor;
  if (!enabled) return undefined;
  const [purse, ...signers] = await sponsorSigners(foundation, count);
  assert(purse, 'the account that is funded comes first');
  const accounts = new Map(signers.map((signer) => [signer.address, signer]));
  await addSponsorAccounts(foundation.database.kysely, [...accounts.keys()]);
  log.info({ address: purse.address }, 'fees of others are paid from this account: keep it funded');
  return { ...policy, purse, accounts };
}

/** The one that is funded, and those that it fills up. */
async function sponsorSigners(
  { database, vault, clock, profile }: Foundation,
  count: number,
): Promise<readonly Signer[]> {
  const { secret } = await settingOnce(database.kysely, {
    name,
    now: clock.nowMs(),
    make: async () => ({ secret: await vault.encrypt((await makeEd25519()).seed, place) }),
  });
  assert(secret, 'the key of the account that pays fees is encrypted');
  const seed = await vault.decrypt(secret, place);
  try {
    const derived = Array.from({ length: count }, (_, index) => seedOfAccount(seed, index));
    return await Promise.all([seed, ...derived].map((one) => signerFromSeed(one, { profile })));
  } finally {
    seed.fill(0);
  }
}

const seedOfAccount = (seed: Uint8Array, index: number): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', seed, '', `symbolon sponsor account ${index}`, seed.length));
