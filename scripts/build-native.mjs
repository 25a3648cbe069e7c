/**
 * `npm run build-native`: builds the native proof library (packages/native-proofs/rust) for both processors from its
 * source and says whether the binaries of the repository are what comes out, byte for byte; with `--update` it writes
 * them, their hashes and the list of licences. Fetches compiler and linker into .cache and changes nothing else.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { buildNative, differenceOf, platforms, recordBinaries, recordLicences } from './lib/native-build.mjs';
import { nativeTools } from './lib/native-tools.mjs';
import { checkLauncher } from './lib/node.mjs';
import { Complaint, main, say, step } from './lib/say.mjs';

const usage = 'Usage: npm run build-native [-- --update]';

function readArguments(args) {
  try {
    return parseArgs({ args, options: { update: { type: 'boolean' }, help: { type: 'boolean' } } }).values;
  } catch {
    throw new Complaint(`What is not --update is not known here.\n\n${usage}`, 2);
  }
}

await main(async () => {
  checkLauncher();
  const { update, help } = readArguments(process.argv.slice(2));
  if (help) {
    say(usage);
    return 0;
  }
  const tools = await step('compiler and linker', nativeTools);
  const built = [];
  for (const platform of platforms) {
    const bytes = await step(`build for ${platform.name}`, () => buildNative(tools, platform));
    built.push({ name: platform.name, bytes });
  }
  if (update) {
    recordBinaries(built, tools.versions);
    await recordLicences(tools);
    say('  ✔ packages/native-proofs/prebuilt and LICENCES.md are those of the source');
    return 0;
  }
  const differences = built.map((one) => [one.name, differenceOf(one, tools.versions)]);
  for (const [name, difference] of differences) say(difference ? `  ✖ ${difference}` : `  ✔ ${name}: same`);
  return differences.some(([, difference]) => difference !== undefined) ? 1 : 0;
});
