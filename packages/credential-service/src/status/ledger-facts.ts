/**
 * What the ledger says about presented credentials: the registry's entry at the ledger's head, and the issuer's BBS+
 * key as it was published when the credential was recorded. A ledger that gives no answer is a fault, never a fact.
 */
import { credentialMove } from '@symbolon/core/credential/application-states';
import { addressOfDid } from '@symbolon/core/did/did';
import type { CredentialFrame } from '@symbolon/core/documents/model';
import { Fault, type FaultName } from '@symbolon/core/faults/faults';
import type { RecordedTemplate } from '@symbolon/core/presentation/ledger-terms';
import type { IssuerKey } from '@symbolon/core/presentation/presentation-facts';
import {
  type CountingEntry,
  recordedAtMs,
  recordedTemplateOf,
} from '@symbolon/wire/credentials/registry-records';
import { findCredentials } from '../issuance/credential-rows.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { stillOwed } from './compare-status.ts';
import { statusHistory } from './status-change-rows.ts';

type Ledger = Pick<ServiceParts, 'ledger' | 'resolver' | 'profile' | 'keys' | 'database'>;

const statusIdOf = ({ profile }: Ledger, registry: string, id: string): string =>
  `ledger:${profile.networkId}:${registry}#${id}`;

/** Whether a credential says that it is recorded where this service records. */
export function isOfOurRegistry(parts: Ledger, { id, credentialStatus }: CredentialFrame): boolean {
  const { credentials, unbound } = parts.ledger.registries;
  return [credentials, unbound].some((one) => one && credentialStatus.id === statusIdOf(parts, one, id));
}

/** Undefined where this service's registries have none, or where the credential names another registry. */
export async function findEntry(parts: Ledger, frame: CredentialFrame): Promise<CountingEntry | undefined> {
  const { id, issuer, credentialStatus } = frame;
  const address = addressOfDid(issuer, parts.keys);
  if (!isOfOurRegistry(parts, frame) || address === undefined) return undefined;
  const entry = await readEntryAsOwed(parts, { address, vcId: id });
  return entry && credentialStatus.id === statusIdOf(parts, entry.registry, id) ? entry : undefined;
}

/**
 * The ledger's entry; what the ledger has lost of its status and cannot be given again counts all the same. Faults:
 * ledgerChanged where it has lost the entry. Times and blocks of the ledger are those of what it has: of a lost change the
 * time is the service's.
 */
export async function readEntryAsOwed(
  { ledger, database, keys }: Pick<Ledger, 'ledger' | 'database' | 'keys'>,
  { address, vcId }: { readonly address: string; readonly vcId: string },
): Promise<CountingEntry | undefined> {
  const entry = await ledger.readEntry(address, vcId);
  if (entry?.status === 'revoked') return entry;
  const [stored] = await findCredentials(database.kysely, [vcId]);
  if (!stored || addressOfDid(stored.issuer, keys) !== address) return entry;
  // It was recorded before it was stored here: whoever holds it has done nothing wrong.
  if (!entry)
    throw new Fault('ledgerChanged', { detail: 'The ledger has lost the record of this credential' });
  // A revocation is for good: what this service saw revoked is that, whatever a ledger says of it later.
  const owed = stored.status === 'revoked' ? 'revoke' : stillOwed(stored, entry);
  // What the ledger holds against a credential counts, even if it has lost that its issuer took it back.
  if (owed === undefined || owed === 'reinstate') return entry;
  const made = (await statusHistory(database.kysely, vcId)).find(({ kind }) => kind === owed);
  const { changedAtMicros: _at, changedInLedgerSeq: _in, ...kept } = entry;
  return {
    ...kept,
    status: credentialMove(owed).to,
    ...(made && { changedAtMicros: BigInt(made.updatedAt) * 1_000n }),
  };
}

/** A version of a template, and whether the issuer accepts unbound entries by now. */
export async function findRecordedTemplate(
  { ledger }: Ledger,
  { id, version }: { readonly id: string; readonly version: string },
): Promise<RecordedTemplate | undefined> {
  const [named, newest] = await Promise.all([ledger.readTemplate(id, version), ledger.readTemplate(id)]);
  return named && recordedTemplateOf(named, newest);
}

/** Faults of a resolver that answer the question: there is no key to rely upon. */
const noKeyFaults: readonly FaultName[] = [
  'keyNotPublished',
  'didDeactivated',
  'didUnknown',
  'didMalformed',
  'methodUnsupported',
];

/** The key that a proof names, published when the credential was recorded, by an issuer who is still one. */
export async function findIssuerKey(
  { resolver }: Ledger,
  { issuer, verificationMethod }: { readonly issuer: string; readonly verificationMethod: string },
  entry: CountingEntry | undefined,
): Promise<IssuerKey | undefined> {
  try {
    const at = entry && recordedAtMs(entry);
    const { keyType, publicKey, compromisedSince } = await resolver.issuerKey(issuer, verificationMethod, at);
    return keyType === 'bls12381g2'
      ? { publicKey, ...(compromisedSince && { compromisedSince }) }
      : undefined;
  } catch (error) {
    if (error instanceof Fault && noKeyFaults.includes(error.code)) return undefined;
    throw error;
  }
}
