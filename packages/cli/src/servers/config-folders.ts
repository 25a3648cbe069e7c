/** Which folders of nodes and services a place holds, and what their settings are: read, never changed. */
import path from 'node:path';
import { inspectServiceConfig, isServiceFolder } from '@symbolon/credential-service/wiring/service-folder';
import { type ConfigReport, inspectConfig } from '@symbolon/host/config/config';
import { nodeConfigSchema } from '@symbolon/ledger-node/node/node-config';
import { isNodeFolder, settingsPath as nodeSettings } from '@symbolon/ledger-node/node/node-folder';

export interface FoundFolder {
  readonly kind: 'node' | 'service';
  readonly folder: string;
}

/** The place itself, or the two folders that the demo keeps in one. */
export async function findFolders(place: string): Promise<FoundFolder[]> {
  const candidates = [place, path.join(place, 'ledger'), path.join(place, 'service')];
  const found = await Promise.all(
    candidates.map(async (folder): Promise<FoundFolder[]> => {
      if (await isNodeFolder(folder)) return [{ kind: 'node', folder }];
      return (await isServiceFolder(folder)) ? [{ kind: 'service', folder }] : [];
    }),
  );
  return found.flat();
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Names in the environment that begin so are the node's. */
const nodePrefix = 'SYMBOLON_LEDGER_';

export function inspectFolder({ kind, folder }: FoundFolder, env: Environment): ConfigReport {
  if (kind === 'node')
    return inspectConfig(nodeConfigSchema, { file: nodeSettings(folder), env, prefix: nodePrefix });
  return inspectServiceConfig(folder, { env });
}
