/**
 * Verifies presentations without any service: the same rules and the same proofs as `vp/verify`, on facts that the
 * verifier brings along, issuer keys and statuses. Nothing is fetched. The proof engine, which is large, is loaded
 * when the first proof is to be checked.
 *
 * A verdict is as good as its facts: they are taken from whom the verifier names and for as long as it says
 * (`collected-facts.ts`), and a credential whose status is not among them does not verify.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { equalBytes, parseHex } from '@symbolon/core/basics/bytes';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import type { Ed25519Question, VerifyEd25519 } from '@symbolon/core/credential/credential-assembly';
import { addressOfDid, parseBbsPublicKey } from '@symbolon/core/did/did';
import type { CredentialFrame, LedgerStatus } from '@symbolon/core/documents/model';
import { createKeyFormat, type KeyFormat } from '@symbolon/core/keys/keys';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import { areAlike } from '@symbolon/core/names/look-alike-names';
import { agesAskedOf, expectedOf } from '@symbolon/core/presentation/age-claims';
import type { RecordedTerms } from '@symbolon/core/presentation/ledger-terms';
import { examinePresentation } from '@symbolon/core/presentation/presentation-checks';
import type {
  IssuerKey,
  StatusFact,
  VerificationFacts,
} from '@symbolon/core/presentation/presentation-facts';
import { parsePresentation } from '@symbolon/core/presentation/presentation-parsing';
import { concludeVerdict, type Verdict } from '@symbolon/core/presentation/presentation-verdict';
import type { TrustFacts, VerifierTrust } from '@symbolon/core/presentation/trust-rules';
import { falseIfRefused, type ProofEngine, type ProofOrder } from '@symbolon/core/proofs/proof-engine';
import type { CredentialStatusWord } from '@symbolon/wire/credentials/verifier-replies';
import { verifierRoutes } from '@symbolon/wire/credentials/verifier-routes';
import { readServiceRequest } from '@symbolon/wire/http/service-route';
import type { JsonValue } from '@symbolon/wire/json/json';
import { assertMembers, type MembersOf, notUnderstood } from '../arguments/exact-arguments.ts';
import { SdkError } from '../errors/errors.ts';
import { verifyWithWebCrypto } from '../keys/signer.ts';
import { withProofEngine } from '../proofs/engine-choice.ts';
import type { VerifierClient } from '../service/verifier-client.ts';
import {
  assertFactsDocument,
  type CollectedFacts,
  type FactsExpectation,
  type FactsProver,
  type KnownIssuerKey,
  type KnownStatus,
  type LedgerRecord,
  type OfflineFacts,
  requireUsableFacts,
} from './collected-facts.ts';

type VerdictBody = Parameters<VerifierClient['verifyPresentation']>[0];

/** What a verifier goes by, whose facts it takes, and what it expects of a presentation. */
export interface OfflineQuestion extends FactsExpectation {
  /** The document whole, as it was fetched or read: apart from the rest, so that nothing in it becomes a condition. */
  readonly facts: OfflineFacts;
  readonly challenge?: string;
  readonly domain?: string;
  /**
   * Made by `provenFrom`, of a block of the network that the verifier knows: statuses count as the facts prove them from
   * there on, and no collector is believed about them. Without it the facts are believed as they stand.
   */
  readonly prover?: FactsProver;
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
  prover: true,
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
  const { facts: given, now, challenge, domain, request, trustedIssuers, templates } = question;
  const { profile = zetrixProfile, registry, ownRangeParameters, engine } = question;
  assertFactsDocument(given);
  assertMembers(question, questionMembers, 'a question');
  requireTime(now);
  requireEachKeyOnce(given);
  await requireUsableFacts(given, question);
  const facts = await factsToGoBy(question);
  const expected = { challenge, domain, request, trustedIssuers, templates };
  const body = { vp: presentation, ...expected } as unknown as JsonValue;
  const asked = readServiceRequest(verifierRoutes.verifyPresentation, { body });
  const parsed = parsePresentation(asked.presentation, profile);
  const { created } = parsed.presentation.proof;
  const examination = examinePresentation(parsed, {
    now,
    profile,
    expectedChallenge: asked.challenge,
    expectedDomain: asked.domain,
    request: asked.asked && expectedOf(asked.asked, { created, now }),
    issuerKeys: knownKeys(facts.issuerKeys),
    ...knownRecords(facts, { registry, profile }),
    verifyEd25519: await checkedSignature(parsed.holderSignature),
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

/** What is proven, for who knows a block of the network. What checks proofs is passed in, so that others do not carry it. */
async function factsToGoBy(question: OfflineQuestion): Promise<OfflineFacts> {
  const { facts, prover, now, maxAgeSeconds, profile = zetrixProfile } = question;
  if (prover === undefined) return facts;
  if (typeof prover !== 'function') throw notUnderstood('a question', 'prover must be what provenFrom makes');
  return prover(facts, { now, maxAgeSeconds, profile });
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

/**
 * Names that facts tell, under the rule that a service has for them: one that is read like a name of another issuer's, of
 * itself or of a template, is not shown. Which of two had it first the facts do not say, so neither is shown, unless the
 * verifier trusts one of them alone.
 */
function namesOfFacts(
  { issuerNames = [], statuses }: Pick<CollectedFacts, 'statuses'> & Partial<CollectedFacts>,
  asked: TrustFacts['asked'],
  keys: KeyFormat,
): Pick<TrustFacts, 'ownName' | 'isOthers'> {
  // Facts name issuers by DID or address.
  const addressOf = (issuer: string): string => addressOfDid(issuer, keys) ?? issuer;
  const named = new Map<string, { readonly owner: string; readonly name: string }>();
  const know = (issuer: string, name: string): void => {
    const owner = addressOf(issuer);
    named.set(`${owner} ${name}`, { owner, name });
  };
  for (const { did, name } of issuerNames) know(did, name);
  for (const { issuer, record } of statuses) if (record?.template) know(issuer, record.template.name);
  const trusted = new Set(
    trustsIn(asked).flatMap(({ issuers = [] }) => issuers.map(({ did }) => addressOf(did))),
  );
  return {
    ownName: (issuer) => issuerNames.find(({ did }) => did === issuer)?.name,
    isOthers: (issuer, name) => {
      const own = addressOf(issuer);
      const isRival = (owner: string): boolean => owner !== own && (!trusted.has(own) || trusted.has(owner));
      return [...named.values()].some((other) => isRival(other.owner) && areAlike(other.name, name));
    },
  };
}

const trustsIn = (asked: TrustFacts['asked']): readonly VerifierTrust[] =>
  [asked].flat().filter((trust) => trust !== undefined);

/** Web Crypto verifies later, the rules ask now: the one signature there is, is verified before. */
async function checkedSignature(question: Ed25519Question | undefined): Promise<VerifyEd25519> {
  const isGood = question && (await verifyWithWebCrypto(question));
  return (publicKey, message, signature) =>
    isGood === true &&
    equalBytes(publicKey, question.publicKey) &&
    equalBytes(message, question.message) &&
    equalBytes(signature, question.signature);
}

async function checkProofs(
  orders: readonly ProofOrder[],
  given: ProofEngine | undefined,
): Promise<readonly boolean[]> {
  if (orders.length === 0) return [];
  return withProofEngine(given, async (engine) => {
    const results: boolean[] = [];
    for (const order of orders) results.push(await falseIfRefused(() => engine.verifyProof(order)));
    return results;
  });
}
