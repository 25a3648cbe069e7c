/**
 * Turns requests about templates, issuance, statuses and BBS+ keys into requests of the inside: one name for each
 * thing, bytes instead of their spellings, dates in one form. It knows shapes only; whether a template exists or a
 * signature is good is for the handlers. Presentations are read in `presentation-requests.ts`.
 */
import { encodeUtf8, parseBase64 } from '@symbolon/core/basics/bytes';
import { CanonicalJsonError, canonicalJson } from '@symbolon/core/basics/jcs';
import { credentialRequestLimits as limits } from '@symbolon/core/limits/requests';
import type { WithBody } from '../http/schema-parts.ts';
import { jsonPointer, malformedAt } from '../http/service-route.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../json/json.ts';
import { type GivenPresence, readPresence } from './presence-requests.ts';
import {
  type AttributePlaces,
  attributePlaces,
  type GivenAttributes,
  type PublicKeyGiven,
  parseDocumentText,
  readAttributes,
  readBbsPublicKey,
  readBbsSecretKey,
  readBbsSignature,
  readInstant,
  readPublicKey,
  readSignature,
  readWindow,
  refuseOthers,
} from './request-encodings.ts';
import type * as schemas from './schemas.ts';
import { orderedElementNames } from './schemas.ts';

// Templates

/** An attribute as the issuer wrote it; the rules of templates decide what type and format are. */
export interface AttributeDraft {
  readonly key: string;
  readonly label: string;
  readonly type: number | string | undefined;
  readonly format: string;
  readonly mandatory: boolean;
}

export interface TemplateDraftRequest {
  readonly name: string;
  readonly version: string;
  readonly issuer: string;
  readonly attributes: readonly AttributeDraft[];
  readonly remark?: string;
  /** Whether entries that bind no contents count for its credentials. */
  readonly acceptsUnbound?: true;
}

export function readTemplateDraft({ body }: WithBody<typeof schemas.templateDraft>): TemplateDraftRequest {
  const issuers = [body.issuerDid, body.issuerDID, body.issuerZid, body.issuerZID].filter(
    (one) => one !== undefined,
  );
  const [issuer] = issuers;
  if (!issuer) throw malformedAt('/issuerDid');
  if (issuers.some((other) => other !== issuer))
    throw malformedAt('/issuerDid', 'is given twice, differently');
  return {
    name: body.templateName,
    version: body.version,
    issuer,
    attributes: body.credentialFormat.map(({ attribute, key, type, format, mandatory }) => ({
      key,
      label: attribute,
      type,
      format,
      mandatory: Boolean(mandatory),
    })),
    ...(body.remark && { remark: body.remark }),
    ...(body.acceptUnbound === true && { acceptsUnbound: true }),
  };
}

export const readTemplateWithKey = ({ body }: WithBody<typeof schemas.templateWithKey>) => ({
  ...readTemplateDraft({ body }),
  privateKey: body.issuerPrivateKey,
});

export interface BlobSigner {
  readonly signature: Uint8Array;
  readonly publicKey: PublicKeyGiven;
}

export interface SignedBlobRequest {
  readonly blobId: string;
  readonly signers: readonly [BlobSigner, ...BlobSigner[]];
}

export function readSignedBlob({ body }: WithBody<typeof schemas.signedBlob>): SignedBlobRequest {
  const { signerList, signBlob, publicKey } = body;
  const readSigner = (given: { signBlob: string; publicKey: string }, place: string): BlobSigner => ({
    signature: readSignature(given.signBlob, `${place}/signBlob`),
    publicKey: readPublicKey(given.publicKey, `${place}/publicKey`),
  });
  const blobId = readBlobId(body.blobId);
  if (signerList) {
    const [first, ...others] = signerList.map((given, index) => readSigner(given, `/signerList/${index}`));
    return { blobId, signers: [first, ...others] };
  }
  if (signBlob === undefined) throw malformedAt('/signBlob');
  if (publicKey === undefined) throw malformedAt('/publicKey');
  return { blobId, signers: [readSigner({ signBlob, publicKey }, '')] };
}

