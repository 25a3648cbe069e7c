/**
 * What the service remembers about itself: addresses of the registries, range parameters, the vault's check value. Not
 * its configuration, which is the operator's. A value that several replicas may make at the same time is put once; all
 * of them then use the one that won.
 */
import { assert } from '@symbolon/core/basics/assert';
import { recordLimits } from '../limits/service-limits.ts';
import type { Queries, RowOf, Sealed } from './schema.ts';

/** Names of settings, so that no two parts use one for different things. */
export type SettingName =
  | 'ledger.templateRegistry'
  | 'ledger.credentialRegistry'
  | 'ledger.boundCredentialRegistry'
  | 'ledger.network'
  | 'proofs.rangeParameters'
  | 'results.signingKey'
  | 'payments.sponsor'
  | 'names.forms.2'
  | 'vault.check';

export type SettingValue = Pick<RowOf<'settings'>, 'text' | 'secret'>;

export async function readSetting(queries: Queries, name: SettingName): Promise<SettingValue | undefined> {
  return queries
    .selectFrom('settings')
    .select(['text', 'secret'])
    .where('name', '=', name)
    .executeTakeFirst();
}

export interface NewSetting {
  readonly name: SettingName;
  readonly text?: string;
  readonly secret?: Sealed;
  readonly now: number;
}

function rowOf({ name, text, secret, now }: NewSetting): RowOf<'settings'> {
  assert((text?.length ?? 0) <= recordLimits.settingBytesMax, 'a setting is short');
  return { name, text: text ?? null, secret: secret ?? null, updatedAt: now };
}

export async function writeSetting(queries: Queries, setting: NewSetting): Promise<void> {
  const row = rowOf(setting);
  await queries
    .insertInto('settings')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}

/** Writes the value where there is none, and answers the one that is there now. */
export async function putSettingOnce(queries: Queries, setting: NewSetting): Promise<SettingValue> {
  await queries
    .insertInto('settings')
    .values(rowOf(setting))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const value = await readSetting(queries, setting.name);
  assert(value, 'a setting that was written is there');
  return value;
}
