/**
 * What the service keeps of a credential on its way from application to ledger, and how a draft is made: values of
 * holder and issuer put together, the credential assembled, the BBS+ signature made where the service holds the
 * issuer's key. No state is changed here.
 */
import { randomBytes } from 'node:crypto';
import { decodeUtf8, encodeHex } from '@symbolon/core/basics/bytes';
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { isBlank } from '@symbolon/core/basics/plain-text';
import { contentsCommitment, issuerSigningInput } from '@symbolon/core/credential/credential-assembly';
import { encodeProofValue, saltBytes } from '@symbolon/core/credential/credential-shapes';
import { issuerProofOptions } from '@symbolon/core/credential/issuer-proof-options';
import {
  type ArrivedValue,
  type AttributeValues,
  attributesInvalid,
  readAttributeValues,
} from '@symbolon/core/credential/template-rules';
import { encodeBbsPublicKey } from '@symbolon/core/did/did';
import type { DocumentKey } from '@symbolon/core/did/did-document';
import type {
  ContentsCommitment,
  IssuerProofOptions,
  Template,
  UnsignedCredential,
} from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import type { BbsMessage, SignOrder } from '@symbolon/core/proofs/proof-engine';
import { sha256 } from '@symbolon/host/work/sha256';
import type { AttributePlaces, GivenAttributes } from '@symbolon/wire/credentials/request-encodings';
import type { CreationRequest } from '@symbolon/wire/credentials/requests';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { ServiceParts } from '../parts/service-parts.ts';
import { findBbsKey } from '../vault/caller-keys.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import type { ApplicationRow } from './application-rows.ts';

export interface CredentialDraft {
  readonly credential: UnsignedCredential;
  readonly options: IssuerProofOptions;
  /** New with every draft: nothing signed for an earlier one fits. */
  readonly contents: ContentsCommitment;
  /** Hex of the signature that the service made; absent where the issuer keeps its key elsewhere. */
  readonly bbs?: { readonly publicKey: string; readonly signature: string };
  /** What the issuer noted beside it. */
  readonly context?: string;
  /** Hex of what was to be signed for the drafts that it stands in for, the last few; absent in older ones. */
  readonly replaced?: readonly string[];
  /** Of the request that it was made for. */
  readonly repeatMark?: string;
}

/** Values as they arrived, with the place that a complaint points to. */
export const arrivedValues = (given: GivenAttributes, { whole, each }: AttributePlaces): ArrivedValue[] =>
  [...given].map(([key, value]) => ({ key, value, pointer: each.get(key) ?? whole }));

export interface DraftOrder {
  readonly template: Template;
  readonly application: Pick<ApplicationRow, 'vcId' | 'holder'>;
  /** What the holder applied with. */
  readonly values: AttributeValues;
  readonly request: Omit<CreationRequest, 'vcId' | 'templateId'>;
}

export async function makeDraft(parts: ServiceParts, order: DraftOrder): Promise<CredentialDraft> {
  const { template, application, request } = order;
  const now = parts.clock.nowMs();
  const validFrom = request.validFrom ?? instantTextOfUnixMs(now);
  if (Date.parse(request.validUntil) <= now) {
    throw new Fault('validityInvalid', { detail: 'The credential would have expired already' });
  }
  const credential = parts.format.assembleCredential({
    id: application.vcId,
    template,
    holder: application.holder,
    values: mergedValues(order),
    validFrom,
    validUntil: request.validUntil,
    registry: { networkId: parts.profile.networkId, address: parts.ledger.registries.credentials },
  });
  const contents = await commitTo(parts, credential);
  const bbs = await signWithKeptKey(parts, { credential, contents });
  return {
    credential,
    options: issuerProofOptions(credential, instantTextOfUnixMs(now)),
    contents,
    ...(bbs && { bbs }),
    ...(request.context !== undefined && { context: request.context }),
  };
}

/** The issuer's word goes over the holder's, and is never that a value of the holder's shall be gone. */
function mergedValues({ template, values, request }: DraftOrder): AttributeValues {
  const { attributes, places: at } = request;
  const pointer = at.whole;
  const arrived = arrivedValues(attributes, at);
  const blanks = arrived.filter(
    ({ key, value }) => typeof value === 'string' && isBlank(value) && Object.hasOwn(values, String(key)),
  );
  if (blanks.length > 0) throw attributesInvalid(blanks.map(blankOverValue));
  const byIssuer = readAttributeValues(template, arrived, { pointer, isComplete: false });
  const merged = new Map(Object.entries({ ...values, ...byIssuer }));
  return readAttributeValues(template, arrivedValues(merged, at), { pointer });
}

