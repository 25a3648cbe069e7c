/**
 * Verifies presentations without any service: the same rules and the same proofs as `vp/verify`, on facts that the
 * verifier brings along, issuer keys and statuses. Nothing is fetched. The proof engine, which is large, is loaded
 * when the first proof is to be checked.
 *
 * A verdict is as good as its facts: they are taken from whom the verifier names and for as long as it says
 * (`facts/collected-facts.ts`), and a credential whose status is not among them does not verify.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { equalBytes, parseHex } from '@symbolon/core/basics/bytes';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { keyOfDid, type VerifyEd25519 } from '@symbolon/core/credential/credential-assembly';
import { parseDetachedJws } from '@symbolon/core/credential/jws';
import { addressOfDid, parseBbsPublicKey } from '@symbolon/core/did/did';
import type { CredentialFrame, LedgerStatus, Presentation } from '@symbolon/core/documents/model';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import type { RecordedTerms } from '@symbolon/core/presentation/ledger-terms';
import { examinePresentation, parsePresentation } from '@symbolon/core/presentation/presentation-checks';
import { holderSigningInput } from '@symbolon/core/presentation/presentation-derivation';
import type {
  IssuerKey,
  StatusFact,
  VerificationFacts,
} from '@symbolon/core/presentation/presentation-facts';
import { concludeVerdict, type Verdict } from '@symbolon/core/presentation/presentation-verdict';
import { type ProofEngine, ProofEngineError, type ProofOrder } from '@symbolon/core/proofs/proof-engine';
import type { CredentialStatusWord, RecordReply } from '@symbolon/wire/credentials/verifier-replies';
import { verifierRoutes } from '@symbolon/wire/credentials/verifier-routes';
import { readServiceRequest } from '@symbolon/wire/http/service-route';
import type { JsonValue } from '@symbolon/wire/json/json';
import { SdkError } from '../errors/errors.ts';
import { assertMembers, type MembersOf } from '../errors/exact-arguments.ts';
import { verifyWithWebCrypto } from '../keys/signer.ts';
import type { VerifierClient } from '../service/verifier-client.ts';
import { agesAskedOf, expectedOf } from './age-claims.ts';
import {
  type CollectedFacts,
  type FactsExpectation,
  type FactsProof,
  requireUsableFacts,
} from './collected-facts.ts';
import { assertFactsDocument } from './facts-members.ts';
import { namesOfFacts } from './known-names.ts';

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

type VerdictBody = Parameters<VerifierClient['verifyPresentation']>[0];

/** Facts, as somebody collected them; those that a verifier wrote down itself need no names and no basis. */
export interface OfflineFacts
  extends Omit<CollectedFacts, 'issuerNames' | 'basis'>,
    Partial<Pick<CollectedFacts, 'issuerNames' | 'basis'>> {
  readonly proof?: FactsProof;
}

/** What a verifier goes by, whose facts it takes, and what it expects of a presentation. */
export interface OfflineQuestion extends FactsExpectation {
  /** The document whole, as it was fetched or read: apart from the rest, so that nothing in it becomes a condition. */
  readonly facts: OfflineFacts;
  readonly challenge?: string;
  readonly domain?: string;
  /** What was asked for, as `vp/verify` takes it. */
  readonly request?: VerdictBody['request'];
  /** Whom the verifier trusts: DIDs, or with names and templates of their own. Anybody, if left out. */
  readonly trustedIssuers?: VerdictBody['trustedIssuers'];
  /** Templates that are wanted; any, if left out. */
  readonly templates?: VerdictBody['templates'];
  /** Loaded for this one call if left out. */
  readonly engine?: ProofEngine;
  /** `ledger:<network>:<registry address>` of which the statuses are; the one that each record names, if left out. */
  readonly registry?: string;
  /** Parameters of set-membership ranges that this verifier made itself. */
  readonly ownRangeParameters?: readonly Uint8Array[];
  readonly profile?: NetworkProfile;
}

