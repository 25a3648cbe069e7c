/**
 * `symbolon dev`, which is `npm start`: ledger node and credential service embedded in one process, with demo people
 * and keys, ready in seconds. The service reaches the node by function call. What is printed is `demo/banner.ts`.
 */
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { given } from '@symbolon/core/basics/plain-values';
import type { DemoDocument } from '@symbolon/demo/file';
import { demoGenesisSeed } from '@symbolon/demo/keys';
import { demoLimits } from '@symbolon/demo/limits';
import type { DemoRole } from '@symbolon/demo/people';
import type { DemoService } from '@symbolon/demo/service';
import { initNodeFolder, isNodeFolder } from '@symbolon/ledger-node/node/node-folder';
import { StoreLocked } from '@symbolon/ledger-node/store/store-errors';
import { unlessNotFound } from '@symbolon/sdk/errors/errors';
import { consoleFolder } from '../../machine/console-folder.ts';
import { openBrowser } from '../../machine/open-browser.ts';
import { startName, startWithOptions } from '../../machine/own-name.ts';
import { freePortFrom, ownerOfPort } from '../../machine/ports.ts';
import { chooseProfile, chosenProfile, demoProfile, isUsualDemoFolder } from '../../profile/places.ts';
import { logStreamOf } from '../../servers/server-log.ts';
import { type StartedNode, startNode } from '../../servers/start-node.ts';
import { CommandFailure } from '../../terminal/failure.ts';
import { ifInterrupted } from '../../terminal/interruption.ts';
import { shortened } from '../../terminal/layout.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export interface DevWords {
  readonly data: string;
  readonly ledgerPort?: number;
  readonly servicePort?: number;
  readonly log?: string;
  /** Whether the console is opened in a browser. */
  readonly open: boolean;
}

const defaultPorts = { ledger: 36_002, socket: 36_003, service: 8_080 };

export async function runDev(
  { data, ledgerPort, servicePort, log, open }: DevWords,
  terminal: Terminal,
): Promise<void> {
  const startedAt = performance.now();
  // Loaded by whom it serves: every other command starts sooner without it.
  const [{ startDemoService }, banner, { serviceVersion }] = await Promise.all([
    import('@symbolon/demo/service'),
    import('./banner.ts'),
    import('@symbolon/credential-service/operation/serve-service'),
  ]);
  terminal.print(['', `  Symbolon ${serviceVersion}   Node ${process.versions.node}   data ${data}`]);
  const place = resolve(data);
  ifInterrupted(`The demo stops. Its data stay in ${data}: ${startName} goes on with them.`);
  let laidDownAt = startedAt;
  const tellPart = (part: string, facts: string): void => {
    const now = performance.now();
    terminal.print(banner.partLine(terminal, part, { facts, ms: now - laidDownAt }));
    laidDownAt = now;
  };

  const node = await startDemoNode(join(place, 'ledger'), { ledgerPort, log }, terminal).catch((error) => {
    throw error instanceof StoreLocked ? runsAlready(data) : error;
  });
  tellPart('ledger node', await chainFacts(node));
  const port = servicePort ?? (await freeOrNext(terminal, 'credential service', defaultPorts.service));
  // Told to stop this early: the node has ended in good order, and the service can be cut short anywhere.
  let isUp = false;
  node.ended.then(
    () => isUp || process.exit(0),
    () => undefined,
  );
  const builtConsole = consoleFolder();
  const service = await startDemoService(place, node, {
    port,
    logLevel: 'warn',
    consoleFolder: builtConsole,
    named: isUsualDemoFolder(data) ? undefined : data,
    ...given({ logStream: logStreamOf({ file: log, level: 'warn' }, terminal) }),
    onOpened: (database) => tellPart('credential service', `${database}, registries on the ledger`),
  }).catch(async (error) => {
    isUp = true;
    await node.stop();
    throw error;
  });
  isUp = true;
  const { served } = service;
  node.endBefore(() => served.close());
  node.list('service', served.url);
  const demo = await demoOf(service, node);
  tellPart('demo data', banner.demoFacts(demo));
  const facts = {
    data,
    demo,
    serviceUrl: served.url,
    hasConsole: builtConsole !== undefined,
    ledgerUrl: node.httpUrl,
    socketUrl: node.socketUrl,
    genesisAddress: node.genesisAddress,
    balances: await balancesOf(demo, node),
  };
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  terminal.print([`  Symbolon is up (${seconds} s).`, ...banner.bannerLines(terminal, facts)]);
  if (isUsualDemoFolder(data)) await meanDemoHere(terminal);
  if (open && terminal.isWatched && facts.hasConsole) openBrowser(served.url);
  await node.ended;
}

