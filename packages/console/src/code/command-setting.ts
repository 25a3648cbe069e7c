/**
 * What stands before a command, so that it means the service that the page is of: nothing where it does by itself. A demo
 * elsewhere than usual is named by its profile, another service by its address.
 */
import { shellQuoted } from './shell-quoted.ts';

/** What commands ask if nobody says otherwise. */
const usualOrigin = 'http://127.0.0.1:8080';

/** What a demo writes into its folder for commands. */
export const demoProfileIn = (folder: string): string => `${folder}/demo.json`;

interface Place {
  readonly isDemo: boolean;
  readonly demoFolder?: string | undefined;
}

export function commandSetting(config: Place | null | undefined, origin: string): string {
  if (config?.demoFolder !== undefined)
    return `SYMBOLON_PROFILE=${shellQuoted(demoProfileIn(config.demoFolder))} `;
  if (config?.isDemo || origin === usualOrigin) return '';
  return `SYMBOLON_SERVICE_URL=${shellQuoted(origin)} SYMBOLON_LEDGER_URL=${shellQuoted(`${origin}/ledger`)} `;
}
