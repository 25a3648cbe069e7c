/**
 * Issuance (`docs/credentials.md`, "Application and status"): a holder applies, the issuer creates and submits, both
 * can download. Which act is possible in which state is a table of the core; every move here is one conditional update,
 * so of many concurrent callers one wins. The ledger part of submitting is in `credential-submission.ts`.
 */
import { randomBytes } from 'node:crypto';
import { encodeHex, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { nextApplicationState } from '@symbolon/core/credential/application-states';
import { issuerSigningInput } from '@symbolon/core/credential/credential-assembly';
import { tellingLabel } from '@symbolon/core/credential/telling-label';
import { type AttributeValues, readAttributeValues } from '@symbolon/core/credential/template-rules';
import { didOfPublicKey } from '@symbolon/core/did/did';
import { Fault } from '@symbolon/core/faults/faults';
import { contentSubject } from '@symbolon/core/presentation/presence-text';
import { sha256, sha256Hex } from '@symbolon/host/work/sha256';
import type { ApplicationRequest } from '@symbolon/wire/credentials/requests';
import type { CredentialHandlers } from '@symbolon/wire/credentials/routes';
import type { Call, Caller } from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import { requirePresence } from '../access/presence.ts';
import { givenKey, keyOfLedgerDid, refuseOtherParty, requireSignature } from '../access/signatures.ts';
import { replacedDraftsMax } from '../limits/service-limits.ts';
import { paidBy, type ServiceParts } from '../parts/service-parts.ts';
import { findStoredTemplate } from '../templates/template-rows.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import {
  type ApplicationRow,
  addApplication,
  approveApplication,
  decideOffer,
  findApplication,
  findSignedApplication,
  rejectApplication,
} from './application-rows.ts';
import {
  arrivedValues,
  type CredentialDraft,
  draftReply,
  makeDraft,
  readDraft,
} from './credential-drafts.ts';
import { findCredential } from './credential-rows.ts';
import { submitCredential } from './credential-submission.ts';
import { encryptLabel } from './labels.ts';
import { isSameMark, markOf, wholeMark } from './repeated-requests.ts';
import { handOver } from './stored-credentials.ts';

/** What an application keeps encrypted. */
export interface AppliedDocument {
  readonly values: AttributeValues;
  /** What the issuer can check the application by; absent in those from before it was kept. */
  readonly signed?: HolderSignature;
}

export interface HolderSignature {
  /** JSON of template and attributes, as the holder said it. */
  readonly content: string;
  readonly signData: string;
  /** What was signed instead of the content, and names its hash. */
  readonly signedText?: string;
}

