/**
 * What a signature says: the bytes that a key was put under, opened without the code of the flow that had them signed.
 * What a server may choose is left out, because no order says it: nonces, salts, moments that are now. Everything else
 * is part of the statement, and what cannot be opened is a statement of its bytes.
 */
import { createHash } from 'node:crypto';
import { toJson } from '@bufbuild/protobuf';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { credentialHeader, credentialMessages } from '@symbolon/core/credential/credential-messages';
import type { UnsignedCredential } from '@symbolon/core/documents/model';
import { decodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import { commitContents } from '@symbolon/core/proofs/commitment';
import type { BbsMessage } from '@symbolon/core/proofs/proof-engine';
import { TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '@symbolon/wire/json/json';

export interface Statement {
  readonly kind: 'presence' | 'credential' | 'bbs' | 'presentation' | 'transaction' | 'text' | 'bytes';
  readonly says: JsonValue;
  /** Of transactions: the most they may cost, and for a unit of work. */
  readonly cost?: { readonly feeLimit: bigint; readonly gasPrice: bigint };
}

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const b64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');

/** A moment that a server may choose is close to the present; any other one is a statement. */
const nowMsMax = 3_600_000;
export const momentOf = (instant: JsonValue | undefined): JsonValue =>
  typeof instant === 'string' && Math.abs(Date.parse(instant) - Date.now()) < nowMsMax
    ? 'now'
    : (instant ?? null);

/** The statement of signed bytes. `told` is what servers have answered: what digests are of is found there. */
export function statementOf(bytes: Uint8Array, told: readonly JsonValue[]): Statement {
  const text = Buffer.from(bytes).toString('latin1');
  return (
    presenceIn(text) ??
    presentationIn(text) ??
    issuedIn(bytes, text, told) ??
    transactionIn(bytes) ??
    plainText(bytes)
  );
}

function presenceIn(text: string): Statement | undefined {
  const [tag, ...lines] = text.split('\n');
  if (tag !== 'symbolon-presence-v1') return undefined;
  const parts = lines.map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]);
  const { nonce: _own, created, ...says } = Object.fromEntries(parts) as Record<string, string>;
  return { kind: 'presence', says: { ...says, created: momentOf(created) } };
}

function presentationIn(text: string): Statement | undefined {
  const [head, payload = ''] = text.split('.');
  if (head !== b64('{"alg":"EdDSA"}')) return undefined;
  const document = jsonIn(Buffer.from(payload, 'base64url').toString('utf8'));
  return { kind: 'presentation', says: document === undefined ? payload : shownIn(document) };
}

/** A presentation without what is new in each: proofs and the moment. */
export function shownIn(document: JsonValue): JsonValue {
  if (!isJsonObject(document)) return document;
  const { verifiableCredential, proof } = document;
  const shown = Array.isArray(verifiableCredential) ? verifiableCredential.map(withoutProofValue) : null;
  return { ...document, verifiableCredential: shown, proof: withMoment(proof) };
}

function withoutProofValue(credential: JsonValue): JsonValue {
  if (!isJsonObject(credential) || !isJsonObject(credential.proof)) return credential;
  const { proofValue: _new, ...proof } = credential.proof;
  return { ...credential, proof: withMoment(proof) };
}

function withMoment(proof: JsonValue | undefined): JsonValue {
  if (!isJsonObject(proof)) return proof ?? null;
  const { jws: _new, ...options } = proof;
  return { ...options, created: momentOf(options.created) };
}

const issuerHead = `${b64('{"alg":"EdDSA","b64":false,"crit":["b64"]}')}.`;

/** Digests say nothing by themselves: what they are of is looked for in what the servers told. */
function issuedIn(bytes: Uint8Array, text: string, told: readonly JsonValue[]): Statement | undefined {
  if (!text.startsWith(issuerHead)) return undefined;
  const signed = hexOf(bytes.subarray(issuerHead.length));
  for (const draft of draftsIn(told)) {
    if (inputOf(draft) !== signed) continue;
    return {
      kind: 'credential',
      says: { document: documentSays(draft.document), options: optionsSay(draft.options) },
    };
  }
  return { kind: 'credential', says: { digests: signed } };
}

function optionsSay(options: JsonObject): JsonValue {
  const { registryEntry } = options;
  if (!isJsonObject(registryEntry)) return withMoment(options);
  return withMoment({
    ...options,
    registryEntry: { ...registryEntry, validFrom: momentOf(registryEntry.validFrom) },
  });
}

/** Without the moment from which it is valid, where that is now. */
export const documentSays = (document: JsonObject): JsonObject => {
  const { proof: _proof, ...unsigned } = document;
  return { ...unsigned, validFrom: momentOf(unsigned.validFrom) };
};

interface Draft {
  readonly document: JsonObject;
  readonly options: JsonObject;
  readonly salt: string;
}

