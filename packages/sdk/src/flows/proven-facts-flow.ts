/**
 * Facts that carry their proofs, for verifiers who know a block of the network: keys as a service or a node tells them,
 * statuses and templates by a light client, whatever the service says.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { addressOfDid } from '@symbolon/core/did/did';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import { assertMembers, notUnderstood } from '../arguments/exact-arguments.ts';
import type { LightClient } from '../light/light-client.ts';
import type { CollectedFacts } from '../verification/collected-facts.ts';
import type { FactsSource } from '../verification/ledger-source.ts';
import { collectProvenStatuses } from '../verification/proven-facts.ts';
import { type FactsOrder, fetchOfflineFacts } from './verifier-flows.ts';

/** About whom facts are collected, with the light client that proves them and the registry that counts. */
export interface ProvenFactsOrder extends FactsOrder {
  readonly light: LightClient;
  /** The address of the registry of credentials. */
  readonly registry: string;
  readonly profile?: NetworkProfile;
}

/**
 * As `fetchOfflineFacts`, with proofs of every status from where the light client began: a verifier with that anchor
 * needs to believe nobody about them. A new light client proves from its anchor; one that has kept a block, from there.
 */
export async function fetchProvenFacts(
  source: FactsSource,
  order: ProvenFactsOrder,
): Promise<CollectedFacts> {
  const members = {
    issuer: true,
    vcIds: true,
    basis: true,
    now: true,
    light: true,
    registry: true,
    profile: true,
  };
  assertMembers(order, members, 'the order');
  const { light, registry, profile = zetrixProfile, ...rest } = order;
  const address = addressOfDid(order.issuer, createKeyFormat(profile, sha256));
  if (address === undefined) throw notUnderstood('the order', 'issuer must be a DID of the network');
  const facts = await fetchOfflineFacts(source, rest);
  const credentials = order.vcIds.map((vcId) => ({ vcId, issuer: order.issuer, address, registry }));
  return { ...facts, ...(await collectProvenStatuses(light, credentials)) };
}
