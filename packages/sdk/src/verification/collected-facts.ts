/**
 * The facts that a verifier without a network goes by, as somebody collected them: issuer keys and statuses, when, from
 * where, and by whom. A verdict is as good as its facts, so they are taken only from collectors that the verifier
 * names, unchanged and not too old. Signed is `symbolon-verification-facts-3`, a line break and the canonical JSON of
 * all but the proof.
 */
import { encodeHex, encodeUtf8, parseHex } from '@symbolon/core/basics/bytes';
import { unixMsOf } from '@symbolon/core/basics/calendar';
import { CanonicalJsonError, canonicalJson } from '@symbolon/core/basics/jcs';
import { keyOfDid } from '@symbolon/core/credential/credential-assembly';
import type { NetworkProfile } from '@symbolon/core/keys/profile';
import type { CredentialStatusWord, RecordReply } from '@symbolon/wire/credentials/verifier-replies';
import type { JsonValue } from '@symbolon/wire/json/json';
import { assertMembers, type MembersOf } from '../arguments/exact-arguments.ts';
import { SdkError } from '../errors/errors.ts';
import { verifyWithWebCrypto } from '../keys/signer.ts';
import { factsLimits } from '../limits/client-limits.ts';

/** Names the form, and what a signature over such facts is for. */
export const factsForm = 'symbolon-verification-facts-3';

/** A BBS+ key from the issuer's DID document. */
export interface KnownIssuerKey {
  /** The DID URL that proofs name, `<issuer>#delegateKey-N`. */
  readonly verificationMethod: string;
  readonly publicKeyMultibase: string;
  /** When the key was valid, if it was not always: what counts is when a credential was issued. */
  readonly validFrom?: string;
  readonly validUntil?: string;
  /** Since when the issuer says that others may have the secret key. */
  readonly compromisedSince?: string;
}

/** What the ledger said of a credential, such as the reply of `getCredentialStatus`. */
export interface KnownStatus {
  readonly vcId: string;
  /** DID or address. */
  readonly issuer: string;
  readonly status: CredentialStatusWord;
  readonly changedAt?: string | null;
  readonly txHash?: string | null;
  /** What the ledger holds beside the status. Without it nothing is known to have been issued. */
  readonly record?: LedgerRecord;
}

/** An entry of the registry with the registered template that it names, as `getCredentialStatus` tells it. */
export type LedgerRecord = Omit<RecordReply, 'registry' | 'ledgerSeq'> &
  Partial<Pick<RecordReply, 'registry' | 'ledgerSeq'>>;

/** What an issuer calls itself: shown as its own word, and not where it looks like a trusted issuer's name. */
export interface KnownIssuerName {
  readonly did: string;
  readonly name: string;
}

/** What facts rest on. */
export interface FactsBasis {
  /** The address of the service that told them. */
  readonly service?: string;
  /** The address of a node, and the newest block that it had when they were collected. */
  readonly node?: string;
  readonly ledgerSeq?: string;
  readonly blockHash?: string;
}

/** What proves statuses to whoever knows a block of the network. */
export interface FactsProofs {
  /** Light blocks, from one that a verifier knows on, in the order of their heights. */
  readonly chain: readonly JsonValue[];
  /** State proofs as a node gave them, each of a block of the ledger whose next one is in the chain. */
  readonly states: readonly JsonValue[];
}

/** When proofs count, and of which network's addresses they are. */
export interface FactsProofTerms {
  readonly now: number;
  readonly maxAgeSeconds?: number | undefined;
  readonly profile: NetworkProfile;
}

/** The facts with statuses as they are proven; throws where one is not. */
export type FactsProver = (facts: OfflineFacts, expected: FactsProofTerms) => Promise<OfflineFacts>;

/** Keys and statuses by which presentations are verified without a service. */
export interface CollectedFacts {
  readonly form: typeof factsForm;
  /** When they were collected. */
  readonly fetchedAt: string;
  readonly basis: FactsBasis;
  readonly issuerKeys: readonly KnownIssuerKey[];
  readonly statuses: readonly KnownStatus[];
  /** What issuers call themselves. */
  readonly issuerNames: readonly KnownIssuerName[];
  readonly proofs?: FactsProofs;
}