/** Every document with every salt and every kind of options that was told with it. */
function draftsIn(told: readonly JsonValue[]): Draft[] {
  return told.flatMap((answer) => {
    const all = objectsIn(answer);
    const documents = all.filter(
      (one) => isJsonObject(one.credentialSubject) && isJsonObject(one.credentialSchema),
    );
    const options = all.filter((one) => isJsonObject(one.registryEntry));
    const salts = all.flatMap(({ salt }) => (typeof salt === 'string' ? [salt] : []));
    return documents.flatMap((document) =>
      options.flatMap((option) => salts.map((salt) => ({ document, options: option, salt }))),
    );
  });
}

function objectsIn(value: JsonValue): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (!isJsonObject(value)) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}

const known = new Map<string, string>();

function inputOf({ document, options, salt }: Draft): string | undefined {
  const { proof: _proof, ...credential } = document;
  const { jws: _jws, ...signedOptions } = options;
  const name = canonicalJson({ credential, signedOptions, salt });
  const made = known.get(name) ?? makeInput(credential, signedOptions, salt);
  known.set(name, made);
  return made;
}

/** What the issuer signs of a draft, in hex; empty where nobody can sign it. */
export function makeInput(credential: JsonObject, options: JsonObject, salt: string): string {
  const digestOf = (value: JsonValue) => hexOf(sha256(Buffer.from(canonicalJson(value))));
  const unsigned = credential as unknown as UnsignedCredential;
  try {
    const header = credentialHeader(unsigned, unsigned.credentialSubject.id);
    const messages = credentialMessages({ ...unsigned, salt }, sha256);
    const commitment = hexOf(commitContents({ header, messages }));
    return `${digestOf(options)}${digestOf({ credential, salt })}${commitment}`;
  } catch {
    // Not a document that anybody can commit to.
    return '';
  }
}

/** What a BBS key was put under. */
export function bbsStatement({
  header,
  messages,
}: {
  header: Uint8Array;
  messages: readonly BbsMessage[];
}): Statement {
  const textOf = (message: BbsMessage): string =>
    'integer' in message ? `#${message.integer}` : Buffer.from(message.bytes).toString('utf8');
  const frame = jsonIn(Buffer.from(header).toString('utf8'));
  const says = isJsonObject(frame) ? { ...frame, validFrom: momentOf(frame.validFrom) } : (frame ?? null);
  const texts = messages.map(textOf).filter((text) => !text.startsWith('$salt: u'));
  return { kind: 'bbs', says: { frame: says, messages: texts } };
}

function transactionIn(bytes: Uint8Array): Statement | undefined {
  const transaction = decodeTransaction(bytes);
  if (!transaction) return undefined;
  const {
    nonce: _next,
    feeLimit: _limit,
    gasPrice: _price,
    ...told
  } = toJson(TransactionSchema, transaction) as JsonObject;
  const { feeLimit, gasPrice } = transaction;
  const operations = Array.isArray(told.operations) ? told.operations.map(operationSays) : [];
  return { kind: 'transaction', says: { ...told, operations }, cost: { feeLimit, gasPrice } };
}

function operationSays(operation: JsonValue): JsonValue {
  if (!isJsonObject(operation)) return operation;
  const { setMetadata, payCoin } = operation;
  if (isJsonObject(setMetadata) && setMetadata.key === 'did.log')
    return { ...operation, setMetadata: { key: 'did.log', value: logSays(setMetadata.value) } };
  if (!isJsonObject(payCoin) || typeof payCoin.input !== 'string') return operation;
  return { ...operation, payCoin: { ...payCoin, input: nestedJson(payCoin.input) } };
}

/** The changes; which place they have in the log, and the number of a new key, only the ledger knows. */
function logSays(value: JsonValue | undefined): JsonValue {
  const entry = typeof value === 'string' ? jsonIn(value) : undefined;
  if (!isJsonObject(entry) || !Array.isArray(entry.changes)) return value ?? null;
  const { transaction } = entry;
  const changes = entry.changes.map((one) => {
    if (!isJsonObject(one) || one.change !== 'publishKey') return one;
    const { number: _next, ...key } = one;
    return key;
  });
  return { changes, chainId: isJsonObject(transaction) ? (transaction.chainId ?? null) : null };
}

/** Texts that are JSON, opened all the way: the order of members and spaces say nothing. */
function nestedJson(text: string): JsonValue {
  const inside = /^[[{]/.test(text) ? jsonIn(text) : undefined;
  return inside === undefined ? text : opened(inside);
}

function opened(value: JsonValue): JsonValue {
  if (typeof value === 'string') return nestedJson(value);
  if (Array.isArray(value)) return value.map(opened);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      /^remarkHash/.test(name) ? remarkSays(one) : opened(one),
    ]),
  );
}

/** A remark's hash is salted by the service: nobody else can tell what it is of, and it says nothing to anybody. */
const remarkSays = (value: JsonValue): JsonValue =>
  parseJson(JSON.stringify(value).replace(/"[0-9a-f]{64}"/g, '"a hash"'));

function plainText(bytes: Uint8Array): Statement {
  const text = Buffer.from(bytes).toString('utf8');
  const isText = /^[\x20-\x7e]+$/.test(text);
  return isText ? { kind: 'text', says: text } : { kind: 'bytes', says: hexOf(bytes) };
}

function jsonIn(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    // Not JSON.
    return undefined;
  }
}
