/**
 * Shows an invented attack to the rules, and says of a verdict whether everything it claims stands on the model of the
 * ledger. Written from what a verdict means, not from how the rules reach it.
 */

import { unixMsOf } from '../../basics/calendar.ts';
import { canonicalJson } from '../../basics/jcs.ts';
import type { CredentialFrame, Presentation } from '../../documents/model.ts';
import { zetrixProfile } from '../../keys/profile.ts';
import { examinePresentation } from '../../presentation/presentation-checks.ts';
import { buildUnsignedPresentation, planPresentation } from '../../presentation/presentation-derivation.ts';
import type { VerificationFacts } from '../../presentation/presentation-facts.ts';
import { parsePresentation } from '../../presentation/presentation-parsing.ts';
import { concludeVerdict, type Verdict } from '../../presentation/presentation-verdict.ts';
import type { DeriveOrder, ProofOrder } from '../../proofs/proof-engine.ts';
import {
  challenge,
  headerAndMessages,
  type ModelAttack,
  type ModelContents,
  type ModelEntry,
  type ModelLedger,
  methodOf,
  place,
  termsOf,
} from './ledger-model.ts';
import { now, sha256, signAs, verifyEd25519 } from './sample-credentials.ts';

/** Whoever makes and checks proofs. */
export interface ModelProver {
  /** Undefined where nobody could make such a proof. */
  prove(order: Omit<DeriveOrder, 'signature'>, attack: ModelAttack): Promise<Uint8Array | undefined>;
  verify(order: ProofOrder): Promise<boolean>;
  publicKeyOf(issuer: string, number: number): Uint8Array;
  commit(contents: ModelContents): Uint8Array;
}

const textOf = (contents: ModelContents): string => canonicalJson({ ...contents });

/** Whether the attacker can have a BBS signature over these contents: by a key it has, or by an honest issuer. */
export const canBeSigned = (ledger: ModelLedger, { contents, keyIssuer, keyNumber }: ModelAttack): boolean =>
  ledger.keys.some((key) => key.issuer === keyIssuer && key.number === keyNumber && key.isStolen) ||
  ledger.entries.some(
    ({ issuer, issued }) =>
      issued !== undefined &&
      issuer === keyIssuer &&
      issued.keyNumber === keyNumber &&
      textOf({ credential: issued.credential, ...(issued.salt !== undefined && { salt: issued.salt }) }) ===
        textOf(contents),
  );

export async function presentAttack(
  attack: ModelAttack,
  prover: ModelProver,
): Promise<Presentation | undefined> {
  const { contents, keyIssuer, keyNumber, presenter } = attack;
  const { credential, salt } = contents;
  const revealed = attack.revealed.filter(
    (key) =>
      Object.hasOwn(credential.credentialSubject, key) &&
      credential.credentialSchema.attributes.some((one) => one.key === key),
  );
  const commitment = salt === undefined ? undefined : prover.commit(contents);
  const bbsProof = {
    type: 'BbsBlsSignature2020' as const,
    cryptosuite: 'symbolon-bbs-2026' as const,
    created: credential.validFrom,
    proofPurpose: 'assertionMethod' as const,
    verificationMethod: methodOf(keyIssuer, keyNumber),
    // Proofs are made from the contents; the plan only carries this along.
    proofValue: `u${Buffer.alloc(80).toString('base64url')}`,
    ...(salt !== undefined && { salt }),
    ...(commitment && { commitment: `u${Buffer.from(commitment).toString('base64url')}` }),
  };
  const publicKey = prover.publicKeyOf(keyIssuer, keyNumber);
  const request = { revealAttributes: revealed, ranges: [] };
  const binding = { created: '2026-06-15T12:00:00Z', challenge, rangeParameters: bulletproofs };
  const plan = planPresentation([{ parsed: { credential, bbsProof }, publicKey, request }], binding, sha256);
  const { order } = plan.disclosures[0];
  const proof = await prover.prove(order, attack);
  return proof && signAs(presenter, buildUnsignedPresentation(plan, [proof]));
}

const bulletproofs = { method: 'bulletproofs' } as const;

