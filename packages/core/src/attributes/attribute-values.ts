/**
 * Values of attributes: read as they arrive, kept in one normal form, and turned into what is signed. A value in
 * normal form has exactly one spelling, so nobody can show the same signed message as two different values.
 * Documents are not read here, and which attributes there are is the template's business.
 */

import { assert } from '../basics/assert.ts';
import { encodeHex, encodeUtf8, parseExactBase64, type Sha256, utf8Length } from '../basics/bytes.ts';
import { dateText, dayNumber, instantText, parseDate, parseInstant } from '../basics/calendar.ts';
import { isWellFormed } from '../basics/jcs.ts';
import { isBlank } from '../basics/plain-text.ts';
import type { AttributeType, AttributeValue, SignedAttribute } from '../documents/model.ts';
import { bbsLimits, credentialLimits } from '../limits/documents.ts';
import type { BbsMessage } from '../proofs/proof-engine.ts';
import { type Complaint, decimalScale, imageFormats, isComplaint, textFormats } from './attribute-formats.ts';

export type ReadValue = { readonly value: AttributeValue } | Complaint;

/** Integers and scaled decimals are shifted by this much, so that negative ones have a place too. */
export const integerShift = 2n ** 52n;
export const integerMin = -integerShift;
export const integerMax = bbsLimits.integerMax - integerShift;

const isInReach = (integer: bigint): boolean => integer >= integerMin && integer <= integerMax;
const tooLarge = 'is too large or too small';

// Line breaks and tabs are part of texts; the other control characters only deceive.
const forbiddenInText = /[\p{Cc}\p{Noncharacter_Code_Point}]/u;

function readText({ format }: SignedAttribute, arrived: unknown): ReadValue {
  const { wanted, isValid } = textFormats[format];
  if (typeof arrived !== 'string') return { complaint: `must be ${wanted}` };
  if (arrived.length > credentialLimits.textBytesMax) return { complaint: 'is too long' };
  if (!isWellFormed(arrived)) return { complaint: 'holds half a character' };
  const value = arrived.replaceAll('\r\n', '\n').normalize('NFC');
  if (isBlank(value)) return { complaint: 'is empty' };
  if (utf8Length(value) > credentialLimits.textBytesMax) return { complaint: 'is too long' };
  if (forbiddenInText.test(value.replace(/[\n\t]/g, ''))) return { complaint: 'holds a control character' };
  return isValid(value) ? { value } : { complaint: `must be ${wanted}` };
}

/** The bytes of an image in normal form. */
function imageBytes({ format }: SignedAttribute, value: string): Uint8Array | undefined {
  const start = `data:${format};base64,`;
  const bytes = value.startsWith(start) ? parseExactBase64(value.slice(start.length)) : undefined;
  return bytes && bytes.length <= credentialLimits.imageBytesMax && imageFormats[format](bytes)
    ? bytes
    : undefined;
}

function readImage(attribute: SignedAttribute, arrived: unknown): ReadValue {
  const wanted = { complaint: `must be an ${attribute.format} as base64 or data URL` };
  if (typeof arrived !== 'string') return wanted;
  const charsMax = Math.ceil(credentialLimits.imageBytesMax / 3) * 4;
  if (arrived.length > charsMax + 'data:image/jpeg;base64,'.length)
    return { complaint: 'is too large an image' };
  const start = `data:${attribute.format};base64,`;
  const value = arrived.startsWith('data:') ? arrived : start + arrived;
  return imageBytes(attribute, value) ? { value } : wanted;
}

/** The plain text of what may be a number, without spaces around it. */
function numberText(arrived: unknown): string | undefined {
  if (typeof arrived === 'string') return arrived.trim();
  return typeof arrived === 'number' || typeof arrived === 'bigint' ? String(arrived) : undefined;
}

function readInteger(_attribute: SignedAttribute, arrived: unknown): ReadValue {
  const text = numberText(arrived);
  if (text === undefined || !/^-?(0|[1-9][0-9]{0,39})$/.test(text))
    return { complaint: 'must be a whole number' };
  // Beyond 2^53 a number that arrived as such may have lost digits already; it is out of reach anyway.
  const integer = BigInt(text);
  return isInReach(integer) ? { value: Number(integer) } : { complaint: tooLarge };
}

