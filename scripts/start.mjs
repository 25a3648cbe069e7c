/**
 * `npm start`: installs what the product needs to run, if it is not there, builds the console, if it changed, and starts
 * everything with the arguments after `--`. Changes nothing outside this folder but npm's own cache.
 */
import path from 'node:path';
import process from 'node:process';
import { runCollecting, runInForeground, Stopped } from './lib/child.mjs';
import { ensureDependencies } from './lib/install.mjs';
import { checkLauncher, findNode, nodeEnvironment, productFlags, root } from './lib/node.mjs';
import { Complaint, main, say, step } from './lib/say.mjs';

const buildScript = path.join(root, 'scripts', 'build-console.mjs');

/** With the product's own Node, which may be newer than the one that started us. */
async function ensureConsole(node) {
  const words = [buildScript, '--quiet'];
  const { code, output, stoppedBy } = await runCollecting(node.file, words, { cwd: root });
  if (stoppedBy) throw new Stopped(stoppedBy);
  if (code !== 0) throw new Complaint(output.trim());
}

/** Node and service run without the console, too. */
function tellMissingConsole(error) {
  if (!(error instanceof Complaint) || error instanceof Stopped) throw error;
  for (const line of error.message.split('\n')) say(`    ${line}`);
}

await main(async () => {
  checkLauncher();
  say();
  await ensureDependencies({ development: false });
  const node = findNode();
  const own = process.versions.node;
  const other = node.version === own ? '' : `; your own is ${own}`;
  say(`  ✔ Node ${node.version} (${node.from}${other})`);
  await step('console', () => ensureConsole(node), 'built only when it changes').catch(tellMissingConsole);
  const program = path.join(root, 'packages', 'cli', 'src', 'main.ts');
  const words = [...productFlags(), program, 'dev', ...process.argv.slice(2)];
  return runInForeground(node.file, words, { env: nodeEnvironment() });
});
