/**
 * A credential in JSON-LD as a wallet presents it, judged: facts in, verdict out. With a holder it comes in a presentation
 * that its subject has signed for this verifier and this occasion; without one by itself, and then a proof of bbs-2023 is
 * bound to the occasion by its presentation header. Nothing is shown of what fails.
 */
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { encodeUtf8, equalBytes, equalTexts } from '@symbolon/core/basics/bytes';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { Fault } from '@symbolon/core/faults/faults';
import { bbs2023 } from '../bbs-2023/bbs-2023.ts';
import { parseDerivedProof } from '../bbs-2023/proof-value.ts';
import { withoutProof } from '../bbs-2023/transformation.ts';
import {
  credentialProblems,
  issuerOfDocument,
  presentationProblems,
  validityOf,
} from '../credential/data-model.ts';
import { proofProblems } from '../data-integrity/proof-problems.ts';
import { proofsOf } from '../data-integrity/signing.ts';
import {
  type DocumentVerdict,
  type ProofExpectations,
  type ProofTools,
  verifyDocument,
} from '../data-integrity/verifying.ts';
import { expandedDocument } from '../json-ld/canonical.ts';
import { sdJwtLimits } from '../limits/format-limits.ts';
import type { ClaimPath } from '../sd-jwt/unpacking.ts';
import { type LdpFindings, type ToldLdpCheck, tellLdpChecks } from './ldp-checks.ts';

export interface LdpFacts {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly nonce: string;
  /** The full client id. */
  readonly audience: string;
  readonly needsHolder: boolean;
  /** Lists of full names of types: all of one list. */
  readonly kinds: readonly (readonly string[])[];
  readonly tools: ProofTools;
  /** What is wrong with the statuses that the credential refers to. */
  readonly checkStatus: (entries: unknown, issuer: string) => Promise<readonly string[]>;
}

export interface VerifiedLdp {
  readonly issuer: string;
  readonly types: readonly string[];
  readonly holder?: string;
  /** Without its proof. */
  readonly credential: Fields;
  /** Where its holder chose to show something: nowhere, but of proofs that disclose selectively. */
  readonly selected: readonly ClaimPath[];
  readonly validity: { readonly fromMs?: number; readonly untilMs?: number };
}

export interface LdpVerdict {
  readonly verified: boolean;
  readonly checks: readonly ToldLdpCheck[];
  /** Only of what verifies. */
  readonly credential?: VerifiedLdp;
}

interface ReadLdp {
  /** With a holder alone. */
  readonly presentation?: Fields;
  readonly holder?: string;
  readonly credential: Fields;
  readonly subject: Fields;
  readonly issuer: string;
  readonly proofs: readonly Fields[];
}

const hasFailed = (found: LdpFindings): boolean =>
  [...found.values()].some((finding) => finding !== 'idle' && finding.length > 0);

const refused = (found: LdpFindings): LdpVerdict => ({ verified: false, checks: tellLdpChecks(found) });

export async function verifyLdpPresentation(element: unknown, facts: LdpFacts): Promise<LdpVerdict> {
  const found: LdpFindings = new Map();
  const read = readElement(element, facts.needsHolder);
  found.set('form', isComplaint(read) ? [read.complaint] : []);
  if (isComplaint(read)) return refused(found);
  compareOccasion(read, facts, found);
  const { credential, subject, holder, issuer, proofs } = read;
  if (facts.needsHolder)
    found.set('holderKey', subject.id === holder ? [] : ['the credential is of another subject']);
  const validity = validityOf(credential);
  found.set('validity', validityComplaints(validity, facts.now));
  if (hasFailed(found)) return refused(found);
  const types = await expandedTypes(credential, facts);
  found.set(
    'credentialType',
    isComplaint(types)
      ? [types.complaint]
      : facts.kinds.some((kind) => kind.every((name) => types.includes(name)))
        ? []
        : ['the credential is of another type'],
  );
  if (isComplaint(types) || hasFailed(found)) return refused(found);
  await checkSignatures(read, facts, found);
  if (hasFailed(found)) return refused(found);
  const { credentialStatus } = credential;
  found.set(
    'status',
    credentialStatus === undefined ? 'idle' : await facts.checkStatus(credentialStatus, issuer),
  );
  if (hasFailed(found)) return refused(found);
  const bare = withoutProof(credential);
  const isSelective = proofs.some(({ cryptosuite }) => cryptosuite === bbs2023);
  return {
    verified: true,
    checks: tellLdpChecks(found),
    credential: {
      ...{ issuer, types, credential: bare, validity },
      ...(holder !== undefined && { holder }),
      selected: isSelective ? selectedPaths(bare) : [],
    },
  };
}

function readElement(element: unknown, needsHolder: boolean): ReadLdp | Complaint {
  const document = asObject(element);
  if (!document) return { complaint: 'it is no JSON object' };
  const [problem] = needsHolder ? presentationProblems(document) : credentialProblems(document);
  if (problem) return { complaint: `${problem.pointer} ${problem.detail}`.trim() };
  if (!needsHolder) return readCredential(document);
  const { verifiableCredential: inside } = document;
  const all: readonly unknown[] = Array.isArray(inside) ? inside : [inside];
  const credential = all.length === 1 ? asObject(all[0]) : undefined;
  if (!credential) return { complaint: 'the presentation has not exactly one credential' };
  const holder = asObject(document.holder)?.id ?? document.holder;
  if (typeof holder !== 'string') return { complaint: 'the presentation names no holder' };
  const read = readCredential(credential);
  return isComplaint(read) ? read : { ...read, presentation: document, holder };
}

