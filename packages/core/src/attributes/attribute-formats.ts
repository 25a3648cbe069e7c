/**
 * The closed list of attribute formats: which formats each type has, the check behind each, and how the spellings of
 * older clients are read. A format that is not listed is refused, because a value nobody checks could be anything.
 */

import { parseDate, parseInstant } from '../basics/calendar.ts';
import { type AttributeType, attributeTypeCodes, type SignedAttribute } from '../documents/model.ts';
import { credentialLimits } from '../limits/documents.ts';

const emailPattern = /^[^\s@<>()[\]\\,;:"]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;
const uriPattern = /^[A-Za-z][A-Za-z0-9+.-]{0,31}:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]{1,2048}$/;
const phonePattern = /^\+[1-9][0-9]{5,14}$/;

interface TextFormat {
  /** What a value must be, in words that follow "must be". */
  readonly wanted: string;
  readonly isValid: (text: string) => boolean;
}

/** Texts are text whatever their format: ranges need one of the other types. */
export const textFormats: Readonly<Record<string, TextFormat>> = {
  string: { wanted: 'a text', isValid: () => true },
  text: { wanted: 'a text', isValid: () => true },
  email: { wanted: 'an e-mail address', isValid: (text) => emailPattern.test(text) },
  uri: { wanted: 'an absolute URI', isValid: (text) => uriPattern.test(text) },
  phone: { wanted: 'a telephone number such as +60123456789', isValid: (text) => phonePattern.test(text) },
  date: { wanted: 'a date such as 2001-12-31', isValid: (text) => parseDate(text) !== undefined },
  'date-time': {
    wanted: 'a date and time such as 2001-12-31T23:59:59Z',
    isValid: (text) => parseInstant(text) !== undefined,
  },
};

const ascii = (text: string): readonly number[] => Array.from(text, (character) => character.charCodeAt(0));
const startsWith = (bytes: Uint8Array, start: readonly number[], offset = 0): boolean =>
  bytes.length >= offset + start.length && start.every((byte, index) => bytes[offset + index] === byte);

/** The first bytes of each kind of image. */
export const imageFormats: Readonly<Record<string, (bytes: Uint8Array) => boolean>> = {
  'image/png': (bytes) => startsWith(bytes, [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a]),
  'image/jpeg': (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff]),
  'image/webp': (bytes) => startsWith(bytes, ascii('RIFF')) && startsWith(bytes, ascii('WEBP'), 8),
  'image/gif': (bytes) => startsWith(bytes, ascii('GIF87a')) || startsWith(bytes, ascii('GIF89a')),
};

const scaleDefault = 2;

/** Digits after the point, or undefined if the format is not one of a decimal. */
export function decimalScale(format: string): number | undefined {
  if (format === 'decimal') return scaleDefault;
  const match = /^decimal\(([0-9])\)$/.exec(format);
  const scale = match ? Number(match[1]) : undefined;
  return scale !== undefined && scale <= credentialLimits.decimalDigitsMax ? scale : undefined;
}

const hasFormat: Readonly<Record<AttributeType, (format: string) => boolean>> = {
  text: (format) => Object.hasOwn(textFormats, format),
  image: (format) => Object.hasOwn(imageFormats, format),
  integer: (format) => format === 'integer',
  decimal: (format) => decimalScale(format) !== undefined,
  date: (format) => format === 'date',
  dateTime: (format) => format === 'date-time',
  boolean: (format) => format === 'boolean',
};

export const isAttributeType = (type: unknown): type is AttributeType =>
  typeof type === 'string' && Object.hasOwn(attributeTypeCodes, type);

/** Whether this is exactly how a signed attribute names its type and format. */
export const isFormatOf = (type: AttributeType, format: string): boolean => hasFormat[type](format);

type DecimalDigits = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** Every format as templates name it. `decimal` has two digits after the point, `decimal(4)` has four. */
export type AttributeFormat =
  | 'string'
  | 'text'
  | 'email'
  | 'uri'
  | 'phone'
  | 'image/png'
  | 'image/jpeg'
  | 'image/webp'
  | 'image/gif'
  | 'integer'
  | 'decimal'
  | `decimal(${DecimalDigits})`
  | 'date'
  | 'date-time'
  | 'boolean';

