/**
 * A master key that never leaves a hardware module: data keys go in and come out wrapped. The key is found by its label
 * and made on the first start. Its id is derived from its name in the token, because the key itself cannot be read. A
 * key that could be taken out of the token is refused: it would be no better than one in a file.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { hsmLimits } from '@symbolon/host/limits/server-limits';
import { HardwareToken, type TokenSettings } from '@symbolon/host/pkcs11/hardware-token';
import type { TokenKey } from '@symbolon/host/pkcs11/key-templates';
import { hasPkcs11Code, Pkcs11Error } from '@symbolon/host/pkcs11/pkcs11-error';
import { sha256Hex } from '@symbolon/host/work/sha256';
import { damagedKey, dataKeyBytes, type MasterKey, wrappedKeyBytes } from './master-key.ts';
import type { OpenMasterKeys } from './vault.ts';
import { VaultError } from './vault-error.ts';

export interface HsmSettings extends TokenSettings {
  readonly keyLabel: string;
  /** Labels of keys that records may still be encrypted under. */
  readonly previousKeyLabels?: readonly string[];
}

/** Whether a key that is not there is made. */
type MakeOption = { readonly make?: boolean };

const ivBytes = 12;

/** A key wrapped here is never taken for anything else that is encrypted. */
const wrapLabel = Buffer.from('symbolon wrapped data key in hardware v1');

/** Opens the token and its master keys; rejects with a `VaultError` that an operator can act on. */
export async function openHsmMasterKeys(
  { keyLabel, previousKeyLabels = [], ...settings }: HsmSettings,
  options: MakeOption = {},
): Promise<OpenMasterKeys> {
  const token = await HardwareToken.open(settings).catch(unreachable);
  try {
    const current = await masterKeyInToken(token, keyLabel, options);
    const previous: MasterKey[] = [];
    for (const label of previousKeyLabels)
      previous.push(await masterKeyInToken(token, label, { make: false }));
    return { current, previous, close: () => token.close() };
  } catch (error) {
    await token.close();
    return unreachable(error);
  }
}

function unreachable(error: unknown): never {
  if (!(error instanceof Pkcs11Error)) throw error;
  throw new VaultError('masterKeyUnreachable', `The master key cannot be reached. ${error.message}`, {
    cause: error,
  });
}

/** The master key with this label in a token that its owner closes. */
export async function masterKeyInToken(
  token: HardwareToken,
  label: string,
  { make = true }: MakeOption = {},
): Promise<MasterKey> {
  const key = await findOrMake(token, label, make);
  await refuseUnsafe(token, key);
  const named = ['symbolon hardware master key id v1', key.label, key.id];
  const id = sha256Hex(JSON.stringify(named)).slice(0, 16);
  const wrap = async (dataKey: Uint8Array): Promise<Uint8Array> => {
    const iv = randomBytes(ivBytes);
    return Buffer.concat([iv, await token.encrypt(key, { iv, aad: wrapLabel, bytes: dataKey })]);
  };
  const unwrap = (wrapped: Uint8Array): Promise<Uint8Array> =>
    token.decrypt(key, {
      iv: wrapped.subarray(0, ivBytes),
      aad: wrapLabel,
      bytes: wrapped.subarray(ivBytes),
    });
  const works = async (): Promise<boolean> =>
    (await unwrap(await wrap(randomBytes(dataKeyBytes)))).length === dataKeyBytes;
  return {
    id,
    isInHardware: true,
    wrap,
    async unwrap(wrapped) {
      if (wrapped.length !== wrappedKeyBytes) throw damagedKey();
      const dataKey = await unwrap(wrapped).catch(async (error: unknown) => {
        // Modules do not agree on how they refuse bytes that were changed. If the key does its work, it was that.
        if (hasPkcs11Code(error, refusals) && (await works())) throw damagedKey(error);
        throw error;
      });
      if (dataKey.length !== dataKeyBytes) throw damagedKey();
      return dataKey;
    },
  };
}

const refusals: ReadonlySet<string> = new Set([
  'CKR_AEAD_DECRYPT_FAILED',
  'CKR_ENCRYPTED_DATA_INVALID',
  'CKR_ENCRYPTED_DATA_LEN_RANGE',
  'CKR_DATA_INVALID',
  'CKR_FUNCTION_FAILED',
  'CKR_GENERAL_ERROR',
]);

/**
 * A token does not mind two keys with the same label. Of two first starts, whoever sees two keys after making one takes
 * its own away and looks again; a label that stays with several keys is the operator's to clear up.
 */
async function findOrMake(token: HardwareToken, label: string, make: boolean): Promise<TokenKey> {
  let found: TokenKey[] = [];
  for (let attempt = 0; attempt < hsmLimits.makeAttemptsMax; attempt++) {
    if (attempt > 0) await pause(randomInt(hsmLimits.makePauseMs));
    found = await token.listKeys({ kind: 'aes', label });
    const [only] = found;
    if (only && found.length === 1) return only;
    if (!only && !make) break;
    if (only) continue;
    const made = await token.generateAesKey({ label });
    found = await token.listKeys({ kind: 'aes', label });
    if (found.length === 1) return made;
    await token.destroyKey(made);
  }
  throw new VaultError(
    'masterKeyUnreachable',
    found.length === 0
      ? `The token has no master key with the label "${label}".`
      : `${found.length} keys of the token have the label "${label}"; a master key has one of its own.`,
  );
}

async function refuseUnsafe(token: HardwareToken, key: TokenKey): Promise<void> {
  const { isSensitive, isExtractable } = await token.protectionOf(key);
  if (isSensitive === true && isExtractable === false) return;
  throw new VaultError(
    'masterKeyUnsafe',
    `The key with the label "${key.label}" can be taken out of the token. ` +
      'Name another label: the service makes a key there that stays in.',
  );
}
