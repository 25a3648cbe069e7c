/**
 * What a node says of a credential that somebody hands over: the entry of the registry that the credential names, the
 * registered template, and the issuer's BBS+ key as its DID log had it when the entry was made. No service is asked,
 * and a node gives nobody a key: the log is signed by whose it is.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { addressOfDid, parseLedgerDid } from '@symbolon/core/did/did';
import { type DidSubject, findDocumentKey, resolveSubject } from '@symbolon/core/did/did-document';
import type { CredentialFrame } from '@symbolon/core/documents/model';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import type { NetworkProfile } from '@symbolon/core/keys/profile';
import type { RecordedTemplate } from '@symbolon/core/presentation/ledger-terms';
import type { IssuerKey } from '@symbolon/core/presentation/presentation-facts';
import {
  type RegistryEntry,
  recordedAtMs,
  recordedTemplateOf,
} from '@symbolon/wire/credentials/registry-records';
import { memberPath } from '../errors/member-paths.ts';
import { type EntryCache, logMember, readSignedDidHistory } from './did-history.ts';
import type { LedgerClient } from './ledger-client.ts';
import type { Pins } from './pins.ts';
import { entryKey, readEntry, readTemplate, templateKey, templateRegistryOf } from './registries.ts';

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

/** Where a node's answer has the entry of a credential. */
export const entryMember = ({ profile }: LedgerSource, { id, issuer }: CredentialFrame): string =>
  memberPath(['result', entryKey(addressOfDid(issuer, createKeyFormat(profile, sha256)) ?? '', id), 'value']);

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

/** Where a node's answer has the registered version that an entry names. */
export const templateMember = ({ template, templateVersion }: RegistryEntry): string =>
  memberPath(['result', templateKey(template, templateVersion), 'value']);

/** When the key was published, and when the entry was made, decide whether it could be used. */
const keyMembers = ['proof[0].verificationMethod', 'result.transactions[0].close_time', 'issuedAt'];

/** Whoever an identifier is, and where its log could not be followed, the members that do not hold. */
interface ReadSubject extends DidSubject {
  readonly brokenAt?: readonly string[];
}

/**
 * Whoever an identifier of this network is, with the changes that it made to its document; undefined for any other.
 * Throws `notAsOrdered` where the node shows a log that its owner has not signed.
 */
export async function readSubject(
  { ledger, pins, profile }: Pick<LedgerSource, 'ledger' | 'pins' | 'profile'>,
  did: string,
  cache?: EntryCache,
): Promise<ReadSubject | undefined> {
  const publicKey = parseLedgerDid(did, profile);
  if (!publicKey) return undefined;
  const address = createKeyFormat(profile, sha256).addressOf(publicKey);
  const owner = { address, publicKey };
  const { entries, brokenAt } = await readSignedDidHistory(ledger, owner, { pins, profile, cache });
  // The chain's number is of no account for keys.
  return { did, publicKey, chainId: 0n, records: entries, ...(brokenAt && { brokenAt }) };
}

/**
 * The public key that a proof names, published when the entry was made, by an issuer who is still one; with the members
 * that it follows from.
 */
export async function readPublishedKey(
  { ledger, pins, profile, now }: LedgerSource,
  { issuer, verificationMethod }: { readonly issuer: string; readonly verificationMethod: string },
  entry: RegistryEntry,
): Promise<{ readonly key: IssuerKey | undefined; readonly members: readonly string[] }> {
  const subject = await readSubject({ ledger, pins, profile }, issuer);
  if (!subject) return { key: undefined, members: ['issuer'] };
  const members = subject.brokenAt ?? (subject.records.length === 0 ? [logMember] : keyMembers);
  const keys = createKeyFormat(profile, sha256);
  const nowSeconds = Math.floor(now / 1_000);
  const versionTime = Math.floor(recordedAtMs(entry) / 1_000);
  const present = resolveSubject(subject, { nowSeconds }, keys);
  const then = resolveSubject(subject, { versionTime, nowSeconds }, keys);
  const asked = { verificationMethod, relationship: 'assertionMethod' } as const;
  const key = present && then && findDocumentKey({ present, then }, asked);
  if (key?.keyType !== 'bls12381g2') return { key: undefined, members };
  const { compromisedSince } = key;
  const found = { publicKey: key.publicKey, ...(compromisedSince !== undefined && { compromisedSince }) };
  return { key: found, members };
}
