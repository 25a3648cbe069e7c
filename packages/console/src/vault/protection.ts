/**
 * What opens a vault: a passkey, a password, or in a demo the key that everybody knows. Each gives a key, and the secret
 * of the vault is sealed under it; to change the protection is to seal the same secret under another.
 */
import { deriveKey, readCost, type ScryptCost } from '@symbolon/sdk/keys/key-derivation';
import type { JsonObject } from '@symbolon/wire/json/json';
import { askPasskey, makePasskey } from './passkey.ts';
import {
  derivedSealingKey,
  openUnder,
  randomBytes,
  type SealedBytes,
  sealingKeyFromBytes,
  sealUnder,
  secretBytes,
} from './sealing.ts';
import { VaultFailure, type VaultFailureName } from './vault-failure.ts';
import { vaultLimits } from './vault-limits.ts';

/** What a person gives to protect a vault, or to open it. */
export type VaultSecret =
  | { readonly kind: 'passkey' }
  | { readonly kind: 'password'; readonly password: string }
  /** For the people of a demo alone, whose private keys are published. */
  | { readonly kind: 'demo'; readonly privateKey: string };

export type ProtectionKind = VaultSecret['kind'];

/** As it is kept, with the secret of the vault sealed in it. */
export type KeptProtection = SealedBytes &
  (
    | {
        readonly kind: 'passkey';
        readonly credentialId: Uint8Array<ArrayBuffer>;
        readonly salt: Uint8Array<ArrayBuffer>;
      }
    | { readonly kind: 'password'; readonly salt: Uint8Array<ArrayBuffer>; readonly cost: ScryptCost }
    | { readonly kind: 'demo' }
  );

/** As key files of this house have it (docs/key-files.md). */
const cost: ScryptCost = { n: 131_072, r: 8, p: 1 };

/** What the sealed secret of a vault is for. */
const purposeOf = (vault: string, kind: ProtectionKind): JsonObject => ({
  format: 'symbolon-vault',
  version: 1,
  vault,
  holds: 'secret',
  kind,
});

export async function protectSecret(
  vault: string,
  given: VaultSecret,
  { secret, label }: { readonly secret: Uint8Array<ArrayBuffer>; readonly label: string },
): Promise<KeptProtection> {
  const purpose = purposeOf(vault, given.kind);
  if (given.kind === 'password') {
    assertNewPassword(given.password);
    const salt = randomBytes(secretBytes);
    const key = await passwordKey(given.password, salt, cost);
    return { kind: 'password', salt, cost, ...(await sealUnder(key, purpose, secret)) };
  }
  if (given.kind === 'demo')
    return { kind: 'demo', ...(await sealUnder(await demoKey(given.privateKey), purpose, secret)) };
  const { credentialId, salt, secret: told } = await makePasskey(label);
  const key = await passkeyKey(told);
  return { kind: 'passkey', credentialId, salt, ...(await sealUnder(key, purpose, secret)) };
}

/** The secret of the vault. Rejects with `wrongSecret`, and with `damaged` for what no console has kept. */
export async function openSecret(
  vault: string,
  kept: KeptProtection,
  given: VaultSecret,
): Promise<Uint8Array<ArrayBuffer>> {
  const purpose = purposeOf(vault, kept.kind);
  return openUnder(await keyFor(kept, given), { purpose, orElse: 'wrongSecret' }, kept);
}

async function keyFor(kept: KeptProtection, given: VaultSecret): Promise<CryptoKey> {
  if (kept.kind === 'password' && given.kind === 'password')
    return passwordKey(given.password, kept.salt, workOf({ ...kept.cost }, 'damaged'));
  if (kept.kind === 'passkey' && given.kind === 'passkey')
    return passkeyKey(await askPasskey(kept.credentialId, kept.salt));
  if (kept.kind === 'demo' && given.kind === 'demo') return demoKey(given.privateKey);
  throw new VaultFailure('wrongSecret');
}

/** The work that a password takes, as it was kept; rejects as it is told where it is none, or too much. */
export function workOf(given: JsonObject, orElse: VaultFailureName): ScryptCost {
  try {
    return readCost(given);
  } catch (cause) {
    throw new VaultFailure(orElse, { cause });
  }
}

export function assertNewPassword(password: string): void {
  if ([...password].length < vaultLimits.passwordCharsMin) throw new VaultFailure('passwordShort');
}

/** One password has one spelling, however a keyboard composes its letters. */
export async function passwordKey(password: string, salt: Uint8Array, work: ScryptCost): Promise<CryptoKey> {
  if (password === '' || password.length > vaultLimits.passwordCharsMax)
    throw new VaultFailure('wrongSecret');
  return sealingKeyFromBytes(Uint8Array.from(await deriveKey(password.normalize('NFC'), salt, work)));
}

export const passwordCost = cost;

async function passkeyKey(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  try {
    return await derivedSealingKey(secret, 'symbolon vault, protection by passkey');
  } finally {
    secret.fill(0);
  }
}

const demoKey = (privateKey: string): Promise<CryptoKey> =>
  derivedSealingKey(new TextEncoder().encode(privateKey), 'symbolon vault, protection by a known key');
