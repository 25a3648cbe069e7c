/**
 * The log in which an account records changes to its DID document (docs/decisions.md, "DID log"): one metadata entry
 * of the subject's own account, `did.log`, overwritten with every change. An entry names the terms of the very
 * transaction that sets it, so a reader can rebuild that transaction, compute its hash and ask the ledger when it was
 * executed; and it names the hash of the entry before. Times therefore come from the ledger alone, and an entry that
 * somebody else put there (whoever creates an account may give it metadata) has no such transaction and is nothing.
 */
import { asObject, type Fields, given, parseAmount, parseObject } from '../basics/plain-values.ts';
import { didLogLimits } from '../limits/consensus.ts';
import { didLimits } from '../limits/documents.ts';
import { nameProblem } from '../names/look-alike-names.ts';
import { parsePublicKeyMultibase } from './did.ts';

export const didLogKey = 'did.log';

/** Types of keys that can be published, by their name in documents. */
export const publishedKeyTypes = {
  Bls12381G2Key2020: 'bls12381g2',
  X25519KeyAgreementKey2020: 'x25519',
} as const;
export type PublishedKeyType = keyof typeof publishedKeyTypes;

export interface KeyPublication {
  readonly change: 'publishKey';
  /** Larger than every number before: a number never means two keys. */
  readonly number: number;
  readonly type: PublishedKeyType;
  readonly publicKeyMultibase: string;
  /** Seconds since 1970. From the ledger's time on, if left out or earlier than that. */
  readonly validFrom?: number;
  readonly validUntil?: number;
}
export interface KeyEnd {
  readonly change: 'endKey';
  readonly number: number;
  /** Seconds since 1970: others may have the secret key since then. Can also be said of a key that has ended. */
  readonly compromisedSince?: number;
}
export interface ServicePublication {
  readonly change: 'publishService';
  /** The fragment of the service's DID URL. An earlier service of this name is replaced. */
  readonly id: string;
  readonly type: string;
  readonly serviceEndpoint: string;
}
/** What the subject wants to be called. An earlier name is replaced. Nobody has confirmed it. */
export interface NamePublication {
  readonly change: 'publishName';
  readonly name: string;
}
export type DidChange =
  | KeyPublication
  | KeyEnd
  | ServicePublication
  | { readonly change: 'endService'; readonly id: string }
  | NamePublication
  | { readonly change: 'endName' }
  | { readonly change: 'deactivate' };

/** Everything about the transaction that its only operation does not say. */
export interface DidLogTerms {
  /** Who pays, if it is not the subject. */
  readonly source?: string;
  readonly nonce: bigint;
  readonly feeLimit: bigint;
  readonly gasPrice: bigint;
  readonly chainId: bigint;
}

export interface DidLogEntry {
  /** The version that the metadata entry gets. */
  readonly version: number;
  /** Hash of the transaction of the entry before; absent where the log begins. */
  readonly previous?: string;
  readonly terms: DidLogTerms;
  readonly changes: readonly DidChange[];
}

export function encodeDidLogEntry({ version, previous, terms, changes }: DidLogEntry): string {
  const { source, nonce, feeLimit, gasPrice, chainId } = terms;
  const transaction = {
    ...(source === undefined ? {} : { source }),
    nonce: String(nonce),
    feeLimit: String(feeLimit),
    gasPrice: String(gasPrice),
    chainId: String(chainId),
  };
  return JSON.stringify({ version, ...(previous === undefined ? {} : { previous }), transaction, changes });
}

/** Undefined for every text that is not an entry. A change that is malformed is left out, the others count. */
export function parseDidLogEntry(text: string): DidLogEntry | undefined {
  // Metadata is anybody's text.
  const value = text.length > didLogLimits.entryCharsMax ? undefined : parseObject(text);
  if (!value) return undefined;
  const { version, previous, changes } = value;
  const terms = readTerms(value.transaction);
  if (!isWholeNumber(version, didLogLimits.entriesMax) || !terms) return undefined;
  if (previous !== undefined && !(typeof previous === 'string' && /^[0-9a-f]{64}$/.test(previous)))
    return undefined;
  if (!Array.isArray(changes) || changes.length > didLogLimits.changesPerEntryMax) return undefined;
  return {
    version,
    ...(previous === undefined ? {} : { previous }),
    terms,
    changes: changes.flatMap((change) => readDidChange(change) ?? []),
  };
}

