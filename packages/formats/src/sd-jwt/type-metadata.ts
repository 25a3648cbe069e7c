/**
 * Type metadata: the document at a `vct`, which says what claims are called and which may be hidden. Ours are made of a
 * version of a template and never change, so a credential can name their hash. Others' are read, with the ones that they
 * are built upon, each by the hash that names it.
 */
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { encodeBase64, encodeUtf8, equalTexts, type Sha256 } from '@symbolon/core/basics/bytes';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { unknownName } from '@symbolon/core/basics/known-names';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import type { Template } from '@symbolon/core/documents/model';
import { parseSignedObject } from '../jose/strict-json.ts';
import { publishedLimits, sdJwtLimits } from '../limits/format-limits.ts';
import { publishedUrl } from './issuer-metadata.ts';

/** The document's one text; its hash is good for ever. Labels have no language of their own: `locale` says which. */
export function typeMetadataText(
  { name, attributes, remark }: Pick<Template, 'name' | 'attributes' | 'remark'>,
  { vct, locale }: { readonly vct: string; readonly locale: string },
): string {
  return canonicalJson({
    vct,
    name,
    ...(remark !== undefined && { description: remark }),
    display: [{ locale, name }],
    claims: attributes.map(({ key, label, mandatory }) => ({
      path: [key],
      display: [{ locale, label }],
      mandatory,
      sd: 'always',
    })),
  });
}

export const integrityOf = (text: string, sha256: Sha256): string =>
  `sha256-${encodeBase64(sha256(encodeUtf8(text)))}`;

const sdWords = ['always', 'allowed', 'never'] as const;
type SdWord = (typeof sdWords)[number];

export interface TypeClaim {
  readonly path: readonly (string | number | null)[];
  readonly mandatory: boolean;
  readonly sd: SdWord;
  readonly labels: readonly { readonly locale: string; readonly label: string }[];
}

export interface TypeMetadata {
  readonly vct: string;
  readonly name?: string;
  readonly description?: string;
  readonly claims: readonly TypeClaim[];
  /** The types that it is built upon, nearest first. */
  readonly extended: readonly string[];
}

export interface TypeMetadataQuestion {
  readonly vct: string;
  /** What the credential says that the document's hash is. */
  readonly integrity?: string | undefined;
}

/** Guarded against addresses that are not public, bounded, without redirects. */
export type FetchText = (url: string) => Promise<string | Complaint>;

/** The type of a credential with all that it is built upon; claims of the nearer one count. */
export async function fetchTypeMetadata(
  question: TypeMetadataQuestion,
  { fetchText, sha256 }: { readonly fetchText: FetchText; readonly sha256: Sha256 },
): Promise<TypeMetadata | Complaint> {
  const read: OneType[] = [];
  let next: TypeMetadataQuestion | undefined = question;
  while (next) {
    const { vct } = next;
    if (read.some((one) => one.vct === vct))
      return { complaint: 'types are built upon each other in a circle' };
    if (read.length > publishedLimits.extendsMax)
      return { complaint: 'a type is built upon too many others' };
    if (!publishedUrl(vct)) return { complaint: 'the type is no https address' };
    const text = await fetchText(vct);
    if (typeof text !== 'string') return { complaint: `the type cannot be had: ${text.complaint}` };
    const one = readTypeMetadata(text, next, sha256);
    if (isComplaint(one)) return one;
    read.push(one);
    next = one.extends;
  }
  return merge(read);
}

interface OneType extends Omit<TypeMetadata, 'extended'> {
  readonly extends?: TypeMetadataQuestion;
}

/** One document, held against its address and its hash. */
export function readTypeMetadata(
  text: string,
  { vct, integrity }: TypeMetadataQuestion,
  sha256: Sha256,
): OneType | Complaint {
  if (text.length > publishedLimits.typeMetadataCharsMax) return { complaint: 'the type is too long' };
  if (integrity !== undefined && !isIntact(text, integrity, sha256))
    return { complaint: 'the type is not the one that was signed for (integrity)' };
  const document = parseSignedObject(text);
  if (!document) return { complaint: 'the type is no plain JSON object' };
  if (document.vct !== vct) return { complaint: 'the document is about another type' };
  const claims = readClaims(document.claims);
  if (isComplaint(claims)) return claims;
  const base = readExtends(document);
  if (base && isComplaint(base)) return base;
  const { name, description } = document;
  return {
    vct,
    ...(typeof name === 'string' && { name }),
    ...(typeof description === 'string' && { description }),
    claims: claims.claims,
    ...(base && { extends: base }),
  };
}

