/**
 * The native proof library from its source: one binary for each processor, compared with those of the repository or
 * written in their place, and the licences of what is in them.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runTool, sourceFolder } from './native-tools.mjs';
import { root } from './node.mjs';

const home = path.join(root, 'packages/native-proofs');
const prebuiltFolder = path.join(home, 'prebuilt');
const hashesFile = path.join(prebuiltFolder, 'hashes.json');
const licencesFile = path.join(home, 'LICENCES.md');

/** The oldest C library that a machine may have: that of the oldest system which our Node runs on. */
const glibc = '2.28';
const builtName = 'libsymbolon_native_proofs.so';

/** As Node names them, and as Rust does. */
export const platforms = [
  { name: 'linux-x64', target: 'x86_64-unknown-linux-gnu' },
  { name: 'linux-arm64', target: 'aarch64-unknown-linux-gnu' },
];

const binaryFile = (name) => path.join(prebuiltFolder, `${name}.node`);
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');
const recorded = () =>
  existsSync(hashesFile) ? JSON.parse(readFileSync(hashesFile, 'utf8')) : { compiler: 'none', binaries: {} };

export async function buildNative({ env, programs }, { target }) {
  const words = ['zigbuild', '--release', '--locked', '--target', `${target}.${glibc}`];
  await runTool(path.join(programs, 'cargo-zigbuild'), words, { cwd: sourceFolder, env });
  return readFileSync(path.join(env.CARGO_TARGET_DIR, target, 'release', builtName));
}

/** What is wrong with a binary of the repository and its hash, in a sentence; undefined if both are what was built. */
export function differenceOf({ name, bytes }, versions) {
  const { compiler, binaries } = recorded();
  const file = binaryFile(name);
  const hash = hashOf(bytes);
  if (binaries[name] === hash && existsSync(file) && hashOf(readFileSync(file)) === hash) return undefined;
  const why = compiler === versions ? '' : `; it was built by ${compiler}, this is ${versions}`;
  return `${name} differs: ${hash} was built, ${binaries[name] ?? 'nothing'} is recorded${why}`;
}

export function recordBinaries(built, compiler) {
  for (const { name, bytes } of built) writeFileSync(binaryFile(name), bytes);
  const binaries = Object.fromEntries(built.map(({ name, bytes }) => [name, hashOf(bytes)]));
  writeFileSync(hashesFile, `${JSON.stringify({ compiler, binaries }, undefined, 2)}\n`);
}

/** Everything that a binary is built from: what the crate needs, and what that needs. */
function linkedPackages({ packages, resolve }) {
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const found = new Set([resolve.root]);
  for (const id of found) {
    const linked = nodes
      .get(id)
      .deps.filter(({ dep_kinds: kinds }) => kinds.some(({ kind }) => kind === null));
    for (const { pkg } of linked) found.add(pkg);
  }
  return packages.filter(({ id }) => found.has(id) && id !== resolve.root);
}

async function licencesText({ env }) {
  const words = ['metadata', '--locked', '--format-version', '1', '--filter-platform', platforms[0].target];
  const said = await runTool(env.CARGO, words, { cwd: sourceFolder, env });
  const metadata = JSON.parse(said.slice(said.indexOf('{"packages"')));
  const rows = linkedPackages(metadata).map(
    ({ name, version, license }) => `| ${name} | ${version} | ${license} |`,
  );
  return [
    '# Licences of the native proof library',
    '',
    'What the binaries in `prebuilt` are built from, besides the standard library of Rust (MIT OR Apache-2.0).',
    '`npm run build-native -- --update` writes this from `rust/Cargo.lock`.',
    '',
    '| Crate | Version | Licence |',
    '|---|---|---|',
    ...rows.sort(),
    '',
  ].join('\n');
}

export async function recordLicences(tools) {
  writeFileSync(licencesFile, await licencesText(tools));
}
