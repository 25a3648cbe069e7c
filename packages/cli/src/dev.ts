/**
 * `symbolon dev`, which is `npm start`: ledger node and credential service embedded in one process, with demo people
 * and keys, ready in seconds. The service reaches the node by function call.
 */
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@symbolon/core/assert';
import { demoLimits } from '@symbolon/core/limits';
import { initNodeFolder, isNodeFolder } from '@symbolon/ledger-node/node-folder';
import type { Command } from 'commander';
import { demoGenesisSeed, demoWarning } from './demo-keys.ts';
import { CommandFailure } from './failure.ts';
import { freeOr0 } from './free-port.ts';
import { portNumber } from './node-commands.ts';
import { startNode } from './start-node.ts';

interface DevWords {
  data: string;
  ledgerPort?: number;
  servicePort?: number;
}

const defaultPorts = { ledger: 36_002, socket: 36_003, service: 8_080 };

export function addDevCommand(program: Command): void {
  program
    .command('dev')
    .description('run everything in one process, with demo data')
    .option('--data <folder>', 'where the data lives', '.symbolon/dev')
    .option('--ledger-port <number>', 'port of the ledger node', portNumber)
    .option('--service-port <number>', 'port of the credential service', portNumber)
    .option('--no-open', 'open no browser (none is opened before there is a console)')
    .action(runDev);
}

async function runDev({ data, ledgerPort, servicePort }: DevWords): Promise<void> {
  const startedAt = performance.now();
  // Loaded by whom it serves: every other command starts sooner without it.
  const [{ startDemoService }, { readDemoFile }] = await Promise.all([
    import('./start-service.ts'),
    import('@symbolon/credential-service/demo/demo-file'),
  ]);
  const place = resolve(data);
  const folder = join(place, 'ledger');
  if (!(await isNodeFolder(folder))) {
    await initNodeFolder(folder, { genesisSeed: demoGenesisSeed(), slogan: 'demo' });
  }
  // Whoever names a port wants that one; otherwise a busy default gives way to a free one.
  const node = await startNode(folder, {
    port: ledgerPort ?? (await freeOr0(defaultPorts.ledger)),
    socketPort: ledgerPort === undefined ? await freeOr0(defaultPorts.socket) : 0,
    logLevel: 'warn',
  });
  const port = servicePort ?? (await freeOr0(defaultPorts.service));
  // Told to stop this early: the node has ended in good order, and the service can be cut short anywhere.
  let isUp = false;
  node.ended.then(
    () => isUp || process.exit(0),
    () => undefined,
  );
  const { served, demoFile } = await startDemoService(place, node, { port, logLevel: 'warn' }).catch(
    async (error) => {
      isUp = true;
      await node.stop();
      throw error;
    },
  );
  isUp = true;
  node.endBefore(() => served.close());
  const problem = await problemAfter(demoLimits.readyWaitMs, () => served.notReady());
  if (problem !== undefined) {
    await node.stop();
    throw new CommandFailure(`The demo cannot start.\n${problem}`);
  }
  const people = await readDemoFile(demoFile);
  assert(people, 'a demo that is ready has its file');
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stdout.write(`
  Symbolon is up (${seconds} s).

  Credentials     ${served.url}
  Documentation   ${served.url}/docs
  Ledger node     ${node.httpUrl}/v1/account/getGenesisAccount
  WebSocket       ${node.socketUrl}
  API             ${served.url}/openapi.json  ${node.httpUrl}/openapi.json
  Health          ${served.url}/readyz  ${node.httpUrl}/livez  ${node.httpUrl}/metrics
  Data            ${data}

  Demo people     ${demoFile} has their keys and API keys
  Issuer          ${people.issuer.address}
  Holder          ${people.holder.address}
  Verifier        ${people.verifier.address}
  Genesis account ${node.genesisAddress}
  ${demoWarning}

  Ctrl-C stops; the data is kept.
`);
  await node.ended;
}

/** On a busy machine the service needs more than one try; what stands in the way after a while is the answer. */
async function problemAfter(
  waitMs: number,
  notReady: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const problem = await notReady();
    if (problem === undefined || performance.now() >= deadline) return problem;
    await sleep(demoLimits.readyPollMs);
  }
}
