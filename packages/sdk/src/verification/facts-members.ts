/**
 * What may stand in a document of facts, to the last member. It comes from elsewhere, so it says facts and nothing of
 * how they are judged: a condition or a word that somebody wrote into it is refused, signed or not.
 */
import { SdkError } from '../errors/errors.ts';
import { assertMembers, type MembersOf } from '../errors/exact-arguments.ts';
import { type FactsBasis, type FactsProof, requireFactsForm } from './collected-facts.ts';
import type {
  KnownIssuerKey,
  KnownIssuerName,
  KnownStatus,
  LedgerRecord,
  OfflineFacts,
} from './offline-verification.ts';

const documentMembers: MembersOf<OfflineFacts> = {
  form: true,
  fetchedAt: true,
  basis: true,
  issuerKeys: true,
  statuses: true,
  issuerNames: true,
  proof: true,
};
const basisMembers: MembersOf<FactsBasis> = { service: true, node: true, ledgerSeq: true, blockHash: true };
const keyMembers: MembersOf<KnownIssuerKey> = {
  verificationMethod: true,
  publicKeyMultibase: true,
  validFrom: true,
  validUntil: true,
  compromisedSince: true,
};
const recordMembers: MembersOf<LedgerRecord> = {
  registry: true,
  issuedAt: true,
  ledgerSeq: true,
  validFrom: true,
  validUntil: true,
  commitment: true,
  template: true,
};
const statusMembers: MembersOf<KnownStatus> = {
  vcId: true,
  issuer: true,
  status: true,
  changedAt: true,
  txHash: true,
  record: true,
};
const nameMembers: MembersOf<KnownIssuerName> = { did: true, name: true };
const proofMembers: MembersOf<FactsProof> = { collector: true, signature: true };

/** Throws `invalidArgument` for what is no document of facts, or has more in it than facts. */
export function assertFactsDocument(facts: OfflineFacts): void {
  if (typeof facts !== 'object' || facts === null) {
    const hint = 'Give them whole and apart from what you expect: { facts, takenFrom, challenge, now }.';
    throw new SdkError('invalidArgument', 'facts are missing: facts', { hint });
  }
  requireFactsForm(facts);
  assertMembers(facts, documentMembers, 'facts');
  const { basis, issuerKeys, statuses, issuerNames = [], proof } = facts;
  requireLists({ issuerKeys, statuses, issuerNames });
  if (basis !== undefined) assertMembers(basis, basisMembers, 'the basis of facts');
  for (const key of issuerKeys) assertMembers(key, keyMembers, 'an issuer key');
  for (const status of statuses) {
    assertMembers(status, statusMembers, 'a status');
    if (status.record) assertMembers(status.record, recordMembers, 'a record');
  }
  for (const name of issuerNames) assertMembers(name, nameMembers, 'the name of an issuer');
  if (proof !== undefined) assertMembers(proof, proofMembers, 'the proof of facts');
}

/** Without them there is nothing to judge by, which is no verdict. */
function requireLists(lists: Readonly<Record<string, unknown>>): void {
  const missing = Object.keys(lists).filter((name) => !Array.isArray(lists[name]));
  if (missing.length === 0) return;
  const hint = 'Take keys and statuses from fetchOfflineFacts.';
  throw new SdkError('invalidArgument', `facts are missing: ${missing.join(', ')}`, { hint });
}
