/**
 * The steps of a credential's life over HTTP, as the parties take them: what each sends and signs, nothing that the
 * service would share with them. Every step exists as a request body, so that a test can spoil it, and as a whole call
 * that must succeed.
 */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import type { AttributeFormat } from '@symbolon/core/attributes/attribute-formats';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import type { AttributeTypeCode } from '@symbolon/core/documents/model';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import type { Person } from './people.ts';
import type { ServiceAnswer } from './service-http.ts';

export interface Party extends Person {
  readonly did: string;
  readonly apiKey: string;
}
export interface Issuer extends Party {
  /** Of the key that the service keeps and the DID document shows. */
  readonly bbsPublicKey: string;
}

/** Sends a body to a path of the service, for a caller with an API key or without. */
export type Post = (
  path: string,
  body: JsonValue,
  as?: { readonly apiKey: string },
) => Promise<ServiceAnswer>;

export const paths = {
  templateBlob: '/cred/tds/template/blob/create',
  templateCreate: '/cred/tds/template/create',
  templateSubmit: '/cred/tds/template/submit',
  apply: '/cred/v1/vc/apply',
  create: '/cred/v1/vc/create',
  submit: '/cred/v1/vc/submit',
  download: '/cred/v1/vc/download',
  revokeBlob: '/cred/v1/vc/revoke/create-blob',
  revokeSubmit: '/cred/v1/vc/revoke/submit',
  bbsCreate: '/cred/bbs/create',
  bbsSign: '/cred/bbs/vc/sign',
  present: '/cred/v1/vp/create',
  presentSubmit: '/cred/v1/vp/submit',
  verify: '/cred/v1/vp/verify',
} as const;

/** The sealed form of a path: `enc` before its last part. */
export const sealedPath = (path: string): string => path.replace(/\/([^/]+)$/, '/enc/$1');

/** A signature over what a blob says, in hex. */
export const signBlob = (signer: Person, blob: unknown): string =>
  Buffer.from(signer.sign(Buffer.from(blob as string, 'hex'))).toString('hex');

export const signText = (signer: Person, text: string): string =>
  Buffer.from(signer.sign(Buffer.from(text, 'utf8'))).toString('hex');

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

interface Attribute extends JsonObject {
  attribute: string;
  format: AttributeFormat;
  key: string;
  mandatory: boolean;
  type: AttributeTypeCode;
}
export const attribute = (
  key: string,
  format: AttributeFormat,
  type: AttributeTypeCode,
  mandatory = true,
): Attribute => ({
  attribute: `The ${key}`,
  format,
  key,
  mandatory,
  type,
});

/** Twelve attributes of every type. */
export const twelveAttributes: readonly Attribute[] = [
  attribute('fullName', 'string', 1),
  attribute('photo', 'image/png', 2),
  attribute('birthDate', 'date', 5),
  attribute('nationality', 'string', 1),
  attribute('height', 'integer', 3),
  attribute('income', 'decimal', 4),
  attribute('isResident', 'boolean', 7),
  attribute('enteredAt', 'date-time', 6),
  attribute('email', 'email', 1),
  attribute('city', 'string', 1),
  attribute('documentNumber', 'string', 1),
  attribute('remark', 'string', 1, false),
];

export const twelveValues: Readonly<Record<string, string>> = {
  fullName: 'Aroha Ngata',
  photo: png,
  birthDate: '1990-05-17',
  nationality: 'NZ',
  height: '171',
  income: '52000.50',
  isResident: 'true',
  enteredAt: '2019-08-01T09:30:00Z',
  email: 'aroha@example.org',
  city: 'Dunedin',
  documentNumber: 'LK-0042',
};

/** Two attributes, where the credential's content does not matter. */
export const fewAttributes: readonly Attribute[] = [
  attribute('fullName', 'string', 1),
  attribute('birthDate', 'date', 5),
];
export const fewValues: Readonly<Record<string, string>> = {
  fullName: 'Aroha Ngata',
  birthDate: '1990-05-17',
};

export interface TemplateOrder {
  readonly templateName: string;
  readonly version?: string;
  readonly attributes?: readonly Attribute[];
}

export const templateBody = (
  issuer: Party,
  { templateName, version = '1.0.0', attributes = fewAttributes }: TemplateOrder,
): JsonObject => ({
  templateName,
  issuerDid: issuer.did,
  credentialFormat: attributes as Attribute[],
  version,
});

export const signedBlobBody = (signer: Person, { blobId, blob }: JsonObject): JsonObject => ({
  blobId,
  signBlob: signBlob(signer, blob),
  publicKey: signer.publicKey,
});

export function applyBody(holder: Person, templateId: string, values = fewValues): JsonObject {
  const metadata = Object.entries(values).map(([key, value]) => ({ key, value }));
  const signData = signText(holder, canonicalJson({ templateId, metadata }));
  return { templateId, metadata, signData, holderPublicKey: holder.publicKey };
}

