/**
 * Runs a command inside a copy of the bare Debian, as its ordinary user. /proc and /dev/shm are mounted in a namespace
 * of their own and the processes live in one of theirs: both end with the command, so that nothing stays mounted and
 * nobody stays behind. A command that watches its standard input ends even when this process is killed. The network
 * is this machine's.
 */
import { spawn } from 'node:child_process';
import { chownSync, copyFileSync, cpSync, existsSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { exitCodeOf, runCollecting, Stopped } from '../lib/child.mjs';
import { root } from '../lib/node.mjs';
import { Complaint } from '../lib/say.mjs';
import { notPossibleCode, visitor } from './base.mjs';

const projectFolder = `${visitor.home}/symbolon`;
const certificatesFile = '/etc/registry-ca.pem';

/** A shell stays the first process of its namespace: it collects those that nobody else waits for. */
const entry = `
mount -t proc proc "$1/proc" &&
mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm" || exit ${notPossibleCode}
chroot --userspec=${visitor.uid}:${visitor.gid} --groups= "$@"
exit $?
`;

const namespaces = ['--mount', '--pid', '--ipc', '--fork', '--kill-child'];

/** Says why this machine cannot do it, before anything is made. */
export async function checkChroot() {
  if (process.platform !== 'linux')
    throw new Complaint('A bare Debian can be entered on Linux only.', notPossibleCode);
  if (process.getuid() !== 0) {
    throw new Complaint(
      'This needs root: a bare Debian is entered with chroot.\n' +
        'Run it as root; inside, the project is installed, started and tested by an ordinary user.',
      notPossibleCode,
    );
  }
  const probe = await runCollecting('unshare', [...namespaces, 'chroot', '/', 'true']).catch((error) => ({
    code: error.code,
    output: '',
  }));
  if (probe.code === 0) return;
  throw new Complaint(
    `This machine does not let root use chroot and namespaces (${probe.output.trim() || probe.code}).\n` +
      'A container needs the capabilities SYS_ADMIN and SYS_CHROOT.',
    notPossibleCode,
  );
}

/** The project as a commit of this checkout would hold it, given to the ordinary user. */
export async function copyProject(system) {
  const listing = ['-C', root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { code, output } = await runCollecting('git', listing).catch((error) => ({
    code: error.code,
    output: '',
  }));
  if (code !== 0)
    throw new Complaint(`git cannot list the files of this checkout (${output.trim() || code}).`);
  const target = path.join(system, projectFolder);
  mkdirSync(target);
  const made = new Set([target]);
  for (const file of new Set(output.split('\0'))) {
    const source = path.join(root, file);
    if (file === '' || !existsSync(source)) continue;
    const place = path.join(target, file);
    mkdirSync(path.dirname(place), { recursive: true });
    for (let folder = path.dirname(place); !made.has(folder); folder = path.dirname(folder)) made.add(folder);
    if (lstatSync(source).isSymbolicLink()) cpSync(source, place, { verbatimSymlinks: true });
    else copyFileSync(source, place);
    made.add(place);
  }
  for (const place of made) chownSync(place, visitor.uid, visitor.gid);
}

/**
 * The surroundings of a new user, plus what this machine needs to reach the npm registry. They are handed over in the
 * environment and end with the command.
 */
export async function visitorEnvironment(system) {
  const { output } = await runCollecting('npm', ['config', 'get', 'registry', '--loglevel=silent']);
  const registry = output.trim();
  const passed = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'TERM'];
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  const hasCertificates = certificates !== undefined && existsSync(certificates);
  if (hasCertificates) copyFileSync(certificates, path.join(system, certificatesFile));
  if (existsSync('/etc/resolv.conf')) copyFileSync('/etc/resolv.conf', path.join(system, 'etc/resolv.conf'));
  writeFileSync(path.join(system, 'etc/hostname'), 'bare\n');
  return {
    HOME: visitor.home,
    USER: visitor.name,
    LOGNAME: visitor.name,
    SHELL: '/bin/sh',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    ...(/^https?:/.test(registry) && { npm_config_registry: registry }),
    ...(hasCertificates && { NODE_EXTRA_CA_CERTS: certificatesFile }),
    ...Object.fromEntries(
      passed.filter((name) => process.env[name]).map((name) => [name, process.env[name]]),
    ),
  };
}

/**
 * Runs a command in the project's folder inside and gives its exit code. Its standard input ends when we do, its
 * standard output goes to `onLine`, line by line, its other output to ours. A signal to us ends it and all it started.
 */
export function runInside(system, command, { env, onLine }) {
  return new Promise((resolve, reject) => {
    const inside = [system, 'env', '-C', projectFolder, ...command];
    const args = [...namespaces, 'sh', '-c', entry, 'sh', ...inside];
    // A group of its own: a signal from the terminal reaches it only through us.
    const child = spawn('unshare', args, {
      env: { ...env, PATH: `${env.PATH}:/usr/sbin:/sbin` },
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    });
    let stoppedBy;
    const end = (signal) => {
      stoppedBy = signal;
      child.kill('SIGKILL');
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, end);
    createInterface({ input: child.stdout }).on('line', onLine);
    const letGo = () => {
      for (const signal of signals) process.off(signal, end);
    };
    child.once('error', (error) => {
      letGo();
      reject(new Complaint(`unshare could not be started (${error.code}).`, notPossibleCode));
    });
    child.once('close', (code, signal) => {
      letGo();
      if (stoppedBy) reject(new Stopped(stoppedBy));
      else resolve(exitCodeOf(code, signal));
    });
  });
}
