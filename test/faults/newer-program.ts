/** The program of this checkout as another version of it: what an operator upgrades to. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Owner } from '../support/owner.ts';
import { tempFolder } from '../support/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** What a node runs of. */
const packages = ['cli', 'core', 'wire', 'host', 'ledger-node', 'sdk', 'contract-kit', 'native-proofs'];
const versionFile = 'packages/ledger-node/src/node/node-version.ts';

/** Where the program of a version begins. */
export function newerProgram(owner: Owner, version: string): string {
  const place = tempFolder(owner);
  const modules = path.join(place, 'node_modules');
  mkdirSync(path.join(modules, '@symbolon'), { recursive: true });
  for (const name of readdirSync(path.join(root, 'node_modules')))
    if (name !== '@symbolon') symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
  for (const name of readdirSync(path.join(root, 'packages'))) {
    const copied = path.join(place, 'packages', name);
    if (packages.includes(name)) cpSync(path.join(root, 'packages', name), copied, { recursive: true });
    else symlinkSync(path.join(root, 'packages', name), copied);
    symlinkSync(copied, path.join(modules, '@symbolon', name));
  }
  const file = path.join(place, versionFile);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/(?<=nodeVersion = ')[^']+/, version));
  return path.join(place, 'packages/cli/src/main.ts');
}