/**
 * Whoever starts a demo in a folder means it there, also who has a profile of their own for everywhere else; the folder's
 * own choice stays.
 */
async function meanDemoHere({ remark }: Terminal): Promise<void> {
  const { name, by } = await chosenProfile().catch(() => ({ name: demoProfile, by: 'demo' }));
  if (name === demoProfile) return;
  if (by === 'user') {
    await chooseProfile(demoProfile, 'folder');
    remark([
      '  In this folder commands mean this demo from now on.',
      `  To mean your profile ${name} here, too: symbolon profile use ${name} --here`,
    ]);
    return;
  }
  remark([
    `  In this folder commands mean the profile ${name}, not this demo.`,
    `  To mean the demo: symbolon profile use ${demoProfile} --here`,
  ]);
}

async function startDemoNode(
  folder: string,
  { ledgerPort, log: logFile }: Pick<DevWords, 'ledgerPort' | 'log'>,
  terminal: Terminal,
): Promise<StartedNode> {
  if (!(await isNodeFolder(folder))) {
    await initNodeFolder(folder, { genesisSeed: demoGenesisSeed(), slogan: 'demo' });
  }
  const { ledger, socket } = defaultPorts;
  if (ledgerPort !== undefined)
    return startNode(folder, { port: ledgerPort, socketPort: 0, logLevel: 'warn', logFile });
  const port = await freeOrNext(terminal, 'ledger node', ledger);
  // The neighbour of the other one, so that each of them has its own.
  const socketPort = await freePortFrom(Math.max(socket, port + 1));
  return startNode(folder, { port, socketPort, logLevel: 'warn', logFile });
}

const runsAlready = (data: string): CommandFailure =>
  new CommandFailure(
    `This demo runs already.\nAnother process has ${data} open.\n` +
      `Use that one, or stop it; a second demo needs a folder of its own: ${startWithOptions} --data .symbolon/other`,
  );

/** Whoever names a port wants that one; otherwise a busy default gives way to the next free one, and it is said. */
async function freeOrNext(terminal: Terminal, what: string, port: number): Promise<number> {
  const free = await freePortFrom(port);
  if (free === port) return port;
  const owner = ownerOfPort(port);
  const who = owner ? ` by process ${owner.pid} (${owner.name})` : '';
  const instead = free === 0 ? 'one that the system chooses' : String(free);
  terminal.print(`  ! port ${port} is in use${who}: the ${what} takes ${instead}`);
  return free;
}

async function chainFacts({ client, genesisAddress }: StartedNode): Promise<string> {
  const { result } = await client.getLedger({});
  return `chain of ${shortened(genesisAddress)}, block ${result?.header?.seq ?? 1}`;
}

/** On a busy machine the service needs more than one try; what stands in the way after a while is the answer. */
async function demoOf({ served, demo }: DemoService, node: StartedNode): Promise<DemoDocument> {
  const deadline = performance.now() + demoLimits.readyWaitMs;
  for (;;) {
    const problem = await served.notReady();
    const made = demo();
    if (problem === undefined && made) return made;
    if (performance.now() >= deadline) {
      await node.stop();
      throw new CommandFailure(`The demo cannot start.\n${problem ?? 'Its data are not there.'}`);
    }
    await sleep(demoLimits.readyPollMs);
  }
}

async function balancesOf(demo: DemoDocument, { client }: StartedNode) {
  const of = async (role: DemoRole) => {
    const { address } = demo[role];
    const { result } = await client.getAccountBase({ address });
    const token = demo.token ? await tokenUnits(client, demo.token.address, address) : 0n;
    return { native: BigInt(result?.balance ?? 0), token };
  };
  const [issuer, holder, holder2, verifier] = await Promise.all(
    (['issuer', 'holder', 'holder2', 'verifier'] as const).map(of),
  );
  return { issuer, holder, holder2, verifier };
}

/** Where the sample token keeps a balance: reading it is quicker than starting an engine that asks the contract. */
async function tokenUnits(client: StartedNode['client'], token: string, owner: string): Promise<bigint> {
  const key = `balance/${owner}`;
  const found = await unlessNotFound(client.getAccountMetaData({ address: token, key }));
  const text = found?.result?.[key]?.value ?? '';
  return /^\d{1,19}$/.test(text) ? BigInt(text) : 0n;
}
