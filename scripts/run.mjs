/**
 * The other npm scripts: each makes sure that the dependencies are there and runs one tool with the right
 * Node. `npm start` and `npm test` have files of their own.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { formatArguments, listChecks } from './lib/checks.mjs';
import { runInForeground } from './lib/child.mjs';
import { ensureDependencies } from './lib/install.mjs';
import { licenceProblems } from './lib/licences.mjs';
import { lockProblems, parseLock, readLockText } from './lib/lock-file.mjs';
import { checkLauncher, findNode, nodeEnvironment, productFlags, root } from './lib/node.mjs';
import { Complaint, main, say, step } from './lib/say.mjs';
import { sbomText } from './lib/sbom.mjs';
import { writeSdkReference } from './lib/sdk-reference.mjs';

const generators = ['@bufbuild/buf@1.74.0', '@bufbuild/protoc-gen-es@2.16.0'];

async function withNode({ development }, args, options) {
  await ensureDependencies({ development, quiet: true });
  return runInForeground(findNode().file, args, { env: nodeEnvironment(), ...options });
}

async function check() {
  await ensureDependencies({ development: true, quiet: true });
  let failed = 0;
  for (const { name, run } of listChecks(findNode())) {
    const problem = await step(name, async () => {
      const found = await run();
      if (found !== undefined) throw new Complaint(found);
    }).catch((error) => error);
    if (!problem) continue;
    failed += 1;
    say(`\n${problem.message}\n`);
  }
  return failed === 0 ? 0 : 1;
}

function checkLockFile() {
  const packages = parseLock(readLockText());
  const problems = [...lockProblems(packages), ...licenceProblems(packages)];
  if (problems.length > 0) throw new Complaint(problems.join('\n'));
  say('  ✔ package-lock.json serves linux-x64 and linux-arm64, has a strong hash of every package,');
  say('    carries no download address, and every licence of the product is a permissive one');
  return 0;
}

/** On standard output, or into a file. */
function sbom(args) {
  const [option, file, ...more] = args;
  if (option === undefined) process.stdout.write(sbomText());
  else if (option === '--out' && file !== undefined && more.length === 0) writeFileSync(file, sbomText());
  else throw new Complaint('Usage: npm run sbom [-- --out FILE]', 2);
  return 0;
}

/** The code generator is not a dependency: it is large, and needed only when a .proto file changes. */
function generate() {
  const packages = generators.map((name) => `--package=${name}`);
  // Named from the root: npm decides by itself in which folder of a workspace it runs a command.
  const proto = 'packages/core/proto';
  const words = ['buf', 'generate', proto, '--template', `${proto}/buf.gen.yaml`, '--output', proto];
  const args = ['exec', '--yes', '--ignore-scripts', ...packages, '--', ...words];
  return runInForeground('npm', args, { cwd: root });
}

async function sdkReference() {
  await ensureDependencies({ development: true, quiet: true });
  await writeSdkReference(findNode());
  say('  ✔ docs/sdk-reference.md and packages/sdk/exports.json are those of the code');
  return 0;
}

/** Tests that play a share of a campaign in `npm test`, whole. */
async function campaigns(args) {
  const folder = path.join(root, 'test');
  const files = readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => path.join('test', name))
    .filter((name) => readFileSync(path.join(root, name), 'utf8').includes('support/campaign.ts'))
    .sort();
  const words = [path.join(root, 'scripts', 'test.mjs'), ...files, '--limit', '7200', ...args];
  return runInForeground(process.execPath, words, { env: { ...process.env, SYMBOLON_CAMPAIGN: 'whole' } });
}

/** Faults of a network of validators, so often each, or those of some name; a share of it is in `npm test`. */
function testFaults(args) {
  const usage = 'Usage: npm run test:faults [-- [--times 20] [--only TEXT]]';
  let values;
  try {
    values = parseArgs({ args, options: { times: { type: 'string' }, only: { type: 'string' } } }).values;
  } catch (error) {
    throw new Complaint(`${error.message}\n${usage}`, 2);
  }
  const { times = '20', only = '' } = values;
  if (!/^[1-9]\d{0,3}$/.test(times)) throw new Complaint(usage, 2);
  const words = [path.join(root, 'scripts', 'test.mjs'), 'test/faults/faults.test.ts'];
  const limit = String(Math.max(900, Number(times) * 600));
  return runInForeground(process.execPath, [...words, '--each', '--limit', limit], {
    env: { ...process.env, NETWORK_FAULT_TIMES: times, NETWORK_FAULT_ONLY: only },
  });
}

const cli = path.join(root, 'packages', 'cli', 'src', 'main.ts');
const bench = path.join(root, 'bench', 'main.ts');
const fuzzProofs = path.join(root, 'test', 'fuzz', 'proofs', 'main.ts');
const documents = path.join(root, 'scripts', 'lib', 'documents.mjs');
const packCli = path.join(root, 'scripts', 'pack-cli.mjs');
const examples = path.join(root, 'test', 'examples', 'record.ts');
const packSdk = path.join(root, 'scripts', 'pack-sdk.mjs');
const captures = path.join(root, 'scripts', 'captures.mjs');
const buildConsole = path.join(root, 'scripts', 'build-console.mjs');
const consolePictures = path.join(root, 'scripts', 'console-pictures.mjs');

const commands = {
  check,
  format: (args) => withNode({ development: true }, formatArguments(args), { cwd: root }),
  bench: (args) => withNode({ development: true }, [bench, ...args]),
  campaigns,
  'test:faults': testFaults,
  'fuzz-proofs': (args) => withNode({ development: true }, [fuzzProofs, ...args]),
  symbolon: (args) => withNode({ development: false }, [...productFlags(), cli, ...args]),
  generate,
  documents: () => withNode({ development: true }, [documents]),
  examples: () => withNode({ development: true }, [examples]),
  'sdk-reference': sdkReference,
  'pack-cli': (args) => withNode({ development: true }, [packCli, ...args]),
  'pack-sdk': (args) => withNode({ development: true }, [packSdk, ...args]),
  captures: () => withNode({ development: true }, [captures]),
  'build-console': (args) => withNode({ development: false }, [buildConsole, ...args]),
  'console-pictures': (args) => withNode({ development: true }, [consolePictures, ...args]),
  'check-lock': checkLockFile,
  sbom,
};

await main(async () => {
  checkLauncher();
  const [name, ...args] = process.argv.slice(2);
  if (!Object.hasOwn(commands, name ?? '')) {
    throw new Complaint(`Usage: node scripts/run.mjs ${Object.keys(commands).join('|')} [arguments]`, 2);
  }
  return commands[name](args);
});
