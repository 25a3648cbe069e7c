/**
 * Issuance (`docs/credentials.md`, "Application and status"): a holder applies, the issuer creates and submits, both
 * can download. Which act is possible in which state is a table of the core; every move here is one conditional update,
 * so of many concurrent callers one wins. The ledger part of submitting is in `credential-submission.ts`.
 */
import { randomBytes } from 'node:crypto';
import { encodeHex, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { nextApplicationState } from '@symbolon/core/credential/application-states';
import { issuerSigningInput } from '@symbolon/core/credential/credential-assembly';
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
import {
  givenKey,
  keyOfLedgerDid,
  refuseOtherParty,
  requireSignature,
  verifyEd25519,
} from '../access/signatures.ts';
import { auditEvent } from '../audit/audit-trail.ts';
import { replacedDraftsMax } from '../limits/service-limits.ts';
import { paidBy, type ServiceParts } from '../parts/service-parts.ts';
import { findTemplate } from '../templates/template-rows.ts';
import { places } from '../vault/places.ts';
import { openDocument, sealDocument } from '../vault/sealed-documents.ts';
import {
  type Application,
  addApplication,
  approveApplication,
  findApplication,
  findSignedApplication,
  rejectApplication,
} from './application-rows.ts';
import { arrivedValues, draftReply, makeDraft, readDraft } from './credential-drafts.ts';
import { findCredential } from './credential-rows.ts';
import { submitCredential } from './credential-submission.ts';
import { isSameMark, markOf, repeatedDraft, wholeMark } from './repeated-requests.ts';
import { handOver } from './stored-credentials.ts';

/** What an application keeps sealed. */
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
      const holder = didOfPublicKey(holderKey(parts, request, caller), profile);
      refuseOtherParty(caller, holder);
      const signed = await lookAtSignature(parts, { request, holder, call });
      if ('earlier' in signed) return { vcId: signed.earlier, status: 'Pending' };
      const found = await findTemplate(kysely, request.templateId);
      if (!found) throw new Fault('templateUnknown');
      const { id: templateId, version: templateVersion, issuer } = found.template;
      const { attributes: given, places: at } = request;
      const values = readAttributeValues(found.template, arrivedValues(given, at), { pointer: at.whole });
      const vcId = `did:${profile.didMethod}:${randomBytes(32).toString('hex')}`;
      const applied: AppliedDocument = { values, signed: holderSignature(parts, request, holder) };
      const attributes = await sealDocument(vault, applied, places.applicationAttributes(vcId));
      const now = clock.nowMs();
      const application = { vcId, templateId, templateVersion, issuer, holder, attributes, ...signed, now };
      const act = { action: 'application.apply', subject: vcId, details: { templateId } } as const;
      const isAdded = await database.transaction(async (queries) => {
        if (!(await addApplication(queries, application))) return false;
        await audit.record(auditEvent(caller, act), queries);
        return true;
      });
      if (!isAdded) {
        // Another one was faster, perhaps the same: then its id is told.
        await lookAtSignature(parts, { request, holder, call });
        throw new Fault('applicationExists');
      }
      crashPoint('applicationStored');
      return { vcId, status: 'Pending' };
    },

    async createCredential(request, call) {
      const { caller } = call;
      const application = await requireApplication(parts, request.vcId, caller);
      const earlier = await repeatedDraft(parts, application, call);
      if (earlier) return draftReply(earlier);
      const { vcId, templateId, templateVersion } = application;
      const now = clock.nowMs();
      nextApplicationState(application.state, 'create');
      if (request.templateId !== undefined && request.templateId !== templateId) {
        throw new Fault('requestMalformed', {
          detail: '/templateId: the application is for another template',
        });
      }
      const found = await findTemplate(kysely, templateId, templateVersion);
      if (!found) throw new Fault('applicationUnknown');
      if (!application.attributes) {
        throw new Fault('stateForbids', { detail: 'The credential was paid for and is issued as it was' });
      }
      const { values } = await openDocument<AppliedDocument>(
        vault,
        application.attributes,
        places.applicationAttributes(vcId),
      );
      const order = { template: found.template, application, values, request };
      const repeatMark = markOf('createCredential', call) ?? undefined;
      const made = await makeDraft(paidBy(parts, caller), order);
      const replaced = await replacedInputs(parts, application);
      const draft = { ...made, replaced, ...(repeatMark !== undefined && { repeatMark }) };
      const sealed = await sealDocument(vault, draft, places.applicationDraft(vcId));
      await database.transaction(async (queries) => {
        const approval = { vcId, draft: sealed, replaces: application.draft, now };
        if (!(await approveApplication(queries, approval))) {
          throw new Fault('stateForbids', { detail: 'The application was decided on by another request' });
        }
        const action = application.draft === null ? 'application.approve' : 'application.redraft';
        await audit.record(auditEvent(caller, { action, subject: vcId }), queries);
      });
      crashPoint('draftStored');
      return draftReply(draft);
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
      const sealed = await sealDocument(vault, reason, places.rejectReason(vcId));
      await database.transaction(async (queries) => {
        const isRejected = await rejectApplication(queries, { vcId, reason: sealed, now: clock.nowMs() });
        if (!isRejected) throw new Fault('stateForbids');
        await audit.record(auditEvent(caller, { action: 'application.reject', subject: vcId }), queries);
      });
      return { vcId, status: 'Rejected' };
    },
  } satisfies Partial<CredentialHandlers>;
}

