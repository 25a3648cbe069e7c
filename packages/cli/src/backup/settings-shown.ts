/**
 * What a restored node or service would run, load and talk to: the settings in a backup, in words. A library of a
 * hardware module is code, an address is somebody that is spoken to; whoever restores a backup sees them first. Secrets
 * never lie open among them: a backup in which they do was made by somebody else's program.
 */

import { misplacedSettings, type SettingsTree } from '@symbolon/credential-service/backup/service-settings';
import { backupLimits } from '@symbolon/host/limits/server-limits';
import { isJsonObject, type JsonValue, stringifyJson } from '@symbolon/wire/json/json';
import { parseJsonObject } from '../terminal/json-file.ts';
import { printable } from '../terminal/terminal.ts';
import { damagedBackup, readListed } from './backup-damage.ts';
import type { BackupManifest } from './manifest.ts';

const settingsFiles = { ledger: 'ledger/node.json', service: 'service/service.json' } as const;
type Part = keyof typeof settingsFiles;

/** The settings that lie open in a backup, of the parts that it has. */
export type OpenSettings = Partial<Record<Part, SettingsTree>>;

export async function readOpenSettings(folder: string, manifest: BackupManifest): Promise<OpenSettings> {
  const settings: OpenSettings = {};
  for (const part of ['ledger', 'service'] as const)
    if (manifest[part] !== undefined) settings[part] = await readPart(folder, manifest, part);
  const misplaced = settings.service ? misplacedSettings(settings.service) : [];
  if (misplaced.length > 0)
    throw damagedBackup(
      folder,
      misplaced.map((name) => `${settingsFiles.service} has ${name}, which never lies open in a backup`),
    );
  return settings;
}

async function readPart(folder: string, { files }: BackupManifest, part: Part): Promise<SettingsTree> {
  const name = settingsFiles[part];
  const listed = files.find((file) => file.path === name);
  if (!listed) throw damagedBackup(folder, [`${name} is not in the manifest`]);
  const bytes = await readListed(folder, listed, backupLimits.settingsBytesMax);
  const tree = parseJsonObject(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  if (tree && linesOf(tree).length <= backupLimits.settingsMax) return tree;
  throw damagedBackup(folder, [`${name} does not hold settings`]);
}

interface SettingLine {
  readonly name: string;
  readonly value: string;
}

/** Every setting with its dotted name. Lists stay whole. */
function linesOf(tree: SettingsTree, above = ''): SettingLine[] {
  return Object.entries(tree).flatMap(([key, value]) => {
    const name = `${above}${key}`;
    return isJsonObject(value as JsonValue)
      ? linesOf(value as SettingsTree, `${name}.`)
      : [{ name: printable(name), value: printable(stringifyJson(value as JsonValue)) }];
  });
}

const isCode = ({ name }: SettingLine): boolean => name.endsWith('.module');

/** Settings under each other, those first that name code. */
export function settingsLines(
  { ledger = {}, service = {} }: OpenSettings,
  secretNames: readonly string[],
): readonly string[] {
  const [ofNode, ofService] = [linesOf(ledger), linesOf(service)];
  const secret = secretNames.map((name) => ({ name: printable(name), value: '(sealed)' }));
  return [
    ...block('runs as code', ofService.filter(isCode)),
    ...block('settings of the node', ofNode),
    ...block('settings of the service', [...ofService.filter((line) => !isCode(line)), ...secret]),
  ];
}

function block(title: string, lines: readonly SettingLine[]): readonly string[] {
  if (lines.length === 0) return [];
  const width = Math.max(...lines.map(({ name }) => name.length));
  return [`  ${title}`, ...lines.map(({ name, value }) => `    ${name.padEnd(width)}  ${value}`)];
}
