/**
 * What the ledger says about presented credentials: the registry's entry at the ledger's head, and the issuer's BBS+
 * key as it was published when the credential was recorded. A ledger that gives no answer is a fault, never a fact.
 */
import { instantTextOfUnixMs } from '@symbolon/core/credential/calendar';
import type { CredentialFrame } from '@symbolon/core/credential/model';
import type { IssuerKey, StatusFact } from '@symbolon/core/credential/presentation-facts';
import { addressOfDid } from '@symbolon/core/did';
import { Fault, type FaultName } from '@symbolon/core/faults';
import type { RegistryEntry } from '../ledger/read-registries.ts';
import type { ServiceParts } from '../service-parts.ts';

type Ledger = Pick<ServiceParts, 'ledger' | 'resolver' | 'profile' | 'keys'>;

/** Undefined where this service's registry has none, or where the credential names another registry. */
export async function findEntry(
  { ledger, profile, keys }: Ledger,
  { id, issuer, credentialStatus }: CredentialFrame,
): Promise<RegistryEntry | undefined> {
  const expected = `ledger:${profile.networkId}:${ledger.registries.credentials}#${id}`;
  const address = addressOfDid(issuer, keys);
  if (credentialStatus.id !== expected || address === undefined) return undefined;
  return ledger.readEntry(address, id);
}

/** Faults of a resolver that answer the question: there is no key to rely upon. */
const noKeyFaults: readonly FaultName[] = [
  'keyNotPublished',
  'didDeactivated',
  'didUnknown',
  'didMalformed',
  'methodUnsupported',
];

const msOf = (micros: bigint): number => Number(micros / 1_000n);

/** The key that a proof names, published when the credential was recorded, by an issuer who is still one. */
export async function findIssuerKey(
  { resolver }: Ledger,
  { issuer, verificationMethod }: { readonly issuer: string; readonly verificationMethod: string },
  entry: RegistryEntry | undefined,
): Promise<IssuerKey | undefined> {
  try {
    const at = entry && msOf(entry.issuedAtMicros);
    const { keyType, publicKey } = await resolver.issuerKey(issuer, verificationMethod, at);
    return keyType === 'bls12381g2' ? { publicKey } : undefined;
  } catch (error) {
    if (error instanceof Fault && noKeyFaults.includes(error.code)) return undefined;
    throw error;
  }
}

export const statusFactOf = (entry: RegistryEntry | undefined): StatusFact =>
  entry
    ? {
        status: entry.status,
        issuedAt: instantTextOfUnixMs(msOf(entry.issuedAtMicros)),
        since: instantTextOfUnixMs(msOf(entry.changedAtMicros)),
        ledgerSeq: String(entry.changedInLedgerSeq),
      }
    : { status: 'unknown' };
