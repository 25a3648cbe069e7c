/**
 * Programs and libraries of Debian that tests use, without installing them: fetches the packages and whatever
 * of their dependencies this system lacks, and unpacks them into a folder of .cache/tools. Needs no rights and
 * changes nothing outside that folder. apt checks the lists' signatures; the packages' hashes are checked again
 * here. Works where apt-get and dpkg-deb are, on the processors that Debian and this house share.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { runCollecting, Stopped } from '../lib/child.mjs';
import { cacheFolder } from '../lib/node.mjs';
import { Complaint } from '../lib/say.mjs';

const toolsFolder = path.join(cacheFolder, 'tools');
const recordName = 'packages.json';

const commandMsMax = 5 * 60_000;
/** A folder of a run that was ended in the middle is nobody's after this time. */
const leftoverMs = 60 * 60_000;
const complaintLinesMax = 4;

/** What Debian calls the place of this processor's libraries. */
const triplets = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };

const unreachable =
  /Could not resolve|Temporary failure|Could not connect|Connection (failed|timed out|refused)/i;

/** Settings that would run commands, or whose text would not survive being written down again. */
const unwantedSetting = /-Invoke|^Dir::Etc::(main|parts)|".*".*"/i;

/**
 * The packages' files under a folder: { root, libraryFolders }. Fetches them the first time; `name` is the
 * folder's name in the cache. `alone` are packages without what they depend on, and may be of another processor
 * (`name:arm64`).
 */
export async function debianTools(name, packages, alone = []) {
  const place = path.join(toolsFolder, `${name}-${process.arch}`);
  const wanted = { packages, alone };
  if (!isComplete(place, wanted)) await prepare(place, wanted);
  return describe(place);
}

const allOf = ({ packages, alone }) => [...packages, ...alone];

function isComplete(place, wanted) {
  try {
    const { asked } = JSON.parse(readFileSync(path.join(place, recordName), 'utf8'));
    return JSON.stringify(asked) === JSON.stringify(allOf(wanted));
  } catch {
    return false;
  }
}

function describe(place) {
  const root = path.join(place, 'root');
  const triplet = triplets[process.arch];
  const candidates = ['usr/lib', `usr/lib/${triplet}`, `lib/${triplet}`].map((part) => path.join(root, part));
  return { root, libraryFolders: candidates.filter((folder) => existsSync(folder)) };
}

