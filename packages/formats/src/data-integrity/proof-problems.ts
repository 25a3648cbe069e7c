/** Why a proof is not accepted: one table of names, so that whoever answers a request has words and a type for each. */

/** Types of problem details that other implementations know. */
const errorTypes = {
  verification: 'https://w3id.org/security#PROOF_VERIFICATION_ERROR',
  transformation: 'https://w3id.org/security#PROOF_TRANSFORMATION_ERROR',
  domain: 'https://w3id.org/security#INVALID_DOMAIN_ERROR',
  challenge: 'https://w3id.org/security#INVALID_CHALLENGE_ERROR',
  method: 'https://w3id.org/security#INVALID_VERIFICATION_METHOD',
  relationship: 'https://w3id.org/security#INVALID_RELATIONSHIP_FOR_VERIFICATION_METHOD',
} as const;

export const proofProblems = {
  proofMissing: [errorTypes.verification, 'The document has no proof'],
  proofMalformed: [errorTypes.verification, 'The proof is not what a proof of its kind must be'],
  documentMalformed: [errorTypes.transformation, 'The document cannot be made canonical'],
  cryptosuiteUnknown: [errorTypes.verification, 'The cryptosuite is not known here'],
  keyUnknown: [errorTypes.method, 'The verification method cannot be found'],
  keyOfOtherType: [errorTypes.method, 'The key is not of the type that the cryptosuite uses'],
  keyNotAllowed: [errorTypes.relationship, 'The key is not for this purpose'],
  keyNotOfIssuer: [errorTypes.method, 'The key is not one of whoever the document says made it'],
  purposeWrong: [errorTypes.verification, 'The proof is for another purpose'],
  domainWrong: [errorTypes.domain, 'The proof is for another domain'],
  challengeWrong: [errorTypes.challenge, 'The proof answers another challenge'],
  notYetMade: [errorTypes.verification, 'The proof says it was made in the future'],
  proofExpired: [errorTypes.verification, 'The proof has expired'],
  previousProofMissing: [errorTypes.verification, 'The proof follows one that the document does not have'],
  signatureWrong: [errorTypes.verification, 'The signature does not fit the document'],
} as const satisfies Readonly<Record<string, readonly [type: string, title: string]>>;

export type ProofProblem = keyof typeof proofProblems;

/** One thing that is wrong with a proof. */
export interface ProofComplaint {
  readonly problem: ProofProblem;
  readonly detail?: string;
}

/** Thrown inside of one proof's verification, and told as its verdict. */
export class ProofRefusal extends Error {
  override readonly name = 'ProofRefusal';
  readonly complaint: ProofComplaint;

  constructor(problem: ProofProblem, detail?: string) {
    super(proofProblems[problem][1]);
    this.complaint = { problem, ...(detail === undefined ? {} : { detail }) };
  }
}
