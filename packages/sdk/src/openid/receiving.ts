/**
 * What a wallet looks at before it keeps a credential of the field: that the issuer of the offer has signed it, that it is
 * of the type that was offered, bound to the wallet's own key, valid and neither revoked nor suspended.
 */
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { Fault } from '@symbolon/core/faults/faults';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { ProofEngineError } from '@symbolon/core/proofs/proof-engine';
import { bbs2023, deriveDocument } from '@symbolon/formats/bbs-2023/bbs-2023';
import { withoutProof } from '@symbolon/formats/bbs-2023/transformation';
import { credentialProblems, issuerOfDocument, validityOf } from '@symbolon/formats/credential/data-model';
import { proofsOf } from '@symbolon/formats/data-integrity/signing';
import { verifyDocument } from '@symbolon/formats/data-integrity/verifying';
import { isSameKey } from '@symbolon/formats/jose/public-keys';
import { publicHalf, type SecretSigningJwk } from '@symbolon/formats/jose/web-signatures';
import { sdJwtLimits } from '@symbolon/formats/limits/format-limits';
import { holderKeyOf } from '@symbolon/formats/oid4vci/holder-keys';
import { readHeldSdJwt } from '@symbolon/formats/sd-jwt/presenting';
import { receiveSdJwt } from '@symbolon/formats/sd-jwt/receiving';
import type { OfferedCredential } from './issuer-documents.ts';
import { type WalletFacts, webDidOfIssuer } from './wallet-facts.ts';

/** A credential of the field as a wallet keeps it, with the key that it belongs to. Plain data; it is kept sealed. */
export interface HeldFieldCredential {
  readonly format: 'dc+sd-jwt' | 'ldp_vc';
  /** As it was issued: a text, or a document in JSON-LD. */
  readonly document: string | Fields;
  readonly key: SecretSigningJwk;
}

export interface OrderedField {
  /** The identifier of the issuer that made the offer. */
  readonly issuer: string;
  readonly offered: OfferedCredential;
  readonly key: SecretSigningJwk;
}

/** What is wrong with what an issuer handed over; nothing where it may be kept. */
export async function fieldComplaints(
  credential: unknown,
  ordered: OrderedField,
  facts: WalletFacts,
): Promise<readonly string[]> {
  if (ordered.offered.format === 'dc+sd-jwt')
    return typeof credential === 'string' ? sdJwtComplaints(credential, ordered, facts) : ['it is no text'];
  const document = asObject(credential);
  return document ? ldpComplaints(document, ordered, facts) : ['it is no document'];
}

/** By its address, or by the DID there. */
const namesOf = (issuer: string): readonly (string | undefined)[] => [issuer, webDidOfIssuer(issuer)];

async function sdJwtComplaints(
  text: string,
  { issuer, offered, key }: OrderedField,
  facts: WalletFacts,
): Promise<readonly string[]> {
  const named = issuerInToken(text, facts);
  const [vct = ''] = offered.types;
  const { verdict, complaints } = await receiveSdJwt(
    text,
    // A name that is none of the issuer's fails against the first of them.
    {
      issuer: namesOf(issuer).includes(named) && named !== undefined ? named : issuer,
      vct,
      holderKey: publicHalf(key),
    },
    {
      now: facts.now(),
      sha256: facts.sha256,
      verifySignature: facts.verifySignature,
      findIssuerKeys: facts.findIssuerKeys,
      checkStatus: facts.status.checkClaim,
    },
  );
  const failed = verdict.checks.filter(({ passed }) => passed === false).map(({ words }) => words);
  return failed.length > 0 ? failed : complaints;
}

function issuerInToken(text: string, { sha256 }: WalletFacts): string | undefined {
  try {
    const { iss } = readHeldSdJwt(text, sha256).token.payload;
    return typeof iss === 'string' ? iss : undefined;
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

async function ldpComplaints(
  document: Fields,
  { issuer, offered, key }: OrderedField,
  facts: WalletFacts,
): Promise<readonly string[]> {
  const [problem] = credentialProblems(document);
  if (problem) return [`${problem.pointer} ${problem.detail}`.trim()];
  const named = issuerOfDocument(document);
  if (named === undefined || !namesOf(issuer).includes(named)) return ['it is of another issuer'];
  const complaints = [
    ...typeComplaints(document, offered.types),
    ...subjectComplaints(document, key),
    ...validityComplaints(document, facts.now()),
  ];
  if (complaints.length > 0) return complaints;
  const unsigned = await proofComplaints(document, named, facts);
  if (unsigned.length > 0) return unsigned;
  const { credentialStatus } = document;
  return credentialStatus === undefined ? [] : facts.status.checkEntries(credentialStatus, named);
}

function typeComplaints({ type }: Fields, wanted: readonly string[]): readonly string[] {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return wanted.every((one) => types.includes(one)) ? [] : ['it is of another type'];
}

/** The subject's DID must be the very key that was proved: nothing is looked up. */
function subjectComplaints({ credentialSubject }: Fields, key: SecretSigningJwk): readonly string[] {
  const subjects: readonly unknown[] = Array.isArray(credentialSubject)
    ? credentialSubject
    : [credentialSubject];
  const id = subjects.length === 1 ? asObject(subjects[0])?.id : undefined;
  if (typeof id !== 'string') return ['it does not say whose it is'];
  const fragment = id.startsWith('did:jwk:') ? '0' : id.slice('did:key:'.length);
  const held = holderKeyOf(`${id}#${fragment}`, zetrixProfile.didMethod);
  return held && isSameKey(held.key, publicHalf(key)) ? [] : ['it is bound to another key'];
}

function validityComplaints(document: Fields, now: number): readonly string[] {
  const { fromMs, untilMs } = validityOf(document);
  const skewMs = sdJwtLimits.clockSkewSeconds * 1_000;
  if (fromMs !== undefined && !(fromMs <= now + skewMs)) return ['it is not valid yet'];
  return untilMs !== undefined && !(untilMs > now) ? ['it has expired'] : [];
}

async function proofComplaints(
  document: Fields,
  controller: string,
  facts: WalletFacts,
): Promise<readonly string[]> {
  const tools = await facts.tools();
  const expected = { purpose: 'assertionMethod', nowMs: facts.now(), controller } as const;
  const bare = withoutProof(document);
  try {
    const proofs = proofsOf(document);
    if (proofs.length === 0) return ['nobody has signed it'];
    for (const proof of proofs) {
      // A base proof is for its holder alone; what a verifier could be shown of it is what can be verified.
      const shown =
        proof.cryptosuite === bbs2023
          ? await deriveDocument(bare, proof, { ...tools, selectivePointers: ['/credentialSubject'] })
          : { ...bare, proof };
      const { isVerified } = await verifyDocument(shown, expected, tools);
      if (!isVerified) return ['the signature is not its issuer’s'];
    }
    return [];
  } catch (error) {
    if (error instanceof Fault || error instanceof ProofEngineError)
      return ['its signature cannot be verified'];
    throw error;
  }
}
