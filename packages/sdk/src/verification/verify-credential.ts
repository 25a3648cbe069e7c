/**
 * Whether a whole credential that somebody hands over is genuine, before it is kept: the one that was asked for, signed
 * by its issuer with both keys, and recorded on the ledger with these contents and terms. Keys and entry are a node's
 * word; of a service nothing is believed. Who keeps what fails here keeps a forgery that would take the genuine one's
 * place.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { readAttributeValue } from '@symbolon/core/attributes/attribute-values';
import {
  contentsOf,
  credentialSignatureOrder,
  isAsRecorded,
  issuerSignatureQuestion,
} from '@symbolon/core/credential/credential-assembly';
import { frameOf, subjectValue } from '@symbolon/core/credential/credential-messages';
import { type ParsedCredential, parseCredential } from '@symbolon/core/credential/credential-parsing';
import { encodeProofValue } from '@symbolon/core/credential/credential-shapes';
import { encodeBbsPublicKey } from '@symbolon/core/did/did';
import type { LedgerStatus, UnsignedCredential } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import { issuerKeyComplaint, termProblems } from '@symbolon/core/presentation/ledger-terms';
import type { StatusFact } from '@symbolon/core/presentation/presentation-facts';
import { falseIfRefused, type ProofEngine } from '@symbolon/core/proofs/proof-engine';
import { type RegistryEntry, statusFactOf } from '@symbolon/wire/credentials/registry-records';
import { assertMembers, type MembersOf } from '../arguments/exact-arguments.ts';
import { memberPath, wrongInFault } from '../arguments/member-paths.ts';
import { SdkError, withMembers } from '../errors/errors.ts';
import { verifyWithWebCrypto } from '../keys/signer.ts';
import type { LedgerClient } from '../ledger/ledger-client.ts';
import { assertPins, type Pins } from '../ledger/pins.ts';
import { readPublishedKey } from '../ledger/published-keys.ts';
import {
  entryMember,
  findEntry,
  findTemplate,
  type LedgerSource,
  registryOf,
  templateMember,
} from '../ledger/registries.ts';
import { withProofEngine } from '../proofs/engine-choice.ts';
import type { KnownIssuerKey } from './collected-facts.ts';

/** Why a credential is not genuine, in words that follow "the credential". */
const problemWords = {
  malformed: 'is not a credential of this product',
  otherCredential: 'is another one than was asked for',
  otherHolder: 'is of another holder',
  otherIssuer: 'is of another issuer',
  otherTemplate: 'is of another template',
  otherValues: 'has other values than were applied with',
  otherRegistry: 'names a registry that is not the one of this network',
  issuerSignature: 'is not signed by its issuer',
  notRecorded: 'is not on the ledger',
  otherContents: 'is not the one that the ledger has recorded',
  otherTerms: 'has other terms than the ledger has recorded',
  issuerKey: "is signed with a key that was not the issuer's to use",
  bbsSignature: "is not signed with the issuer's BBS+ key",
} as const;
/** Names of what may be wrong with a credential. */
export type CredentialProblemName = keyof typeof problemWords;

/** Why a credential is not genuine. */
export interface CredentialProblem {
  readonly name: CredentialProblemName;
  /** In words that follow "the credential"; no value of it. */
  readonly detail: string;
  /** The same without the members. */
  readonly reason: string;
  /** The paths of what is wrong, in the credential or in what the node answered; the last words of `detail`. */
  readonly members: readonly string[];
}

/** What must be so, beside being genuine; what is left out is not compared. */
export interface CredentialExpectation {
  /** The node whose word counts. */
  readonly ledger: LedgerClient;
  readonly pins?: Pins;
  readonly vcId?: string;
  /** DIDs. */
  readonly holder?: string;
  readonly issuer?: string;
  readonly templateId?: string;
  /** All values that it must have, as they were applied with. */
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
  /** Milliseconds since 1970; this machine's clock, if left out. */
  readonly now?: number;
  /** Loaded for this one call if left out. */
  readonly engine?: ProofEngine;
  readonly profile?: NetworkProfile;
}

