/**
 * A bare Debian 12 in a folder: what debootstrap's smallest variant holds, a Node 20 with its npm, and one ordinary
 * user; no compiler, no git, no certificates, no /etc/hosts. Made once and kept under .cache/bare-debian; whoever uses
 * it works on a copy. Needs root. Runs nothing of the project: that is chroot.mjs.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { runCollecting } from '../lib/child.mjs';
import { meaningfulLines } from '../lib/install.mjs';
import { cacheFolder } from '../lib/node.mjs';
import { Complaint } from '../lib/say.mjs';
import { debianTools } from './tools.mjs';

export const bareFolder = path.join(cacheFolder, 'bare-debian');

/** This machine does not let us do it; nothing is wrong with the project. */
export const notPossibleCode = 78;
/** A server that is needed did not answer. */
export const unreachableCode = 69;

const suite = 'bookworm';
const nodeVersion = '20.20.2';
/** The npm that comes with that Node. */
const npmVersion = '10.8.2';

/** The ordinary user. */
export const visitor = { name: 'visitor', uid: 1000, gid: 1000, home: '/srv/visitor' };

const parts = { suite, nodeVersion, npmVersion, visitor, arch: process.arch };

const buildMsMax = 8 * 60_000;
const keyringFile = 'usr/share/keyrings/debian-archive-keyring.gpg';
const linesShownMax = 6;
/** A folder of a run that was ended in the middle is nobody's after this time. */
const leftoverMs = 3 * 60 * 60_000;

/** Where the finished system is; makes it if it is not there. */
export async function bareDebian() {
  const place = path.join(bareFolder, `base-${process.arch}`);
  if (isComplete(place)) return place;
  mkdirSync(bareFolder, { recursive: true });
  const work = mkdtempSync(`${place}.new-`);
  try {
    const system = path.join(work, 'root');
    await bootstrap(system);
    await addNode(work, system);
    await addVisitor(system);
    rmSync(path.join(system, 'etc/hosts'), { force: true });
    writeFileSync(path.join(work, 'parts.json'), `${JSON.stringify(parts)}\n`);
    rmSync(place, { recursive: true, force: true });
    renameSync(work, place);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return place;
}

/** A folder for one visit. Those that killed runs left behind go away; nothing is ever mounted in them any more. */
export function newVisit() {
  for (const name of readdirSync(bareFolder).filter((entry) => /^visit-|\.new-/.test(entry))) {
    const folder = path.join(bareFolder, name);
    if (Date.now() - statSync(folder).mtimeMs > leftoverMs) rmSync(folder, { recursive: true, force: true });
  }
  return mkdtempSync(path.join(bareFolder, 'visit-'));
}

export const systemIn = (place) => path.join(place, 'root');

function isComplete(place) {
  try {
    return readFileSync(path.join(place, 'parts.json'), 'utf8').trim() === JSON.stringify(parts);
  } catch {
    return false;
  }
}

/** debootstrap mounts the new system's /proc; in a mount namespace of its own that ends with it. */
async function bootstrap(system) {
  const tools = await debianTools('debootstrap', ['debootstrap', 'debian-archive-keyring']).catch((error) => {
    throw error instanceof Complaint ? new Complaint(error.message, unreachableCode) : error;
  });
  const keyring = ['/', tools.root]
    .map((root) => path.join(root, keyringFile))
    .find((file) => existsSync(file));
  const program = path.join(tools.root, 'usr/sbin/debootstrap');
  const folders = [path.join(tools.root, 'usr/bin'), process.env.PATH, '/usr/sbin', '/sbin'];
  const env = {
    ...process.env,
    PATH: folders.join(':'),
    ...(tools.libraryFolders.length > 0 && { LD_LIBRARY_PATH: tools.libraryFolders.join(':') }),
    DEBOOTSTRAP_DIR: path.join(tools.root, 'usr/share/debootstrap'),
  };
  const options = ['--variant=minbase', ...(keyring ? [`--keyring=${keyring}`] : []), suite, system];
  const mirror = await usualMirror();
  await run('unshare', ['--mount', 'sh', program, ...options, ...(mirror ? [mirror] : [])], { env });
}

/** The server that this system's own packages of the same Debian come from; else debootstrap's own choice. */
async function usualMirror() {
  const format = '$(CREATED_BY) $(CODENAME) $(COMPONENT) $(REPO_URI)';
  const { code, output } = await runCollecting('apt-get', ['indextargets', '--format', format]);
  const line = output.split('\n').find((text) => text.startsWith(`Packages ${suite} main http`));
  return code === 0 ? line?.split(' ')[3] : undefined;
}

/** Node and npm as packages of the registry that this machine's npm uses; npm checks their hashes. */
async function addNode(work, system) {
  const packages = [`node-linux-${process.arch}@${nodeVersion}`, `npm@${npmVersion}`];
  await run('npm', ['pack', '--silent', '--pack-destination', work, ...packages], { cwd: work });
  const local = path.join(system, 'usr/local');
  const npmFolder = path.join(local, 'lib/node_modules/npm');
  mkdirSync(npmFolder, { recursive: true });
  const options = ['--strip-components=1', '--no-same-owner', '-C'];
  const unpack = (file, into, ...members) =>
    run('tar', ['-xzf', path.join(work, file), ...options, into, ...members]);
  await unpack(`node-linux-${process.arch}-${nodeVersion}.tgz`, local, 'package/bin');
  await unpack(`npm-${npmVersion}.tgz`, npmFolder);
  chmodSync(path.join(local, 'bin/node'), 0o755);
  for (const name of ['npm', 'npx']) {
    const target = `../lib/node_modules/npm/bin/${name}-cli.js`;
    chmodSync(path.join(local, 'bin', target), 0o755);
    symlinkSync(target, path.join(local, 'bin', name));
  }
}

const addVisitor = (system) =>
  run('chroot', [
    system,
    ...['useradd', '--create-home', '--home-dir', visitor.home, '--uid', String(visitor.uid), visitor.name],
  ]);

/** Runs to a good end, or complains with the last that was printed. */
async function run(file, args, options = {}) {
  let done;
  try {
    done = await runCollecting(file, args, { timeout: buildMsMax, ...options });
  } catch (error) {
    throw new Complaint(`${file} could not be started (${error.code}).`, notPossibleCode);
  }
  if (done.code === 0) return;
  if (done.stoppedBy) throw new Complaint('Stopped.', 130);
  const last = meaningfulLines(done.output.split('\n').slice(-linesShownMax).join('\n'));
  throw new Complaint(
    [`The bare Debian could not be made: ${path.basename(file)} ended with code ${done.code}.`]
      .concat(last.map((line) => `  ${line}`))
      .join('\n'),
    unreachableCode,
  );
}
