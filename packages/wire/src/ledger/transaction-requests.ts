/**
 * Requests that carry transactions: submitTransaction and testTransaction in both of their shapes, getTransactionBlob
 * and getTransactionFromBlob. Pure: shapes, hex and limits only; whether a transaction may run is decided by the
 * ledger.
 */
import { create } from '@bufbuild/protobuf';
import { parseHex } from '@symbolon/core/basics/bytes';
import { checkOperationCount } from '@symbolon/core/ledger/checks/check-transaction';
import { type LedgerRefusal, refuse } from '@symbolon/core/ledger/terms/codes';
import { transactionLimits } from '@symbolon/core/limits/consensus';
import { queryLimits } from '@symbolon/core/limits/requests';
import {
  type Signature,
  SignatureSchema,
  type Transaction,
  TransactionSchema,
} from '@symbolon/core/proto/ledger_pb';
import { invalid, isRefusal } from '../http/envelope.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts';
import { isReadError } from '../json/message-json.ts';
import type { QueryOf } from './parameters.ts';
import { readMembers, refuseUnknown } from './requests.ts';
import { evaluationMembers, signature as signatureSchema } from './schemas.ts';
import { isGiven } from './transaction-folds.ts';
import { transactionFromJson, transactionFromTrial } from './transaction-json.ts';
import { noteTextName } from './transaction-notes.ts';

/** Encoded keys are 76 characters; longer texts are not worth looking at. */
const keyTextLengthMax = 256;

const transactionNames = [...TransactionSchema.fields.map(({ name }) => name), noteTextName];

/** What the interface document says a transaction must have, besides its operations, which have codes of their own. */
const evaluatedTerms = ['source_address', 'nonce'];
const signedTerms = [...evaluatedTerms, 'fee_limit', 'gas_price'];

/** The body is the transaction, or holds it in `transfer`. */
export function readTransactionToEncode(_query: object, body: JsonObject) {
  if (!isGiven(body.transfer)) {
    const { transfer: _, ...bare } = body;
    return refuseUnknown(body, ['transfer', ...transactionNames]) ?? readTransaction(bare, signedTerms);
  }
  const unknown = refuseUnknown(body, ['transfer']);
  if (unknown) return unknown;
  return isJsonObject(body.transfer)
    ? readTransaction(body.transfer, signedTerms)
    : invalid('transfer: must be an object');
}

/** The bytes of a bare transaction, or of an envelope with signatures. */
export function readBlob({ blob: text, env }: QueryOf<'blob'>) {
  const blob = readBlobText(text);
  return isRefusal(blob) ? blob : { blob, isEnvelope: env === true };
}

/** One item of a submission, in the order it was sent. */
export type SubmitItem =
  | { readonly kind: 'signed'; readonly blob: Uint8Array; readonly signatures: readonly Signature[] }
  /** A test convenience: the node signs with keys that the request carries. */
  | { readonly kind: 'unsigned'; readonly transaction: Transaction; readonly privateKeys: readonly string[] }
  /** Refused before the ledger sees it; the blob, when it could be read, still names its hash. */
  | { readonly kind: 'refused'; readonly refusal: LedgerRefusal; readonly blob?: Uint8Array };

export interface SubmitRequest {
  readonly items: readonly SubmitItem[];
}

/** A list of items, or the interface document's single one with its signature beside the blob. */
export function readSubmit(_query: object, body: JsonObject): SubmitRequest | LedgerRefusal {
  const { items } = body;
  if (items === undefined) return { items: [readSubmission(body)] };
  const unknown = refuseUnknown(body, ['items']);
  if (unknown) return unknown;
  if (!Array.isArray(items)) return invalid('items: must be an array');
  if (items.length === 0) return invalid('items: nothing to submit');
  if (items.length > queryLimits.submitItemsMax)
    return invalid(`items: at most ${queryLimits.submitItemsMax}`);
  return { items: items.map(readSubmission) };
}