/** The service writes upper case; what it is compared with must be the same text. */
export const readBlobId = (text: string): string => text.trim().toUpperCase();

/** Identifiers end in hex, which the service writes in lower case. */
export const readIdentifier = (text: string): string => text.trim().toLowerCase();

// Issuance

export interface ApplicationRequest {
  readonly templateId: string;
  readonly attributes: GivenAttributes;
  readonly places: AttributePlaces;
  readonly signature: Uint8Array;
  readonly publicKey: PublicKeyGiven | undefined;
  /** The texts whose UTF-8 bytes the holder may have signed. Each of them says the same as the request. */
  readonly signedTexts: readonly [string, ...string[]];
  /** What was signed instead of these. */
  readonly presence: GivenPresence | undefined;
}

/** What wallets of the family sign with an application; the last two say nothing here. */
const appliedElementNames = ['templateId', 'metadata', 'tds', 'passDesignId'];

/** The flat form of the interface, or the older one with everything in the only element of `data`. */
export function readApplicationRequest({ body }: WithBody<typeof schemas.application>): ApplicationRequest {
  const place = body.data ? '/data/0' : '';
  const element = body.data?.[0];
  if (element) refuseOthers(element, appliedElementNames, (name) => place + jsonPointer([name]));
  const { templateId, metadata } = element ?? body;
  const textOf = (value: JsonValue | undefined) => (value === undefined ? undefined : stringifyJson(value));
  onlyOf({ '/data/0/templateId': element?.templateId, '/templateId': body.templateId });
  onlyOf({ '/data/0/metadata': textOf(element?.metadata), '/metadata': textOf(body.metadata) });
  if (typeof templateId !== 'string' || templateId === '') throw malformedAt(`${place}/templateId`);
  if (templateId.length > limits.nameCharsMax) throw malformedAt(`${place}/templateId`, 'is too long');
  if (metadata === undefined) throw malformedAt(`${place}/metadata`);
  const key = onlyOf({ '/publicKey': body.publicKey, '/holderPublicKey': body.holderPublicKey });
  return {
    templateId: readIdentifier(templateId),
    attributes: readAttributes(metadata, `${place}/metadata`),
    places: attributePlaces(metadata, `${place}/metadata`),
    signature: readSignature(body.signData, '/signData'),
    publicKey: key && readPublicKey(key.value, key.pointer),
    signedTexts: applicationTexts({ templateId, metadata }, body.data),
    presence: readPresence(body.signedText),
  };
}

/** The canonical one first: a text with a moment names its hash. */
function applicationTexts(pair: JsonObject, data: JsonObject[] | undefined): readonly [string, ...string[]] {
  const canonical = canonicalText(pair);
  const others = [stringifyJson(pair), ...(data ? [stringifyJson(data)] : [])];
  return [canonical, ...others.filter((other) => other !== canonical)];
}

function canonicalText(value: JsonValue): string {
  try {
    return canonicalJson(value);
  } catch (cause) {
    if (!(cause instanceof CanonicalJsonError)) throw cause;
    throw malformedAt('/metadata', `cannot be signed: ${cause.message}`);
  }
}

export interface CreationRequest {
  readonly vcId: string;
  readonly templateId: string | undefined;
  readonly validFrom: string | undefined;
  readonly validUntil: string;
  /** What the issuer fills in or corrects: every key must be one of the template. */
  readonly attributes: GivenAttributes;
  readonly places: AttributePlaces;
  /** `metadata`: what the issuer notes beside the draft. No word of it goes into the credential. */
  readonly context: string | undefined;
}