/** What the ledger tells a verifier. Keys and commitments are those of the proofs that are used. */
export function factsOf(
  ledger: ModelLedger,
  prover: Pick<ModelProver, 'commit' | 'publicKeyOf'>,
): VerificationFacts {
  const entryOf = ({ id, issuer, credentialStatus }: CredentialFrame): ModelEntry | undefined =>
    credentialStatus.id === `${place}#${id}` ? findEntry(ledger, issuer, id) : undefined;
  return {
    now,
    profile: zetrixProfile,
    expectedChallenge: challenge,
    issuerKeys: (issuer, method) => {
      const key = ledger.keys.find((one) => method === methodOf(one.issuer, one.number));
      if (!key || key.issuer !== issuer) return undefined;
      const { number, issuer: _same, isStolen: _secret, ...ended } = key;
      return { publicKey: prover.publicKeyOf(issuer, number), ...ended };
    },
    status: (frame) => {
      const entry = entryOf(frame);
      if (!entry) return { status: 'unknown' };
      const { status, issuedAt, terms, committed } = entry;
      const commitment = committed && prover.commit(committed);
      return { status, issuedAt, terms: { ...terms, ...(commitment && { commitment }) } };
    },
    template: ({ credentialSchema: { id, version } }) => {
      const found = ledger.templates.find((one) => one.id === id && one.version === version);
      return found && { ...found, acceptsUnbound: ledger.accepting.includes(id) };
    },
    verifyEd25519,
    sha256,
  };
}

const findEntry = (ledger: ModelLedger, issuer: string, id: string): ModelEntry | undefined =>
  ledger.entries.find((one) => one.issuer === issuer && one.terms.credential === id);

/** Whether a moment lies before another; a time that is no time is before nothing. */
const isEarlier = (left: string, right: string): boolean =>
  (unixMsOf(left) ?? Number.NaN) < (unixMsOf(right) ?? Number.NaN);

export async function verdictOnAttack(
  presentation: Presentation,
  facts: VerificationFacts,
  prover: ModelProver,
): Promise<Verdict> {
  const examination = examinePresentation(parsePresentation(presentation, facts.profile), facts);
  const results: boolean[] = [];
  for (const { order } of examination.proofOrders) results.push(await prover.verify(order));
  return concludeVerdict(examination, results);
}

/** What of a credential that was called verified does not stand on the ledger under its issuer. */
export function unfounded(ledger: ModelLedger, attack: ModelAttack): readonly string[] {
  const { contents, keyIssuer, keyNumber, presenter } = attack;
  const { credential, salt } = contents;
  const { id, issuer, credentialSchema, credentialSubject, type } = credential;
  const entry = findEntry(ledger, issuer, id);
  if (!entry) return ['no entry'];
  const template = ledger.templates.find(
    (one) => one.id === credentialSchema.id && one.version === credentialSchema.version,
  );
  const key = ledger.keys.find((one) => one.issuer === keyIssuer && one.number === keyNumber);
  const claims: Readonly<Record<string, boolean>> = {
    status: entry.status === 'active',
    terms: canonicalJson({ ...entry.terms }) === canonicalJson({ ...termsOf(credential) }),
    holder: credentialSubject.id === presenter.did,
    'template of the issuer': template?.issuer === issuer,
    'name of the template': template?.name === type[1],
    attributes: canonicalJson(template?.attributes ?? null) === canonicalJson(credentialSchema.attributes),
    'key of the issuer': key !== undefined && keyIssuer === issuer,
    'key that was good': key?.validUntil === undefined || isEarlier(entry.issuedAt, key.validUntil),
    'key that was nobody else’s':
      key?.compromisedSince === undefined ||
      (entry.committed !== undefined && isEarlier(entry.issuedAt, key.compromisedSince)),
    'bound contents': entry.committed !== undefined || ledger.accepting.includes(credentialSchema.id),
    contents: entry.committed ? isSame(entry.committed, contents) : salt === undefined,
    'contents that the issuer issued': !entry.issued || !entry.committed || isSame(entry.issued, contents),
  };
  return Object.keys(claims).filter((claim) => !claims[claim]);
}

/** The header and every message, hidden ones and the salt too. */
const isSame = (left: ModelContents, right: ModelContents): boolean => partsOf(left) === partsOf(right);

function partsOf(contents: ModelContents): string {
  const { header, messages } = headerAndMessages(contents);
  const texts = messages.map((message) =>
    'integer' in message ? `#${message.integer}` : Buffer.from(message.bytes).toString('hex'),
  );
  return [Buffer.from(header).toString('hex'), ...texts].join(' ');
}
