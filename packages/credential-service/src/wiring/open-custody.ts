/** Custody put together from the settings and the parts of a service; nothing where the settings do not want it. */
import { Fault } from '@symbolon/core/faults/faults';
import type { KeyFormat } from '@symbolon/core/keys/keys';
import { createRateLimiter } from '@symbolon/host/http/rate-limit';
import type { Clock } from '@symbolon/host/work/clock';
import type { LedgerClient } from '@symbolon/sdk/index';
import type { ApiKeys } from '../access/api-keys.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { createActivations } from '../custody/activation.ts';
import { type Custody, createCustody } from '../custody/custody.ts';
import type { CustodyKeys } from '../custody/custody-keys.ts';
import { newCustodyCounts } from '../custody/custody-parts.ts';
import { createPasswordGate } from '../custody/password-gate.ts';
import { createPasswords } from '../custody/passwords.ts';
import type { ServiceDatabase } from '../database/schema.ts';
import type { Registrar } from '../ledger/registrar.ts';
import type { ServiceConfig } from '../parts/service-config.ts';
import type { KeyVault } from '../vault/vault.ts';

export interface CustodyOrder {
  readonly settings: ServiceConfig['custody'];
  readonly keys: CustodyKeys;
  readonly addresses: KeyFormat;
  readonly database: ServiceDatabase;
  readonly vault: KeyVault;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly client: LedgerClient;
  readonly registrar: Registrar;
  readonly apiKeys: Pick<ApiKeys, 'authenticate'>;
  readonly crashPoint: (name: string) => void;
}

export function openCustody({
  settings,
  client,
  registrar,
  apiKeys,
  ...parts
}: CustodyOrder): Custody | undefined {
  if (!settings.enabled) return undefined;
  const { activation, rates } = settings;
  const { clock, crashPoint } = parts;
  const nowMs = () => clock.nowMs();
  const counts = newCustodyCounts();
  const wrongPasswords = createRateLimiter(
    { perMinute: rates.wrongPasswordsPerMinute, burst: rates.wrongPasswordsPerMinute },
    { nowMs },
  );
  const newAccounts = createRateLimiter(
    { perMinute: rates.newAccountsPerMinute, burst: rates.newAccountsPerMinute },
    { nowMs },
  );
  const amount = BigInt(activation.amount);
  return createCustody({
    ...parts,
    counts,
    newAccounts,
    gate: createPasswordGate({ ...parts, passwords: createPasswords(), wrongPasswords, counts }),
    activations: createActivations({ ...parts, client, registrar, counts, amount, crashPoint }),
    async approverOf(token) {
      const bearer = await apiKeys.authenticate(token);
      if (bearer?.keyId !== undefined && bearer.scopes.has('admin')) return bearer.keyId;
      throw new Fault('notAllowed', { detail: 'What approves must be an API key of scope admin' });
    },
    activationsPerDay: activation.enabled ? activation.perDay : 0,
  });
}
