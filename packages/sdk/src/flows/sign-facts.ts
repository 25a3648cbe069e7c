/** Putting a collector's name to facts (`collected-facts.ts`), for verifiers that take them from it. */
import { encodeHex } from '@symbolon/core/basics/bytes';
import type { NetworkProfile } from '@symbolon/core/keys/profile';
import { SdkError } from '../errors/errors.ts';
import type { Signer } from '../keys/signer.ts';
import {
  type CollectedFacts,
  collectedOf,
  factsToSign,
  type SignedFacts,
} from '../verification/collected-facts.ts';
import { assertFactsDocument } from '../verification/facts-members.ts';
import { didOfSigner } from './holder-flows.ts';

/** Whoever signs vouches that the service and the node which the facts name said so at that time. */
export async function signFacts(
  facts: CollectedFacts,
  signer: Signer,
  profile?: NetworkProfile,
): Promise<SignedFacts> {
  assertFactsDocument(facts);
  const { service, node } = facts.basis;
  if (service === undefined && node === undefined) {
    const hint = 'Say in basis which service or node they are from.';
    throw new SdkError('invalidArgument', 'the facts do not say what they rest on', { hint });
  }
  const collector = didOfSigner(signer, profile);
  const signature = encodeHex(await signer.sign(factsToSign(facts)));
  return { ...collectedOf(facts), proof: { collector, signature } };
}
