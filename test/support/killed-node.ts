/**
 * A node in a process of its own that kills itself once it has written so often: arguments are the folder, the settings as
 * JSON, and the number of writes.
 */
import { createLog } from '@symbolon/host/telemetry/log';
import { createMetrics } from '@symbolon/host/telemetry/metrics';
import { nodeConfigSchema } from '@symbolon/ledger-node/node/node-config';
import { openNodeFolder } from '@symbolon/ledger-node/node/node-folder';
import { serveNode } from '@symbolon/ledger-node/operation/serve-node';

const [folder, config, writesMax] = process.argv.slice(2) as [string, string, string];
let writes = 0;
await serveNode(await openNodeFolder(folder), {
  config: nodeConfigSchema.parse(JSON.parse(config)),
  log: createLog({ level: 'info' }),
  metrics: createMetrics(),
  crashPoint: (name) => {
    if (name === 'afterSync' && ++writes === Number(writesMax)) process.kill(process.pid, 'SIGKILL');
  },
});
process.stdout.write('up\n');
