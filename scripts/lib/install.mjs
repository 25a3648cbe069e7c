/**
 * Makes sure that the dependencies of the lock file are in node_modules, with as little work as possible.
 * A stamp in .cache remembers for which lock file an install went through to its end: it is removed before
 * npm starts and written after npm is done, so an interrupted install is simply done again.
 *
 * That npm says it is done is not believed: it calls an install a success when it could not fetch an optional package
 * of this platform, and some versions do when they could fetch nothing at all.
 */
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { exitCodeOf, runCollecting } from './child.mjs';
import {
  installedAgrees,
  isFilled,
  missingPackages,
  parseLock,
  readLockText,
  requiredPlaces,
  thisPlatform,
} from './lock-file.mjs';
import { cacheFolder, root } from './node.mjs';
import { Complaint, say, step } from './say.mjs';
import { takingTurns } from './turns.mjs';

const stampFile = path.join(cacheFolder, 'install.json');
const npmRecord = path.join(root, 'node_modules', '.package-lock.json');

const npmLinesMax = 6;

/** What a reader can do about npm's usual misfortunes, by what npm says. */
const remedies = [
  [
    /CERT|UNABLE_TO_VERIFY/,
    'The npm registry shows a certificate that Node does not trust: name yours in NODE_EXTRA_CA_CERTS.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|network/i,
    'The npm registry could not be reached: check the connection and the proxy settings.',
  ],
  [/ENOSPC/, 'The disk is full.'],
  [/EACCES|EPERM|EROFS/, 'Something could not be written: check who owns this folder and the npm cache.'],
  [
    /can only install|in sync|Missing: .* from lock file/i,
    'package.json and package-lock.json disagree: run `npm install` once and keep the result.',
  ],
  [
    /EINTEGRITY/,
    'A downloaded package is not the one that was locked: run `npm cache verify`, then try again.',
  ],
];

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return undefined;
  }
}

function writeStamp(stamp) {
  try {
    mkdirSync(cacheFolder, { recursive: true });
    writeFileSync(stampFile, `${JSON.stringify(stamp)}\n`);
  } catch (error) {
    say(`  ! ${stampFile} could not be written (${error.code}): the next start checks everything again.`);
  }
}

/**
 * Whether node_modules already holds what is wanted. A full install serves the smaller wish too. An install
 * somebody made by hand has no stamp of ours; it is taken over when npm's own record, which npm writes last and
 * which is removed before an install, agrees with the lock file.
 */
function isInPlace(lockText, packages, development) {
  const lock = createHash('sha256').update(lockText).digest('hex');
  const places = requiredPlaces(packages, { development });
  if (!existsSync(npmRecord) || missingPackages(packages, { development }).length > 0) return false;
  const stamp = readStamp();
  if (stamp && stamp.platform !== thisPlatform) return false;
  if (stamp?.lock === lock && (stamp.development === true || !development)) return true;
  if (!installedAgrees(packages, places)) return false;
  const full = requiredPlaces(packages, { development: true });
  const isFull = full.every(isFilled) && installedAgrees(packages, full);
  writeStamp({ lock, platform: thisPlatform, development: isFull });
  return true;
}

function checkWritable() {
  const modules = path.join(root, 'node_modules');
  for (const place of [root, cacheFolder, ...(existsSync(modules) ? [modules] : [])]) {
    try {
      if (place === cacheFolder) mkdirSync(place, { recursive: true });
      accessSync(place, constants.W_OK);
    } catch (error) {
      throw new Complaint(
        `Dependencies must be installed, but ${place} cannot be written (${error.code}).\n` +
          'Use a copy of the project that belongs to you, or install once as its owner: npm ci --ignore-scripts',
      );
    }
  }
}

/** How to start npm: the one that started us, else the one on the path. */
function npmCommand() {
  const running = process.env.npm_execpath;
  if (running && /npm-cli\.[cm]?js$/.test(running)) return [process.execPath, [running]];
  return ['npm', []];
}

/** Lines of npm's output that help nobody: where its log is, stack frames, the fields of an error object. */
const npmNoise = /complete log of this run|_logs|^\s*at\s|^(syscall|errno)\s|^\s+\w+: .*,$|^\s*\}$/;

/** What npm's output says of a failure: its first lines, without decoration and usage text, and the last bad fetch. */
export function meaningfulLines(output) {
  const all = output.split('\n').map((line) => line.trimEnd());
  const lines = all
    .filter((line) => !/^npm (http|warn|notice)\b/i.test(line))
    .map((line) => line.replace(/^npm (error|ERR!)\s?/i, ''))
    .filter((line) => line.trim() !== '' && !npmNoise.test(line));
  const usage = lines.findIndex((line) => /^(Clean install a project|Usage:)/.test(line));
  const said = [...new Set(usage > 0 ? lines.slice(0, usage) : lines)].slice(0, npmLinesMax);
  const failure = all.findLast((line) => /^npm http .* failed with /.test(line));
  return failure ? [...said, failure.replace('npm http ', '')] : said;
}

async function runNpm(development) {
  const [file, before] = npmCommand();
  const scope = development ? ['--include=dev'] : ['--omit=dev'];
  const quiet = ['--no-audit', '--no-fund', '--loglevel=http'];
  const args = [...before, 'ci', '--ignore-scripts', ...quiet, '--include=optional', ...scope];
  let result;
  try {
    result = await runCollecting(file, args, { cwd: root });
  } catch (error) {
    throw new Complaint(`npm could not be started (${error.code}). Install npm, which comes with Node.`);
  }
  if (result.code === 0) return result.output;
  if (result.stoppedBy) {
    throw new Complaint(
      'The install was stopped; the next run does it again.',
      exitCodeOf(null, result.stoppedBy),
    );
  }
  throw npmComplaint('npm could not install the dependencies:', result.output);
}

function npmComplaint(title, output) {
  const lines = meaningfulLines(output);
  const remedy = remedies.find(([pattern]) => pattern.test(lines.join('\n')))?.[1];
  return new Complaint([title, ...lines.map((line) => `  ${line}`), ...(remedy ? [remedy] : [])].join('\n'));
}

async function bringMissing(packages, development) {
  const missing = () => inShort(missingPackages(packages, { development }));
  const first = missing();
  if (first === '') return;
  const again = () => runNpm(development);
  const output = await step('install dependencies again', again, `npm left out ${first}`);
  const still = missing();
  if (still !== '') throw npmComplaint(`npm did not bring ${still}, and did not say so. It printed:`, output);
}

const inShort = ([first, ...others]) =>
  others.length === 0 ? (first ?? '') : `${first} and ${others.length} more`;

/** Installs what is missing: everything for development, or only what the product needs to run. */
export async function ensureDependencies({ development, quiet = false }) {
  const inPlace = () => {
    const text = readLockText();
    return isInPlace(text, parseLock(text), development);
  };
  if (inPlace()) {
    if (!quiet) await step('dependencies', () => {}, 'in place');
    return;
  }
  checkWritable();
  await takingTurns('install', 'installs into this folder', async () => {
    if (inPlace()) return;
    const lockText = readLockText();
    const name = development ? 'install dependencies (all)' : 'install dependencies';
    rmSync(stampFile, { force: true });
    rmSync(npmRecord, { force: true });
    await step(name, () => runNpm(development), 'only when package-lock.json changes');
    await bringMissing(parseLock(lockText), development);
    const lock = createHash('sha256').update(lockText).digest('hex');
    writeStamp({ lock, platform: thisPlatform, development });
  });
}
