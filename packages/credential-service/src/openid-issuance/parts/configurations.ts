/**
 * What an issuer offers wallets: one configuration for each version of a template and each format. Its name says both,
 * so that no table is needed to find what it stands for.
 */
import type { Template } from '@symbolon/core/documents/model';

/** What the name of a configuration ends with, by its format. */
export const formatSuffixes = ['sd', 'bbs2023', 'eddsa', 'range'] as const;
export type FormatSuffix = (typeof formatSuffixes)[number];

/** Also its scope. */
export const configurationId = (
  { id, version }: Pick<Template, 'id' | 'version'>,
  suffix: FormatSuffix,
): string => `zid.${id.slice(id.lastIndexOf(':') + 1)}.${version}.${suffix}`;

export interface NamedConfiguration {
  readonly templateHex: string;
  readonly version: string;
  readonly suffix: FormatSuffix;
}

const namePattern = /^zid\.([0-9a-f]{64})\.(\d[\d.]{0,39})\.([a-z0-9]+)$/;

export function parseConfigurationId(text: string): NamedConfiguration | undefined {
  const [, templateHex, version, suffix] = namePattern.exec(text) ?? [];
  const known = formatSuffixes.find((one) => one === suffix);
  return templateHex !== undefined && known ? { templateHex, version, suffix: known } : undefined;
}