/** The type that a format stands for on its own, and so the code a client should send with it. */
export const attributeTypeOfFormat: Readonly<Record<string, AttributeType>> = {
  string: 'text',
  text: 'text',
  email: 'text',
  uri: 'text',
  phone: 'text',
  'image/png': 'image',
  'image/jpeg': 'image',
  'image/webp': 'image',
  'image/gif': 'image',
  integer: 'integer',
  decimal: 'decimal',
  date: 'date',
  'date-time': 'dateTime',
  boolean: 'boolean',
} satisfies Readonly<Record<Exclude<AttributeFormat, `decimal(${DecimalDigits})`>, AttributeType>>;

export const isAttributeFormat = (format: string): format is AttributeFormat =>
  Object.hasOwn(attributeTypeOfFormat, format) || decimalScale(format) !== undefined;

const formatAliases: Readonly<Record<string, string>> = {
  number: 'decimal',
  'image/jpg': 'image/jpeg',
  datetime: 'date-time',
};

/** Older clients say who fills an attribute in where others say what it is; the format then decides. */
const typesThatSayNothing = ['USER', 'APPLICATION', 'FIXED'];

export type TypeAndFormat = Pick<SignedAttribute, 'type' | 'format'>;

/** What is wrong, in words that follow the name of the thing. */
export interface Complaint {
  readonly complaint: string;
  /** The type is wrong, not the format. */
  readonly isOfType?: true;
}
export const isComplaint = (value: object): value is Complaint => Object.hasOwn(value, 'complaint');

/** Reads type (a code, a name, an older client's word, or nothing) and format as they arrive. */
export function readTypeAndFormat(type: unknown, format: unknown): TypeAndFormat | Complaint {
  if (typeof format !== 'string') return { complaint: 'the format must be a text' };
  const lower = format.trim().toLowerCase();
  const known = Object.hasOwn(formatAliases, lower) ? formatAliases[lower] : lower;
  const stated = readType(type);
  if (stated !== undefined && isComplaint(stated)) return stated;
  if (stated === undefined) {
    const own = Object.hasOwn(attributeTypeOfFormat, known) ? attributeTypeOfFormat[known] : undefined;
    const type = own ?? (decimalScale(known) === undefined ? undefined : 'decimal');
    return type ? { type, format: known } : { complaint: `the format is none of ${listedFormats()}` };
  }
  if (stated.type === 'integer' && lower === 'number') return { type: 'integer', format: 'integer' };
  if (isFormatOf(stated.type, known)) return { type: stated.type, format: known };
  return { complaint: `the format does not fit type ${attributeTypeCodes[stated.type]} (${stated.type})` };
}

/** Types whose values have a form that a text of that format has, too. */
const typesOfTexts: readonly AttributeType[] = ['integer', 'decimal', 'date', 'dateTime', 'boolean'];

/**
 * Type and format as somebody declares a new attribute. The interface shows no other code than the one of texts for a
 * date, so there the format says which type is meant: as a text it would never have an order, and no range.
 */
export function readDeclaredType(type: unknown, format: unknown): TypeAndFormat | Complaint {
  const stated = readType(type);
  const isText = stated !== undefined && !isComplaint(stated) && stated.type === 'text';
  const own = readTypeAndFormat(undefined, format);
  if (isText && !isComplaint(own) && typesOfTexts.includes(own.type)) return own;
  return readTypeAndFormat(type, format);
}

function readType(type: unknown): { readonly type: AttributeType } | Complaint | undefined {
  if (type === undefined || type === null) return undefined;
  if (typeof type === 'string' && typesThatSayNothing.includes(type.toUpperCase())) return undefined;
  if (isAttributeType(type)) return { type };
  const found = Object.entries(attributeTypeCodes).find(
    ([, code]) => code === type || (typeof type === 'string' && String(code) === type),
  );
  if (found) return { type: found[0] as AttributeType };
  const codes = Object.values(attributeTypeCodes).join(', ');
  return { complaint: `the type is none of the codes ${codes}`, isOfType: true };
}

const listedFormats = (): string =>
  [...Object.keys(attributeTypeOfFormat), 'decimal(0) to decimal(9)'].join(', ');
