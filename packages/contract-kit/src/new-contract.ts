/**
 * A contract to begin with: a folder with code that works, its tests, the declarations for an editor, and what to type.
 * The files are those of `template/`, where `contract` stands for the name.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const templates = new URL('../template/', import.meta.url);
const declarations = new URL('../types/contract.d.ts', import.meta.url);

/** Words of the templates that name the new contract's files. */
const placeholder = /\bcontract(?=\.js\b|\.test\.mjs\b)|(?<=^# )contract$/gm;

export const isContractName = (name: string): boolean => /^[a-z][a-z0-9-]{0,63}$/.test(name);

/** Writes the files into a folder that must not be there yet, and answers their names. */
export async function writeNewContract(folder: string, name: string): Promise<readonly string[]> {
  const files: [string, URL][] = [
    [`${name}.js`, new URL('contract.js', templates)],
    [`${name}.test.mjs`, new URL('contract.test.mjs', templates)],
    ['README.md', new URL('README.md', templates)],
    ['jsconfig.json', new URL('jsconfig.json', templates)],
  ];
  const texts = await Promise.all(
    files.map(async ([file, from]) => {
      const text = await readFile(from, 'utf8');
      return [file, text.replaceAll(placeholder, name)] as const;
    }),
  );
  const all = [...texts, ['contract.d.ts', await readFile(declarations, 'utf8')] as const];
  await mkdir(path.dirname(folder), { recursive: true });
  // Not recursive, so that it refuses a folder that is there: nothing is ever overwritten.
  await mkdir(folder);
  for (const [file, text] of all) await writeFile(path.join(folder, file), text, { flag: 'wx' });
  return all.map(([file]) => file);
}