export function readCreation({ body }: WithBody<typeof schemas.creation>): CreationRequest {
  const element = body.data?.[0];
  const issued = readIssuanceData(body.issuanceData);
  const template = onlyOf<JsonValue>({
    '/templateId': body.templateId,
    '/data/0/templateId': element?.templateId,
    [issued.templatePlace]: issued.templateId,
  });
  if (template && typeof template.value !== 'string') throw malformedAt(template.pointer, 'must be text');
  const { expiredDate, validUntil, expirationDate, validFrom, issuanceDate } = body;
  const until = onlyOf({
    '/expiredDate': expiredDate,
    '/validUntil': validUntil,
    '/expirationDate': expirationDate,
  });
  if (!until) throw malformedAt('/expiredDate');
  const from = onlyOf({ '/validFrom': validFrom, '/issuanceDate': issuanceDate });
  return {
    vcId: readIdentifier(body.vcId),
    templateId: template && readIdentifier(template.value as string),
    validFrom: from && readInstant(from.value, from.pointer),
    validUntil: readInstant(until.value, until.pointer),
    ...mergeAttributes(
      issued,
      element?.metadata === undefined ? noAttributes : attributesAt(element.metadata, '/data/0/metadata'),
    ),
    context: readContext(body.metadata),
  };
}

/** The one value that members with the same meaning have; whichever of two was taken, the other would be dropped. */
function onlyOf<Value extends JsonValue>(
  members: Readonly<Record<string, Value | undefined>>,
): { readonly pointer: string; readonly value: Value } | undefined {
  const [first, ...others] = Object.entries(members).filter(([, value]) => value !== undefined);
  const other = others.find(([, value]) => value !== first[1]);
  if (other) throw malformedAt(other[0], `says something else than ${first[0]}`);
  return first && { pointer: first[0], value: first[1] as Value };
}

function readContext(given: JsonValue | undefined): string | undefined {
  if (given === undefined || given === '') return undefined;
  const context = typeof given === 'string' ? given : stringifyJson(given);
  if (context.length > limits.noteCharsMax)
    throw malformedAt('/metadata', `must have at most ${limits.noteCharsMax} characters`);
  return context;
}

type AttributesGiven = Pick<CreationRequest, 'attributes' | 'places'>;

const issuanceDataPlace = '/issuanceData';
const noAttributes: AttributesGiven = {
  attributes: new Map(),
  places: { whole: issuanceDataPlace, each: new Map() },
};

const attributesAt = (given: JsonValue, pointer: string): AttributesGiven => ({
  attributes: readAttributes(given, pointer, { isOrder: true }),
  places: attributePlaces(given, pointer),
});

interface IssuanceData extends AttributesGiven {
  /** Where it is of the form of `data`. */
  readonly templateId?: JsonValue;
  readonly templatePlace: string;
}

/** "Credential content": attributes, as JSON or as text of it, or the same as `data`, `[{templateId, metadata}]`. */
function readIssuanceData(given: JsonValue | undefined): IssuanceData {
  const whole = issuanceDataPlace;
  if (given === undefined || (typeof given === 'string' && given.trim() === ''))
    return { ...noAttributes, templatePlace: whole };
  const isText = typeof given === 'string';
  const at = (...parts: (string | number)[]): string => (isText ? whole : whole + jsonPointer(parts));
  const document = isText ? parseDocumentText(given) : given;
  if (document === undefined)
    throw malformedAt(whole, 'must be JSON of the attributes; a date goes into validFrom');
  const only = Array.isArray(document) && document.length === 1 ? document[0] : undefined;
  const wrapped = isJsonObject(only) && isJsonObject(only.metadata) ? only : undefined;
  if (wrapped) refuseOthers(wrapped, orderedElementNames, (name) => at(0, name));
  const content = wrapped?.metadata ?? document;
  return {
    ...(isText
      ? { ...noAttributes, attributes: readAttributes(content, whole, { isText, isOrder: true }) }
      : attributesAt(content, wrapped ? at(0, 'metadata') : whole)),
    ...(wrapped && { templateId: wrapped.templateId ?? undefined }),
    templatePlace: at(0, 'templateId'),
  };
}

function mergeAttributes(left: AttributesGiven, right: AttributesGiven): AttributesGiven {
  for (const [key, value] of right.attributes) {
    if (left.attributes.has(key) && left.attributes.get(key) !== value) {
      const pointer = right.places.each.get(key) ?? right.places.whole;
      throw malformedAt(pointer, 'differs from the same in issuanceData');
    }
  }
  const { whole } = left.attributes.size > 0 ? left.places : right.places;
  return {
    attributes: new Map([...left.attributes, ...right.attributes]),
    places: { whole, each: new Map([...left.places.each, ...right.places.each]) },
  };
}

