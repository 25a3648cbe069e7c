/**
 * Ways in which the files of a store come to harm: a bit that flips, an ending that is lost, a sector of zeros, a
 * file that is gone. Which file and which place is chance, from a seed.
 */
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from './seeded-random.ts';

/** The kinds of file a store consists of. */
export const fileKinds = {
  log: /^\d+\.log$/,
  table: /^\d+\.ldb$/,
  manifest: /^MANIFEST-\d+$/,
  current: /^CURRENT$/,
  head: /^head$/,
} as const;

export type FileKind = keyof typeof fileKinds;
export type Harm = 'flip' | 'truncate' | 'zeros' | 'delete';

const sectorBytes = 512;

export const filesOfKind = (folder: string, kind: FileKind): string[] =>
  readdirSync(folder)
    .filter((name) => fileKinds[kind].test(name))
    .sort();

/** Harms one file of a kind and says what was done. */
export function harm(folder: string, kind: FileKind, { how, random }: { how: Harm; random: Random }): string {
  const name = random.pick(filesOfKind(folder, kind));
  const path = join(folder, name);
  const bytes = readFileSync(path);
  const place = random.below(bytes.length);
  if (how === 'delete') rmSync(path);
  else if (how === 'truncate') truncateSync(path, place);
  else if (how === 'zeros')
    writeFileSync(path, bytes.fill(0, place, Math.min(place + sectorBytes, bytes.length)));
  else {
    const bit = random.below(8);
    bytes[place] = (bytes[place] as number) ^ (1 << bit);
    writeFileSync(path, bytes);
    return `${name}: bit ${bit} of byte ${place} of ${bytes.length} flipped`;
  }
  return `${name}: ${how}${how === 'delete' ? '' : ` at byte ${place} of ${bytes.length}`}`;
}
