/**
 * What the service remembers about itself: addresses of the registries, range parameters, the vault's check value. Not
 * its configuration, which is the operator's. A value that several replicas may make at the same time is put once; all
 * of them then use the one that won.
 */
import { assert } from '@symbolon/core/basics/assert';
import { recordLimits } from '../limits/service-limits.ts';
import type { Encrypted, Queries, RowOf } from './schema.ts';
import { addOnce, rowBy } from './statements.ts';

/** Names of settings, so that no two parts use one for different things. */
export type SettingName =
  | 'ledger.templateRegistry'
  | 'ledger.credentialRegistry'
  | 'ledger.boundCredentialRegistry'
  | 'ledger.network'
  | 'proofs.rangeParameters'
  | 'results.signingKey'
  | 'payments.sponsor'
  | 'offers.markKey'
  | 'openid.issuanceKey'
  | 'signIn.challengeKey'
  | 'rates.markKey'
  | 'names.forms.2'
  | 'vault.check';

type SettingValue = Pick<RowOf<'settings'>, 'text' | 'secret'>;

export const readSetting: (queries: Queries, name: SettingName) => Promise<SettingValue | undefined> = rowBy(
  'settings',
  'name',
);

interface NewSetting {
  readonly name: SettingName;
  readonly text?: string;
  readonly secret?: Encrypted;
  readonly now: number;
}

/** Writes the value where there is none, and answers the one that is there now. */
export async function putSettingOnce(
  queries: Queries,
  { now, ...setting }: NewSetting,
): Promise<SettingValue> {
  assert((setting.text?.length ?? 0) <= recordLimits.settingBytesMax, 'a setting is short');
  await addOnce(queries, 'settings', { ...setting, updatedAt: now });
  const value = await readSetting(queries, setting.name);
  assert(value, 'a setting that was written is there');
  return value;
}

/** The value; made first where there is none, as at the first start. */
export const settingOnce = async (
  queries: Queries,
  {
    name,
    now,
    make,
  }: Pick<NewSetting, 'name' | 'now'> & { make(): Promise<Pick<NewSetting, 'text' | 'secret'>> },
): Promise<SettingValue> =>
  (await readSetting(queries, name)) ?? putSettingOnce(queries, { name, now, ...(await make()) });
