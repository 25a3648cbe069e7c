/**
 * The five who come with nothing but a guide: which guides each of them follows, from an empty folder, with the
 * installed command.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Owner } from './owner.ts';
import { type Environment, followPage } from './page-shell.ts';

export const guidesFolder = path.resolve(import.meta.dirname, '../../docs/guides');

export const persons: Readonly<Record<string, readonly string[]>> = {
  university: ['issue-on-your-own-service'],
  bank: ['verify-in-your-app', 'verify-without-a-network'],
  operator: ['run-a-node', 'back-up-and-restore'],
  'contract author': ['write-a-contract'],
  'agent builder': ['give-an-agent-a-wallet'],
};

export interface PersonsMachine {
  /** The person's own, with what was handed over in it. */
  readonly home: string;
  readonly env: Environment;
  readonly replace?: Readonly<Record<string, string>>;
}

/** Follows one guide in a new folder of the person's. */
export async function followGuide(
  owner: Owner,
  guide: string,
  { home, env, replace = {} }: PersonsMachine,
): Promise<void> {
  const folder = path.join(home, guide);
  mkdirSync(folder);
  const page = readFileSync(path.join(guidesFolder, `${guide}.md`), 'utf8');
  const name = `docs/guides/${guide}.md`;
  await followPage(owner, { page, name, replace }, { folder, env: { ...env, HOME: home } });
}
