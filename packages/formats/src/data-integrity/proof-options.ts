/** What a proof says about itself, read strictly: the members, the times, and what they must be for whoever verifies. */
import { unknownName } from '@symbolon/core/basics/known-names';
import type { Fields } from '@symbolon/core/basics/plain-values';
import { dateTimeMs } from '../credential/date-times.ts';
import { dataIntegrityLimits } from '../limits/document-limits.ts';
import { ProofRefusal } from './proof-problems.ts';
import type { ProofPurpose } from './verification-keys.ts';

export const suiteNames = ['bbs-2023', 'eddsa-rdfc-2022', 'ecdsa-rdfc-2019', 'Ed25519Signature2020'] as const;
export type SuiteName = (typeof suiteNames)[number];

/** What whoever verifies expects of every proof of a document. */
export interface ExpectedProof {
  readonly purpose: ProofPurpose;
  readonly nowMs: number;
  readonly domain?: string;
  readonly challenge?: string;
}

export interface ReadProof {
  readonly suite: SuiteName;
  readonly verificationMethod: string;
  readonly previousProofs: readonly string[];
}

const proofType = 'DataIntegrityProof';
const oldSuite = 'Ed25519Signature2020';

/** What is no text may be an object that does not want to be one. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : 'no text');

function suiteOf({ type, cryptosuite }: Fields): SuiteName {
  if (type === oldSuite) return oldSuite;
  if (type !== proofType)
    throw new ProofRefusal('cryptosuiteUnknown', unknownName(textOf(type), [proofType, oldSuite]));
  const known = suiteNames.filter((name) => name !== oldSuite);
  const suite = known.find((name) => name === cryptosuite);
  if (suite === undefined)
    throw new ProofRefusal('cryptosuiteUnknown', unknownName(textOf(cryptosuite), known));
  return suite;
}

const urlCharsMax = 2_048;
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= urlCharsMax;

function previousOf({ previousProof }: Fields): readonly string[] {
  if (previousProof === undefined) return [];
  const all: readonly unknown[] = Array.isArray(previousProof) ? previousProof : [previousProof];
  if (all.length === 0 || all.length > dataIntegrityLimits.proofsMax || !all.every(isText))
    throw new ProofRefusal('proofMalformed', 'previousProof must name one or more proofs');
  return all;
}

function timeOf(proof: Fields, name: 'created' | 'expires'): number | undefined {
  const value = proof[name];
  if (value === undefined) return undefined;
  const time = typeof value === 'string' ? dateTimeMs(value) : undefined;
  if (time === undefined)
    throw new ProofRefusal('proofMalformed', `${name} must be a date and time with an offset`);
  return time;
}

/** One text, or one of several, as `domain` may be. */
const names = (value: unknown, wanted: string): boolean =>
  Array.isArray(value) ? value.includes(wanted) : value === wanted;

/** Reads a proof, and refuses one that is not for whoever verifies. */
export function readProofOptions(proof: Fields, expected: ExpectedProof): ReadProof {
  const suite = suiteOf(proof);
  const { verificationMethod, proofPurpose, domain, challenge } = proof;
  if (!isText(verificationMethod))
    throw new ProofRefusal('proofMalformed', 'verificationMethod must be an address');
  if (
    typeof proof.proofValue !== 'string' ||
    proof.proofValue.length > dataIntegrityLimits.proofValueCharsMax
  )
    throw new ProofRefusal('proofMalformed', 'proofValue is missing or too long');
  if (proofPurpose !== expected.purpose)
    throw new ProofRefusal('purposeWrong', `proofPurpose must be ${expected.purpose}`);
  if (expected.domain !== undefined && !names(domain, expected.domain)) throw new ProofRefusal('domainWrong');
  if (expected.challenge !== undefined && challenge !== expected.challenge)
    throw new ProofRefusal('challengeWrong');
  const [createdMs, expiresMs] = [timeOf(proof, 'created'), timeOf(proof, 'expires')];
  if (createdMs !== undefined && createdMs > expected.nowMs + dataIntegrityLimits.clockAheadMs)
    throw new ProofRefusal('notYetMade');
  if (expiresMs !== undefined && expiresMs <= expected.nowMs) throw new ProofRefusal('proofExpired');
  return { suite, verificationMethod, previousProofs: previousOf(proof) };
}
