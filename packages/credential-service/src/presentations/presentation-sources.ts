/**
 * Whether credentials may be presented: each is what its issuer recorded and signed, and what is asked of it is
 * something it has (`docs/credentials.md`, "Presentations"). Whether a credential is still valid is not asked: that is
 * the verifier's question, at the verifier's time.
 */
import {
  contentsOf,
  credentialSignatureOrder,
  hasIssuerSignature,
  isAsRecorded,
} from '@symbolon/core/credential/credential-assembly';
import { type ParsedCredential, parseCredential } from '@symbolon/core/credential/credential-parsing';
import { encodeProofValue } from '@symbolon/core/credential/credential-shapes';
import { readAt } from '@symbolon/core/documents/document-shapes';
import { Fault } from '@symbolon/core/faults/faults';
import { disclosedNow } from '@symbolon/core/presentation/age-claims';
import type { CredentialToPresent } from '@symbolon/core/presentation/presentation-derivation';
import { falseIfRefused } from '@symbolon/core/proofs/proof-engine';
import { sha256 } from '@symbolon/host/work/sha256';
import type { CredentialDisclosure } from '@symbolon/wire/credentials/presentation-requests';
import type { Caller } from '@symbolon/wire/http/service-route';
import { refuseOtherParty, verifyEd25519 } from '../access/signatures.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import type { ProofWork } from '../proofs/proof-cost.ts';
import type { CallerProofs } from '../proofs/proof-job.ts';
import { type FactSources, isOfOurRegistry, readRecord } from './presented-facts.ts';

/**
 * Everything but proof work. Faults: credentialMalformed, rangeInvalid, notAllowed, credentialUnknown,
 * credentialProofInvalid.
 */
export async function readSources(
  parts: FactSources & Pick<ServiceParts, 'clock'>,
  disclosures: readonly CredentialDisclosure[],
  caller: Caller,
): Promise<readonly CredentialToPresent[]> {
  const now = parts.clock.nowMs();
  const sources = disclosures.map((disclosure) => ({
    parsed: readAt(disclosure.place, () => parseCredential(disclosure.credential, parts.profile)),
    request: disclosedNow(disclosure, now),
  }));
  for (const { parsed } of sources) refuseOtherParty(caller, parsed.credential.credentialSubject.id);
  return Promise.all(
    sources.map(async ({ parsed, request }) => ({
      parsed,
      request,
      publicKey: await requireRecorded(parts, parsed),
    })),
  );
}

/** The credential is, byte for byte, the one that the ledger has on record. Answers the key of its BBS+ proof. */
async function requireRecorded(parts: FactSources, parsed: ParsedCredential): Promise<Uint8Array> {
  const { credential, bbsProof, issuerProof } = parsed;
  const { entry, issuerKey } = await readRecord(parts, credential, bbsProof);
  if (!entry) {
    const detail = isOfOurRegistry(parts, credential)
      ? 'The ledger does not know the credential'
      : "The credential says that it is recorded in another registry than this service's";
    throw new Fault('credentialUnknown', { detail });
  }
  if (!isAsRecorded(parsed, entry, sha256))
    throw new Fault('credentialProofInvalid', { detail: 'The credential is not as it was recorded' });
  // The registry took the entry with the issuer's signature only, so a credential sent without it is covered, too.
  if (issuerProof && !hasIssuerSignature(parsed, { verifyEd25519, sha256 }))
    throw new Fault('credentialProofInvalid', { detail: "The issuer's signature is not valid" });
  const key = issuerKey();
  if (!key)
    throw new Fault('credentialProofInvalid', {
      detail: "The BBS+ key is not one that the issuer's DID document had when the credential was issued",
    });
  return key.publicKey;
}

/** What is checked of credentials before anything is derived from them; no contents where the ledger binds none. */
export const sourceOrders = (sources: readonly CredentialToPresent[]) =>
  sources.map(({ parsed, publicKey }) => ({
    signature: credentialSignatureOrder(parsed, publicKey, sha256),
    contents: contentsOf(parsed.bbsProof),
  }));
type SourceOrders = ReturnType<typeof sourceOrders>;

export const workOfSources = (orders: SourceOrders): ProofWork[] =>
  orders.flatMap(({ signature, contents }) => [
    { kind: 'verifySignature', order: signature } as const,
    ...(contents ? [{ kind: 'commit', order: signature } as const] : []),
  ]);

/** Throws `credentialProofInvalid` unless every credential's BBS+ signature is good, and what was committed to. */
export async function requireBbsSignatures(proofs: CallerProofs, orders: SourceOrders): Promise<void> {
  const results = await Promise.all(
    orders.map(
      async ({ signature, contents }) =>
        (await falseIfRefused(() => proofs.verifySignature(signature))) &&
        (!contents || encodeProofValue(await proofs.commit(signature)) === contents.commitment),
    ),
  );
  if (!results.every((isGood) => isGood))
    throw new Fault('credentialProofInvalid', { detail: 'The BBS+ signature of a credential is not valid' });
}
