/**
 * W3C Bitstring Status List: a credential whose subject is a packed list of bits for one purpose. How the credential is
 * secured, and verified, is the caller's: this makes and reads what stands in it.
 */
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { encodeBase64Url, parseExactBase64Url } from '@symbolon/core/basics/bytes';
import { instantTextOfUnixMs, unixMsOf } from '@symbolon/core/basics/calendar';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { sdJwtLimits, statusListLimits } from '../limits/format-limits.ts';
import { pack, unpack } from './packing.ts';
import { bitstringBytes, type MarkedSlots, type StatusPurpose } from './slots.ts';

const credentialContext = 'https://www.w3.org/ns/credentials/v2';
const listCredentialType = 'BitstringStatusListCredential';
const listType = 'BitstringStatusList';
export const bitstringEntryType = 'BitstringStatusListEntry';
const multibaseStart = 'u';

export interface BitstringOrder {
  /** The address at which the list is served. */
  readonly uri: string;
  readonly issuer: string;
  readonly purpose: StatusPurpose;
  readonly marked: MarkedSlots;
  /** Milliseconds since 1970: when the facts were read. */
  readonly at: number;
}

/** The credential without a proof. */
export async function bitstringCredential(order: BitstringOrder): Promise<Fields> {
  const { uri, issuer, purpose, marked, at } = order;
  const packed = await pack(bitstringBytes(marked, purpose, statusListLimits.slots), 'gzip');
  return {
    '@context': [credentialContext],
    id: uri,
    type: ['VerifiableCredential', listCredentialType],
    issuer,
    validFrom: instantTextOfUnixMs(at),
    validUntil: instantTextOfUnixMs(at + statusListLimits.lifetimeSeconds * 1_000),
    credentialSubject: {
      id: `${uri}#list`,
      type: listType,
      statusPurpose: purpose,
      ttl: statusListLimits.keepSeconds * 1_000,
      encodedList: multibaseStart + encodeBase64Url(packed),
    },
  };
}

/** What a credential says of its slot in such a list; the index is a text there. */
export const bitstringEntry = (uri: string, purpose: StatusPurpose, slot: number): object => ({
  id: `${uri}#${slot}`,
  type: bitstringEntryType,
  statusPurpose: purpose,
  statusListIndex: String(slot),
  statusListCredential: uri,
});

export interface ReadBitstring {
  readonly bytes: Uint8Array;
  /** Milliseconds since 1970, from which it counts no longer. */
  readonly until: number;
}

export interface BitstringFacts {
  readonly uri: string;
  /** Of the credential that refers to the list. */
  readonly issuer: string;
  readonly purpose: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const hasType = (type: unknown, wanted: string): boolean =>
  type === wanted || (Array.isArray(type) && type.includes(wanted));

/** Of a credential whose proof was verified. */
export async function readBitstring(
  credential: Fields,
  facts: BitstringFacts,
): Promise<ReadBitstring | Complaint> {
  const { id, type, issuer } = credential;
  if (id !== facts.uri) return { complaint: 'the list is for another address' };
  if (!hasType(type, listCredentialType)) return { complaint: `the list is no ${listCredentialType}` };
  if ((asObject(issuer)?.id ?? issuer) !== facts.issuer)
    return { complaint: 'the list is of another issuer' };
  const subject = asObject(credential.credentialSubject);
  if (!subject || !hasType(subject.type, listType)) return { complaint: `the list has no ${listType}` };
  const { statusPurpose: said } = subject;
  const isPurpose = Array.isArray(said) ? said.includes(facts.purpose) : said === facts.purpose;
  if (!isPurpose) return { complaint: 'the list is for another purpose' };
  if (subject.statusSize !== undefined && subject.statusSize !== 1)
    return { complaint: 'the list has more than a bit for each' };
  const until = readTimes(credential, subject, facts.now);
  if (typeof until !== 'number') return until;
  const read = await readEncoded(subject.encodedList);
  return isComplaint(read) ? read : { bytes: read.bytes, until };
}

function readTimes({ validFrom, validUntil }: Fields, { ttl }: Fields, now: number): number | Complaint {
  const from = validFrom === undefined ? now : unixMsOf(String(validFrom));
  if (from === undefined || from > now + sdJwtLimits.clockSkewSeconds * 1_000)
    return { complaint: 'the list is not valid yet' };
  const end = validUntil === undefined ? Number.POSITIVE_INFINITY : unixMsOf(String(validUntil));
  if (end === undefined || !(end > now)) return { complaint: 'the list has expired' };
  if (ttl !== undefined && !(typeof ttl === 'number' && ttl > 0))
    return { complaint: 'the list does not say how long it may be kept' };
  const { keepSeconds, keepSecondsMax } = statusListLimits;
  return Math.min(end, now + Math.min(ttl ?? keepSeconds * 1_000, keepSecondsMax * 1_000));
}

async function readEncoded(encoded: unknown): Promise<{ readonly bytes: Uint8Array } | Complaint> {
  const isText = typeof encoded === 'string' && encoded.length <= statusListLimits.tokenCharsMax;
  const packed =
    isText && encoded.startsWith(multibaseStart) ? parseExactBase64Url(encoded.slice(1)) : undefined;
  if (!packed) return { complaint: 'the list is no multibase of base64url' };
  const read = await unpack(packed, { packing: 'gzip', bytesMax: statusListLimits.listBytesMax });
  if (isComplaint(read)) return read;
  return read.bytes.length * 8 < statusListLimits.bitstringEntriesMin
    ? { complaint: 'the list is too short to hide whom it is about' }
    : read;
}
