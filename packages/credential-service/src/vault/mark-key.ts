/**
 * A key of the service's own, for marks that nobody else can make. It is made when it is first needed; of two replicas
 * that make one, both use the one that was stored.
 */
import { randomBytes } from 'node:crypto';
import { assert } from '@symbolon/core/basics/assert';
import type { Clock } from '@symbolon/host/work/clock';
import { remembered } from '@symbolon/host/work/remembered';
import type { ServiceDatabase } from '../database/schema.ts';
import { type SettingName, settingOnce } from '../database/settings.ts';
import { contexts } from './encryption-contexts.ts';
import type { KeyVault } from './vault.ts';

export interface MarkKeyParts {
  readonly database: ServiceDatabase;
  readonly vault: Pick<KeyVault, 'encrypt' | 'decrypt'>;
  readonly clock: Clock;
}

const keyBytes = 32;

/** Kept under this name of a setting. */
export function createMarkKey({ database, vault, clock }: MarkKeyParts, name: SettingName) {
  const context = contexts.setting(name);
  return remembered(async () => {
    const { secret } = await settingOnce(database.kysely, {
      name,
      now: clock.nowMs(),
      make: async () => ({ secret: await vault.encrypt(randomBytes(keyBytes), context) }),
    });
    assert(secret, 'a key that was stored is there');
    return vault.decrypt(secret, context);
  });
}
