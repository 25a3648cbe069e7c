/**
 * What the registries hold, read from their accounts' metadata at a node's head: no contract has to run for it. What is
 * read is as good as the node's word.
 */
import {
  parseStoredEntry,
  parseStoredSettings,
  parseStoredTemplate,
  type RegisteredTemplate,
  type RegistryEntry,
} from '@symbolon/wire/credentials/registry-records';
import { unlessNotFound } from '../errors/errors.ts';
import type { LedgerClient } from './ledger-client.ts';

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

/** The registry of templates that a registry of credentials goes by; undefined if this is none. */
export async function templateRegistryOf(
  client: LedgerClient,
  registry: string,
): Promise<string | undefined> {
  const text = await readMetadata(client, registry, 'settings');
  return text === undefined ? undefined : parseStoredSettings(text, pointerOf('settings')).templateRegistry;
}