const expectationMembers: MembersOf<CredentialExpectation> = {
  ledger: true,
  pins: true,
  vcId: true,
  holder: true,
  issuer: true,
  templateId: true,
  attributes: true,
  now: true,
  engine: true,
  profile: true,
};

/** Whether a credential is genuine, and what the ledger says of it. */
export interface CredentialVerdict {
  readonly isGenuine: boolean;
  /** The first that was found: what comes after it is not looked at. */
  readonly problem?: CredentialProblem;
  /** On the ledger; a genuine credential may be revoked or suspended. */
  readonly status: LedgerStatus;
  /** The key of its BBS+ signature, for presentations; empty if it is not genuine. */
  readonly issuerKeys: readonly KnownIssuerKey[];
}

/**
 * Rejects with what the node's client rejects with, and with `ProofEngineError`, where nothing could be found out: that
 * is no verdict.
 */
export async function verifyCredential(
  document: object,
  expectation: CredentialExpectation,
): Promise<CredentialVerdict> {
  assertMembers(expectation, expectationMembers, 'expectations');
  const { profile = zetrixProfile, now = Date.now(), ledger, pins } = expectation;
  assertPins(pins);
  const parsed = parsedOrFault(document, profile);
  if (parsed instanceof Fault) return notGenuine('malformed', { members: wrongInFault(parsed) });
  const other = otherThanExpected(parsed, expectation);
  if (other) return notGenuine(...other);
  const source: LedgerSource = { ledger, pins, profile, now };
  const registry = registryOf(parsed.credential, source);
  if (registry === undefined) return notGenuine('otherRegistry', { members: ['credentialStatus.id'] });
  const question = issuerSignatureQuestion(parsed, sha256);
  if (!question || !(await verifyWithWebCrypto(question)))
    return notGenuine('issuerSignature', { members: ['proof[1].jws'] });
  const entry = await findEntry(source, parsed.credential, registry);
  if (!entry) return notGenuine('notRecorded', { members: [entryMember(source, parsed.credential)] });
  return judgeRecorded(parsed, { entry, source, engine: expectation.engine });
}

