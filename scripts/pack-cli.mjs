/**
 * `npm run pack-cli`: the command `symbolon` with all that it runs, as a package that installs anywhere:
 * symbolon-cli-<version>.tgz.
 */
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { buildConsole, consoleFolder } from './console/build.mjs';
import { nodePins, root } from './lib/node.mjs';
import {
  addWords,
  allDependencies,
  compilePackages,
  layOut,
  manifestOf,
  outFolder,
  pack,
  packages,
  rewriteFiles,
} from './lib/packing.mjs';
import { main, say, step } from './lib/say.mjs';

const usage = 'Usage: npm run pack-cli [-- --out FOLDER]';
const base = path.join(root, 'tsconfig.json');
/** The console is files that the service serves, not code that it runs: it is packed as it was built. */
const consoleName = 'console';
const names = readdirSync(packages).filter((name) => name !== consoleName);
const bundled = names.filter((name) => name !== 'cli');

/** What packages read besides their code, by package. */
const assets = {
  'credential-service': ['contracts'],
  'contract-kit': ['template', 'types'],
  demo: ['assets/token.js'],
  'ledger-node': ['contract-engine'],
  'native-proofs': ['prebuilt', 'LICENCES.md'],
};

/** Sources of the command that it prints for people to read. */
const printed = ['commands/demo/story-on-sdk.ts'];

/** `./src/x.ts` of the workspace as what the package has in its place. */
const shippedExports = (exports) =>
  Object.fromEntries(
    Object.entries(exports).map(([entry, file]) => [
      entry,
      file.replace(/^\.\/src\/(.+)\.ts$/, './dist/$1.js'),
    ]),
  );

const bundledManifest = ({ name, version, license, engines, exports }) => ({
  name,
  version,
  license,
  engines,
  type: 'module',
  exports: shippedExports(exports),
});

function cliManifest() {
  const manifests = names.map(manifestOf);
  const served = manifestOf(consoleName);
  const { name, version, license, type } = manifestOf('cli');
  return {
    name,
    version,
    license,
    type,
    description: 'A ledger node and the verifiable-credential service that records to it',
    bin: { symbolon: 'launcher/symbolon.mjs' },
    files: ['dist', 'launcher'],
    // Of the launcher; the Node that the product needs comes along where there is a package of it.
    engines: manifestOf('..').engines,
    // npm packs what somebody depends on, and nobody's code depends on the console.
    dependencies: { ...allDependencies(manifests), [served.name]: served.version },
    optionalDependencies: Object.fromEntries(
      Object.keys(nodePins.sha256).map((platform) => [`node-${platform}`, nodePins.version]),
    ),
    bundleDependencies: [...bundled.map((one) => manifestOf(one).name), served.name],
  };
}

const readme = `# symbolon

A ledger node and the verifiable-credential service that records to it, with the command that runs and uses them.

    npx symbolon dev     everything in one process, with demo data
    npx symbolon demo    the whole life of a credential on it
    npx symbolon --help
`;

/** Programs of threads and processes are named by their address, which no compiler follows. */
const withPrograms = (text) =>
  text.replace(/(new URL\('\.[^']*)(?<!\.d)\.ts'(?=, import\.meta\.url)/g, "$1.js'");

const isShipped = (file) => !file.endsWith('.test.ts');

/** Without tests. A file may be a link to one elsewhere in the checkout. */
function copyAsset(source, place) {
  mkdirSync(path.dirname(place), { recursive: true });
  if (statSync(source).isDirectory()) cpSync(source, place, { recursive: true, filter: isShipped });
  else copyFileSync(source, place);
}

function layOutAll(folder, compiled) {
  const sourceOf = (name) => path.join(compiled, name, 'src');
  layOut(folder, { manifest: cliManifest(), compiled: sourceOf('cli') });
  cpSync(path.join(packages, 'cli', 'launcher'), path.join(folder, 'launcher'), { recursive: true });
  for (const text of printed)
    copyFileSync(path.join(packages, 'cli', 'src', text), path.join(folder, 'dist', text));
  for (const name of bundled) {
    const manifest = manifestOf(name);
    const place = path.join(folder, 'node_modules', manifest.name);
    layOut(place, { manifest: bundledManifest(manifest), compiled: sourceOf(name) });
    for (const asset of assets[name] ?? [])
      copyAsset(path.join(packages, name, asset), path.join(place, asset));
  }
  rewriteFiles(folder, /\.js$/, withPrograms);
  layOutConsole(folder);
  addWords(folder, readme);
}

function layOutConsole(folder) {
  const { name, version, license } = manifestOf(consoleName);
  const place = path.join(folder, 'node_modules', name);
  layOut(place, { manifest: { name, version, license }, compiled: consoleFolder });
}

await main(async () => {
  const out = outFolder(process.argv.slice(2), { usage, usual: 'cli' });
  await step('build the console', () => buildConsole());
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-pack-'));
  try {
    const compiled = await step('compile', () =>
      compilePackages(folder, names, { base, options: { declaration: false } }),
    );
    const staged = path.join(folder, 'package');
    layOutAll(staged, compiled);
    const file = await step('pack', () => pack(staged, out));
    say(`\n  Anywhere: npm install --global ${file}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
