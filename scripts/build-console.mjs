/** `npm run build-console [-- --force]`: makes packages/console/dist, unless it is there already. */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { buildConsole } from './console/build.mjs';
import { Complaint, main, step } from './lib/say.mjs';

const usage = 'Usage: npm run build-console [-- --force] [--quiet]';

function readWords() {
  try {
    const options = { force: { type: 'boolean' }, quiet: { type: 'boolean' } };
    return parseArgs({ args: process.argv.slice(2), options }).values;
  } catch (error) {
    throw new Complaint(`${error.message}\n${usage}`, 2);
  }
}

await main(async () => {
  const { force = false, quiet = false } = readWords();
  const work = () => buildConsole({ isForced: force });
  if (quiet) await work();
  else await step('build the console', work, 'only when it changes');
  return 0;
});
