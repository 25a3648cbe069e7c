/**
 * Issuance (`spec/credential-service.md`, "Issuance"): a holder applies, the issuer creates and submits, both can
 * download. Which act is possible in which state is a table of the core; every move here is one conditional update, so
 * of many concurrent callers one wins. The ledger part of submitting is in `credential-submission.ts`.
 */
import { randomBytes } from 'node:crypto';
import { encodeHex, encodeUtf8 } from '@symbolon/core/bytes';
import { mayActOnApplication, nextApplicationState } from '@symbolon/core/credential/application-states';
import { issuerSigningInput } from '@symbolon/core/credential/credential-assembly';
import type { Credential } from '@symbolon/core/credential/model';
import { readAttributeValues } from '@symbolon/core/credential/template-rules';
import { didOfPublicKey } from '@symbolon/core/did';
import { Fault } from '@symbolon/core/faults';
import type { ApplicationRequest } from '@symbolon/wire/credential-requests';
import type { CredentialHandlers } from '@symbolon/wire/credential-routes';
import type { JsonObject } from '@symbolon/wire/json';
import type { Caller } from '@symbolon/wire/service-route';
import { paidBy, type ServiceParts } from '../service-parts.ts';
import {
  type Application,
  addApplication,
  approveApplication,
  findApplication,
  rejectApplication,
} from '../store/applications.ts';
import { findCredential } from '../store/credentials.ts';
import { findTemplate } from '../store/templates.ts';
import { places } from '../vault/places.ts';
import { auditEvent } from './audit-trail.ts';
import {
  arrivedValues,
  type CredentialDraft,
  makeDraft,
  messagesToSign,
  sha256,
} from './credential-drafts.ts';
import { submitCredential } from './credential-submission.ts';
import {
  type AppliedDocument,
  repeatedApplication,
  repeatedDraft,
  repeatKeyOf,
} from './repeated-requests.ts';
import { openDocument, sealDocument } from './sealed-documents.ts';
import { givenKey, keyOfLedgerDid, requireSignature } from './signatures.ts';

type IssuanceHandlers = Pick<
  CredentialHandlers,
  'applyForCredential' | 'createCredential' | 'submitCredential' | 'downloadCredential' | 'rejectApplication'
>;

