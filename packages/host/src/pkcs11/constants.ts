/**
 * The numbers of PKCS#11 2.40 and, for Edwards curves, 3.0, that this house uses. Names are those of the standard
 * without their prefix, so that they can be looked up.
 */

/** Where each function stands in the list that a module hands out. */
export const functionIndex = {
  C_Initialize: 0,
  C_Finalize: 1,
  C_GetSlotList: 4,
  C_GetTokenInfo: 6,
  C_OpenSession: 12,
  C_CloseSession: 13,
  C_GetSessionInfo: 15,
  C_Login: 18,
  C_DestroyObject: 22,
  C_GetAttributeValue: 24,
  C_FindObjectsInit: 26,
  C_FindObjects: 27,
  C_FindObjectsFinal: 28,
  C_EncryptInit: 29,
  C_Encrypt: 30,
  C_DecryptInit: 33,
  C_Decrypt: 34,
  C_SignInit: 42,
  C_Sign: 43,
  C_GenerateKey: 58,
  C_GenerateKeyPair: 59,
} as const;

export type FunctionName = keyof typeof functionIndex;

export const functionCount = 68;

/** CKF_*: flags of initialising and of sessions. */
export const flags = { osLockingOk: 0x2, rwSession: 0x2, serialSession: 0x4 } as const;

/** CKU_USER. */
export const normalUser = 1;

/** CKS_RW_USER_FUNCTIONS: the state of a session that may write and use private keys. */
export const loggedInState = 3;

/** CKO_*. */
export const objectClass = { publicKey: 2, privateKey: 3, secretKey: 4 } as const;

/** CKK_*. */
export const keyType = { aes: 0x1f, ecEdwards: 0x40 } as const;

/** CKM_*. */
export const mechanism = {
  edwardsKeyPairGen: 0x1055,
  eddsa: 0x1057,
  aesKeyGen: 0x1080,
  aesGcm: 0x1087,
} as const;

/** CKA_*. */
export const attribute = {
  class: 0x000,
  token: 0x001,
  private: 0x002,
  label: 0x003,
  keyType: 0x100,
  id: 0x102,
  sensitive: 0x103,
  encrypt: 0x104,
  decrypt: 0x105,
  wrap: 0x106,
  unwrap: 0x107,
  sign: 0x108,
  verify: 0x10a,
  derive: 0x10c,
  valueLength: 0x161,
  extractable: 0x162,
  neverExtractable: 0x164,
  ecParams: 0x180,
  ecPoint: 0x181,
} as const;

/** CKR_*: what a call may answer. Others are told by their number. */
const resultNames: Readonly<Record<number, string>> = {
  0: 'OK',
  2: 'HOST_MEMORY',
  3: 'SLOT_ID_INVALID',
  5: 'GENERAL_ERROR',
  6: 'FUNCTION_FAILED',
  7: 'ARGUMENTS_BAD',
  10: 'CANT_LOCK',
  16: 'ATTRIBUTE_READ_ONLY',
  17: 'ATTRIBUTE_SENSITIVE',
  18: 'ATTRIBUTE_TYPE_INVALID',
  19: 'ATTRIBUTE_VALUE_INVALID',
  27: 'ACTION_PROHIBITED',
  32: 'DATA_INVALID',
  33: 'DATA_LEN_RANGE',
  48: 'DEVICE_ERROR',
  49: 'DEVICE_MEMORY',
  50: 'DEVICE_REMOVED',
  64: 'ENCRYPTED_DATA_INVALID',
  65: 'ENCRYPTED_DATA_LEN_RANGE',
  66: 'AEAD_DECRYPT_FAILED',
  80: 'FUNCTION_CANCELED',
  84: 'FUNCTION_NOT_SUPPORTED',
  96: 'KEY_HANDLE_INVALID',
  98: 'KEY_SIZE_RANGE',
  99: 'KEY_TYPE_INCONSISTENT',
  104: 'KEY_FUNCTION_NOT_PERMITTED',
  112: 'MECHANISM_INVALID',
  113: 'MECHANISM_PARAM_INVALID',
  130: 'OBJECT_HANDLE_INVALID',
  144: 'OPERATION_ACTIVE',
  145: 'OPERATION_NOT_INITIALIZED',
  160: 'PIN_INCORRECT',
  161: 'PIN_INVALID',
  162: 'PIN_LEN_RANGE',
  163: 'PIN_EXPIRED',
  164: 'PIN_LOCKED',
  176: 'SESSION_CLOSED',
  177: 'SESSION_COUNT',
  179: 'SESSION_HANDLE_INVALID',
  181: 'SESSION_READ_ONLY',
  208: 'TEMPLATE_INCOMPLETE',
  209: 'TEMPLATE_INCONSISTENT',
  224: 'TOKEN_NOT_PRESENT',
  225: 'TOKEN_NOT_RECOGNIZED',
  226: 'TOKEN_WRITE_PROTECTED',
  256: 'USER_ALREADY_LOGGED_IN',
  257: 'USER_NOT_LOGGED_IN',
  258: 'USER_PIN_NOT_INITIALIZED',
  259: 'USER_TYPE_INVALID',
  260: 'USER_ANOTHER_ALREADY_LOGGED_IN',
  304: 'DOMAIN_PARAMS_INVALID',
  320: 'CURVE_NOT_SUPPORTED',
  336: 'BUFFER_TOO_SMALL',
  400: 'CRYPTOKI_NOT_INITIALIZED',
  401: 'CRYPTOKI_ALREADY_INITIALIZED',
};

export const resultOk = 0;

/** The name of a result: `CKR_PIN_INCORRECT`, or `CKR_0x80000001` for one of a vendor's own. */
export const resultName = (value: number): `CKR_${string}` =>
  `CKR_${resultNames[value] ?? `0x${value.toString(16).padStart(8, '0')}`}`;
