/**
 * What a kept credential of the field says, for its holder to read. It was verified when it was kept; nothing is verified
 * here.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { issuerOfDocument, validityOf } from '@symbolon/formats/credential/data-model';
import { readHeldSdJwt } from '@symbolon/formats/sd-jwt/presenting';
import type { HeldFieldCredential } from './receiving.ts';

/** What a credential of the field says, to be shown to its holder. */
export interface FieldCredentialView {
  readonly issuer: string;
  /** `vct`, or the types in JSON-LD beside `VerifiableCredential`. */
  readonly types: readonly string[];
  /** What it says of its holder, by name. */
  readonly claims: Fields;
  /** Milliseconds since 1970. */
  readonly untilMs?: number;
}

/** Claims of the token, which say nothing of its holder. */
const tokenClaims: readonly string[] = ['iss', 'iat', 'nbf', 'exp', 'cnf', 'vct', 'vct#integrity', 'status'];

const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** Throws the fault `credentialMalformed` for what no wallet keeps. */
export function viewFieldCredential({
  document,
}: Pick<HeldFieldCredential, 'document'>): FieldCredentialView {
  if (typeof document !== 'string') return viewDocument(document);
  const { claims } = readHeldSdJwt(document, sha256).unpacked;
  return {
    issuer: String(claims.iss),
    types: [String(claims.vct)],
    claims: without(claims, tokenClaims),
    ...(typeof claims.exp === 'number' && { untilMs: claims.exp * 1_000 }),
  };
}

function viewDocument(document: Fields): FieldCredentialView {
  const types: readonly unknown[] = [document.type].flat();
  const { untilMs } = validityOf(document);
  return {
    issuer: issuerOfDocument(document) ?? '',
    types: types.filter(
      (type): type is string => typeof type === 'string' && type !== 'VerifiableCredential',
    ),
    claims: without(asObject([document.credentialSubject].flat()[0]) ?? {}, ['id', 'type']),
    ...(untilMs !== undefined && { untilMs }),
  };
}
