/**
 * What the ledger says about presented credentials: the registry's entry at the ledger's head, and the issuer's BBS+
 * key as it was published when the credential was recorded. A ledger that gives no answer is a fault, never a fact.
 */
import { addressOfDid } from '@symbolon/core/did/did';
import type { CredentialFrame } from '@symbolon/core/documents/model';
import { Fault, type FaultName } from '@symbolon/core/faults/faults';
import type { IssuerKey } from '@symbolon/core/presentation/presentation-facts';
import { type CountingEntry, recordedAtMs } from '@symbolon/wire/credentials/registry-records';
import type { ReadDid } from '../identity/resolver.ts';
import { orFault } from '../ledger/ledger-faults.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { readEntryAsOwed } from '../status/ledger-facts.ts';

/** What facts of presented credentials come from. */
export type FactSources = Pick<ServiceParts, 'ledger' | 'resolver' | 'profile' | 'keys' | 'database'>;

const statusIdOf = ({ profile }: FactSources, registry: string, id: string): string =>
  `ledger:${profile.networkId}:${registry}#${id}`;

/** Whether a credential says that it is recorded where this service records. */
export function isOfOurRegistry(parts: FactSources, { id, credentialStatus }: CredentialFrame): boolean {
  const { credentials, unbound } = parts.ledger.registries;
  return [credentials, unbound].some((one) => one && credentialStatus.id === statusIdOf(parts, one, id));
}

/** Undefined where this service's registries have none, or where the credential names another registry. */
export async function findPresentedEntry(
  parts: FactSources,
  frame: CredentialFrame,
): Promise<CountingEntry | undefined> {
  const { id, issuer, credentialStatus } = frame;
  const address = addressOfDid(issuer, parts.keys);
  if (!isOfOurRegistry(parts, frame) || address === undefined) return undefined;
  const entry = await readEntryAsOwed(parts, { address, vcId: id });
  return entry && credentialStatus.id === statusIdOf(parts, entry.registry, id) ? entry : undefined;
}

/** Faults of a resolver that answer the question: there is no key to rely upon. */
const noKeyFaults: readonly FaultName[] = [
  'keyNotPublished',
  'didDeactivated',
  'didUnknown',
  'didMalformed',
  'methodUnsupported',
];

/** What is on record of a presented credential, asked for together. */
export interface RecordOfCredential {
  readonly entry: CountingEntry | undefined;
  /** The key that its proof names, published when the credential was recorded, by an issuer who is still one. */
  issuerKey(): IssuerKey | undefined;
}

export async function readRecord(
  parts: FactSources,
  frame: CredentialFrame,
  { verificationMethod }: { readonly verificationMethod: string },
): Promise<RecordOfCredential> {
  const [entry, issuer] = await Promise.all([
    findPresentedEntry(parts, frame),
    orFault(() => parts.resolver.readDid(frame.issuer)),
  ]);
  return {
    entry,
    issuerKey() {
      if (issuer instanceof Fault) throw issuer;
      return keyAt(issuer, verificationMethod, entry && recordedAtMs(entry));
    },
  };
}

function keyAt(issuer: ReadDid, verificationMethod: string, at: number | undefined): IssuerKey | undefined {
  try {
    const { keyType, publicKey, compromisedSince } = issuer.issuerKey(verificationMethod, at);
    return keyType === 'bls12381g2'
      ? { publicKey, ...(compromisedSince && { compromisedSince }) }
      : undefined;
  } catch (error) {
    if (error instanceof Fault && noKeyFaults.includes(error.code)) return undefined;
    throw error;
  }
}
