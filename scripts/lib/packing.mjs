/**
 * Packages of the checkout as tarballs for other machines: JavaScript made by the compiler, packages that are none of their
 * own elsewhere inside (bundled), everything else declared with the exact versions of the workspaces. Publishes nothing.
 */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { compileInto } from './checks.mjs';
import { runCollecting } from './child.mjs';
import { cacheFolder, root } from './node.mjs';
import { Complaint } from './say.mjs';

export const packages = path.join(root, 'packages');

export const manifestOf = (name) =>
  JSON.parse(readFileSync(path.join(packages, name, 'package.json'), 'utf8'));

/** The folder that `--out` names, made if it is not there; else one of the cache. */
export function outFolder(args, { usage, usual }) {
  const out = chosenFolder(args, { usage, usual });
  try {
    mkdirSync(out, { recursive: true });
  } catch (error) {
    throw new Complaint(`${out} is no folder to write to (${error.code}).\n${usage}`);
  }
  return out;
}

function chosenFolder(args, { usage, usual }) {
  try {
    const { out } = parseArgs({ args, options: { out: { type: 'string' } } }).values;
    if (out === '') throw new TypeError('--out needs a folder');
    // npm starts its scripts in the root of the checkout; the folder is meant from where the person is.
    return out === undefined
      ? path.join(cacheFolder, usual)
      : path.resolve(process.env.INIT_CWD ?? process.cwd(), out);
  } catch (error) {
    throw new Complaint(`${error.message}\n${usage}`, 2);
  }
}

/** What is shipped of a package: no tests, and nothing that only tests import. */
function shippedFiles(name) {
  const source = path.join(packages, name, 'src');
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !/\.(test|conformance)\.ts$|(?:^|[\\/])testing[\\/]/.test(path.relative(source, file)));
}

/**
 * Compiles these packages into a folder below and answers it, a folder of each inside, with the files that are no code.
 * `base`: the settings of the compiler, `options` what is different. `without`: names, from `packages` on, of what nobody needs there.
 */
export async function compilePackages(folder, names, { base, options = {}, without = /(?!)/ } = {}) {
  const outDir = path.join(folder, 'out');
  const compilerOptions = {
    rewriteRelativeImportExtensions: true,
    noEmitOnError: true,
    rootDir: packages,
    typeRoots: [path.join(root, 'node_modules', '@types')],
    outDir,
    ...options,
  };
  const isNeeded = (file) => !without.test(path.relative(packages, file));
  const shipped = names.flatMap(shippedFiles).filter(isNeeded);
  const files = shipped.filter((file) => file.endsWith('.ts'));
  const problem = await compileInto(folder, {
    node: { file: process.execPath },
    base,
    files,
    compilerOptions,
  });
  if (problem !== undefined) throw new Complaint(`What is to be packed does not compile.\n${problem}`);
  for (const file of shipped.filter((one) => !one.endsWith('.ts'))) {
    const place = path.join(outDir, path.relative(packages, file));
    mkdirSync(path.dirname(place), { recursive: true });
    copyFileSync(file, place);
  }
  rewriteFiles(outDir, /\.d\.ts$/, pointedToCode);
  return outDir;
}

/** Changes the text of every file below whose name fits. */
export function rewriteFiles(folder, names, change) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !names.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  }
}

/** In code the compiler writes `./x.js` for `./x.ts`, in declarations it leaves it to whoever ships them. */
const pointedToCode = (text) => text.replace(/((?:from |import\()(['"])\.{1,2}\/[^'"\n]+)\.ts\2/g, '$1.js$2');

/** Of the packages themselves and of what they bring along: an installer puts them where all of them find them. */
export function allDependencies(manifests) {
  const all = {};
  for (const { name: by, dependencies = {} } of manifests) {
    for (const [name, version] of Object.entries(dependencies)) {
      if ((all[name] ?? version) !== version) {
        throw new Complaint(
          `${by} wants ${name} ${version}, another package that is packed with it ${all[name]}.`,
        );
      }
      all[name] = version;
    }
  }
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** One package as it is shipped: its manifest and what the compiler made of its sources. */
export function layOut(folder, { manifest, compiled }) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(compiled, path.join(folder, 'dist'), { recursive: true });
}

/** What a person reads of a package. */
export function addWords(folder, readme) {
  writeFileSync(path.join(folder, 'README.md'), readme);
  const license = path.join(root, 'LICENSE');
  if (existsSync(license)) copyFileSync(license, path.join(folder, 'LICENSE'));
}

/** npm's own packer: it knows what bundled packages need, and gives the same bytes for the same files. */
export async function pack(folder, out) {
  const args = ['pack', folder, '--pack-destination', out, '--ignore-scripts', '--loglevel=error'];
  const { code, output } = await runCollecting('npm', args, { cwd: folder }).catch((error) => {
    throw new Complaint(`npm could not be started (${error.code ?? error.message}).`);
  });
  if (code !== 0) throw new Complaint(`npm could not pack it.\n${output}`);
  const { name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return path.join(out, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
}