/** Everything happens in a folder of its own, which gets its name when it is complete. */
async function prepare(place, wanted) {
  const work = makeWorkFolder(place);
  const asked = allOf(wanted);
  try {
    const files = await fetchPackages(work, wanted);
    mkdirSync(path.join(work, 'done/root'), { recursive: true });
    for (const { name } of files) {
      const archive = path.join(work, 'cache/archives', name);
      await run('dpkg-deb', ['-x', archive, path.join(work, 'done/root')], {}, asked);
    }
    writeFileSync(path.join(work, 'done', recordName), `${JSON.stringify({ asked, files }, undefined, 2)}\n`);
    moveIn(path.join(work, 'done'), place, wanted);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function makeWorkFolder(place) {
  try {
    mkdirSync(toolsFolder, { recursive: true });
    for (const entry of readdirSync(toolsFolder).filter((name) => name.includes('.new-'))) {
      const folder = path.join(toolsFolder, entry);
      if (Date.now() - statSync(folder).mtimeMs > leftoverMs)
        rmSync(folder, { recursive: true, force: true });
    }
    return mkdtempSync(`${place}.new-`);
  } catch (error) {
    throw new Complaint(`${toolsFolder} cannot be written (${error.code}).`);
  }
}

/** Of two runs that prepare the same, one wins and both use that one's. */
function moveIn(done, place, wanted) {
  try {
    renameSync(done, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
    if (isComplete(place, wanted)) return;
    rmSync(place, { recursive: true, force: true });
    renameSync(done, place);
  }
}

/** The lists this system has may be old or missing; then they are fetched, for this folder alone. */
async function fetchPackages(work, wanted) {
  for (const folder of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(path.join(work, folder), { recursive: true });
  const own = path.join(work, 'lists');
  try {
    return await download(work, wanted, await aptEnvironment(work, wanted));
  } catch (error) {
    if (!(error instanceof Complaint) || error instanceof Stopped) throw error;
  }
  const environment = await aptEnvironment(work, wanted, own);
  // A source that cannot be reached may be one that is not needed: what is missing shows when packages are fetched.
  const update = await tryRun('apt-get', ['update', '-q'], environment);
  return await download(work, wanted, environment, update.output);
}

/** apt with this system's settings, except for where it writes and what it runs. */
async function aptEnvironment(work, wanted, lists) {
  const dumped = await run('apt-config', ['dump'], {}, allOf(wanted));
  const kept = dumped.split('\n').filter((line) => line.endsWith(';') && !unwantedSetting.test(line));
  const file = path.join(work, 'apt.conf');
  const settings = {
    'Dir::Etc::main': '/dev/null',
    'Dir::Etc::parts': '/dev/null',
    'Dir::Cache': path.join(work, 'cache'),
    'Dir::Cache::archives': path.join(work, 'cache/archives'),
    'Dir::Cache::pkgcache': '',
    'Dir::Cache::srcpkgcache': '',
    ...(lists && { 'Dir::State::lists': lists }),
    'Debug::NoLocking': '1',
    'APT::Sandbox::User': '',
    'APT::Install-Recommends': 'false',
    'Acquire::ForceHash': 'SHA256',
    'Acquire::Languages': 'none',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
    'Acquire::Retries': '2',
    'Acquire::http::Timeout': '20',
    'Acquire::https::Timeout': '20',
  };
  const own = Object.entries(settings).map(([name, value]) => `${name} "${value}";`);
  const others = wanted.alone.map((name) => name.split(':')[1]).filter((name) => name !== undefined);
  own.push(...[...new Set(others)].map((name) => `APT::Architectures:: "${name}";`));
  writeFileSync(file, `${[...kept, ...own].join('\n')}\n`);
  return { APT_CONFIG: file };
}

/** Asks apt what is missing, lets it fetch that, and answers the files with their hashes. */
async function download(work, { packages, alone }, environment, earlier = '') {
  const archives = path.join(work, 'cache/archives');
  const install = (...options) =>
    run('apt-get', ['-y', ...options, 'install', ...packages], environment, packages, earlier);
  const files = packages.length === 0 ? [] : announcedFiles(await install('--print-uris'), packages);
  if (files.length > 0) await install('-q', '--download-only');
  const single = (...options) =>
    run('apt-get', [...options, 'download', ...alone], environment, alone, earlier, archives);
  if (alone.length > 0) {
    files.push(...announcedFiles(await single('--print-uris'), alone));
    await single('-q');
  }
  for (const { name, sha256 } of files) {
    const bytes = readFileSync(path.join(archives, path.basename(name)));
    if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      throw new Complaint(`The package ${name} is not the one that Debian lists.`);
  }
  return files;
}

function announcedFiles(listed, packages) {
  const files = [...listed.matchAll(/^'[^']+' (\S+) \d+ SHA256:([0-9a-f]{64})\s*$/gm)].map(
    ([, name, sha256]) => ({ name, sha256 }),
  );
  const announced = [...listed.matchAll(/^'[^']+' \S+ \d+/gm)].length;
  if (announced !== files.length)
    throw new Complaint(`apt does not tell the hashes of ${packages.join(', ')}.`);
  return files;
}

async function tryRun(file, args, environment, cwd) {
  try {
    const env = { ...process.env, ...environment, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' };
    const done = await runCollecting(file, args, { env, cwd, timeout: commandMsMax });
    if (done.stoppedBy) throw new Stopped(done.stoppedBy);
    return done;
  } catch (error) {
    if (error instanceof Stopped) throw error;
    throw new Complaint(
      `${file} could not be started (${error.code}): this needs Debian or a system like it.`,
    );
  }
}

/** Runs to a good end and answers what was printed. */
async function run(file, args, environment, packages, earlier = '', cwd = undefined) {
  const { code, output } = await tryRun(file, args, environment, cwd);
  if (code === 0) return output;
  const said = `${earlier}\n${output}`;
  const names = packages.join(', ');
  if (unreachable.test(said)) {
    throw new Complaint(
      `The packages ${names} could not be fetched: their servers cannot be reached.\n` +
        'Check the connection and the proxy settings.',
    );
  }
  const lines = said.split('\n').filter((line) => /^(E|W): /.test(line));
  throw new Complaint(
    [
      `The packages ${names} could not be fetched (${file} ended with code ${code}).`,
      ...[...new Set(lines)].slice(0, complaintLinesMax).map((line) => `  ${line}`),
    ].join('\n'),
  );
}