/** Of several hashes one of SHA-256 has to fit; other algorithms are not known here. */
function isIntact(text: string, integrity: string, sha256: Sha256): boolean {
  const own = integrityOf(text, sha256);
  return integrity.split(/\s+/).some((one) => equalTexts(one, own));
}

function readExtends(document: Fields): TypeMetadataQuestion | Complaint | undefined {
  const base = document.extends;
  if (base === undefined) return undefined;
  if (typeof base !== 'string') return { complaint: 'the type is built upon something that is no text' };
  const integrity = document['extends#integrity'];
  if (integrity !== undefined && typeof integrity !== 'string')
    return { complaint: 'the hash of the type that it is built upon is no text' };
  return { vct: base, ...(integrity !== undefined && { integrity }) };
}

function readClaims(value: unknown): { readonly claims: readonly TypeClaim[] } | Complaint {
  if (value === undefined) return { claims: [] };
  if (!Array.isArray(value) || value.length > sdJwtLimits.digestsMax)
    return { complaint: 'the claims of the type are no array, or too many' };
  const claims: TypeClaim[] = [];
  for (const one of value) {
    const claim = readClaim(asObject(one) ?? {});
    if (isComplaint(claim)) return claim;
    claims.push(claim);
  }
  return { claims };
}

function readClaim({ path, mandatory = false, sd = 'allowed', display = [] }: Fields): TypeClaim | Complaint {
  const isPath =
    Array.isArray(path) &&
    path.length >= 1 &&
    path.length <= sdJwtLimits.pathStepsMax &&
    path.every(
      (step) => step === null || typeof step === 'string' || (Number.isSafeInteger(step) && step >= 0),
    );
  if (!isPath) return { complaint: 'a claim of the type has no path' };
  if (typeof mandatory !== 'boolean') return { complaint: 'mandatory is neither true nor false' };
  const word = sdWords.find((known) => known === sd);
  if (!word) return { complaint: `sd: ${typeof sd === 'string' ? unknownName(sd, sdWords) : 'is no text'}` };
  if (!Array.isArray(display)) return { complaint: 'the names of a claim are no array' };
  const labels = display.flatMap((one) => {
    const { locale, lang, label } = asObject(one) ?? {};
    const language = locale ?? lang;
    return typeof language === 'string' && typeof label === 'string' ? [{ locale: language, label }] : [];
  });
  return { path, mandatory, sd: word, labels };
}

/** What a type says of hiding a claim, the ones built upon it may narrow and never widen. */
function merge(types: readonly OneType[]): TypeMetadata | Complaint {
  const [first, ...bases] = types;
  const claims = new Map<string, TypeClaim>();
  for (const { claims: ones } of types)
    for (const claim of ones) {
      const key = JSON.stringify(claim.path);
      const nearer = claims.get(key);
      if (!nearer) claims.set(key, claim);
      else if (claim.sd !== 'allowed' && nearer.sd !== claim.sd)
        return { complaint: `the type says another thing of hiding ${key} than the one it is built upon` };
      else if (claim.mandatory && !nearer.mandatory)
        return { complaint: `the type does without ${key}, and the one it is built upon does not` };
    }
  const { extends: _extends, ...type } = first;
  return { ...type, claims: [...claims.values()], extended: bases.map(({ vct }) => vct) };
}

/** Where a credential is not what its type says: mandatory claims that are missing, and ones hidden or open against it. */
export function typeComplaints(
  { claims }: TypeMetadata,
  shown: {
    readonly has: (path: TypeClaim['path']) => boolean;
    readonly isDisclosed: (path: TypeClaim['path']) => boolean;
  },
): readonly string[] {
  return claims.flatMap(({ path, mandatory, sd }) => {
    const name = JSON.stringify(path);
    if (!shown.has(path)) return mandatory ? [`${name} is missing`] : [];
    if (sd === 'always' && !shown.isDisclosed(path)) return [`${name} is open and should be disclosed`];
    return sd === 'never' && shown.isDisclosed(path) ? [`${name} is disclosed and should be open`] : [];
  });
}