const isWholeNumber = (value: unknown, max: number): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max;

const isText = (value: unknown, charsMax: number): value is string =>
  typeof value === 'string' && value.length >= 1 && value.length <= charsMax;

function readTerms(value: unknown): DidLogTerms | undefined {
  const fields = asObject(value);
  if (!fields) return undefined;
  const [nonce, feeLimit, gasPrice, chainId] = ['nonce', 'feeLimit', 'gasPrice', 'chainId'].map((name) => {
    const value = fields[name];
    return typeof value === 'string' ? parseAmount(value) : undefined;
  });
  if (nonce === undefined || feeLimit === undefined || gasPrice === undefined || chainId === undefined)
    return undefined;
  const { source } = fields;
  if (source !== undefined && !isText(source, 64)) return undefined;
  return { ...(source === undefined ? {} : { source }), nonce, feeLimit, gasPrice, chainId };
}

const secondsMax = 253_402_300_799;

/** The last second of the year 9999 is the last that a document can print. */
const isOptionalTime = (value: unknown): value is number | undefined =>
  value === undefined ||
  (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= secondsMax);

/** A change in its exact form, without whatever else its object holds; undefined when it is malformed. */
export function readDidChange(value: unknown): DidChange | undefined {
  const fields = asObject(value);
  switch (fields?.change) {
    case 'publishKey':
      return readKeyPublication(fields);
    case 'endKey':
      return readKeyEnd(fields);
    case 'publishService':
      return readServicePublication(fields);
    case 'endService':
      return isServiceId(fields.id) ? { change: 'endService', id: fields.id } : undefined;
    case 'publishName':
      return readNamePublication(fields);
    case 'endName':
      return { change: 'endName' };
    case 'deactivate':
      return { change: 'deactivate' };
    default:
      return undefined;
  }
}

function readKeyEnd({ number, compromisedSince }: Fields): KeyEnd | undefined {
  if (!isWholeNumber(number, didLimits.keyNumberMax) || !isOptionalTime(compromisedSince)) return undefined;
  return { change: 'endKey', number, ...(compromisedSince === undefined ? {} : { compromisedSince }) };
}

function readKeyPublication(fields: Fields): KeyPublication | undefined {
  const { number, type, publicKeyMultibase, validFrom, validUntil } = fields;
  if (!isWholeNumber(number, didLimits.keyNumberMax)) return undefined;
  if (type !== 'Bls12381G2Key2020' && type !== 'X25519KeyAgreementKey2020') return undefined;
  if (!isText(publicKeyMultibase, didLimits.multibaseCharsMax)) return undefined;
  if (!parsePublicKeyMultibase(publishedKeyTypes[type], publicKeyMultibase)) return undefined;
  if (!isOptionalTime(validFrom) || !isOptionalTime(validUntil)) return undefined;
  return {
    change: 'publishKey',
    number,
    type,
    publicKeyMultibase,
    ...given({ validFrom, validUntil }),
  };
}

/** Printable ASCII of a web address: it may end up in a Location header. */
const endpointSyntax =
  /^(?:https?|wss?):\/\/[A-Za-z0-9.\-_[\]:]+(?:[/?][\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]*)?$/;

function readServicePublication(fields: Fields): ServicePublication | undefined {
  const { id, type, serviceEndpoint } = fields;
  if (!isServiceId(id) || !isText(type, didLimits.serviceTypeCharsMax)) return undefined;
  if (!/^[A-Za-z][A-Za-z0-9._:/#-]*$/.test(type)) return undefined;
  if (!isText(serviceEndpoint, didLimits.serviceEndpointCharsMax) || !endpointSyntax.test(serviceEndpoint))
    return undefined;
  return { change: 'publishService', id, type, serviceEndpoint };
}

/** A name that is read as what it is: in its one spelling, without letters that only look as if they belonged. */
const readNamePublication = ({ name }: Fields): NamePublication | undefined =>
  typeof name === 'string' && nameProblem(name) === undefined ? { change: 'publishName', name } : undefined;

/** Names of verification methods are not for services. */
const isServiceId = (value: unknown): value is string =>
  isText(value, didLimits.serviceIdCharsMax) &&
  /^[A-Za-z][A-Za-z0-9._-]*$/.test(value) &&
  !/^(controller|controllerKey|delegateKey-.*|keyAgreementKey-.*)$/.test(value);
