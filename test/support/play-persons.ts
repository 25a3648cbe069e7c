/**
 * Plays the five persons on this machine as it is, one after the other, with the `symbolon` on the path and the files that
 * the first word names as what they were handed over. For scripts/debian/guides.mjs: one line of JSON for each
 * guide on standard output.
 */
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Owner } from './owner.ts';
import { followGuide, persons } from './persons.ts';
import { makeTempFolder } from './temp-folder.ts';

const files = process.argv.slice(2);

/** What a guide has started ends with it. */
async function owning(work: (owner: Owner) => Promise<void>): Promise<void> {
  const ends: (() => void | Promise<void>)[] = [];
  try {
    await work({ after: (end) => void ends.push(end) });
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

const tell = (fact: object): void => void process.stdout.write(`${JSON.stringify(fact)}\n`);

for (const [person, guides] of Object.entries(persons)) {
  const home = path.join(makeTempFolder(), 'home');
  mkdirSync(home);
  for (const file of files) cpSync(file, path.join(home, path.basename(file)));
  for (const guide of guides) {
    const began = performance.now();
    try {
      await owning((owner) => followGuide(owner, guide, { home, env: process.env }));
      tell({ kind: 'guide', person, guide, seconds: (performance.now() - began) / 1000 });
    } catch (error) {
      process.stderr.write(`${(error as Error).message}\n`);
      tell({ kind: 'failure', message: `the ${person} does not get through docs/guides/${guide}.md` });
      process.exitCode = 1;
    }
  }
}
