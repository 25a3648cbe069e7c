/**
 * The settings of a service in a backup: what is secret among them (passwords, PINs, keys) apart from the rest, so that
 * the rest can lie open. Which settings are secret is said where they are described (`service-config.ts`). Settings
 * that name places on the machine, the file of the database and of the master key, are left out: a backup has its own
 * places.
 */
import { readFile } from 'node:fs/promises';
import { listSettings } from '@symbolon/host/config/config-settings';
import { serviceConfigSchema } from '../parts/service-config.ts';
import { settingsPath } from '../wiring/service-folder.ts';

export type SettingsTree = { readonly [name: string]: unknown };

interface SplitSettings {
  readonly open: SettingsTree;
  readonly secret: SettingsTree;
  /** Dotted paths of the secret ones. */
  readonly secretNames: readonly string[];
}

const places = new Set(['masterKey.file']);

export function splitSettings(settings: SettingsTree): SplitSettings {
  let open: SettingsTree = {};
  let secret: SettingsTree = {};
  const secretNames: string[] = [];
  for (const { path, secret: isSecret } of listSettings(serviceConfigSchema, '')) {
    const value = valueAt(settings, path);
    const name = path.join('.');
    if (value === undefined || places.has(name)) continue;
    if (name === 'database' && String(value).startsWith('sqlite:')) continue;
    if (isSecret) {
      secret = withValue(secret, path, value);
      secretNames.push(name);
    } else open = withValue(open, path, value);
  }
  return { open, secret, secretNames };
}

/** Settings that never lie open in a backup, and do: secrets, and places on somebody's machine. */
export function misplacedSettings(settings: SettingsTree): string[] {
  const { open } = splitSettings(settings);
  const belonging = new Set(settingNames(open));
  return settingNames(settings).filter((name) => !belonging.has(name));
}

/** Dotted paths of the settings that there are. */
export const settingNames = (settings: SettingsTree): string[] =>
  listSettings(serviceConfigSchema, '')
    .filter(({ path }) => valueAt(settings, path) !== undefined)
    .map(({ path }) => path.join('.'));

/** Both parts together again; the second one wins. */
export function joinSettings(open: SettingsTree, secret: SettingsTree): SettingsTree {
  const joined: Record<string, unknown> = { ...open };
  for (const [name, value] of Object.entries(secret))
    joined[name] = isTree(value) && isTree(joined[name]) ? joinSettings(joined[name], value) : value;
  return joined;
}

/** The settings file of a folder that has been loaded before, so that it is known to be in order. */
export async function readSettings(folder: string): Promise<SettingsTree> {
  return JSON.parse((await readFile(settingsPath(folder), 'utf8')).replace(/^\uFEFF/, ''));
}

const isTree = (value: unknown): value is SettingsTree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const valueAt = (tree: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((part, name) => (isTree(part) ? part[name] : undefined), tree);

function withValue(tree: SettingsTree, [name, ...rest]: readonly string[], value: unknown): SettingsTree {
  const key = name as string;
  if (rest.length === 0) return { ...tree, [key]: value };
  const part = tree[key];
  return { ...tree, [key]: withValue(isTree(part) ? part : {}, rest, value) };
}
