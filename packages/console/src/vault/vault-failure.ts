/** Why a vault did not do what was asked. It repeats nothing that was typed: that may be a password or a key. */

export type VaultFailureName =
  /** The password, the passkey or the key is another one, or somebody has changed what protects the vault. */
  | 'wrongSecret'
  /** Somebody or something has changed what is kept: the secret was right. */
  | 'damaged'
  | 'locked'
  | 'unknown'
  | 'exists'
  | 'passwordShort'
  /** The person or the browser did not go through with the passkey. */
  | 'passkeyRefused'
  /** A passkey was made, or is there, that gives no secret to seal with. */
  | 'passkeyWithoutSecret'
  | 'tooLarge'
  | 'notABackup'
  /** The password is another one, or the file was changed: nobody can tell which. */
  | 'backupSealed'
  /** This browser keeps nothing: private windows of some do not. */
  | 'storage';

export class VaultFailure extends Error {
  override readonly name = 'VaultFailure';
  readonly code: VaultFailureName;

  constructor(code: VaultFailureName, options?: ErrorOptions) {
    super(`the vault of this browser: ${code}`, options);
    this.code = code;
  }
}