/** Who vouches for facts. */
export interface FactsProof {
  /** DID of whoever collected them. */
  readonly collector: string;
  /** Ed25519, 128 lower-case hex digits. */
  readonly signature: string;
}

/** Facts that somebody vouches for, for other verifiers. */
export interface SignedFacts extends CollectedFacts {
  readonly proof: FactsProof;
}

/** Facts, as somebody collected them; those that a verifier wrote down itself need no names and no basis. */
export interface OfflineFacts
  extends Omit<CollectedFacts, 'issuerNames' | 'basis'>,
    Partial<Pick<CollectedFacts, 'issuerNames' | 'basis'>> {
  readonly proof?: FactsProof;
}

/** The members that are signed. */
export const collectedOf = (facts: CollectedFacts): CollectedFacts => ({
  form: facts.form,
  fetchedAt: facts.fetchedAt,
  basis: facts.basis,
  issuerKeys: facts.issuerKeys,
  statuses: facts.statuses,
  issuerNames: facts.issuerNames,
  ...(facts.proofs && { proofs: facts.proofs }),
});

/** What JSON does not carry is not signed: a member that is undefined is none. */
export const factsToSign = (facts: CollectedFacts): Uint8Array =>
  encodeUtf8(`${factsForm}\n${canonicalJson(JSON.parse(JSON.stringify(collectedOf(facts))))}`);

/**
 * Whose facts a verifier takes: those that collectors with these DIDs signed; or its own, which nobody signed and nobody
 * else could change. Own ones that are signed are taken by the verifier's own DID.
 */
export type FactsTaken = 'self' | readonly string[];

