/**
 * `npm run pack-sdk`: the SDK as a package for other projects, symbolon-sdk-<version>.tgz. JavaScript and declarations
 * made by the compiler, the core and the wire formats inside (bundled: they are no packages of their own elsewhere),
 * everything else declared with the exact versions of the workspaces. Publishes nothing.
 */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { compileInto } from './lib/checks.mjs';
import { runCollecting } from './lib/child.mjs';
import { cacheFolder, root } from './lib/node.mjs';
import { Complaint, main, say, step } from './lib/say.mjs';

const usage = 'Usage: npm run pack-sdk [-- --out FOLDER]';
const packages = path.join(root, 'packages');
const bundled = ['core', 'wire'];

/** The oldest Node with all that the SDK asks of its platform: docs/sdk.md, "What it needs", says why. */
const engines = { node: '>=22.1' };

function chosenFolder(args) {
  try {
    const { out } = parseArgs({ args, options: { out: { type: 'string' } } }).values;
    if (out === '') throw new TypeError('--out needs a folder');
    // npm starts its scripts in the root of the checkout; the folder is meant from where the person is.
    return out === undefined
      ? path.join(cacheFolder, 'sdk')
      : path.resolve(process.env.INIT_CWD ?? process.cwd(), out);
  } catch (error) {
    throw new Complaint(`${error.message}\n${usage}`, 2);
  }
}

const manifestOf = (name) => JSON.parse(readFileSync(path.join(packages, name, 'package.json'), 'utf8'));

/** What is shipped of a package: no tests, and nothing that only tests import. */
function sourcesOf(name) {
  const source = path.join(packages, name, 'src');
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !/\.(test|conformance)\.ts$|[\\/]testing[\\/]/.test(path.relative(source, file)));
}

async function compile(folder) {
  const compilerOptions = {
    rewriteRelativeImportExtensions: true,
    noEmitOnError: true,
    rootDir: packages,
    outDir: path.join(folder, 'out'),
  };
  const files = ['sdk', ...bundled].flatMap(sourcesOf);
  const problem = await compileInto(folder, { node: { file: process.execPath }, files, compilerOptions });
  if (problem !== undefined) throw new Complaint(`The SDK does not compile.\n${problem}`);
  return compilerOptions.outDir;
}

/** In code the compiler writes `./x.js` for `./x.ts`, in declarations it leaves it to whoever ships them. */
function pointDeclarationsToCode(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.d.ts')) continue;
    const file = path.join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/((?:from |import\()(['"])\.{1,2}\/[^'"\n]+)\.ts\2/g, '$1.js$2'));
  }
}

const target = (name) => ({ types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` });

/** `./src/x.ts` of the workspace as what the package has in its place. */
const shippedExports = (exports) =>
  Object.fromEntries(
    Object.entries(exports).map(([entry, file]) => {
      const [, name] = /^\.\/src\/(.+)\.ts$/.exec(file) ?? [];
      if (name === undefined) throw new Complaint(`The SDK cannot ship the export ${entry}: ${file}`);
      return [entry, target(name)];
    }),
  );

function shippedManifest({ name, version, license, exports, dependencies }) {
  return {
    name,
    version,
    license,
    type: 'module',
    sideEffects: false,
    exports: shippedExports(exports),
    files: ['dist'],
    engines,
    dependencies,
  };
}

/**
 * The SDK names the dependencies of what it brings along too: an installer puts them beside the SDK, where the
 * bundled packages find them.
 */
function allDependencies(manifests) {
  const all = {};
  for (const { name: by, dependencies } of manifests) {
    for (const [name, version] of Object.entries(dependencies)) {
      if ((all[name] ?? version) !== version) {
        throw new Complaint(`${by} wants ${name} ${version}, another package of the SDK ${all[name]}.`);
      }
      all[name] = version;
    }
  }
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sdkManifest() {
  const own = manifestOf('sdk');
  const shipped = shippedManifest(own);
  const { '.': index, ...others } = shipped.exports;
  return {
    ...shipped,
    description: 'Clients, signers and flows for a Symbolon ledger and its credential service',
    exports: { '.': index, './verifier': target('verifier'), ...others },
    dependencies: allDependencies([own, ...bundled.map(manifestOf)]),
    bundleDependencies: bundled.map((name) => manifestOf(name).name),
  };
}

const readme = `# @symbolon/sdk

Clients, signers and flows for a Symbolon ledger and its credential service, for Node 22.1 or newer and for browsers.

    import { createCredentialClient, signerFromPrivateKey } from '@symbolon/sdk';
    import { askVerdict, createVerifierClient } from '@symbolon/sdk/verifier';
`;

/** One package as it is shipped: its manifest and what the compiler made of its sources. */
function layOut(folder, { manifest, compiled }) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(compiled, path.join(folder, 'dist'), { recursive: true });
}

/** Beside the code that is generated from them, for whoever generates code in another language. */
function addProtoFiles(dist) {
  const source = path.join(packages, 'core', 'proto');
  for (const name of readdirSync(source).filter((file) => file.endsWith('.proto'))) {
    copyFileSync(path.join(source, name), path.join(dist, 'proto', name));
  }
}

function layOutAll(folder, compiled) {
  layOut(folder, { manifest: sdkManifest(), compiled: path.join(compiled, 'sdk', 'src') });
  for (const name of bundled) {
    const manifest = manifestOf(name);
    const place = path.join(folder, 'node_modules', manifest.name);
    layOut(place, { manifest: shippedManifest(manifest), compiled: path.join(compiled, name, 'src') });
    if (name === 'core') addProtoFiles(path.join(place, 'dist'));
  }
  writeFileSync(path.join(folder, 'README.md'), readme);
  const license = path.join(root, 'LICENSE');
  if (existsSync(license)) copyFileSync(license, path.join(folder, 'LICENSE'));
}

function makeFolder(out) {
  try {
    mkdirSync(out, { recursive: true });
  } catch (error) {
    throw new Complaint(`${out} is no folder to write to (${error.code}).\n${usage}`);
  }
}

/** npm's own packer: it knows what bundled packages need, and gives the same bytes for the same files. */
async function pack(folder, out) {
  const args = ['pack', folder, '--pack-destination', out, '--ignore-scripts', '--loglevel=error'];
  const { code, output } = await runCollecting('npm', args, { cwd: folder }).catch((error) => {
    throw new Complaint(`npm could not be started (${error.code ?? error.message}).`);
  });
  if (code !== 0) throw new Complaint(`npm could not pack the SDK.\n${output}`);
  return path.join(out, `symbolon-sdk-${manifestOf('sdk').version}.tgz`);
}

await main(async () => {
  const out = chosenFolder(process.argv.slice(2));
  makeFolder(out);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-pack-'));
  try {
    const compiled = await step('compile', () => compile(folder));
    pointDeclarationsToCode(compiled);
    const staged = path.join(folder, 'package');
    layOutAll(staged, compiled);
    const file = await step('pack', () => pack(staged, out));
    say(`\n  In your project: npm install ${file}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