const questionMembers: MembersOf<OfflineQuestion> = {
  facts: true,
  challenge: true,
  domain: true,
  request: true,
  trustedIssuers: true,
  templates: true,
  now: true,
  engine: true,
  registry: true,
  ownRangeParameters: true,
  profile: true,
  takenFrom: true,
  maxAgeSeconds: true,
};

/**
 * The six checks. Throws `SdkError` for a fact or condition that is not known and for facts that must not be gone by
 * (`factsNotSigned`, `factsNotTrusted`, `factsStale`, `factsFromFuture`), the faults `presentationMalformed`,
 * `requestMalformed` and `rangeInvalid` for what is none of what it should be, and `ProofEngineError` where a proof could
 * not be checked, which is no verdict.
 */
export async function verifyPresentationOffline(
  presentation: object,
  question: OfflineQuestion,
): Promise<Verdict> {
  const { facts, now, challenge, domain, request, trustedIssuers, templates } = question;
  const { profile = zetrixProfile, registry, ownRangeParameters, engine } = question;
  assertFactsDocument(facts);
  assertMembers(question, questionMembers, 'a question');
  requireTime(now);
  requireEachKeyOnce(facts);
  await requireUsableFacts(facts, question);
  const expected = { challenge, domain, request, trustedIssuers, templates };
  const body = { vp: presentation, ...expected } as unknown as JsonValue;
  const asked = readServiceRequest(verifierRoutes.verifyPresentation, { body });
  const parsed = parsePresentation(asked.presentation, profile);
  const { created } = parsed.proof;
  const examination = examinePresentation(asked.presentation, {
    now,
    profile,
    expectedChallenge: asked.challenge,
    expectedDomain: asked.domain,
    request: asked.asked && expectedOf(asked.asked, { created, now }),
    issuerKeys: knownKeys(facts.issuerKeys),
    ...knownRecords(facts, { registry, profile }),
    verifyEd25519: await checkedSignature(parsed),
    sha256,
    ownRangeParameters,
    trust: {
      asked: asked.trust,
      ...namesOfFacts(facts, asked.trust, createKeyFormat(profile, sha256)),
      agesAskedOf: agesAskedOf(asked.asked),
    },
  });
  const orders = examination.proofOrders.map(({ order }) => order);
  return concludeVerdict(examination, await checkProofs(orders, engine));
}

/** Nothing here asks a clock. */
function requireTime(now: number): void {
  if (Number.isFinite(now)) return;
  const hint = 'Say the time as Date.now() does.';
  throw new SdkError('invalidArgument', 'the time is missing: now', { hint });
}

function requireEachKeyOnce({ issuerKeys }: OfflineFacts): void {
  const said = new Map<string, string>();
  for (const key of issuerKeys) {
    const text = canonicalJson(key);
    if ((said.get(key.verificationMethod) ?? text) !== text) {
      const hint = 'Give each key once, with all that is known of it.';
      throw new SdkError('invalidArgument', 'an issuer key is given twice, differently', { hint });
    }
    said.set(key.verificationMethod, text);
  }
}

/** A key that cannot be read is an error of the verifier's, not of who presents. */
function knownKeys(
  known: readonly KnownIssuerKey[],
): (issuer: string, verificationMethod: string) => IssuerKey | undefined {
  const keys = new Map<string, IssuerKey>();
  for (const { verificationMethod, publicKeyMultibase, ...times } of known) {
    const publicKey = parseBbsPublicKey(publicKeyMultibase);
    if (!publicKey) {
      const hint = 'Take publicKeyMultibase from the DID document of the issuer.';
      throw new SdkError('invalidArgument', 'an issuer key is not a BBS+ public key', { hint });
    }
    keys.set(verificationMethod, { publicKey, ...times });
  }
  // The rules have compared the method with the issuer already.
  return (_issuer, verificationMethod) => keys.get(verificationMethod);
}

const statusOfWord: Readonly<Record<CredentialStatusWord, LedgerStatus>> = {
  Active: 'active',
  Suspended: 'suspended',
  Revoked: 'revoked',
};

