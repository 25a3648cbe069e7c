/**
 * What a node says of a credential that somebody hands over: the entry of the registry that the credential names, the
 * registered template, and the issuer's BBS+ key as its DID log had it when the entry was made. No service is asked,
 * and a node gives nobody a key: the log is signed by whose it is.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import type { RecordedTemplate } from '@symbolon/core/credential/ledger-terms';
import type { CredentialFrame } from '@symbolon/core/credential/model';
import type { IssuerKey } from '@symbolon/core/credential/presentation-facts';
import { addressOfDid, parseLedgerDid } from '@symbolon/core/did';
import { type DidSubject, findDocumentKey, resolveSubject } from '@symbolon/core/did-document';
import { createKeyFormat } from '@symbolon/core/keys';
import type { NetworkProfile } from '@symbolon/core/profile';
import { type RegistryEntry, recordedAtMs, recordedTemplateOf } from '@symbolon/wire/registry-records';
import { type EntryCache, readSignedDidHistory } from '../did-history.ts';
import type { LedgerClient } from '../ledger-client.ts';
import { readEntry, readTemplate, templateRegistryOf } from '../registries.ts';
import type { Pins } from './pins.ts';

export interface LedgerSource {
  readonly ledger: LedgerClient;
  readonly pins?: Pins;
  readonly profile: NetworkProfile;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The registry that a credential names; undefined unless it is of this network and, where one is pinned, the pinned one. */
export function registryOf(
  { id, credentialStatus }: CredentialFrame,
  { pins, profile }: Pick<LedgerSource, 'pins' | 'profile'>,
): string | undefined {
  const start = `ledger:${profile.networkId}:`;
  const end = `#${id}`;
  const status = credentialStatus.id;
  if (!status.startsWith(start) || !status.endsWith(end)) return undefined;
  const address = status.slice(start.length, -end.length);
  if (!createKeyFormat(profile, sha256).isAddress(address)) return undefined;
  const pinned = pins?.credentialRegistry;
  return pinned === undefined || pinned === address ? address : undefined;
}

/** Undefined where the registry has none under the issuer that the credential names. */
export async function findEntry(
  { ledger, profile }: LedgerSource,
  { id, issuer }: CredentialFrame,
  registry: string,
): Promise<RegistryEntry | undefined> {
  const address = addressOfDid(issuer, createKeyFormat(profile, sha256));
  return address === undefined ? undefined : readEntry(ledger, registry, { issuer: address, credential: id });
}

/** The registered version that an entry names. */
export async function findTemplate(
  { ledger, pins }: Pick<LedgerSource, 'ledger' | 'pins'>,
  { registry, template: id, templateVersion: version }: RegistryEntry,
): Promise<RecordedTemplate | undefined> {
  const templates = pins?.templateRegistry ?? (await templateRegistryOf(ledger, registry));
  if (templates === undefined) return undefined;
  const named = await readTemplate(ledger, templates, { id, version });
  return named && recordedTemplateOf(named, await readTemplate(ledger, templates, { id }));
}

/**
 * Whoever an identifier of this network is, with the changes that it made to its document; undefined for any other.
 * Throws `notAsOrdered` where the node shows a log that its owner has not signed.
 */
export async function readSubject(
  { ledger, pins, profile }: Pick<LedgerSource, 'ledger' | 'pins' | 'profile'>,
  did: string,
  cache?: EntryCache,
): Promise<DidSubject | undefined> {
  const publicKey = parseLedgerDid(did, profile);
  if (!publicKey) return undefined;
  const address = createKeyFormat(profile, sha256).addressOf(publicKey);
  const { entries } = await readSignedDidHistory(ledger, { address, publicKey }, { pins, profile, cache });
  // The chain's number is of no account for keys.
  return { did, publicKey, chainId: 0n, records: entries };
}

/** The key that a proof names, published when the entry was made, by an issuer who is still one. */
export async function findIssuerKey(
  { ledger, pins, profile, now }: LedgerSource,
  { issuer, verificationMethod }: { readonly issuer: string; readonly verificationMethod: string },
  entry: RegistryEntry,
): Promise<IssuerKey | undefined> {
  const subject = await readSubject({ ledger, pins, profile }, issuer);
  if (!subject) return undefined;
  const keys = createKeyFormat(profile, sha256);
  const nowSeconds = Math.floor(now / 1_000);
  const versionTime = Math.floor(recordedAtMs(entry) / 1_000);
  const present = resolveSubject(subject, { nowSeconds }, keys);
  const then = resolveSubject(subject, { versionTime, nowSeconds }, keys);
  const asked = { verificationMethod, relationship: 'assertionMethod' } as const;
  const key = present && then && findDocumentKey({ present, then }, asked);
  if (key?.keyType !== 'bls12381g2') return undefined;
  const { compromisedSince } = key;
  return { publicKey: key.publicKey, ...(compromisedSince !== undefined && { compromisedSince }) };
}
