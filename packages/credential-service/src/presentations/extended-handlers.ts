/**
 * Extended presentations and downloads as wallets of the family use them: the steps are those of presentations; here a
 * wallet shows who it is in headers, a finished presentation is kept under an id for a while, and everything that waits
 * for a holder is handed over at once.
 */
import { randomUUID } from 'node:crypto';
import { equalBytes } from '@symbolon/core/basics/bytes';
import { didOfPublicKey } from '@symbolon/core/did/did';
import type { Credential } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { sha256Hex } from '@symbolon/host/work/sha256';
import { type ExtendedHandlers, renderDownload, savedIdOf } from '@symbolon/wire/credentials/extended-routes';
import { readExtendedHeaders, requireExtendedHeaders } from '@symbolon/wire/credentials/signed-headers';
import type { Call } from '@symbolon/wire/http/service-route';
import { isJsonObject, type JsonObject } from '@symbolon/wire/json/json';
import { requireWallet } from '../access/presence.ts';
import { givenKey } from '../access/signatures.ts';
import { findCredential, listCredentials } from '../issuance/credential-rows.ts';
import { handOver } from '../issuance/stored-credentials.ts';
import { recordLimits } from '../limits/service-limits.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { completePresentation, deriveForHolder, verifyPresentation } from './presentation-handlers.ts';
import { addSavedPresentation, findSavedPresentation } from './saved-presentation-rows.ts';

export function createExtendedHandlers(parts: ServiceParts): ExtendedHandlers {
  const { database, vault, clock, keys, profile, settings, audit } = parts;
  const { kysely } = database;

  return {
    async createExtendedPresentation(request, call) {
      const did = walletDid(parts, call);
      for (const { credential } of request.credentials) refuseOtherSubject(credential, did);
      return deriveForHolder(parts, request, call.caller);
    },

    async submitExtendedPresentation({ keptSeconds, includesPresentation, ...submission }, call) {
      const headers = readExtendedHeaders(call);
      const walletKey = headers && requireWallet(parts, headers, forPresentation);
      if (walletKey && !equalBytes(walletKey, givenKey(submission.publicKey, keys)))
        throw new Fault('holderMismatch', { detail: 'The headers are of another wallet than the signature' });
      const presentation = await completePresentation(parts, submission, call.caller);
      const id = savedIdOf(randomUUID());
      const now = clock.nowMs();
      await addSavedPresentation(kysely, {
        id,
        presentation: await vault.encryptDocument(presentation, contexts.savedPresentation(id)),
        createdAt: now,
        expiresAt: now + keptSeconds * 1_000,
      });
      return { id, ...(includesPresentation && { vp: presentation }) };
    },

    async downloadExtended({ address }, call) {
      const wanted = { purpose: 'download-all', isTextNeeded: !settings.allowAddressDownloads } as const;
      const walletKey = requireWallet(parts, requireExtendedHeaders(call), wanted);
      if (keys.addressOf(walletKey) !== address)
        throw new Fault('holderMismatch', { detail: 'The address is not that of the key' });
      return renderDownload(await waitingFor(parts, didOfPublicKey(walletKey, profile)));
    },

    async verifySavedPresentation({ savedId, challenge, domain, trust }, { caller }) {
      const encrypted = await findSavedPresentation(kysely, savedId, clock.nowMs());
      if (!encrypted) throw new Fault('presentationUnknown');
      // Whoever knows the id may ask, so the log gets its hash.
      const subject = sha256Hex(savedId);
      await audit.record({ actor: caller, action: 'presentation.read', subject });
      const presentation = await vault.decryptDocument<JsonObject>(
        encrypted,
        contexts.savedPresentation(savedId),
      );
      const question = { presentation, challenge, domain, asked: undefined, trust };
      return verifyPresentation(parts, question, caller);
    },
  };
}

/** These headers open nothing, so the signed address is enough: they only say who asks. */
const forPresentation = { purpose: 'extended-presentation' } as const;

/** Whoever shows a wallet's headers must show good ones. */
function walletDid(parts: ServiceParts, call: Call): string | undefined {
  const headers = readExtendedHeaders(call);
  return headers && didOfPublicKey(requireWallet(parts, headers, forPresentation), parts.profile);
}

function refuseOtherSubject({ credentialSubject }: JsonObject, did: string | undefined): void {
  if (did === undefined) return;
  if (!isJsonObject(credentialSubject) || credentialSubject.id !== did)
    throw new Fault('holderMismatch', { detail: 'The credential is of another holder' });
}

const pagesMax = 20;

/** The credentials of a holder that are still stored, oldest first: as many as one page has, out of many pages. */
async function waitingFor(
  parts: Pick<ServiceParts, 'database' | 'vault' | 'clock' | 'audit'>,
  holder: string,
) {
  const { database, clock } = parts;
  const { kysely } = database;
  const now = clock.nowMs();
  const found: { credential: Credential; status: string }[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < pagesMax && found.length < recordLimits.pageRowsDefault; count++) {
    const page = await listCredentials(kysely, { holder, ...(cursor !== undefined && { cursor }) });
    for (const { vcId, downloadExpiresAt } of page.items) {
      const stored = downloadExpiresAt > now ? await findCredential(kysely, vcId) : undefined;
      const credential = stored && (await handOver(parts, stored, { did: holder }));
      if (credential) found.push({ credential, status: stored.status });
    }
    cursor = page.next;
    if (cursor === undefined) break;
  }
  return found;
}