/** Status and template of a credential come from one record. */
function knownRecords(
  { statuses }: OfflineFacts,
  { registry, profile }: { readonly registry: string | undefined; readonly profile: NetworkProfile },
): Pick<VerificationFacts, 'status' | 'template'> {
  const keys = createKeyFormat(profile, sha256);
  const find = ({ id, issuer, credentialStatus }: CredentialFrame): KnownStatus | undefined => {
    if (registry !== undefined && credentialStatus.id !== `${registry}#${id}`) return undefined;
    const address = addressOfDid(issuer, keys);
    const found = statuses.filter(
      (known) =>
        known.vcId === id &&
        (known.issuer === issuer || known.issuer === address) &&
        isKeptIn(known.record?.registry, credentialStatus.id),
    );
    // Of several the worst counts: which of them is the newest cannot be told.
    return found.find(({ status }) => status !== 'Active') ?? found[0];
  };
  return {
    status: (frame) => {
      const fact = find(frame);
      return fact && statusFactOf(fact);
    },
    template: (frame) => find(frame)?.record?.template ?? undefined,
  };
}

/** Whether a status entry is in the registry that a record names; a record need not name one. */
const isKeptIn = (registry: string | undefined, statusId: string): boolean =>
  registry === undefined || statusId.slice(0, statusId.indexOf('#')).endsWith(`:${registry}`);

function statusFactOf({ vcId, status, changedAt, txHash, record }: KnownStatus): StatusFact {
  return {
    status: statusOfWord[status] ?? 'unknown',
    ...(changedAt && { since: changedAt }),
    ...(txHash && { transaction: txHash }),
    ...(record && { issuedAt: record.issuedAt, terms: termsOf(vcId, record) }),
    ...(record?.ledgerSeq && { ledgerSeq: record.ledgerSeq }),
  };
}

/** A record without a template says nothing of what was issued. */
function termsOf(credential: string, record: LedgerRecord): RecordedTerms | undefined {
  const { template, validFrom, validUntil } = record;
  if (!template) return undefined;
  const commitment = record.commitment === null ? undefined : parseHex(record.commitment);
  if (record.commitment !== null && !commitment) {
    const hint = 'Take the record from getCredentialStatus, or from the registry on the ledger.';
    throw new SdkError('invalidArgument', 'the commitment of a record is not hex', { hint });
  }
  const terms = { template: template.id, templateVersion: template.version, validFrom, validUntil };
  return { credential, ...terms, ...(commitment && { commitment }) };
}

/** Web Crypto verifies later, the rules ask now: the one signature there is, is verified before. */
async function checkedSignature(presentation: Presentation): Promise<VerifyEd25519> {
  const { jws, ...options } = presentation.proof;
  const message = holderSigningInput({ ...presentation, proof: options });
  const [publicKey, signature] = [keyOfDid(presentation.holder), parseDetachedJws('holder', jws)];
  const isGood = publicKey && signature && (await verifyWithWebCrypto({ publicKey, message, signature }));
  return (askedKey, askedMessage, askedSignature) =>
    isGood === true &&
    equalBytes(askedKey, publicKey) &&
    equalBytes(askedMessage, message) &&
    equalBytes(askedSignature, signature);
}

async function checkProofs(
  orders: readonly ProofOrder[],
  given: ProofEngine | undefined,
): Promise<readonly boolean[]> {
  if (orders.length === 0) return [];
  const engine = given ?? (await (await import('../proofs/dock-engine.ts')).createDockEngine());
  try {
    const results: boolean[] = [];
    for (const order of orders) results.push(await isProved(engine, order));
    return results;
  } finally {
    if (!given) await engine.close();
  }
}

/** An order that no engine takes is about nothing that was ever signed. */
async function isProved(engine: ProofEngine, order: ProofOrder): Promise<boolean> {
  try {
    return await engine.verifyProof(order);
  } catch (error) {
    if (error instanceof ProofEngineError && error.code === 'invalidInput') return false;
    throw error;
  }
}