/** What the verifier says about the facts, beside what they say of themselves. */
export interface FactsExpectation {
  readonly takenFrom: FactsTaken;
  /** A day, if left out. */
  readonly maxAgeSeconds?: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const collectAnew = 'Collect new ones: fetchOfflineFacts, or symbolon verify facts FILE.';

/**
 * Throws `factsNotSigned`, `factsNotTrusted`, `factsStale` or `factsFromFuture` for facts that must not be gone by, and
 * `invalidArgument` for what is none, or where it is not said whose facts are taken.
 */
export async function requireUsableFacts(
  facts: Partial<SignedFacts>,
  { takenFrom, now, maxAgeSeconds = factsLimits.ageSecondsMax }: FactsExpectation,
): Promise<void> {
  const { fetchedAt, proof } = facts;
  requireTaken(takenFrom);
  const collectedAt = unixMsOf(fetchedAt ?? '');
  if (collectedAt === undefined) throw unusable('facts must say when they were collected', collectAnew);
  if (!(maxAgeSeconds > 0 && Number.isFinite(maxAgeSeconds)))
    throw unusable('maxAgeSeconds must be a number above 0', 'Leave it out for a day.');
  if (collectedAt - now > factsLimits.aheadMsMax)
    throw new SdkError('factsFromFuture', 'the facts are dated after now', {
      hint: `Set the clocks of collector and verifier. ${collectAnew}`,
    });
  if (!(now - collectedAt <= maxAgeSeconds * 1_000))
    throw new SdkError('factsStale', `the facts are older than ${maxAgeSeconds} seconds`, {
      hint: `${collectAnew} Or allow older ones: maxAgeSeconds, --max-age.`,
    });
  if (proof !== undefined) return requireCollector(facts as SignedFacts, takenFrom);
  if (takenFrom === 'self') return;
  throw new SdkError('factsNotSigned', 'nobody has signed the facts', {
    hint: "Take signed ones (signFacts, symbolon verify facts). If they are your own, say so: takenFrom 'self', --own-facts.",
  });
}

const unusable = (message: string, hint: string): SdkError =>
  new SdkError('invalidArgument', message, { hint });

function requireTaken(takenFrom: FactsTaken): void {
  const isKnown =
    takenFrom === 'self' ||
    (Array.isArray(takenFrom) &&
      takenFrom.length > 0 &&
      takenFrom.every((did) => keyOfDid(did) !== undefined));
  if (isKnown) return;
  throw unusable(
    'it is not said whose facts are taken',
    "Name DIDs of collectors in takenFrom, or 'self' for facts that you collected yourself.",
  );
}

async function requireCollector(facts: SignedFacts, takenFrom: FactsTaken): Promise<void> {
  const { collector, signature: text } = facts.proof;
  if (takenFrom === 'self')
    throw notTrusted(`the facts are signed by ${collector}, and own facts are those that nobody signed`);
  if (!takenFrom.includes(collector))
    throw notTrusted(`the facts were collected by ${collector}, whose facts are not taken`);
  const [publicKey, signature] = [keyOfDid(String(collector)), parseHex(String(text))];
  const isExact = signature !== undefined && encodeHex(signature) === text;
  const message = bytesOrUndefined(facts);
  const isGood =
    publicKey && isExact && message && (await verifyWithWebCrypto({ publicKey, message, signature }));
  if (!isGood) throw notTrusted('the facts are not as their collector signed them');
}

function bytesOrUndefined(facts: SignedFacts): Uint8Array | undefined {
  try {
    return factsToSign(facts);
  } catch (error) {
    if (error instanceof CanonicalJsonError) return undefined;
    throw error;
  }
}

const notTrusted = (message: string): SdkError =>
  new SdkError('factsNotTrusted', message, {
    hint: 'Take facts from a collector that you name in takenFrom (--facts-by), as it wrote them. So are your own taken, if you signed them.',
  });

// What may stand in a document of facts, to the last member. It comes from elsewhere, so it says facts and nothing of how
// they are judged: a condition or a word that somebody wrote into it is refused, signed or not.

const documentMembers: MembersOf<OfflineFacts> = {
  form: true,
  fetchedAt: true,
  basis: true,
  issuerKeys: true,
  statuses: true,
  issuerNames: true,
  proofs: true,
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
const proofsMembers: MembersOf<FactsProofs> = { chain: true, states: true };

/** Throws `invalidArgument` for what is no document of facts, or has more in it than facts. */
export function assertFactsDocument(facts: OfflineFacts): void {
  if (typeof facts !== 'object' || facts === null) {
    const hint = 'Give them whole and apart from what you expect: { facts, takenFrom, challenge, now }.';
    throw new SdkError('invalidArgument', 'facts are missing: facts', { hint });
  }
  // Before anything else of it is read: an older form has other members.
  if (facts.form !== factsForm) throw unusable(`facts must be of the form ${factsForm}`, collectAnew);
  assertMembers(facts, documentMembers, 'facts');
  const { basis, issuerKeys, statuses, issuerNames = [], proof, proofs } = facts;
  requireLists({ issuerKeys, statuses, issuerNames });
  if (basis !== undefined) assertMembers(basis, basisMembers, 'the basis of facts');
  for (const key of issuerKeys) assertMembers(key, keyMembers, 'an issuer key');
  for (const status of statuses) {
    assertMembers(status, statusMembers, 'a status');
    if (status.record) assertMembers(status.record, recordMembers, 'a record');
  }
  for (const name of issuerNames) assertMembers(name, nameMembers, 'the name of an issuer');
  if (proof !== undefined) assertMembers(proof, proofMembers, 'the proof of facts');
  if (proofs === undefined) return;
  assertMembers(proofs, proofsMembers, 'the proofs of facts');
  requireLists({ 'proofs.chain': proofs.chain, 'proofs.states': proofs.states });
}

/** Without them there is nothing to judge by, which is no verdict. */
function requireLists(lists: Readonly<Record<string, unknown>>): void {
  const missing = Object.keys(lists).filter((name) => !Array.isArray(lists[name]));
  if (missing.length === 0) return;
  const hint = 'Take keys and statuses from fetchOfflineFacts.';
  throw new SdkError('invalidArgument', `facts are missing: ${missing.join(', ')}`, { hint });
}
