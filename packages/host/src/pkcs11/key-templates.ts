/**
 * Which attributes keys are made with, and how what a module tells about a key is read. Keys stay in the token: they
 * are sensitive, cannot be taken out even encrypted, and do one thing only. A key that decrypts must not also unwrap:
 * whoever may use both could have other keys told.
 */
import { hsmLimits } from '../limits/server-limits.ts';
import { attribute, keyType, objectClass } from './constants.ts';
import type { TokenTemplate } from './native-memory.ts';
import { Pkcs11Error } from './pkcs11-error.ts';

export type KeyKind = 'aes' | 'ed25519';

/** What is needed to use a key: its kind and its CKA_ID in lower-case hex. */
export interface KeyReference {
  readonly kind: KeyKind;
  readonly id: string;
}

export interface TokenKey extends KeyReference {
  readonly label: string;
}

export const aesKeyBytes = 32;
export const ed25519KeyBytes = 32;
export const ed25519SignatureBytes = 64;

const invalid = (what: string): Pkcs11Error => new Pkcs11Error('argumentInvalid', what);

export function idBytesOf(id: string): Buffer {
  if (!/^([0-9a-f]{2})+$/.test(id) || id.length > 2 * hsmLimits.keyIdBytesMax)
    throw invalid(`The id of a key is 1 to ${hsmLimits.keyIdBytesMax} bytes in lower-case hex.`);
  return Buffer.from(id, 'hex');
}

export function checkLabel(label: string): string {
  const size = Buffer.byteLength(label, 'utf8');
  const isPlain = label.isWellFormed() && !/\p{Cc}/u.test(label);
  if (size === 0 || size > hsmLimits.labelBytesMax || !isPlain)
    throw invalid(`The label of a key is 1 to ${hsmLimits.labelBytesMax} bytes of plain text.`);
  return label;
}

const named = ({ id, label }: Pick<TokenKey, 'id' | 'label'>): TokenTemplate => [
  [attribute.token, true],
  [attribute.label, checkLabel(label)],
  [attribute.id, idBytesOf(id)],
];

const kept: TokenTemplate = [
  [attribute.private, true],
  [attribute.sensitive, true],
  [attribute.extractable, false],
];

export const aesTemplate = (name: Pick<TokenKey, 'id' | 'label'>): TokenTemplate => [
  [attribute.class, objectClass.secretKey],
  [attribute.keyType, keyType.aes],
  [attribute.valueLength, aesKeyBytes],
  ...named(name),
  ...kept,
  [attribute.encrypt, true],
  [attribute.decrypt, true],
  [attribute.wrap, false],
  [attribute.unwrap, false],
  [attribute.sign, false],
  [attribute.verify, false],
  [attribute.derive, false],
];

/** DER of the object identifier of Ed25519, and of the curve's name: modules know one or the other. */
export const edwardsCurves: readonly Uint8Array[] = [
  Buffer.from('06032b6570', 'hex'),
  Buffer.from('130c656477617264733235353139', 'hex'),
];

export const edwardsPublicTemplate = (
  name: Pick<TokenKey, 'id' | 'label'>,
  curve: Uint8Array,
): TokenTemplate => [...named(name), [attribute.ecParams, curve], [attribute.verify, true]];

export const edwardsPrivateTemplate = (name: Pick<TokenKey, 'id' | 'label'>): TokenTemplate => [
  ...named(name),
  ...kept,
  [attribute.sign, true],
];

/** A secret or private key is what stands for a key of either kind; a public one is found beside it. */
export const classOf = (kind: KeyKind): number =>
  kind === 'aes' ? objectClass.secretKey : objectClass.privateKey;

export interface KeyQuery {
  readonly kind: KeyKind;
  readonly id?: string;
  readonly label?: string;
}

export const queryTemplate = ({ kind, id, label }: KeyQuery, keyClass = classOf(kind)): TokenTemplate => [
  [attribute.class, keyClass],
  [attribute.keyType, kind === 'aes' ? keyType.aes : keyType.ecEdwards],
  [attribute.token, true],
  ...(id === undefined ? [] : ([[attribute.id, idBytesOf(id)]] as const)),
  ...(label === undefined ? [] : ([[attribute.label, checkLabel(label)]] as const)),
];

/** A public key as a module tells it: the 32 bytes in a DER octet string, or as they are. */
export function readEdwardsPoint(point: Uint8Array | undefined): Uint8Array {
  const isWrapped =
    point?.length === 2 + ed25519KeyBytes && point[0] === 0x04 && point[1] === ed25519KeyBytes;
  if (point && isWrapped) return Uint8Array.from(point.subarray(2));
  if (point?.length === ed25519KeyBytes) return Uint8Array.from(point);
  throw new Pkcs11Error('answerMalformed', 'The hardware module tells a public key that is not of Ed25519.');
}
