/**
 * The verdict on a presentation: the facts are gathered from the ledger, the pure rules of the core examine, and the
 * proofs that they order are computed. The presentation was parsed when it came in; nothing here reads it again.
 */
import type { DerivedCredential } from '@symbolon/core/documents/model';
import { agesAskedOf, expectedOf } from '@symbolon/core/presentation/age-claims';
import type { VerificationFacts } from '@symbolon/core/presentation/presentation-facts';
import type { ParsedPresentation } from '@symbolon/core/presentation/presentation-parsing';
import type { Verdict } from '@symbolon/core/presentation/presentation-verdict';
import type { TrustFacts } from '@symbolon/core/presentation/trust-rules';
import { falseIfRefused } from '@symbolon/core/proofs/proof-engine';
import { sha256 } from '@symbolon/host/work/sha256';
import type { VerificationRequest } from '@symbolon/wire/credentials/presentation-requests';
import { statusFactOf } from '@symbolon/wire/credentials/registry-records';
import type { Caller } from '@symbolon/wire/http/service-route';
import { givenKey, verifyEd25519 } from '../access/signatures.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { findRecordedTemplate } from '../status/ledger-facts.ts';
import { releaseAndReadNames } from '../templates/issuer-names.ts';
import { isOfOurRegistry, readRecord } from './presented-facts.ts';

/** What a verifier expects of a presentation, and whom it trusts. */
export interface Expectation
  extends Pick<VerificationRequest, 'challenge' | 'domain' | 'asked' | 'issuerKeys'> {
  readonly trust: TrustFacts['asked'];
}

/** All six checks. The caller is who sent the presentation, and pays for the proofs in it. */
export async function judgePresentation(
  parts: ServiceParts,
  parsed: ParsedPresentation,
  expected: Expectation,
  caller: Caller,
): Promise<Verdict> {
  const { format, proofDesk } = parts;
  const examination = format.examinePresentation(parsed, await gatherFacts(parts, parsed, expected));
  const orders = examination.proofOrders.map(({ order }) => order);
  const proofs = proofDesk.prepaid(
    caller,
    orders.map((order) => ({ kind: 'verifyProof', order })),
  );
  const results = await Promise.all(orders.map((order) => falseIfRefused(() => proofs.verifyProof(order))));
  return format.concludeVerdict(examination, results);
}

/** Everything that the checks need and the presentation cannot say about itself. */
async function gatherFacts(
  parts: ServiceParts,
  { presentation }: ParsedPresentation,
  { challenge, domain, asked, issuerKeys: verifiersKeys = {}, trust }: Expectation,
): Promise<VerificationFacts> {
  const { profile, clock, rangeParameters, keys } = parts;
  const times = { created: presentation.proof.created, now: clock.nowMs() };
  const { verifiableCredential: credentials } = presentation;
  // All at once: what is looked up in the same moment takes one request to the ledger.
  const [found, names] = await Promise.all([
    Promise.all(credentials.map((credential) => findFacts(parts, credential))),
    releaseAndReadNames(parts, credentials),
  ]);
  return {
    now: times.now,
    profile,
    expectedChallenge: challenge,
    expectedDomain: domain,
    request: asked && expectedOf(asked, times),
    namedKeys: {
      ...(verifiersKeys.bbs && { bbs: verifiersKeys.bbs }),
      ...(verifiersKeys.ed25519 && { ed25519: givenKey(verifiersKeys.ed25519, keys) }),
    },
    // A key that was not good for one of these credentials is good for none of them.
    issuerKeys: (issuer, verificationMethod) => {
      const ones = found.filter((it) => it.issuer === issuer && it.verificationMethod === verificationMethod);
      return ones.every(({ key }) => key) ? ones[0]?.key : undefined;
    },
    status: ({ id, issuer, credentialStatus }) =>
      found.find((it) => it.id === id && it.issuer === issuer && it.statusId === credentialStatus.id)?.status,
    template: ({ credentialSchema: { id, version } }) =>
      found.find(({ template }) => template?.id === id && template.version === version)?.template,
    verifyEd25519,
    sha256,
    ownRangeParameters: [rangeParameters],
    trust: {
      asked: trust,
      agesAskedOf: agesAskedOf(asked),
      ...names,
    },
  };
}

/** What the ledger says of one credential. */
async function findFacts(parts: ServiceParts, credential: DerivedCredential) {
  const { id, issuer, proof, credentialSchema, credentialStatus } = credential;
  const [record, template] = await Promise.all([
    readRecord(parts, credential, proof),
    findRecordedTemplate(parts, credentialSchema),
  ]);
  const isElsewhere = !isOfOurRegistry(parts, credential);
  return {
    id,
    issuer,
    verificationMethod: proof.verificationMethod,
    statusId: credentialStatus.id,
    template,
    status: { ...statusFactOf(id, record.entry), ...(isElsewhere && { isElsewhere }) },
    key: record.issuerKey(),
  };
}