const signatureNames = Object.keys(signatureSchema.shape);
const signedNames = ['transaction_blob', 'signatures', ...signatureNames];
const submissionNames = [...signedNames, 'transaction_json', 'private_keys'];

function readSubmission(item: JsonValue): SubmitItem {
  if (!isJsonObject(item)) return refused(invalid('an item must be an object'));
  const unknown = refuseUnknown(item, submissionNames);
  if (unknown) return refused(unknown);
  return isGiven(item.transaction_json) ? readUnsigned(item, item.transaction_json) : readSigned(item);
}

function readSigned(item: JsonObject): SubmitItem {
  const blob = readBlobText(item.transaction_blob);
  if (isRefusal(blob)) return refused(blob);
  const strange = besides(item, ['private_keys'], 'does not go with transaction_blob');
  const beside = item.signatures ? besides(item, signatureNames, 'belongs into signatures') : undefined;
  const signatures = strange ?? beside ?? readSignatures(item);
  return isRefusal(signatures) ? refused(signatures, blob) : { kind: 'signed', blob, signatures };
}

/** Refuses what stands beside that which is read: it would be passed over. */
function besides(item: JsonObject, names: readonly string[], reason: string): LedgerRefusal | undefined {
  const isSaid = (said: JsonValue | undefined) =>
    isGiven(said) && !(Array.isArray(said) && said.length === 0);
  const found = names.find((name) => isSaid(item[name]));
  return found === undefined ? undefined : invalid(`${found}: ${reason}`);
}

const refused = (refusal: LedgerRefusal, blob?: Uint8Array): SubmitItem => ({
  kind: 'refused',
  refusal,
  blob,
});

function readUnsigned(item: JsonObject, json: JsonValue): SubmitItem {
  const { private_keys: keys } = item;
  if (!isJsonObject(json)) return refused(invalid('transaction_json: must be an object'));
  const beside = besides(item, signedNames, 'does not go with transaction_json');
  if (beside) return refused(beside);
  const request = readTransaction(json, signedTerms);
  if (isRefusal(request)) return refused(request);
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > transactionLimits.signaturesMax)
    return refused(invalid('private_keys: must be a list of keys'));
  const privateKeys = keys.filter((key) => typeof key === 'string' && key.length <= keyTextLengthMax);
  if (privateKeys.length < keys.length) return refused(refuse('invalidPrivateKey'));
  return { kind: 'unsigned', transaction: request.transaction, privateKeys: privateKeys as string[] };
}

/** Those of the list, or the one that stands in the item itself. */
function readSignatures(item: JsonObject): Signature[] | LedgerRefusal {
  const json = item.signatures ?? null;
  if (json === null) {
    const signature = readSignature(item);
    return isRefusal(signature) ? signature : [signature];
  }
  if (!Array.isArray(json)) return invalid('signatures: must be an array');
  if (json.length > transactionLimits.signaturesMax)
    return invalid(`signatures: at most ${transactionLimits.signaturesMax}`);
  const signatures: Signature[] = [];
  for (const entry of json) {
    const signature = readListedSignature(entry);
    if (isRefusal(signature)) return signature;
    signatures.push(signature);
  }
  return signatures;
}

function readListedSignature(json: JsonValue): Signature | LedgerRefusal {
  if (!isJsonObject(json)) return invalid('signatures: an element must be an object');
  const unknown = refuseUnknown(json, signatureNames);
  if (unknown) return invalid(`signatures: ${unknown.description}`);
  return readSignature(json);
}

function readSignature(json: JsonObject): Signature | LedgerRefusal {
  const { public_key: publicKey, sign_data: signText } = json;
  const absent = signatureNames.find((name) => !isGiven(json[name]));
  if (absent) return invalid(`${absent}: is missing`);
  if (typeof publicKey !== 'string' || publicKey.length > keyTextLengthMax)
    return invalid('public_key: must be hex');
  const signData = typeof signText === 'string' ? parseHex(signText) : undefined;
  if (!signData) return invalid('sign_data: must be hex');
  return create(SignatureSchema, { publicKey, signData });
}