export function createIssuanceHandlers(parts: ServiceParts) {
  const { database, vault, clock, audit, profile, keys, crashPoint } = parts;
  const { kysely } = database;

  return {
    async applyForCredential(request, call) {
      const { caller } = call;
      const { holderKey, signed } = signedByHolder(parts, request, caller);
      const holder = didOfPublicKey(holderKey, profile);
      refuseOtherParty(caller, holder);
      const signatureHash = sha256Hex(request.signature);
      const applyMark = wholeMark('applyForCredential', call);
      const use = { request, holder, call, signatureHash, applyMark };
      const earlier = await earlierUse(parts, use);
      if (earlier instanceof Fault) throw earlier;
      if (earlier) return { vcId: earlier.vcId, status: 'Pending' };
      if (request.presence) {
        const subject = contentSubject(signed.content, sha256);
        requirePresence(parts, request.presence, { purpose: 'application', subject });
      }
      const found = await findStoredTemplate(kysely, request.templateId);
      if (!found) throw new Fault('templateUnknown');
      const { id: templateId, version: templateVersion, issuer } = found.template;
      const { attributes: given, places: at } = request;
      const values = readAttributeValues(found.template, arrivedValues(given, at), { pointer: at.whole });
      const vcId = `did:${profile.didMethod}:${randomBytes(32).toString('hex')}`;
      const applied: AppliedDocument = { values, signed };
      const attributes = await vault.encryptDocument(applied, contexts.applicationAttributes(vcId));
      const terms = { vcId, templateId, templateVersion, issuer, holder };
      const told = tellingLabel(found.template.attributes, values);
      const label = await encryptLabel(vault, told, contexts.applicationLabel(vcId));
      const application = { ...terms, attributes, label, signatureHash, applyMark, now: clock.nowMs() };
      const act = { action: 'application.apply', subject: vcId, details: { templateId, issuer } } as const;
      const isAdded = await database.transaction(async (queries) => {
        if (!(await addApplication(queries, application))) return false;
        await audit.record({ actor: caller, ...act }, queries);
        return true;
      });
      if (!isAdded) {
        // Another one was faster, perhaps with this signature: then the refusal may name its id.
        const faster = await earlierUse(parts, use);
        throw faster instanceof Fault ? faster : new Fault('applicationExists');
      }
      crashPoint('applicationStored');
      return { vcId, status: 'Pending' };
    },

    async createCredential(request, call) {
      const { caller } = call;
      const application = await requireApplication(parts, request.vcId, caller);
      const { vcId, templateId, templateVersion } = application;
      const repeatMark = markOf('createCredential', call);
      const before = await readDraft(parts, application);
      if (before && application.state === 'approved' && isSameMark(before.repeatMark, repeatMark)) {
        await audit.record({ actor: caller, action: 'application.read', subject: vcId });
        return draftReply(parts, before);
      }
      const now = clock.nowMs();
      nextApplicationState(application.state, 'create');
      if (request.templateId !== undefined && request.templateId !== templateId) {
        throw new Fault('requestMalformed', {
          detail: '/templateId: the application is for another template',
        });
      }
      const found = await findStoredTemplate(kysely, templateId, templateVersion);
      if (!found) throw new Fault('applicationUnknown');
      if (!application.attributes) {
        throw new Fault('stateForbids', { detail: 'The credential was paid for and is issued as it was' });
      }
      const { values } = await vault.decryptDocument<AppliedDocument>(
        application.attributes,
        contexts.applicationAttributes(vcId),
      );
      const order = { template: found.template, application, values, request };
      const made = await makeDraft(paidBy(parts, caller), order);
      const draft = { ...made, replaced: replacedInputs(before), ...(repeatMark !== null && { repeatMark }) };
      const encrypted = await vault.encryptDocument(draft, contexts.applicationDraft(vcId));
      await database.transaction(async (queries) => {
        const approval = { vcId, draft: encrypted, replaces: application.draft, now };
        if (!(await approveApplication(queries, approval))) {
          throw new Fault('stateForbids', { detail: 'The application was decided on by another request' });
        }
        const action = application.draft === null ? 'application.approve' : 'application.redraft';
        const details = { templateId, issuer: application.issuer };
        await audit.record({ actor: caller, action, subject: vcId, details }, queries);
      });
      crashPoint('draftStored');
      return draftReply(parts, draft);
    },

    submitCredential: (request, call) => submitCredential(parts, request, call),

    async downloadCredential({ vcId, signature, isIssuer, signedTexts, presence }, { caller }) {
      const stored = await findCredential(kysely, vcId);
      if (!stored) throw new Fault('credentialUnknown');
      const party = isIssuer ? stored.issuer : stored.holder;
      const wanted = { purpose: 'download', subject: vcId } as const;
      const messages = presence
        ? [requirePresence(parts, presence, wanted)]
        : signedTexts.map((text) => encodeUtf8(text));
      requireSignature({ messages, signature, expectedKey: keyOfLedgerDid(party, keys) }, keys);
      refuseOtherParty(caller, party);
      const credential = await handOver(parts, stored, { ...caller, did: party });
      if (!credential) throw new Fault('downloadLapsed');
      return credential as unknown as JsonObject;
    },

    async rejectApplication({ vcId, reason }, { caller }) {
      const application = await requireApplication(parts, vcId, caller);
      nextApplicationState(application.state, 'reject');
      const encrypted = await vault.encryptDocument(reason, contexts.rejectReason(vcId));
      await database.transaction(async (queries) => {
        const now = clock.nowMs();
        const isRejected = await rejectApplication(queries, { vcId, reason: encrypted, now });
        if (!isRejected) throw new Fault('stateForbids');
        const { templateId, issuer, offerId } = application;
        if (offerId !== null) await decideOffer(queries, { vcId, state: 'rejected', now });
        const act = { action: 'application.reject', subject: vcId, details: { templateId, issuer } } as const;
        await audit.record({ actor: caller, ...act }, queries);
      });
      return { vcId, status: 'Rejected' };
    },
  } satisfies Partial<CredentialHandlers>;
}

