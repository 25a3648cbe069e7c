/**
 * What can go wrong with a hardware module. A result of the module keeps its name (`CKR_…`) and the function that gave
 * it; what this layer itself finds has a code of its own. No message ever holds a PIN, a key or what was encrypted.
 */
import { type FunctionName, resultName, resultOk } from './constants.ts';

export type Pkcs11ErrorCode =
  | `CKR_${string}`
  | 'moduleUnusable'
  | 'tokenUnknown'
  | 'tokenAmbiguous'
  | 'keyUnknown'
  | 'keyAmbiguous'
  | 'answerMalformed'
  | 'argumentInvalid'
  | 'timedOut'
  | 'tooManyWaiting'
  | 'closed';

export class Pkcs11Error extends Error {
  override readonly name = 'Pkcs11Error';
  readonly code: Pkcs11ErrorCode;

  constructor(code: Pkcs11ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The PIN was refused. Asking again with the same one would lock the token. */
const refusedPin: ReadonlySet<string> = new Set([
  'CKR_PIN_INCORRECT',
  'CKR_PIN_INVALID',
  'CKR_PIN_LEN_RANGE',
  'CKR_PIN_EXPIRED',
  'CKR_PIN_LOCKED',
  'CKR_USER_PIN_NOT_INITIALIZED',
]);

/** The session, the login or the module itself went away; a new session may work. */
const lostSession: ReadonlySet<string> = new Set([
  'CKR_SESSION_HANDLE_INVALID',
  'CKR_SESSION_CLOSED',
  'CKR_USER_NOT_LOGGED_IN',
  'CKR_KEY_HANDLE_INVALID',
  'CKR_OBJECT_HANDLE_INVALID',
  'CKR_SLOT_ID_INVALID',
  'CKR_DEVICE_ERROR',
  'CKR_DEVICE_REMOVED',
  'CKR_TOKEN_NOT_PRESENT',
  'CKR_TOKEN_NOT_RECOGNIZED',
]);

export const hasPkcs11Code = (error: unknown, codes: ReadonlySet<string>): error is Pkcs11Error =>
  error instanceof Pkcs11Error && codes.has(error.code);

export const isRefusedPin = (error: unknown): error is Pkcs11Error => hasPkcs11Code(error, refusedPin);
export const isLostSession = (error: unknown): error is Pkcs11Error => hasPkcs11Code(error, lostSession);

export function expectOk(name: FunctionName, result: number): void {
  if (result === resultOk) return;
  const code = resultName(result);
  throw new Pkcs11Error(code, `The hardware module answered ${code} to ${name}.`);
}
