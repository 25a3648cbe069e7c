/**
 * Custody put together from the settings and the parts of a service, and its keys: new ones go into the hardware module
 * if there is one, else into the vault. What an account's key was made in, it stays in: accounts of the vault go on
 * signing beside a module that came later.
 */
import { Fault } from '@symbolon/core/faults/faults';
import type { KeyFormat } from '@symbolon/core/keys/keys';
import { createRateLimiter } from '@symbolon/host/http/rate-limit';
import type { RateSharing } from '@symbolon/host/http/rate-sharing';
import type { ApiKeys } from '../access/api-keys.ts';
import { type ActivationOptions, createActivations } from '../custody/activation.ts';
import { type Custody, type CustodyOptions, createCustody } from '../custody/custody.ts';
import { type CustodyKeys, vaultCustodyKeys } from '../custody/custody-keys.ts';
import { type CustodyParts, newCustodyCounts } from '../custody/custody-parts.ts';
import { createPasswordGate } from '../custody/password-gate.ts';
import { createPasswords } from '../custody/passwords.ts';
import type { CustodyBackend } from '../database/schema.ts';
import type { ServiceConfig } from '../parts/service-config.ts';
import type { KeyVault } from '../vault/vault.ts';

export interface CustodyOrder
  extends Omit<CustodyParts, 'counts'>,
    Pick<CustodyOptions, 'addresses' | 'keys' | 'crashPoint'>,
    Pick<ActivationOptions, 'client' | 'registrar'> {
  readonly settings: ServiceConfig['custody'];
  readonly apiKeys: Pick<ApiKeys, 'authenticate'>;
  readonly rateSharing: RateSharing | undefined;
}

/** Nothing where the settings do not want it. */
export function openCustody({
  settings,
  client,
  registrar,
  apiKeys,
  rateSharing: sharing,
  ...parts
}: CustodyOrder): Custody | undefined {
  if (!settings.enabled) return undefined;
  const { activation, rates } = settings;
  const limiter = (kind: string, perMinute: number) =>
    createRateLimiter(
      { perMinute, burst: perMinute },
      { nowMs: () => parts.clock.nowMs(), shared: sharing && { sharing, kind } },
    );
  const counts = newCustodyCounts();
  const wrongPasswords = limiter('wrongPasswords', rates.wrongPasswordsPerMinute);
  const amount = BigInt(activation.amount);
  return createCustody({
    ...parts,
    counts,
    newAccounts: limiter('newAccounts', rates.newAccountsPerMinute),
    gate: createPasswordGate({ ...parts, passwords: createPasswords(), wrongPasswords, counts }),
    activations: createActivations({ ...parts, client, registrar, counts, amount }),
    async approverOf(token) {
      const bearer = await apiKeys.authenticate(token);
      if (bearer?.keyId !== undefined && bearer.scopes.has('admin')) return bearer.keyId;
      throw new Fault('notAllowed', { detail: 'What approves must be an API key of scope admin' });
    },
    activationsPerDay: activation.enabled ? activation.perDay : 0,
  });
}

export async function openCustodyKeys(
  { hsm, enabled }: ServiceConfig['custody'],
  vault: KeyVault,
  keys: Pick<KeyFormat, 'addressOf'>,
): Promise<CustodyKeys> {
  const inVault = vaultCustodyKeys(vault, keys);
  if (!hsm || !enabled) return inVault;
  // Only who has a hardware module needs what it takes to call one.
  const { openTokenCustodyKeys } = await import('../custody/token-custody-keys.ts');
  return severalKeys(await openTokenCustodyKeys(hsm, keys), inVault);
}

/** The first makes new keys; each signs with its own. */
export function severalKeys(first: CustodyKeys, ...others: readonly CustodyKeys[]): CustodyKeys {
  const all = [first, ...others];
  const backendOf = (wanted: CustodyBackend): CustodyKeys => {
    const found = all.find(({ backend }) => backend === wanted);
    if (found) return found;
    throw new Fault('overloaded', { detail: 'What holds the key of this account is not at hand' });
  };
  return {
    ...first,
    sign: async (key, bytes) => backendOf(key.backend).sign(key, bytes),
    discard: async (key) => backendOf(key.backend).discard(key),
    async close() {
      for (const keys of all) await keys.close();
    },
  };
}
