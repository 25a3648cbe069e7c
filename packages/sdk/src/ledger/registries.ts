/**
 * What the registries hold, read from their accounts' metadata at a node's head: no contract has to run for it. What is
 * read is as good as the node's word. For a credential that somebody hands over, no service is asked.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { addressOfDid } from '@symbolon/core/did/did';
import type { CredentialFrame } from '@symbolon/core/documents/model';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import type { NetworkProfile } from '@symbolon/core/keys/profile';
import type { RecordedTemplate } from '@symbolon/core/presentation/ledger-terms';
import {
  parseStoredEntry,
  parseStoredSettings,
  parseStoredTemplate,
  type RegisteredTemplate,
  type RegistryEntry,
  recordedTemplateOf,
} from '@symbolon/wire/credentials/registry-records';
import { memberPath } from '../arguments/member-paths.ts';
import { unlessNotFound } from '../errors/errors.ts';
import type { LedgerClient } from './ledger-client.ts';
import type { Pins } from './pins.ts';

/** The value that an account has stored under a key. */
export async function readMetadata(
  client: LedgerClient,
  address: string,
  key: string,
): Promise<string | undefined> {
  const reply = await unlessNotFound(client.getAccountMetaData({ address, key }));
  const result = reply?.result;
  return result && Object.hasOwn(result, key) ? result[key].value : undefined;
}

/** The keys under which registries store. */
export const templateKey = (id: string, version?: string): string =>
  version === undefined ? `template__${id}` : `template__${id}__${version}`;
export const entryKey = (issuer: string, credential: string): string =>
  `credential__${issuer}__${credential}`;

const pointerOf = (key: string): string => `/result/${key}/value`;

/** Undefined when there is none, or one of a shape that cannot be used. */
export async function readTemplate(
  client: LedgerClient,
  registry: string,
  { id, version }: { readonly id: string; readonly version?: string },
): Promise<RegisteredTemplate | undefined> {
  const key = templateKey(id, version);
  const text = await readMetadata(client, registry, key);
  return text === undefined ? undefined : parseStoredTemplate(text, pointerOf(key));
}

export async function readEntry(
  client: LedgerClient,
  registry: string,
  { issuer, credential }: { readonly issuer: string; readonly credential: string },
): Promise<RegistryEntry | undefined> {
  const key = entryKey(issuer, credential);
  const text = await readMetadata(client, registry, key);
  return text === undefined ? undefined : parseStoredEntry(registry, text, pointerOf(key));
}

/** What a registry of credentials goes by; undefined if this is none. */
async function settingsOf(client: LedgerClient, registry: string) {
  const text = await readMetadata(client, registry, 'settings');
  return text === undefined ? undefined : parseStoredSettings(text, pointerOf('settings'));
}

/** The registry of templates that a registry of credentials goes by; undefined if this is none. */
export const templateRegistryOf = async (
  client: LedgerClient,
  registry: string,
): Promise<string | undefined> => (await settingsOf(client, registry))?.templateRegistry;

/** The account of the service that records credentials in a registry; undefined if this is none. */
export const registrarOf = async (client: LedgerClient, registry: string): Promise<string | undefined> =>
  (await settingsOf(client, registry))?.registrar;

export interface LedgerSource {
  readonly ledger: LedgerClient;
  readonly pins?: Pins;
  readonly profile: NetworkProfile;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * The registry that a credential names; undefined unless it is of this network and, where one is pinned, the pinned
 * one.
 */
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