export type SubmissionRequest = ReturnType<typeof readSubmission>;

export const readSubmission = ({ body }: WithBody<typeof schemas.submission>) => ({
  vcId: readIdentifier(body.vcId),
  publicKey: readPublicKey(body.ed25519PubKey, '/ed25519PubKey'),
  signature: readSignature(body.ed25519SignData, '/ed25519SignData'),
  bbsPublicKey: readBbsPublicKey(body.bbsBlsPubKey, '/bbsBlsPubKey'),
  bbsSignature: readBbsSignature(body.bbsBlsSignData, '/bbsBlsSignData'),
  downloadWindow: readWindow(body.keyExpiry, '/keyExpiry'),
});

export function readDownload({ body }: WithBody<typeof schemas.downloadBody>) {
  const vcId = readIdentifier(body.vcId);
  const signature = readSignature(body.signVcId, '/signVcId');
  const signedTexts = [...new Set([body.vcId, vcId])];
  return { vcId, signature, isIssuer: body.isIssuer, signedTexts, presence: readPresence(body.signedText) };
}

export const readRejection = ({ body }: WithBody<typeof schemas.rejection>) => ({
  vcId: readIdentifier(body.vcId),
  reason: body.reason,
});

// Status

export interface StatusChangeRequest {
  /** Without repetition. */
  readonly vcIds: readonly [string, ...string[]];
  readonly issuerAddress: string;
  readonly remark: string | undefined;
}

export const readStatusChange = ({
  body: { vcId, ...body },
}: WithBody<typeof schemas.statusChange>): StatusChangeRequest =>
  readBulkRevocation({ body: { ...body, vcIds: [vcId] } });

export function readBulkRevocation({ body }: WithBody<typeof schemas.bulkRevocation>): StatusChangeRequest {
  const [first, ...others] = new Set(body.vcIds.map(readIdentifier));
  return { vcIds: [first, ...others], issuerAddress: body.issuerAddress.trim(), remark: body.remark };
}

export type StatusRequest = ReturnType<typeof readStatusQuestion>;

/** The issuer: an address or a DID. */
export const readStatusQuestion = (given: { readonly vcId: string; readonly issuer?: string }) => ({
  vcId: readIdentifier(given.vcId),
  issuer: given.issuer?.trim(),
});

// BBS+ utilities

export interface BbsSigningRequest {
  /** The application whose draft the messages are of; without one they are plain texts. */
  readonly vcId: string | undefined;
  readonly publicKey: Uint8Array;
  readonly secretKey: Uint8Array | undefined;
  readonly messages: readonly Uint8Array[];
}

export function readBbsSigningOrder({ body }: WithBody<typeof schemas.bbsSigningOrder>): BbsSigningRequest {
  const secret = body.privateKeyMultibase;
  if (body.vcId === undefined && body.data.length > limits.attributesMax)
    throw malformedAt('/data', `must have at most ${limits.attributesMax} elements`);
  return {
    vcId: body.vcId === undefined ? undefined : readIdentifier(body.vcId),
    publicKey: readBbsPublicKey(body.publicKeyMultibase, '/publicKeyMultibase'),
    secretKey: secret === undefined ? undefined : readBbsSecretKey(secret, '/privateKeyMultibase'),
    messages: body.data.map((text, index) => readMessage(text, body.encoding, `/data/${index}`)),
  };
}

function readMessage(text: string, encoding: 'utf8' | 'base64', pointer: string): Uint8Array {
  if (encoding === 'base64') {
    const bytes = parseBase64(text);
    if (!bytes) throw malformedAt(pointer, 'must be base64');
    return bytes;
  }
  if (/\p{Surrogate}/u.test(text)) throw malformedAt(pointer, 'must be well-formed text');
  return encodeUtf8(text);
}

// Pages

export const readPage = (query: { readonly cursor?: string; readonly limit?: string }) => ({
  cursor: query.cursor,
  itemsMax: query.limit === undefined ? limits.pageItemsDefault : Number(query.limit),
});
