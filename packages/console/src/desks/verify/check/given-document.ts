/** What somebody pasted or dropped: a presentation, a whole credential, or neither. Bounded, and nothing of it is believed. */
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import { isJsonObject, type JsonObject, type JsonValue, NestedTooDeep } from '@symbolon/wire/json/json';
import { DoubledMember, parseUniqueJson } from '@symbolon/wire/json/json-members';

export interface NamedCredential {
  readonly id: string;
  readonly issuer: string;
}

export interface GivenDocument {
  readonly kind: 'presentation' | 'credential';
  readonly document: JsonObject;
  /** As they name themselves. */
  readonly credentials: readonly NamedCredential[];
  /** It names for whom it was made; whether that is who checks, is theirs to say. */
  readonly hasDomain: boolean;
}

export type DocumentProblem = 'empty' | 'tooLarge' | 'notJson' | 'nested' | 'doubled' | 'notDocument';

/** What keeps a file from being read at all. */
export type FileProblem = 'tooLarge' | 'pdf' | 'binary';

/** No service takes a larger one. */
export const documentBytesMax = credentialRequestLimits.documentBytesMax;

export function readGiven(text: string): GivenDocument | { readonly problem: DocumentProblem } {
  if (text.trim() === '') return { problem: 'empty' };
  // A character is at least a byte.
  if (text.length > documentBytesMax) return { problem: 'tooLarge' };
  let value: JsonValue;
  try {
    value = parseUniqueJson(text);
  } catch (error) {
    if (error instanceof NestedTooDeep) return { problem: 'nested' };
    // Whoever reads the text would see one of the two, and the checks the other.
    return { problem: error instanceof DoubledMember ? 'doubled' : 'notJson' };
  }
  if (!isJsonObject(value)) return { problem: 'notDocument' };
  // As commands of ours and replies of services have them.
  const document = [value.vpObject, value.vcObject, value.vp, value].find(isDocument);
  if (!document) return { problem: 'notDocument' };
  if (hasType(document, 'VerifiablePresentation')) {
    const inside = Array.isArray(document.verifiableCredential) ? document.verifiableCredential : [];
    const { proof } = document;
    const hasDomain = isJsonObject(proof) && proof.domain !== undefined;
    return { kind: 'presentation', document, credentials: inside.flatMap(nameOf), hasDomain };
  }
  return { kind: 'credential', document, credentials: nameOf(document), hasDomain: false };
}

const hasType = ({ type }: JsonObject, name: string): boolean =>
  type === name || (Array.isArray(type) && type.includes(name));

const isDocument = (value: JsonValue | undefined): value is JsonObject =>
  isJsonObject(value) && (hasType(value, 'VerifiablePresentation') || hasType(value, 'VerifiableCredential'));

const nameOf = (value: JsonValue): readonly NamedCredential[] =>
  isJsonObject(value) && typeof value.id === 'string' && typeof value.issuer === 'string'
    ? [{ id: value.id, issuer: value.issuer }]
    : [];