const blankOverValue = ({ key, pointer }: ArrivedValue) => ({
  pointer,
  detail:
    `${key} is blank, and the holder applied with a value: leave it out to keep that one, give another, ` +
    'or reject the application',
});

type DraftContents = Pick<CredentialDraft, 'credential' | 'contents'>;

async function commitTo(
  { format, proofs }: Pick<ServiceParts, 'format' | 'proofs'>,
  credential: UnsignedCredential,
): Promise<ContentsCommitment> {
  const salt = encodeProofValue(randomBytes(saltBytes));
  return contentsCommitment(salt, await proofs.commit(format.signedContents(credential, salt, sha256)));
}

/** What the issuer's BBS+ key signs. */
export const signingTask = (
  { format }: Pick<ServiceParts, 'format'>,
  { credential, contents }: DraftContents,
): Pick<SignOrder, 'interface' | 'header' | 'messages'> => ({
  interface: 'typed',
  ...format.signedContents(credential, contents.salt, sha256),
});

/** The BBS+ keys that an issuer publishes now, newest first. */
export async function publishedBbsKeys(
  { resolver }: Pick<ServiceParts, 'resolver'>,
  issuer: string,
): Promise<DocumentKey[]> {
  const resolution = await resolver.resolveDid(issuer);
  if (typeof resolution === 'string' || resolution.metadata.deactivated) return [];
  return resolution.keys
    .filter(
      ({ keyType, relationships }) => keyType === 'bls12381g2' && relationships.includes('assertionMethod'),
    )
    .reverse();
}

async function signWithKeptKey(
  parts: Pick<ServiceParts, 'database' | 'vault' | 'format' | 'proofs' | 'resolver'>,
  draft: DraftContents,
): Promise<CredentialDraft['bbs']> {
  const { database, vault, proofs } = parts;
  const owner = draft.credential.issuer;
  const published = await publishedBbsKeys(parts, owner);
  if (published.length === 0) {
    throw new Fault('keyNotPublished', { detail: "There is no BBS+ key in the issuer's DID document" });
  }
  for (const { publicKey } of published) {
    const name = { owner, publicKey: encodeBbsPublicKey(publicKey) };
    const secretKey = await findBbsKey(database.kysely, vault, name);
    if (!secretKey) continue;
    try {
      const signature = await proofs.sign({ ...signingTask(parts, draft), publicKey, secretKey });
      return { publicKey: name.publicKey, signature: Buffer.from(signature).toString('hex') };
    } finally {
      secretKey.fill(0);
    }
  }
  return undefined;
}

/**
 * What an issuer signs who keeps the BBS+ key elsewhere: header and messages as texts. An integer that stands for
 * itself begins with a number sign, which no other message does.
 */
export function messagesToSign(parts: Pick<ServiceParts, 'format'>, draft: DraftContents): string[] {
  const { header, messages } = signingTask(parts, draft);
  const text = (message: BbsMessage): string =>
    'integer' in message ? `#${message.integer}` : decodeUtf8(message.bytes);
  return [decodeUtf8(header), ...messages.map(text)];
}

/** What the issuer signs, and the BBS+ signature or, where the issuer makes that, what it is over. */
export const draftReply = (parts: Pick<ServiceParts, 'format'>, draft: CredentialDraft) => ({
  ed25519Blob: encodeHex(issuerSigningInput(draft, sha256)).toUpperCase(),
  bbsBlsBase64: draft.bbs
    ? Buffer.from(draft.bbs.signature, 'hex').toString('base64')
    : Buffer.from(JSON.stringify(messagesToSign(parts, draft))).toString('base64'),
  unsigned: {
    credential: draft.credential as unknown as JsonObject,
    proofOptions: draft.options as unknown as JsonObject,
    salt: draft.contents.salt,
  },
});

/** The draft that can still be signed, if there is one. */
export async function readDraft(
  { vault, clock }: Pick<ServiceParts, 'vault' | 'clock'>,
  { vcId, draft, draftExpiresAt }: ApplicationRow,
): Promise<CredentialDraft | undefined> {
  if (!draft || draftExpiresAt === null || draftExpiresAt <= clock.nowMs()) return undefined;
  return vault.decryptDocument<CredentialDraft>(draft, contexts.applicationDraft(vcId));
}

export const draftLapsed = (): Fault =>
  new Fault('applicationUnknown', { detail: 'The draft has expired: create the credential again' });