/** A decimal's digits without the point; undefined if the text is no decimal of so many digits after it. */
function scaledInteger(text: string, scale: number): bigint | undefined {
  const match = /^(-?)(0|[1-9][0-9]{0,39})(?:\.([0-9]{1,40}))?$/.exec(text);
  if (!match) return undefined;
  const [, sign, whole, fraction = ''] = match;
  const digits = fraction.replace(/0+$/, '');
  if (digits.length > scale) return undefined;
  const integer = BigInt(whole + digits.padEnd(scale, '0'));
  return sign === '-' ? -integer : integer;
}

function decimalText(integer: bigint, scale: number): string {
  const digits = String(integer < 0n ? -integer : integer).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${integer < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

const scaleOf = ({ format }: SignedAttribute): number => {
  const scale = decimalScale(format);
  assert(scale !== undefined, `no decimal format: ${format}`);
  return scale;
};

function readDecimal(attribute: SignedAttribute, arrived: unknown): ReadValue {
  const scale = scaleOf(attribute);
  const text = numberText(arrived);
  const integer = text === undefined ? undefined : scaledInteger(text, scale);
  if (integer === undefined)
    return { complaint: `must be a number with at most ${scale} digits after the point` };
  return isInReach(integer) ? { value: decimalText(integer, scale) } : { complaint: tooLarge };
}

function readDate(_attribute: SignedAttribute, arrived: unknown): ReadValue {
  const date = typeof arrived === 'string' ? parseDate(arrived.trim()) : undefined;
  return date ? { value: dateText(date) } : { complaint: 'must be a date from 1800 on, such as 2001-12-31' };
}

function readDateTime(_attribute: SignedAttribute, arrived: unknown): ReadValue {
  const seconds = typeof arrived === 'string' ? parseInstant(arrived.trim()) : undefined;
  if (seconds !== undefined) return { value: instantText(seconds) };
  return { complaint: 'must be a date and time to the second, such as 2001-12-31T23:59:59Z' };
}

function readBoolean(_attribute: SignedAttribute, arrived: unknown): ReadValue {
  if (typeof arrived === 'boolean') return { value: arrived };
  if (arrived === 'true' || arrived === 'false') return { value: arrived === 'true' };
  return { complaint: 'must be true or false' };
}

const readers: Readonly<Record<AttributeType, (attribute: SignedAttribute, arrived: unknown) => ReadValue>> =
  {
    text: readText,
    image: readImage,
    integer: readInteger,
    decimal: readDecimal,
    date: readDate,
    dateTime: readDateTime,
    boolean: readBoolean,
  };

/** A value in normal form, or what is wrong with it in words that follow the attribute's name. */
export const readAttributeValue = (attribute: SignedAttribute, arrived: unknown): ReadValue =>
  readers[attribute.type](attribute, arrived);

/** Whether a value is exactly what reading would make of it: the only form that signed documents carry. */
export function isNormalValue(attribute: SignedAttribute, value: unknown): value is AttributeValue {
  const read = readAttributeValue(attribute, value);
  return !isComplaint(read) && Object.is(read.value, value);
}

/** The integer that stands for a value in normal form; undefined for types that have no order. */
export function attributeInteger(attribute: SignedAttribute, value: AttributeValue): bigint | undefined {
  switch (attribute.type) {
    case 'integer':
      return BigInt(value) + integerShift;
    case 'decimal':
      return (scaledInteger(String(value), scaleOf(attribute)) as bigint) + integerShift;
    case 'date': {
      const date = parseDate(String(value));
      return date && BigInt(dayNumber(date));
    }
    case 'dateTime':
      return BigInt(parseInstant(String(value)) as number);
    default:
      return undefined;
  }
}

/**
 * What is signed for an attribute. Every text begins with the key, so that no value can be moved to another attribute;
 * keys have no colon and no NUL, so no two of these texts can be the same.
 */
export function attributeMessage(
  attribute: SignedAttribute,
  value: AttributeValue | undefined,
  sha256: Sha256,
): BbsMessage {
  const { key, type } = attribute;
  if (value === undefined) return { bytes: encodeUtf8(`${key}\0absent`) };
  assert(isNormalValue(attribute, value), `a value of ${key} is not in normal form`);
  if (type === 'image') {
    const image = imageBytes(attribute, String(value)) as Uint8Array;
    return { bytes: encodeUtf8(`${key}: sha256:${encodeHex(sha256(image))}`) };
  }
  const integer = attributeInteger(attribute, value);
  return integer === undefined ? { bytes: encodeUtf8(`${key}: ${value}`) } : { integer };
}