/** A text to sign that shows who is there: written from the documents, not with the house's own code. */
export const presenceLines = (
  purpose: string,
  subject: string,
  { audience, nowMs = Date.now(), challenge, nonce }: PresenceOrder,
): string =>
  [
    'symbolon-presence-v1',
    `purpose: ${purpose}`,
    `audience: ${audience}`,
    `subject: ${subject}`,
    `created: ${new Date(nowMs).toISOString().slice(0, 19)}Z`,
    ...(challenge === undefined ? [] : [`challenge: ${challenge}`]),
    ...(nonce === undefined ? [] : [`nonce: ${nonce}`]),
  ].join('\n');

export interface PresenceOrder {
  readonly audience: string;
  readonly nowMs?: number;
  readonly challenge?: string;
  readonly nonce?: string;
}

/** The service that texts are signed for, and its clock. */
export interface SignedFor {
  readonly audience: string;
  readonly nowMs: () => number;
}

export const sha256Of = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** What a holder signs about an application, with its moment. */
export const applicationText = ({ templateId, metadata }: JsonObject, order: PresenceOrder): string =>
  presenceLines('application', sha256Of(canonicalJson({ templateId, metadata })), order);

/** An application with a moment of its own: the same again is another one. */
export function timedApplyBody(
  holder: Person,
  templateId: string,
  { audience, nowMs, values }: SignedFor & { readonly values?: Readonly<Record<string, string>> },
): JsonObject {
  const body = applyBody(holder, templateId, values);
  const signedText = applicationText(body, { audience, nowMs: nowMs(), nonce: randomUUID() });
  return { ...body, signData: signText(holder, signedText), signedText };
}

export const paidApplicationText = (data: string, order: PresenceOrder): string =>
  presenceLines('paid-application', sha256Of(data), order);

export const createBody = (vcId: string, templateId: string): JsonObject => ({
  vcId,
  issuanceData: '',
  expiredDate: '2099-12-31',
  templateId,
  metadata: '',
});

export const submitBody = (
  issuer: Issuer,
  vcId: string,
  { ed25519Blob, bbsBlsBase64 }: JsonObject,
): JsonObject => ({
  vcId,
  ed25519PubKey: issuer.publicKey,
  ed25519SignData: signBlob(issuer, ed25519Blob),
  bbsBlsPubKey: issuer.bbsPublicKey,
  bbsBlsSignData: bbsBlsBase64,
});

export const downloadBody = (signer: Person, vcId: string, isIssuer = false): JsonObject => ({
  vcId,
  signVcId: signText(signer, vcId),
  isIssuer,
});

export const revokeBody = (issuer: Person, vcId: string): JsonObject => ({
  vcId,
  remark: 'no longer true',
  issuerAddress: issuer.address,
});

export const presentSubmitBody = (holder: Person, { blobId, blob }: JsonObject): JsonObject => ({
  blobId,
  ed25519SignData: signBlob(holder, blob),
  ed25519PubKey: holder.publicKey,
});

/** The body of an answer that must have succeeded. */
export function ok(answer: ServiceAnswer): JsonObject {
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** The whole steps, over one way of posting; applications have a moment where it is known whom they are signed for. */
export function createSteps(post: Post, signedFor?: SignedFor) {
  const steps = {
    post,

    /** Registers a template and answers `{templateId, txHash}`. */
    async registerTemplate(issuer: Party, order: TemplateOrder): Promise<JsonObject> {
      const blob = ok(await post(paths.templateBlob, templateBody(issuer, order), issuer));
      return ok(await post(paths.templateSubmit, signedBlobBody(issuer, blob), issuer));
    },

    async apply(holder: Person, templateId: string, values?: Readonly<Record<string, string>>) {
      const body = signedFor
        ? timedApplyBody(holder, templateId, { ...signedFor, ...(values && { values }) })
        : applyBody(holder, templateId, values);
      return ok(await post(paths.apply, body)).vcId as string;
    },

    async create(issuer: Issuer, vcId: string, templateId: string): Promise<JsonObject> {
      return ok(await post(paths.create, createBody(vcId, templateId), issuer));
    },

    async submit(issuer: Issuer, vcId: string, created: JsonObject): Promise<JsonObject> {
      return ok(await post(paths.submit, submitBody(issuer, vcId, created)));
    },

    /** From application to issued credential. */
    async issue(
      { issuer, holder }: { readonly issuer: Issuer; readonly holder: Person },
      templateId: string,
      values?: Readonly<Record<string, string>>,
    ): Promise<{ vcId: string; vc: JsonObject }> {
      const vcId = await steps.apply(holder, templateId, values);
      const created = await steps.create(issuer, vcId, templateId);
      const { vcObject } = await steps.submit(issuer, vcId, created);
      return { vcId, vc: vcObject as JsonObject };
    },

    async revoke(issuer: Party, vcId: string): Promise<JsonObject> {
      const blob = ok(await post(paths.revokeBlob, revokeBody(issuer, vcId)));
      return ok(await post(paths.revokeSubmit, signedBlobBody(issuer, blob)));
    },

    /** The signed presentation. */
    async present(holder: Person, order: JsonObject): Promise<JsonObject> {
      const blob = ok(await post(paths.present, order));
      const { vpObject } = ok(await post(paths.presentSubmit, presentSubmitBody(holder, blob)));
      return vpObject as JsonObject;
    },
  };
  return steps;
}
export type Steps = ReturnType<typeof createSteps>;