function readBlobText(text: JsonValue = null): Uint8Array | LedgerRefusal {
  if (!isGiven(text)) return invalid('transaction_blob: is missing');
  if (typeof text !== 'string') return invalid('transaction_blob: must be hex');
  if (text.length > transactionLimits.envelopeBytesMax * 2) return refuse('transactionTooBig');
  return parseHex(text) ?? invalid('transaction_blob: must be hex of even length');
}

export type TestRequest = {
  /** How many signatures the evaluated fee must cover. */
  readonly signatureCount: number;
} & (
  | { readonly transaction: Transaction; readonly blob?: undefined }
  | { readonly blob: Uint8Array; readonly transaction?: undefined }
);

const evaluationNames = [...submissionNames, ...Object.keys(evaluationMembers)];

/** One item with a transaction as JSON or blob, or the interface document's flat body. */
export function readTest(_query: object, body: JsonObject): TestRequest | LedgerRefusal {
  const { items } = body;
  if (items === undefined) return readFlatTest(body);
  const unknown = refuseUnknown(body, ['items']);
  if (unknown) return unknown;
  const [item] = Array.isArray(items) ? items : [];
  if (!Array.isArray(items) || items.length !== 1 || !isJsonObject(item))
    return invalid('items: exactly one transaction can be evaluated at a time');
  return refuseUnknown(item, evaluationNames) ?? readEvaluation(item, item.transaction_json);
}

/** Also a single item that is not in a list. */
function readFlatTest(body: JsonObject): TestRequest | LedgerRefusal {
  if (isGiven(body.transaction_json) || isGiven(body.transaction_blob))
    return refuseUnknown(body, evaluationNames) ?? readEvaluation(body, body.transaction_json);
  const { signature_number: _, ...transaction } = body;
  return refuseUnknown(body, ['signature_number', ...transactionNames]) ?? readEvaluation(body, transaction);
}

function readEvaluation(item: JsonObject, json: JsonValue | undefined): TestRequest | LedgerRefusal {
  const signatureCount = readSignatureCount(item);
  if (isRefusal(signatureCount)) return signatureCount;
  if (item.transaction_blob !== undefined && !isJsonObject(item.transaction_json)) {
    const blob = readBlobText(item.transaction_blob);
    return isRefusal(blob) ? blob : { blob, signatureCount };
  }
  if (!isJsonObject(json)) return invalid('transaction_json: must be an object');
  const request = readTransaction(json, evaluatedTerms, transactionFromTrial);
  return isRefusal(request) ? request : { ...request, signatureCount };
}

/** What is said, else what is sent, else one. */
function readSignatureCount(item: JsonObject): number | LedgerRefusal {
  const members = readMembers(item, evaluationMembers);
  if (isRefusal(members)) return members;
  const said = members.signature_number;
  if (said < 0n || said > BigInt(transactionLimits.signaturesMax))
    return invalid(`signature_number: must be 1 to ${transactionLimits.signaturesMax}`);
  if (said > 0n) return Number(said);
  return Array.isArray(item.signatures) && item.signatures.length > 0
    ? Math.min(item.signatures.length, transactionLimits.signaturesMax)
    : 1;
}

function readTransaction(
  json: JsonObject,
  terms: readonly string[],
  read = transactionFromJson,
): { readonly transaction: Transaction } | LedgerRefusal {
  const transaction = read(json);
  if (isReadError(transaction)) return invalid(transaction.error);
  const missing = terms.find((name) => !isGiven(json[name]));
  if (missing !== undefined) return invalid(`${missing}: is missing`);
  return checkOperationCount(transaction) ?? { transaction };
}