/** The key that signed the application: the given one, or the one of the DID that the API key acts for. */
function holderKey(
  { keys }: Pick<ServiceParts, 'keys'>,
  request: ApplicationRequest,
  caller: Caller,
): Uint8Array {
  const { publicKey, signature, signedTexts, presence } = request;
  if (!publicKey && caller.did === undefined) {
    throw new Fault('notAuthenticated', { detail: "Give holderPublicKey, or the holder's API key" });
  }
  const expectedKey = publicKey ? givenKey(publicKey, keys) : keyOfLedgerDid(caller.did as string, keys);
  const messages = (presence ? [presence.text] : signedTexts).map((text) => encodeUtf8(text));
  requireSignature({ messages, signature, expectedKey }, keys);
  return expectedKey;
}

/** The holder's signature as the issuer verifies it again: over the one of the possible texts that was signed. */
function holderSignature(
  { keys }: Pick<ServiceParts, 'keys'>,
  { signature, signedTexts, presence }: ApplicationRequest,
  holder: string,
): HolderSignature {
  const signData = encodeHex(signature);
  const [canonical] = signedTexts;
  if (presence) return { content: canonical, signData, signedText: presence.text };
  const key = keyOfLedgerDid(holder, keys);
  const content = signedTexts.find((text) => verifyEd25519(key, encodeUtf8(text), signature));
  return { content: content ?? canonical, signData };
}

interface SignedApplication {
  readonly request: ApplicationRequest;
  readonly holder: string;
  readonly call: Call;
}

/**
 * A text with a moment stands for one application, whatever became of it. The interface's own form has no moment, so
 * an application in it may come again once the credentials of all before were issued; after a rejection it may not,
 * because then anybody who has seen it could ask for what was refused. The request itself may come again in any case, and the holder,
 * who shows that by the API key, may say the same once more. Whoever is refused is told the id of the application, if it
 * is the holder by that key, or sends the whole request again from where it came.
 */
async function lookAtSignature(
  parts: ServiceParts,
  { request, holder, call }: SignedApplication,
): Promise<{ earlier: string } | Pick<Application, 'signatureHash' | 'applyMark'>> {
  const { templateId, signature, signedTexts, presence } = request;
  const signatureHash = sha256Hex(signature);
  const applyMark = wholeMark('applyForCredential', call);
  const used = await findSignedApplication(parts.database.kysely, { holder, templateId, signatureHash });
  const isRepeated = used !== undefined && isSameMark(used.applyMark, applyMark);
  if (isRepeated && call.idempotencyKey !== undefined) return { earlier: used.vcId };
  const told = used && (isRepeated || call.caller.did === holder) ? { facts: { vcId: used.vcId } } : {};
  if (used?.state === 'pending') throw new Fault('applicationExists', told);
  if (used && (presence || used.state !== 'issued') && call.caller.did !== holder) {
    const detail =
      "The signature was used for an application: sign a new signedText, or show the holder's API key";
    throw new Fault('signatureUsed', { detail, ...told });
  }
  const [content] = signedTexts;
  if (presence)
    requirePresence(parts, presence, { purpose: 'application', subject: contentSubject(content, sha256) });
  return { signatureHash, applyMark };
}

/** An application that the caller is the issuer of. */
export async function requireApplication(
  { database }: Pick<ServiceParts, 'database'>,
  vcId: string,
  caller: Caller,
): Promise<Application> {
  const application = await findApplication(database.kysely, vcId);
  if (!application) throw new Fault('applicationUnknown');
  if (caller.did !== application.issuer) throw new Fault('issuerMismatch');
  return application;
}

/** What somebody may still sign, though another draft takes its place; of a lapsed one nobody expects anything. */
async function replacedInputs(parts: ServiceParts, application: Application): Promise<readonly string[]> {
  const draft = await readDraft(parts, application);
  if (!draft) return [];
  const input = encodeHex(issuerSigningInput(draft, sha256));
  return [...(draft.replaced ?? []), input].slice(-replacedDraftsMax);
}
