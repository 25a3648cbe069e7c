/**
 * Network namespaces that belong to this process alone: each is held by a child that ends when its standard input does, so
 * they, and every link in them, vanish with the test even if it is killed. They have no names, so that runs side by side
 * never meet, and the network of the machine itself is not touched. Made as root, else in a user namespace.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type DebianTools, findTool } from '../support/debian-packages.ts';

export interface NamespaceTools {
  readonly ip: string;
  readonly tc: string;
  readonly libraryFolders: readonly string[];
  /** Whether a user namespace gives the right to make others. */
  readonly isOwnUser: boolean;
}

const run = promisify(execFile);
const commandMsMax = 30_000;

const folders = ['usr/sbin', 'usr/bin', 'sbin', 'bin'];
const holding = 'echo held; exec cat';

type Iproute = Omit<NamespaceTools, 'isOwnUser'>;

function lookIn({ root, libraryFolders }: DebianTools): Iproute | undefined {
  const [ip, tc] = ['ip', 'tc'].map((name) =>
    folders.map((folder) => path.join(root, folder, name)).find((file) => existsSync(file)),
  );
  return ip && tc ? { ip, tc, libraryFolders } : undefined;
}

/** With what namespaces are made here, tried out; or why none can be made. */
export async function findNamespaces(): Promise<NamespaceTools | { readonly missing: string }> {
  let missing = 'this is no Linux';
  if (process.platform !== 'linux') return { missing };
  for (const isOwnUser of process.getuid?.() === 0 ? [false, true] : [true]) {
    const held = await Namespace.hold(unsharing(isOwnUser)).catch((error: Error) => error);
    if (held instanceof Error) {
      missing = held.message;
      continue;
    }
    held.release();
    const found = await findTool({ title: 'iproute2', name: 'iproute2', packages: ['iproute2'], lookIn });
    if ('missing' in found) return found;
    const tools = { ...found, isOwnUser };
    const refused = await tryLinks(tools);
    if (refused === undefined) return tools;
    missing = refused;
  }
  return { missing };
}

/** Whether all that partitions need is done here; why not, otherwise. */
async function tryLinks(tools: NamespaceTools): Promise<string | undefined> {
  const space = await Namespaces.make(tools);
  try {
    const other = await space.add();
    await space.hub.ip(
      'link add way type bridge',
      `link add port type veth peer name eth0 netns ${other.pid}`,
      'link set port master way up',
    );
    await space.hub.tc('qdisc replace dev port root pfifo limit 0');
    return undefined;
  } catch (error) {
    return (error as Error).message.trim().replaceAll('\n', ' ');
  } finally {
    space.release();
  }
}

/** What makes a link slow; kernels may lack it. */
export const slowness = 'tbf rate 512kbit burst 1600 limit 3200';

export async function slowLinks(tools: NamespaceTools): Promise<boolean> {
  const space = await Namespaces.make(tools);
  try {
    await space.hub.tc(`qdisc replace dev lo root ${slowness}`);
    return true;
  } catch {
    return false;
  } finally {
    space.release();
  }
}

const unsharing = (isOwnUser: boolean): readonly string[] => [
  'unshare',
  ...(isOwnUser ? ['--user', '--map-root-user'] : []),
  '--net',
];

/** One namespace that is a hub for others, all under the same user. */
export class Namespaces {
  readonly hub: Namespace;
  readonly #tools: NamespaceTools;
  readonly #all: Namespace[];

  private constructor(hub: Namespace, tools: NamespaceTools) {
    this.hub = hub;
    this.#tools = tools;
    this.#all = [hub];
  }

  static async make(tools: NamespaceTools): Promise<Namespaces> {
    return new Namespaces(await Namespace.hold(unsharing(tools.isOwnUser), tools), tools);
  }

  async add(): Promise<Namespace> {
    const { isOwnUser } = this.#tools;
    const entering = isOwnUser ? this.hub.entering('--user', '--preserve-credentials') : [];
    const added = await Namespace.hold([...entering, ...unsharing(false)], this.#tools);
    this.#all.push(added);
    return added;
  }

  release(): void {
    for (const one of this.#all) one.release();
  }
}

export class Namespace {
  readonly #child: ChildProcess;
  readonly #tools: NamespaceTools | undefined;

  private constructor(child: ChildProcess, tools: NamespaceTools | undefined) {
    this.#child = child;
    this.#tools = tools;
  }

  static async hold(unshare: readonly string[], tools?: NamespaceTools): Promise<Namespace> {
    const [program = '', ...words] = [...unshare, 'sh', '-c', holding];
    const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'] });
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint += text;
    });
    child.stdin.on('error', () => undefined);
    const ended = Promise.race([once(child, 'close'), once(child, 'error').then(([error]) => error)]);
    const first = await Promise.race([once(child.stdout, 'data'), ended]);
    if (String(first).trim() === 'held') return new Namespace(child, tools);
    await ended;
    throw new Error(complaint.trim() || String(first));
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** The words before a command that is to run in some namespaces of this process. */
  entering(...kinds: readonly string[]): readonly string[] {
    return ['nsenter', '--target', String(this.pid), ...kinds];
  }

  /** The words before a command that is to run here. */
  get way(): readonly string[] {
    return this.entering(...(this.#tools?.isOwnUser ? ['--user', '--preserve-credentials'] : []), '--net');
  }

  async ip(...commands: readonly string[]): Promise<void> {
    for (const command of commands) await this.#run(this.#tools?.ip, command);
  }

  tc(command: string): Promise<string> {
    return this.#run(this.#tools?.tc, command);
  }

  async #run(program: string | undefined, command: string): Promise<string> {
    const [file = '', ...words] = [...this.way, program ?? '', ...command.split(' ')];
    const libraries = this.#tools?.libraryFolders ?? [];
    const env = {
      ...process.env,
      ...(libraries.length > 0 && { LD_LIBRARY_PATH: libraries.join(':') }),
    };
    const { stdout } = await run(file, words, { env, timeout: commandMsMax });
    return stdout;
  }

  release(): void {
    this.#child.stdin?.end();
  }
}
