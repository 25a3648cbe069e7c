/**
 * A small copy of this project for trying its commands: the real scripts, a lock file of a few packages, and
 * an npm that installs them without a network. Only npm is a stand-in, because what npm does on failure,
 * halfway and on a second call is exactly what the commands must cope with.
 */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const projectRoot = path.resolve(import.meta.dirname, '../..');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface SmallHouse {
  readonly root: string;
  write(file: string, text: string): void;
  remove(file: string): void;
  has(file: string): boolean;
  read(file: string): string;
  /** How often npm was called, with which arguments. */
  npmCalls(): string[][];
  /** Runs a script of the house to its end, or until `during` has had its way with it. */
  run(script: string, args?: readonly string[], options?: RunOptions): Promise<Ended>;
  takeDown(): void;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Called with everything printed so far, whenever there is more. */
  readonly during?: (printed: string, signal: (name: NodeJS.Signals) => void) => void;
}

/** What npm writes of a package; its hash is compared with nothing here. */
const locked = (version: string, more: object) => ({
  version,
  integrity: `sha512-${Buffer.alloc(64, version).toString('base64')}`,
  license: 'MIT',
  ...more,
});
const variant = (cpu: string) => locked('2.0.0', { optional: true, os: process.platform, cpu });

const lock = {
  packages: {
    '': { optionalDependencies: { 'native-x64': '2.0.0', 'native-arm64': '2.0.0' } },
    'node_modules/prod': locked('1.0.0', {}),
    'node_modules/native-x64': variant('x64'),
    'node_modules/native-arm64': variant('arm64'),
    'node_modules/typescript': locked('7.0.0', { dev: true }),
    'node_modules/@biomejs/biome': locked('2.0.0', { dev: true }),
  },
};

/** What stands in for npm: installs the lock file's packages, or fails, forgets, gives up or hangs, as FAKE_NPM says. */
const npmSource = `
const fs = require('node:fs');
const args = process.argv.slice(2);
fs.appendFileSync('npm-calls', JSON.stringify(args) + '\\n');
if (process.env.FAKE_NPM === 'fail') {
  for (const line of ['code E404', '', 'first reason', 'second reason', 'A complete log of this run can be found in: x'])
    console.error('npm error ' + line);
  process.exit(1);
}
if (process.env.FAKE_NPM === 'give up') {
  for (const attempt of [1, 2, 3])
    console.error('npm http fetch GET somewhere/prod attempt ' + attempt + ' failed with SELF_SIGNED_CERT_IN_CHAIN');
  console.error('npm error Exit handler never called!');
  process.exit(0);
}
const packages = JSON.parse(fs.readFileSync('package-lock.json', 'utf8')).packages;
const put = (file, text) => {
  fs.mkdirSync(require('node:path').dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
};
fs.rmSync('node_modules', { recursive: true, force: true });
const installed = {};
for (const [place, entry] of Object.entries(packages)) {
  if (place === '' || (entry.dev && args.includes('--omit=dev'))) continue;
  if (entry.optional && (process.env.FAKE_NPM === 'forget' || entry.cpu !== process.arch)) continue;
  put(place + '/package.json', JSON.stringify({ version: entry.version }));
  installed[place] = entry;
  if (process.env.FAKE_NPM === 'hang') {
    console.error('hanging');
    setInterval(() => {}, 1000);
    process.on('SIGTERM', () => {});
    return;
  }
}
if (installed['node_modules/typescript']) {
  put('node_modules/typescript/bin/tsc', 'if (process.env.FAKE_TSC) { console.log(process.env.FAKE_TSC); process.exit(2); }');
  put('node_modules/@biomejs/biome/bin/biome', '');
}
put('node_modules/.package-lock.json', JSON.stringify({ packages: installed }));
`;

/** The program that `npm start` starts: says what it was given, and waits for a signal if asked to. */
const programSource = `
const args: string[] = process.argv.slice(2);
if (args.includes('--fail')) process.exitCode = 5;
if (args.includes('--wait')) {
  const timer = setInterval(() => {}, 1000);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      console.log('got', signal);
      clearInterval(timer);
      process.exitCode = 7;
    });
  }
}
console.log('program', ...args, process.env.NODE_COMPILE_CACHE === undefined ? 'uncached' : 'cached');
`;

/** The environment without what an outer npm or test run has put into it. */
function plainEnvironment(): Record<string, string> {
  const isForeign = (name: string) => /^(npm_|CI$|NODE_|SYMBOLON_|INIT_CWD)/i.test(name);
  const entries = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !isForeign(name),
  );
  return Object.fromEntries(entries) as Record<string, string>;
}

function runScript(root: string, args: readonly string[], { env = {}, during }: RunOptions): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const npm = { npm_execpath: path.join(root, 'npm-cli.cjs') };
    const environment = { ...plainEnvironment(), ...npm, ...env };
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    const child = spawn(process.execPath, args, { cwd: root, env: environment, stdio });
    const printed = { out: '', err: '' };
    for (const [name, stream] of [
      ['out', child.stdout],
      ['err', child.stderr],
    ] as const) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        printed[name] += chunk;
        during?.(printed.out + printed.err, (signal) => child.kill(signal));
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...printed }));
  });
}

/** Waits until something has come true; a test that waits in vain fails. */
export async function until(condition: () => boolean): Promise<void> {
  for (let waitedMs = 0; !condition(); waitedMs += 50) {
    if (waitedMs > 10_000) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Runs `work` in a house of its own. */
export async function inSmallHouse(work: (house: SmallHouse) => Promise<void>): Promise<void> {
  const house = buildSmallHouse();
  try {
    await work(house);
  } finally {
    house.takeDown();
  }
}

function buildSmallHouse(): SmallHouse {
  const root = mkdtempSync(path.join(os.tmpdir(), 'symbolon-commands-'));
  const at = (file: string) => path.join(root, file);
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    writeFileSync(at(file), text);
  };
  for (const folder of ['scripts', 'packages/cli/launcher'])
    cpSync(path.join(projectRoot, folder), at(folder), { recursive: true });
  cpSync(path.join(projectRoot, '.ci'), at('.ci'), { recursive: true });
  const executing = 'packages/ledger-node/package.json';
  write(executing, readFileSync(path.join(projectRoot, executing), 'utf8'));
  write('package.json', '{"type":"module"}');
  write('package-lock.json', JSON.stringify(lock));
  write('npm-cli.cjs', npmSource);
  write('packages/cli/src/main.ts', programSource);
  const calls = () =>
    existsSync(at('npm-calls')) ? readFileSync(at('npm-calls'), 'utf8').trim().split('\n') : [];
  return {
    root,
    write,
    remove: (file) => rmSync(at(file), { recursive: true, force: true }),
    has: (file) => existsSync(at(file)),
    read: (file) => readFileSync(at(file), 'utf8'),
    npmCalls: () => calls().map((line) => JSON.parse(line) as string[]),
    run: (script, args = [], options = {}) => runScript(root, [at(`scripts/${script}`), ...args], options),
    takeDown: () => rmSync(root, { recursive: true, force: true }),
  };
}
