/**
 * What the registries of credentials and templates hold, proven as entries of their accounts' metadata: no node's and
 * no service's word. Which registry counts is the caller's to say.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { addressOfDid } from '@symbolon/core/did/did';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import type { MetadataEntry } from '@symbolon/core/proto/ledger_pb';
import {
  parseStoredEntry,
  parseStoredTemplate,
  type RegisteredTemplate,
  type RegistryEntry,
} from '@symbolon/wire/credentials/registry-records';
import { assertMembers, notUnderstood } from '../arguments/exact-arguments.ts';
import { entryKey, templateKey } from '../ledger/registries.ts';
import type { LightClient, Proven } from './light-client.ts';

/** What a registry holds of something, undefined where it is proven to hold nothing; and the proof. */
export interface ProvenRecord<Record> {
  readonly record: Record | undefined;
  readonly proof: Proven<MetadataEntry>;
}

/** A credential, and the registry that counts. */
export interface CredentialQuestion {
  /** The address of the registry's contract. */
  readonly registry: string;
  /** DID or address. */
  readonly issuer: string;
  readonly vcId: string;
  readonly profile?: NetworkProfile;
}

/** A template, and the registry that counts. */
export interface TemplateQuestion {
  /** The address of the registry's contract. */
  readonly registry: string;
  readonly id: string;
  /** The newest, if left out. */
  readonly version?: string;
}

/** What the registry has recorded of a credential: its state, since when, its template and what binds its contents. */
export async function proveCredentialStatus(
  light: Pick<LightClient, 'metadata'>,
  question: CredentialQuestion,
): Promise<ProvenRecord<RegistryEntry>> {
  assertMembers(question, { registry: true, issuer: true, vcId: true, profile: true }, 'the question');
  const { registry, issuer, vcId, profile = zetrixProfile } = question;
  const keys = createKeyFormat(profile, sha256);
  const address = keys.isAddress(issuer) ? issuer : addressOfDid(issuer, keys);
  if (address === undefined)
    throw notUnderstood('the question', 'issuer must be a DID or address of the network');
  const proof = await light.metadata(registry, entryKey(address, vcId));
  const text = proof.entry?.value;
  return { record: text === undefined ? undefined : parseStoredEntry(registry, text), proof };
}

/** A template as it is registered; undefined also for one of a shape that cannot be used, whose proof has an entry. */
export async function proveTemplate(
  light: Pick<LightClient, 'metadata'>,
  question: TemplateQuestion,
): Promise<ProvenRecord<RegisteredTemplate>> {
  assertMembers(question, { registry: true, id: true, version: true }, 'the question');
  const { registry, id, version } = question;
  const proof = await light.metadata(registry, templateKey(id, version));
  const text = proof.entry?.value;
  return { record: text === undefined ? undefined : parseStoredTemplate(text), proof };
}
