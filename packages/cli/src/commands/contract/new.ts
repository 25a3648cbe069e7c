/** `symbolon contract new`: a contract to begin with, in a folder of its own. */
import path from 'node:path';
import { isContractName, writeNewContract } from '@symbolon/contract-kit/new-contract';
import { usageFailure } from '../../terminal/failure.ts';
import { printFields } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printJson, type Terminal } from '../../terminal/terminal.ts';

export async function makeContract(
  place: string,
  { json }: { json?: boolean },
  terminal: Terminal,
): Promise<void> {
  const folder = path.resolve(place);
  const name = path.basename(folder);
  if (!isContractName(name))
    throw usageFailure(
      'This is no name for a contract; nothing was written.\nA name is up to 64 small letters, digits and hyphens, and begins with a letter.\nSay for example: symbolon contract new notice-board',
    );
  const files = await writeNewContract(folder, name).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw usageFailure(
      `${place} is there already; nothing was written.\nWhat it holds could be your work.\nGive another name.`,
    );
  });
  if (json) return printJson(terminal, { name, folder, files: [...files] });
  const shown = shellWord(path.relative(process.cwd(), folder) || '.');
  printFields(terminal, `A contract with its tests is in ${shown}.`, { files: files.join(', ') });
  terminal.remark([
    `Run its tests: symbolon contract test ${shown}`,
    `Put it on a chain: symbolon contract deploy ${shown}/${name}.js --as issuer --input Hello`,
  ]);
}
