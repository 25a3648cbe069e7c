/**
 * Our side: the rules of credentials and presentations as service, wallets and verifiers run them, with the proof
 * engine that is named in the same process, as a worker of the service would have it. The issuer signs with Ed25519 as well, the holder signs
 * the presentation, and the verifier does all six checks; only the ledger is not asked.
 */
import { randomBytes } from 'node:crypto';
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import {
  assembleCredential,
  attachProofs,
  contentsCommitment,
  issuerSigningInput,
} from '@symbolon/core/credential/credential-assembly';
import { credentialHeader, credentialMessages } from '@symbolon/core/credential/credential-messages';
import { encodeProofValue, saltBytes } from '@symbolon/core/credential/credential-shapes';
import { issuerProofOptions } from '@symbolon/core/credential/issuer-proof-options';
import * as sample from '@symbolon/core/credential/testing/sample-credentials';
import type { Credential, CredentialFrame, Presentation } from '@symbolon/core/documents/model';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import {
  buildUnsignedPresentation,
  planPresentation,
} from '@symbolon/core/presentation/presentation-derivation';
import { concludeVerdict } from '@symbolon/core/presentation/presentation-verdict';
import type { RangeParameters } from '@symbolon/core/proofs/proof-engine';
import { generateSecretKey } from '@symbolon/core/proofs/scalars';
import { createNativeEngine } from '@symbolon/native-proofs/native-engine';
import { createDockEngine } from '@symbolon/sdk/proofs/dock-engine';
import { answerCalls } from '../child.ts';
import { type CredentialWork, measureRound } from './rounds.ts';

/** `unbound`: no commitment, and, on WebAssembly, points decoded anew for every proof. */
export type Variant = 'no range' | 'unbound' | 'bulletproofs' | 'set-membership';

const createEngine = process.argv[2] === 'native' ? createNativeEngine : createDockEngine;
const engine = await createEngine();
const secretKey = generateSecretKey(
  encodeUtf8('a key that signs in benchmarks alone, never elsewhere'),
) as Uint8Array;
const publicKey = await engine.publicKeyOf(secretKey);
const parameters = await engine.makeRangeParameters();
const setMembership: RangeParameters = { method: 'set-membership', parameters };
const { issuer, holder, sha256 } = sample;

async function issue(isBound: boolean): Promise<Credential> {
  const unsigned = assembleCredential({
    id: `did:zid:${'ab'.repeat(32)}`,
    template: sample.template,
    holder: holder.did,
    values: sample.values,
    validFrom: '2026-01-01T00:00:00Z',
    validUntil: '2027-01-01T00:00:00Z',
    registry: { networkId: zetrixProfile.networkId, address: 'ZTX3SaMw164VpkvH5EGvbJ5Kit9jFWd6GjLjy' },
  });
  const salt = encodeProofValue(randomBytes(saltBytes));
  const signed = {
    header: credentialHeader(unsigned, holder.did),
    messages: credentialMessages(isBound ? { ...unsigned, salt } : unsigned, sha256),
  };
  recorded = isBound ? await engine.commit(signed) : undefined;
  const contents = recorded && contentsCommitment(salt, recorded);
  const signature = await engine.sign({ interface: 'typed', publicKey, secretKey, ...signed });
  const created = '2026-01-01T00:00:00Z';
  const options = issuerProofOptions(unsigned, created);
  const issuerSignature = issuer.sign(
    issuerSigningInput({ credential: unsigned, options, contents }, sha256),
  );
  return attachProofs(unsigned, {
    bbs: { created, verificationMethod: `${issuer.did}#delegateKey-1`, signature, contents },
    issuer: { options, signature: issuerSignature },
  });
}

/** What the ledger would hold of the credential that was issued last. */
let recorded: Uint8Array | undefined;

function workOf(variant: Variant): CredentialWork<Credential, Presentation> {
  const rangeParameters = variant === 'set-membership' ? setMembership : { method: 'bulletproofs' as const };
  const range = { attribute: 'birthDate', min: '1876-06-15', max: '2008-06-15' };
  const request = {
    revealAttributes: ['fullName', 'country', 'children'],
    ranges: variant === 'no range' || variant === 'unbound' ? [] : [range],
  };
  const facts = {
    ...sample.facts,
    request,
    issuerKeys: () => ({ publicKey }),
    status: (frame: CredentialFrame) => ({
      status: 'active' as const,
      terms: { ...sample.recordedTerms(frame), commitment: recorded },
    }),
    template: (frame: CredentialFrame) => ({
      ...sample.template,
      version: frame.credentialSchema.version,
      acceptsUnbound: variant === 'unbound',
    }),
    ownRangeParameters: [parameters],
  };
  // Engines of one thread share the library; what is kept is each one's own.
  const engineOf = () => (variant === 'unbound' ? createEngine() : engine);
  return {
    issue: () => issue(variant !== 'unbound'),
    async derive(credential) {
      const asked = [{ parsed: sample.parsed(credential), publicKey, request }];
      const plan = planPresentation(asked, { ...sample.binding, rangeParameters }, sha256);
      const prover = await engineOf();
      const proofs = await Promise.all(plan.disclosures.map(({ order }) => prover.derive(order)));
      return sample.signAs(holder, buildUnsignedPresentation(plan, proofs));
    },
    async verify(presentation) {
      const examination = sample.examinePresentation(presentation, facts);
      const verifier = await engineOf();
      const results = await Promise.all(
        examination.proofOrders.map(({ order }) => verifier.verifyProof(order)),
      );
      return concludeVerdict(examination, results).verified;
    },
  };
}

answerCalls({ round: (variant: Variant) => measureRound(workOf(variant)) }, () => engine.close());
