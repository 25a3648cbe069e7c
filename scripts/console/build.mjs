/**
 * Builds the console (packages/console) into its folder `dist`, in seconds and without a network; does nothing when what
 * it is made of has not changed. Text that compresses gets a sibling `.br`, so that the service compresses nothing.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { cacheFolder, root } from '../lib/node.mjs';
import { Complaint } from '../lib/say.mjs';
import { takingTurns } from '../lib/turns.mjs';

const consoleRoot = path.join(root, 'packages', 'console');
export const consoleFolder = path.join(consoleRoot, 'dist');
/** Names what the folder was made of. No file that a service would serve begins with a dot. */
const stampFile = path.join(consoleFolder, '.inputs');

/** Packages whose sources end up in the bundle. */
const sources = ['console', 'sdk', 'wire', 'core'];
const isInput = (name) => !/\.(test|conformance)\.ts$/.test(name);

function inputFiles() {
  const within = (folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && isInput(entry.name))
      .map((entry) => path.join(entry.parentPath, entry.name));
  return [
    ...sources.flatMap((name) => within(path.join(root, 'packages', name, 'src'))),
    ...within(path.join(consoleRoot, 'public')),
    ...['index.html', 'vite.config.mjs', 'package.json', 'tsconfig.json'].map((name) =>
      path.join(consoleRoot, name),
    ),
    path.join(root, 'package-lock.json'),
    import.meta.filename,
  ].sort();
}

/** The same for the same sources, whatever their times are. */
function inputsHash() {
  const hash = createHash('sha256').update(process.version);
  for (const file of inputFiles())
    hash
      .update(`\0${path.relative(root, file)}\0`)
      .update(createHash('sha256').update(readFileSync(file)).digest());
  return hash.digest('hex');
}

const isBuilt = (inputs) => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === inputs;

const compressible = /\.(js|css|html|svg|json|md|wasm|icc|webmanifest)$/;
const compress = promisify(brotliCompress);
/** What is larger would take seconds at the best quality. */
const bestQualityBytesMax = 1_000_000;

async function addBrotli(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && compressible.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
  await Promise.all(
    files.map(async (file) => {
      const plain = await readFile(file);
      const quality = plain.length <= bestQualityBytesMax ? 11 : 9;
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      };
      await writeFile(`${file}.br`, await compress(plain, { params }));
    }),
  );
}

/** Made beside and put in place whole: who looks meanwhile sees the old one or the new one. */
async function buildInto(folder) {
  const { build } = await import('vite');
  await build({
    configFile: path.join(consoleRoot, 'vite.config.mjs'),
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true },
  });
  await addBrotli(folder);
}

/** Answers whether there was anything to build. */
export async function buildConsole({ isForced = false } = {}) {
  try {
    const inputs = inputsHash();
    if (!isForced && isBuilt(inputs)) return false;
    // Two programs may want it at once, as tests do: the second finds what the first one made.
    return await takingTurns('console', 'builds the console', async () => {
      if (!isForced && isBuilt(inputs)) return false;
      await buildAnew(inputs);
      return true;
    });
  } catch (error) {
    throw new Complaint(`The console could not be built: ${error.message}`);
  }
}

async function buildAnew(inputs) {
  const made = path.join(cacheFolder, 'console');
  try {
    rmSync(made, { recursive: true, force: true });
    await buildInto(made);
    writeFileSync(path.join(made, '.inputs'), inputs);
    rmSync(consoleFolder, { recursive: true, force: true });
    renameSync(made, consoleFolder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
