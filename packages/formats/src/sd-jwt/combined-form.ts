/** The text of an SD-JWT: the issuer's token, disclosures, and the holder's token, with tildes between. */
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import type { Sha256 } from '@symbolon/core/basics/bytes';
import { sdJwtLimits } from '../limits/format-limits.ts';
import { parseDisclosure, type SdDisclosure } from './disclosures.ts';

export interface CombinedForm {
  readonly token: string;
  readonly disclosures: readonly SdDisclosure[];
  /** What the holder's token is bound to: everything before it, with the last tilde. */
  readonly presented: string;
  /** The holder's token. */
  readonly keyBinding?: string;
}

export function parseCombinedForm(text: string, sha256: Sha256): CombinedForm | Complaint {
  if (text.length > sdJwtLimits.textCharsMax) return { complaint: 'is too long' };
  const [token, ...rest] = text.split('~', sdJwtLimits.disclosuresMax + 3);
  const keyBinding = rest.pop();
  if (keyBinding === undefined) return { complaint: 'has no tilde behind the token' };
  if (rest.length > sdJwtLimits.disclosuresMax) return { complaint: 'has too many disclosures' };
  const disclosures: SdDisclosure[] = [];
  for (const one of rest) {
    const read = parseDisclosure(one, sha256);
    if (isComplaint(read)) return { complaint: `is malformed: ${read.complaint}` };
    disclosures.push(read);
  }
  const presented = text.slice(0, text.length - keyBinding.length);
  return { token, disclosures, presented, ...(keyBinding === '' ? {} : { keyBinding }) };
}

export const combinedText = (token: string, disclosures: readonly Pick<SdDisclosure, 'text'>[]): string =>
  [token, ...disclosures.map(({ text }) => text), ''].join('~');
