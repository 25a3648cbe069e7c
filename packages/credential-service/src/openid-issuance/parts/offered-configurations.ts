/** What offers and grants are good for, as they keep it, and how a wallet names one dataset in one format. */
import { parseConfigurationId } from './configurations.ts';

export const configurationsOf = ({
  configurations,
}: {
  readonly configurations: string;
}): readonly string[] => JSON.parse(configurations) as string[];

/** The same for every token of a grant. */
export function credentialIdentifier(vcId: string, configurationId: string): string {
  const suffix = parseConfigurationId(configurationId)?.suffix ?? '';
  return `${vcId.slice(vcId.lastIndexOf(':') + 1)}.${suffix}`;
}