export function createIssuanceHandlers(parts: ServiceParts): IssuanceHandlers {
  const { database, vault, clock, audit, profile, keys, crashPoint } = parts;
  const { kysely } = database;

  return {
    async applyForCredential(request, call) {
      const { caller } = call;
      const holder = didOfPublicKey(holderKey(parts, request, caller), profile);
      const found = await findTemplate(kysely, request.templateId);
      if (!found) throw new Fault('templateUnknown');
      const { id: templateId, version: templateVersion, issuer } = found.template;
      const arrived = arrivedValues(request.attributes, '/metadata');
      const values = readAttributeValues(found.template, arrived, { pointer: '/metadata' });
      const vcId = `did:${profile.didMethod}:${randomBytes(32).toString('hex')}`;
      const applied: AppliedDocument = { values, ...repeatKeyOf(call) };
      const attributes = await sealDocument(vault, applied, places.applicationAttributes(vcId));
      const now = clock.nowMs();
      const application = { vcId, templateId, templateVersion, issuer, holder, attributes, now };
      const deed = { action: 'application.apply', subject: vcId, details: { templateId } } as const;
      const isNew = await database.transaction(async (queries) => {
        if (!(await addApplication(queries, application))) return false;
        await audit.record(auditEvent(caller, deed), queries);
        return true;
      });
      crashPoint('applicationStored');
      if (isNew) return { vcId, status: 'Pending' };
      const earlier = await repeatedApplication(parts, { holder, templateId, values }, call);
      if (earlier === undefined) throw new Fault('applicationExists');
      return { vcId: earlier, status: 'Pending' };
    },

    async createCredential(request, call) {
      const { caller } = call;
      const application = await requireApplication(parts, request.vcId, caller);
      const earlier = await repeatedDraft(parts, application, call);
      if (earlier) return draftReply(earlier);
      const { vcId, templateId, templateVersion } = application;
      const now = clock.nowMs();
      if (!isLapsedDraft(application, now)) nextApplicationState(application.state, 'create');
      if (request.templateId !== undefined && request.templateId !== templateId) {
        throw new Fault('requestMalformed', {
          detail: '/templateId: the application is for another template',
        });
      }
      const found = await findTemplate(kysely, templateId, templateVersion);
      if (!found || !application.attributes) throw new Fault('applicationUnknown');
      const { values } = await openDocument<AppliedDocument>(
        vault,
        application.attributes,
        places.applicationAttributes(vcId),
      );
      const order = { template: found.template, application, values, request };
      const draft = { ...(await makeDraft(paidBy(parts, caller), order)), ...repeatKeyOf(call) };
      const sealed = await sealDocument(vault, draft, places.applicationDraft(vcId));
      await database.transaction(async (queries) => {
        const isApproved = await approveApplication(queries, { vcId, draft: sealed, now });
        if (!isApproved) throw new Fault('stateForbids');
        await audit.record(auditEvent(caller, { action: 'application.approve', subject: vcId }), queries);
      });
      crashPoint('draftStored');
      return draftReply(draft);
    },

    submitCredential: (request, call) => submitCredential(parts, request, call),

    async downloadCredential({ vcId, signature, isIssuer, signedTexts }, { caller }) {
      const stored = await findCredential(kysely, vcId);
      if (!stored) throw new Fault('credentialUnknown');
      const expectedKey = keyOfLedgerDid(isIssuer ? stored.issuer : stored.holder, keys);
      requireSignature({ messages: signedTexts.map(encodeUtf8), signature, expectedKey }, keys);
      const { credential, downloadExpiresAt } = stored;
      if (!credential || downloadExpiresAt === null || downloadExpiresAt <= clock.nowMs()) {
        throw new Fault('downloadLapsed');
      }
      await audit.record(auditEvent(caller, { action: 'credential.download', subject: vcId }));
      return (await openDocument<Credential>(
        vault,
        credential,
        places.credential(vcId),
      )) as unknown as JsonObject;
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
  };
}

/** What the issuer signs, and the BBS+ signature or, where the issuer makes that, what it is over. */
const draftReply = ({ credential, options, bbs }: CredentialDraft) => ({
  ed25519Blob: encodeHex(issuerSigningInput(credential, options, sha256)).toUpperCase(),
  bbsBlsBase64: bbs
    ? Buffer.from(bbs.signature, 'hex').toString('base64')
    : Buffer.from(JSON.stringify(messagesToSign(credential))).toString('base64'),
});

/** The key that signed the application: the given one, or the one of the DID that the API key acts for. */
function holderKey({ keys }: ServiceParts, request: ApplicationRequest, caller: Caller): Uint8Array {
  const { publicKey, signature, signedTexts } = request;
  if (!publicKey && caller.did === undefined) {
    throw new Fault('notAuthenticated', { detail: "Give holderPublicKey, or the holder's API key" });
  }
  const expectedKey = publicKey ? givenKey(publicKey, keys) : keyOfLedgerDid(caller.did as string, keys);
  requireSignature({ messages: signedTexts.map(encodeUtf8), signature, expectedKey }, keys);
  return expectedKey;
}

/** An application that the caller is the issuer of. */
export async function requireApplication(
  { database }: ServiceParts,
  vcId: string,
  caller: Caller,
): Promise<Application> {
  const application = await findApplication(database.kysely, vcId);
  if (!application) throw new Fault('applicationUnknown');
  if (caller.did !== application.issuer) throw new Fault('issuerMismatch');
  return application;
}

/** A draft that nobody signed in time may be made anew. */
const isLapsedDraft = ({ state, draftExpiresAt }: Application, now: number): boolean =>
  mayActOnApplication(state, 'submit') && draftExpiresAt !== null && draftExpiresAt <= now;