/**
 * The key that signed the application, the given one or that of the DID that the API key acts for; and the signature as
 * the issuer verifies it again, over the one of the possible texts that was signed.
 */
function signedByHolder(
  { keys }: Pick<ServiceParts, 'keys'>,
  { publicKey, signature, signedTexts, presence }: ApplicationRequest,
  caller: Caller,
): { readonly holderKey: Uint8Array; readonly signed: HolderSignature } {
  if (!publicKey && caller.did === undefined) {
    throw new Fault('notAuthenticated', { detail: "Give holderPublicKey, or the holder's API key" });
  }
  const holderKey = publicKey ? givenKey(publicKey, keys) : keyOfLedgerDid(caller.did as string, keys);
  const texts = presence ? [presence.text] : signedTexts;
  const messages = texts.map((text) => encodeUtf8(text));
  const message = requireSignature({ messages, signature, expectedKey: holderKey }, keys);
  const signedText = texts[messages.indexOf(message)];
  const signData = encodeHex(signature);
  const signed = presence
    ? { content: signedTexts[0], signData, signedText }
    : { content: signedText, signData };
  return { holderKey, signed };
}

interface SignatureUse {
  readonly request: ApplicationRequest;
  readonly holder: string;
  readonly call: Call;
  readonly signatureHash: string;
  readonly applyMark: string | null;
}

/**
 * The application that this very request made before, or why the signature cannot be used again; undefined where it can.
 * A text with a moment stands for one application, whatever became of it. The interface's own form has no moment, so an
 * application in it may come again once the credentials of all before were issued; after a rejection it may not, because
 * then anybody who has seen it could ask for what was refused. The holder, who shows that by the API key, may say the
 * same once more. A refusal names the application to the holder, and to whoever sends the whole request again.
 */
async function earlierUse(
  { database }: Pick<ServiceParts, 'database'>,
  { request: { templateId, presence }, holder, call, signatureHash, applyMark }: SignatureUse,
): Promise<ApplicationRow | Fault | undefined> {
  const used = await findSignedApplication(database.kysely, { holder, templateId, signatureHash });
  if (!used) return undefined;
  const isRepeated = isSameMark(used.applyMark, applyMark);
  if (isRepeated && call.idempotencyKey !== undefined) return used;
  const isHolder = call.caller.did === holder;
  const named = isRepeated || isHolder ? { facts: { vcId: used.vcId } } : {};
  if (used.state === 'pending') return new Fault('applicationExists', named);
  if (isHolder || (!presence && used.state === 'issued')) return undefined;
  const detail =
    "The signature was used for an application: sign a new signedText, or show the holder's API key";
  return new Fault('signatureUsed', { detail, ...named });
}

/** An application that the caller is the issuer of. */
export async function requireApplication(
  { database }: Pick<ServiceParts, 'database'>,
  vcId: string,
  caller: Caller,
): Promise<ApplicationRow> {
  const application = await findApplication(database.kysely, vcId);
  if (!application) throw new Fault('applicationUnknown');
  if (caller.did !== application.issuer) throw new Fault('issuerMismatch');
  return application;
}

/** What somebody may still sign, though another draft takes its place; of a lapsed one nobody expects anything. */
function replacedInputs(before: CredentialDraft | undefined): readonly string[] {
  if (!before) return [];
  const input = encodeHex(issuerSigningInput(before, sha256));
  return [...(before.replaced ?? []), input].slice(-replacedDraftsMax);
}
