/** What tells a row of an issuer's list from another, kept and shown as the value of an attribute that it is. */
import type { Encrypted } from '../database/schema.ts';
import type { EncryptionContext, KeyVault } from '../vault/vault.ts';

export const encryptLabel = async (
  vault: KeyVault,
  label: string | undefined,
  context: EncryptionContext,
): Promise<Encrypted | null> => (label === undefined ? null : vault.encryptText(label, context));

/** Nothing where there is none, or its time is over: a member to be spread. */
export const shownLabel = async (
  vault: KeyVault,
  label: Encrypted | null,
  context: EncryptionContext,
): Promise<{ readonly label?: string }> =>
  label === null ? {} : { label: await vault.decryptText(label, context) };
