/** What a credential names beside itself (`relatedResource`): the entries, and whether what is fetched is what was meant. */
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { equalBytes, parseBase58, parseExactBase64, parseExactBase64Url } from '@symbolon/core/basics/bytes';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import type { FaultDetail } from '@symbolon/core/faults/faults';
import { relatedResourceLimits } from '../limits/document-limits.ts';
import { asArray, type Complaints, checkUrl } from './member-rules.ts';

type Hash = (bytes: Uint8Array) => Uint8Array;

interface Digest {
  readonly hash: Hash;
  readonly value: Uint8Array;
}

const hashNames: Readonly<
  Record<string, { readonly hash: Hash; readonly bytes: number; readonly code: number }>
> = {
  sha256: { hash: sha256, bytes: 32, code: 0x12 },
  sha384: { hash: sha384, bytes: 48, code: 0x20 },
  sha512: { hash: sha512, bytes: 64, code: 0x13 },
};

/** Subresource Integrity: the name of the hash, and base64. */
function parseIntegrity(text: string): Digest | undefined {
  const [, name = '', digest = ''] = /^(sha256|sha384|sha512)-([A-Za-z0-9+/=]+)$/.exec(text) ?? [];
  const known = Object.hasOwn(hashNames, name) ? hashNames[name] : undefined;
  const value = known && parseExactBase64(digest);
  return known && value?.length === known.bytes ? { hash: known.hash, value } : undefined;
}

const multibaseCharsMax = 100;

/** A multihash in multibase: the code of the hash, its length, itself. */
function parseMultihash(text: string): Digest | undefined {
  if (text.length > multibaseCharsMax) return undefined;
  const bytes = text.startsWith('u')
    ? parseExactBase64Url(text.slice(1))
    : text.startsWith('z')
      ? parseBase58(text.slice(1), multibaseCharsMax)
      : undefined;
  const known = Object.values(hashNames).find(({ code }) => code === bytes?.[0]);
  if (!bytes || !known || bytes[1] !== known.bytes || bytes.length !== known.bytes + 2) return undefined;
  return { hash: known.hash, value: bytes.subarray(2) };
}

/** The digests of an entry; undefined where one is none. */
function digestsOf({ digestSRI, digestMultibase }: Fields): readonly Digest[] | undefined {
  const read = [
    ...asArray(digestSRI).map((one) => (typeof one === 'string' ? parseIntegrity(one) : undefined)),
    ...asArray(digestMultibase).map((one) => (typeof one === 'string' ? parseMultihash(one) : undefined)),
  ];
  return read.every((one) => one !== undefined) ? read : undefined;
}

function checkEntry(entry: unknown, pointer: string, complaints: Complaints): void {
  const object = asObject(entry);
  if (object === undefined) {
    complaints.add(pointer, 'must be an object');
    return;
  }
  checkUrl(object.id, `${pointer}/id`, complaints);
  const digests = digestsOf(object);
  if (digests === undefined) complaints.add(pointer, 'has a digest that is none, or of an unknown hash');
  else if (digests.length === 0) complaints.add(pointer, 'must have digestSRI or digestMultibase');
  if (object.mediaType !== undefined && typeof object.mediaType !== 'string')
    complaints.add(`${pointer}/mediaType`, 'must be a text');
}

/** What can be said of the entries without fetching anything. */
export function checkRelatedResources(related: unknown, complaints: Complaints): void {
  if (related === undefined) return;
  const entries = asArray(related);
  if (entries.length > relatedResourceLimits.resourcesMax) {
    complaints.add('/relatedResource', `has more than ${relatedResourceLimits.resourcesMax} entries`);
    return;
  }
  const seen = new Set<unknown>();
  for (const [index, entry] of entries.entries()) {
    const pointer = Array.isArray(related) ? `/relatedResource/${index}` : '/relatedResource';
    checkEntry(entry, pointer, complaints);
    const id = asObject(entry)?.id;
    if (id !== undefined && seen.has(id))
      complaints.add(`${pointer}/id`, 'is the address of another entry too');
    seen.add(id);
  }
}

/** Fetches the bytes of an address, guarded as every fetch is; rejects where there are none. */
export type FetchBytes = (url: string, bytesMax: number) => Promise<Uint8Array>;

/** Whether each entry is what it was when the credential was made. The entries themselves have been checked. */
export async function relatedResourceProblems(
  { relatedResource }: Fields,
  fetchBytes: FetchBytes,
): Promise<readonly FaultDetail[]> {
  const problems: FaultDetail[] = [];
  for (const [index, entry] of asArray(relatedResource).entries()) {
    const pointer = `/relatedResource/${index}`;
    const object = asObject(entry) ?? {};
    let bytes: Uint8Array;
    try {
      bytes = await fetchBytes(String(object.id), relatedResourceLimits.resourceBytesMax);
    } catch {
      problems.push({ pointer, detail: 'cannot be fetched' });
      continue;
    }
    const isSame = (digestsOf(object) ?? []).every(({ hash, value }) => equalBytes(hash(bytes), value));
    if (!isSame) problems.push({ pointer, detail: 'is not what the credential was made with' });
  }
  return problems;
}
