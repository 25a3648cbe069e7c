/**
 * DIDs of issuers as a verifier types them. One that no credential of this ledger can have would trust nobody, and look as
 * if it trusted somebody.
 */
import { parseLedgerDid } from '@symbolon/core/did/did';
import { zetrixProfile } from '@symbolon/core/keys/profile';

export const isIssuerDid = (text: string): boolean => parseLedgerDid(text, zetrixProfile) !== undefined;

/** With commas, spaces or line breaks between them, each once; or the first part that is none. */
export function readIssuerDids(
  text: string,
): { readonly dids: readonly string[] } | { readonly wrong: string } {
  const parts = [...new Set(text.split(/[\s,]+/).filter((part) => part !== ''))];
  const wrong = parts.find((part) => !isIssuerDid(part));
  return wrong === undefined ? { dids: parts } : { wrong };
}