function parsedOrFault(document: object, profile: NetworkProfile): ParsedCredential | Fault {
  try {
    return parseCredential(document, profile);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

function otherThanExpected(
  { credential }: ParsedCredential,
  { vcId, holder, issuer, templateId, attributes }: CredentialExpectation,
): readonly [CredentialProblemName, ProblemPlace] | undefined {
  const isOther = (expected: string | undefined, found: string): boolean =>
    expected !== undefined && expected !== found;
  if (isOther(vcId, credential.id)) return ['otherCredential', { members: ['id'] }];
  if (isOther(holder, credential.credentialSubject.id))
    return ['otherHolder', { members: ['credentialSubject.id'] }];
  if (isOther(issuer, credential.issuer)) return ['otherIssuer', { members: ['issuer'] }];
  if (isOther(templateId, credential.credentialSchema.id))
    return ['otherTemplate', { members: ['credentialSchema.id'] }];
  const value = attributes === undefined ? undefined : otherValue(credential, attributes);
  return value === undefined
    ? undefined
    : ['otherValues', { members: [memberPath(['credentialSubject', value])] }];
}

/** The key of the first value that is another, missing, or one too many; all are in their normal form. */
function otherValue(
  { credentialSchema, credentialSubject }: UnsignedCredential,
  given: NonNullable<CredentialExpectation['attributes']>,
): string | undefined {
  const known = new Set(credentialSchema.attributes.map(({ key }) => key));
  const unknown = Object.keys(given).find((key) => !known.has(key));
  if (unknown !== undefined) return unknown;
  return credentialSchema.attributes.find((attribute) => {
    const { key } = attribute;
    const read = Object.hasOwn(given, key) ? readAttributeValue(attribute, given[key]) : undefined;
    const expected = read && !isComplaint(read) ? read.value : undefined;
    return subjectValue(credentialSubject, key) !== expected;
  })?.key;
}

interface Recorded {
  readonly entry: RegistryEntry;
  readonly source: LedgerSource;
  readonly engine: ProofEngine | undefined;
}

async function judgeRecorded(
  parsed: ParsedCredential,
  { entry, source, engine }: Recorded,
): Promise<CredentialVerdict> {
  const { credential, bbsProof } = parsed;
  const { status } = entry;
  if (!isAsRecorded(parsed, entry, sha256))
    return notGenuine('otherContents', { status, members: ['digest', 'commitment'] });
  const fact = statusFactOf(credential.id, entry);
  const template = await findTemplate(source, entry);
  const rule = { didMethod: source.profile.didMethod, sha256 };
  const [problem] = termProblems(frameOf(credential), fact.terms, template, rule);
  if (problem) {
    const members = template ? problem.members : [templateMember(entry)];
    return notGenuine('otherTerms', { status, more: problem.detail, members });
  }
  const { verificationMethod } = bbsProof;
  const named = { issuer: credential.issuer, verificationMethod };
  const key = await usableKey(source, named, { entry, fact });
  if ('reason' in key) return notGenuine('issuerKey', { status, more: key.reason, members: key.members });
  if (!(await isSigned(parsed, key.publicKey, engine)))
    return notGenuine('bbsSignature', { status, members: ['proof[0].proofValue'] });
  const publicKeyMultibase = encodeBbsPublicKey(key.publicKey);
  return { isGenuine: true, status, issuerKeys: [{ verificationMethod, publicKeyMultibase }] };
}

/** The key that signed, or why it is not to be relied upon: also a log that its owner has not signed gives none. */
async function usableKey(
  source: LedgerSource,
  named: Parameters<typeof readPublishedKey>[1],
  { entry, fact }: { readonly entry: RegistryEntry; readonly fact: StatusFact },
): Promise<
  { readonly publicKey: Uint8Array } | { readonly reason: string; readonly members: readonly string[] }
> {
  try {
    const { key, members } = await readPublishedKey(source, named, entry);
    if (!key) return { reason: "the issuer's key is not known", members };
    const reason = issuerKeyComplaint(key, fact, source.now);
    return reason === undefined ? key : { reason, members };
  } catch (error) {
    if (error instanceof SdkError && error.code === 'notAsOrdered') return error;
    throw error;
  }
}

/** The BBS+ signature is good, and what it covers is what the ledger's commitment is to. */
async function isSigned(
  parsed: ParsedCredential,
  publicKey: Uint8Array,
  given: ProofEngine | undefined,
): Promise<boolean> {
  const order = credentialSignatureOrder(parsed, publicKey, sha256);
  const contents = contentsOf(parsed.bbsProof);
  return withProofEngine(given, (engine) =>
    falseIfRefused(
      async () =>
        (await engine.verifySignature(order)) &&
        (!contents || encodeProofValue(await engine.commit(order)) === contents.commitment),
    ),
  );
}

interface ProblemPlace {
  readonly members: readonly string[];
  readonly status?: LedgerStatus;
  readonly more?: string | undefined;
}

function notGenuine(
  name: CredentialProblemName,
  { status = 'unknown', more, members }: ProblemPlace,
): CredentialVerdict {
  const reason = more === undefined ? problemWords[name] : `${problemWords[name]}: ${more}`;
  const problem = { name, detail: withMembers(reason, members), reason, members };
  return { isGenuine: false, problem, status, issuerKeys: [] };
}

/** As `verifyCredential`; throws `notAsOrdered` for a credential that is not genuine, or revoked. */
export async function requireCredential(
  document: object,
  expectation: CredentialExpectation,
): Promise<CredentialVerdict> {
  const verdict = await verifyCredential(document, expectation);
  const { problem, status } = verdict;
  if (!problem && status !== 'revoked') return verdict;
  const { reason, members } = problem ?? { reason: 'is revoked', members: ['status'] };
  const hint = 'Do not keep it, and do not use this server before you know why.';
  throw new SdkError('notAsOrdered', `the credential that the server hands over ${reason}`, {
    hint,
    members,
  });
}

/** In plain JavaScript an order may leave out who says what is genuine. Nobody was asked anything then. */
export function assertLedger(ledger: LedgerClient | undefined, otherwise: string): void {
  if (ledger) return;
  const hint = `Name the node whose word counts: createLedgerClient(httpTransport(address)). ${otherwise}`;
  throw new SdkError('invalidArgument', 'the order says no ledger to verify the credential by', { hint });
}
