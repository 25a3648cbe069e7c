/**
 * What can be wrong with the vault. Whatever is wrong with a master key stops a start and is for the operator;
 * `damaged` means that encrypted bytes are not what was encrypted for this place: changed, moved, or cut. No message
 * ever holds key or content.
 */
import { SetupError } from '@symbolon/core/faults/operator-errors';

type VaultErrorCode =
  | 'masterKeyMalformed'
  | 'masterKeyUnsafe'
  | 'masterKeyUnreachable'
  | 'wrongMasterKey'
  | 'custodyUnreachable'
  | 'damaged';

export class VaultError extends SetupError {
  override readonly name = 'VaultError';
  readonly code: VaultErrorCode;

  constructor(code: VaultErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
