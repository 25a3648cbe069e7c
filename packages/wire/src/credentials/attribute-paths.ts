/**
 * Paths that name an attribute, as clients write them: the key itself; the key after `credentialSubject`, with or without
 * `vc` before it; and, because credentials of the family keep attributes in a member named after the template, the key
 * after the name of the credential's type. Any other path means something that is not here, and is refused.
 */
import { isFrameName } from '@symbolon/core/names/template-names';

export type AttributePath = { readonly key: string } | { readonly complaint: string };

/** Names of types in letters and digits: `Course Certificate` is `courseCertificate` where it is a member. */
const plainType = (name: string): string => name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();

const wanted = 'must be the key of an attribute, or credentialSubject and a key';

/** `types`: what the credential is surely called; a path may go through such a name where there is exactly one. */
export function readAttributePath(parts: readonly string[], types: readonly string[] = []): AttributePath {
  const isSubject = (at: number): boolean => parts[at] === 'credentialSubject';
  const start = isSubject(0) ? 1 : parts[0] === 'vc' && isSubject(1) ? 2 : 0;
  const inside = parts.slice(start);
  const [first = '', second = ''] = inside;
  if (inside.length > 2 || inside.some((part) => part === '') || first === '') return { complaint: wanted };
  if (inside.length === 1) {
    if (start > 0 || first === 'id' || !isFrameName(first)) return { key: first };
    const detail = `is a member of the credential itself; an attribute of that name is credentialSubject.${first}`;
    return { complaint: detail };
  }
  const names = new Set(types.filter((name) => name !== 'VerifiableCredential').map(plainType));
  const isOfType = names.size === 1 && names.has(plainType(first)) && !isFrameName(first) && second !== 'id';
  return isOfType ? { key: second } : { complaint: wanted };
}
