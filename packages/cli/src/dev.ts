/**
 * `symbolon dev`, which is `npm start`: ledger node and credential service embedded in one process, with demo people
 * and keys, ready in seconds. The service reaches the node by function call.
 */
import { join, resolve } from 'node:path';
import { initNodeFolder, isNodeFolder } from '@symbolon/ledger-node/node-folder';
import type { Command } from 'commander';
import { demoGenesisSeed, demoWarning } from './demo-keys.ts';
import { CommandFailure } from './failure.ts';
import { freeOr0 } from './free-port.ts';
import { portNumber } from './node-commands.ts';
import { startNode } from './start-node.ts';
import { startDemoService } from './start-service.ts';

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
  const { served, demoFile } = await startDemoService(place, node, { port, logLevel: 'warn' }).catch(
    async (error) => {
      await node.stop();
      throw error;
    },
  );
  node.endBefore(() => served.close());
  const problem = await served.notReady();
  if (problem !== undefined) {
    await node.stop();
    throw new CommandFailure(`The demo cannot start.\n${problem}`);
  }
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

  Demo people     ${demoFile}
                  an issuer, a holder and a verifier, with keys and API keys
  Genesis account ${node.genesisAddress}
  ${demoWarning}

  Ctrl-C stops; the data is kept.
`);
  await node.ended;
}
