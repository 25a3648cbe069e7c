/** Backups and restores in this process, without a word, and what a verifier says of a presentation before and after. */
import { type BackupOrder, makeBackup } from '@symbolon/cli/backup/back-up';
import { restoreBackup } from '@symbolon/cli/backup/restore-backup';
import type { Terminal } from '@symbolon/cli/terminal/terminal';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ok, paths, type Steps } from './service-steps.ts';

export const passphrase = 'correct horse battery staple';

export const quiet: Terminal = {
  print: () => undefined,
  remark: () => undefined,
  isWatched: false,
  hasColours: false,
};

export const backUp = (data: string, out: string, more: Partial<BackupOrder> = {}) =>
  makeBackup({ data, out, version: '0.1.0', terminal: quiet, env: {}, ...more });

export const restore = (from: string, data: string, env: Record<string, string> = {}) =>
  restoreBackup({
    from,
    data,
    terminal: quiet,
    env,
    passphrase: async () => passphrase,
    anyMaker: true,
    isConfirmed: true,
  });

/** What a verifier is told of a presentation: that it holds, or what does not, first. */
export async function verdictOf({ post }: Steps, vp: JsonObject): Promise<string> {
  const { verified, errors } = ok(await post(paths.verify, { vp }));
  return verified === true ? 'verified' : String((errors as string[])[0]).replace(/ in ledger .*/, '');
}
