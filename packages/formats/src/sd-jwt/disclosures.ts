/** Disclosures: a claim with its salt as text, and the digest that stands for it in what the issuer signed. */
import type { Complaint } from '@symbolon/core/attributes/attribute-formats';
import { encodeBase64Url, encodeUtf8, parseExactBase64Url, type Sha256 } from '@symbolon/core/basics/bytes';
import { parseSignedJson, parseUtf8 } from '../jose/strict-json.ts';
import { algorithmMember, isDigestMember } from './claim-names.ts';

export interface SdDisclosure {
  /** As it is handed over: base64url of a JSON array. */
  readonly text: string;
  readonly digest: string;
  readonly salt: string;
  /** Without one it is an element of an array. */
  readonly name?: string;
  readonly value: unknown;
}

export const digestOf = (text: string, sha256: Sha256): string => encodeBase64Url(sha256(encodeUtf8(text)));

export function makeDisclosure(
  { salt, name, value }: { readonly salt: string; readonly name: string; readonly value: unknown },
  sha256: Sha256,
): SdDisclosure {
  const text = encodeBase64Url(encodeUtf8(JSON.stringify([salt, name, value])));
  return { text, digest: digestOf(text, sha256), salt, name, value };
}

/** One spelling only: the digest is over the text, but what is shown is the value. */
export function parseDisclosure(text: string, sha256: Sha256): SdDisclosure | Complaint {
  const bytes = parseExactBase64Url(text);
  const inner = bytes && parseUtf8(bytes);
  const parsed = inner === undefined ? undefined : parseSignedJson(inner);
  if (!parsed) return { complaint: 'a disclosure is no base64url of plain JSON' };
  const parts = parsed.value;
  if (!Array.isArray(parts) || (parts.length !== 2 && parts.length !== 3) || typeof parts[0] !== 'string')
    return { complaint: 'a disclosure is no array of salt, name and value' };
  const [salt] = parts;
  const digest = digestOf(text, sha256);
  if (parts.length === 2) return { text, digest, salt, value: parts[1] };
  const [, name, value] = parts;
  if (typeof name !== 'string') return { complaint: 'the name in a disclosure is no text' };
  if (isDigestMember(name) || name === algorithmMember || name === '__proto__')
    return { complaint: `a disclosure is named ${name}` };
  return { text, digest, salt, name, value };
}