function readCredential(credential: Fields): ReadLdp | Complaint {
  const subjects: readonly unknown[] = Array.isArray(credential.credentialSubject)
    ? credential.credentialSubject
    : [credential.credentialSubject];
  const subject = subjects.length === 1 ? asObject(subjects[0]) : undefined;
  if (!subject) return { complaint: 'the credential has not exactly one subject' };
  const issuer = issuerOfDocument(credential);
  if (issuer === undefined) return { complaint: 'the credential names no issuer' };
  const proofs = proofsOrNothing(credential);
  if (!proofs) return { complaint: 'the credential has no proofs that can be read' };
  // Others are known here, and were not offered to wallets.
  if (!proofs.every(({ type }) => type === 'DataIntegrityProof'))
    return { complaint: 'the credential has a proof of a kind that was not asked for' };
  return { credential, subject, issuer, proofs };
}

function proofsOrNothing(document: Fields): readonly Fields[] | undefined {
  try {
    return proofsOf(document);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

/** Whether every proof that can say so is for this occasion and this verifier. */
function compareOccasion({ presentation, proofs }: ReadLdp, facts: LdpFacts, found: LdpFindings): void {
  const other = ['it was made for another occasion'];
  if (presentation) {
    const holders = proofsOrNothing(presentation) ?? [];
    const isForNow = holders.every(
      ({ challenge }) => typeof challenge === 'string' && equalTexts(challenge, facts.nonce),
    );
    found.set('challenge', holders.length > 0 && isForNow ? [] : other);
    const isForUs = holders.every(({ domain }) => domain === facts.audience);
    found.set('audience', isForUs ? [] : ['it is for another verifier']);
    return;
  }
  for (const check of ['audience', 'holderKey', 'holderSignature'] as const) found.set(check, 'idle');
  const derived = proofs.filter(({ cryptosuite }) => cryptosuite === bbs2023);
  const isForNow = derived.every((proof) => isBoundTo(proof, facts.nonce));
  found.set('challenge', derived.length === 0 ? 'idle' : isForNow ? [] : other);
}

function isBoundTo({ proofValue }: Fields, nonce: string): boolean {
  try {
    return equalBytes(parseDerivedProof(proofValue).presentationHeader, encodeUtf8(nonce));
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

function validityComplaints({ fromMs, untilMs }: VerifiedLdp['validity'], now: number): readonly string[] {
  const skewMs = sdJwtLimits.clockSkewSeconds * 1_000;
  const complaints: string[] = [];
  if (fromMs !== undefined && !(fromMs <= now + skewMs)) complaints.push('the credential is not valid yet');
  if (untilMs !== undefined && !(untilMs > now)) complaints.push('expired credential');
  return complaints;
}

async function expandedTypes(
  credential: Fields,
  { tools }: LdpFacts,
): Promise<readonly string[] | Complaint> {
  try {
    const [node] = await expandedDocument(withoutProof(credential), tools.load);
    const types = (node as Fields | undefined)?.['@type'];
    return Array.isArray(types) ? types.filter((type) => typeof type === 'string') : [];
  } catch (error) {
    if (error instanceof Fault && error.code === 'credentialMalformed') return { complaint: error.message };
    throw error;
  }
}

async function checkSignatures(read: ReadLdp, facts: LdpFacts, found: LdpFindings): Promise<void> {
  const { presentation, holder, credential, issuer } = read;
  const { now: nowMs, nonce: challenge, audience: domain, tools } = facts;
  if (presentation && holder !== undefined) {
    const expected = { purpose: 'authentication', nowMs, challenge, domain, controller: holder } as const;
    found.set('holderSignature', await signatureComplaints(presentation, expected, tools));
    if (hasFailed(found)) return;
  }
  const expected: ProofExpectations = { purpose: 'assertionMethod', nowMs, controller: issuer };
  found.set('issuerSignature', await signatureComplaints(credential, expected, tools));
}

async function signatureComplaints(
  document: Fields,
  expected: ProofExpectations,
  tools: ProofTools,
): Promise<readonly string[]> {
  const verdict: DocumentVerdict = await verifyDocument(document, expected, tools);
  return verdict.proofs.flatMap((proof) => {
    if (proof.isVerified) return [];
    const { problem, detail } = proof;
    const [, title] = proofProblems[problem];
    return [detail === undefined ? title : `${title}: ${detail}`];
  });
}

/** What issuers always show. */
const frameMembers: readonly string[] = [
  ...['@context', 'id', 'type', 'issuer', 'validFrom', 'validUntil', 'issuanceDate', 'expirationDate'],
  ...['credentialStatus', 'credentialSchema', 'proof'],
];

/** Every value beside the frame, and beside identifiers and types, without which nothing can be shown. */
function selectedPaths(credential: Fields): readonly ClaimPath[] {
  const walk = (value: unknown, path: ClaimPath): readonly ClaimPath[] => {
    if (Array.isArray(value)) return value.flatMap((one, index) => walk(one, [...path, index]));
    const object = asObject(value);
    if (!object) return [path];
    return Object.entries(object)
      .filter(([name]) => name !== 'id' && name !== 'type')
      .flatMap(([name, one]) => walk(one, [...path, name]));
  };
  const shown = Object.entries(credential).filter(([name]) => !frameMembers.includes(name));
  return shown.flatMap(([name, value]) => walk(value, [name]));
}
