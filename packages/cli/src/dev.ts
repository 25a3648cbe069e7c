/**
 * `symbolon dev`, which is `npm start`: everything embedded in one process, with demo keys, ready in seconds. The
 * front door on the service port says when all is up and where to look.
 */
import { join, resolve } from 'node:path';
import { initNodeFolder, isNodeFolder } from '@symbolon/ledger-node/node-folder';
import type { Command } from 'commander';
import { demoGenesisSeed, demoWarning } from './demo-keys.ts';
import { freeOr0 } from './free-port.ts';
import { openFrontDoor } from './front-door.ts';
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
    .option('--service-port <number>', 'port of the front door', portNumber)
    .option('--no-open', 'open no browser (none is opened before there is a console)')
    .action(runDev);
}

async function runDev({ data, ledgerPort, servicePort }: DevWords): Promise<void> {
  const startedAt = performance.now();
  const folder = join(resolve(data), 'ledger');
  if (!(await isNodeFolder(folder))) {
    await initNodeFolder(folder, { genesisSeed: demoGenesisSeed(), slogan: 'demo' });
  }
  // Whoever names a port wants that one; otherwise a busy default gives way to a free one.
  const node = await startNode(folder, {
    port: ledgerPort ?? (await freeOr0(defaultPorts.ledger)),
    socketPort: ledgerPort === undefined ? await freeOr0(defaultPorts.socket) : 0,
    logLevel: 'warn',
  });
  const doorPort = servicePort ?? (await freeOr0(defaultPorts.service));
  const door = await openFrontDoor({ port: doorPort, node }).catch(async (error) => {
    await node.stop();
    throw error;
  });
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stdout.write(`
  Symbolon is up (${seconds} s).

  Front door      ${door.url}
  Ledger node     ${node.httpUrl}/v1/account/getGenesisAccount
  WebSocket       ${node.socketUrl}
  API             ${node.httpUrl}/openapi.json
  Health          ${door.url}/readyz  ${node.httpUrl}/livez  ${node.httpUrl}/metrics
  Data            ${data}

  Genesis account ${node.genesisAddress}
  ${demoWarning}

  Ctrl-C stops; the data is kept.
`);
  await node.ended.finally(() => door.close());
}
