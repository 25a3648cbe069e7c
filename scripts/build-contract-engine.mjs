/**
 * Makes the metered contract interpreter (packages/ledger-node/contract-engine) anew from the one among the
 * dependencies. Needed only when that dependency or the metering changes, and that is a change of the protocol:
 * every node of a network must run the same file. The same input always gives the same bytes.
 */
import path from 'node:path';
import { runInForeground } from './lib/child.mjs';
import { ensureDependencies } from './lib/install.mjs';
import { checkLauncher, findNode, nodeEnvironment, root } from './lib/node.mjs';
import { main } from './lib/say.mjs';

const build = path.join(root, 'packages/ledger-node/src/contracts/engine/metering/build.ts');

await main(async () => {
  checkLauncher();
  await ensureDependencies({ development: true, quiet: true });
  return runInForeground(findNode().file, [build], { env: nodeEnvironment() });
});
