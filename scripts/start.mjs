/**
 * `npm start`: installs what the product needs to run, if it is not there, and starts it with the arguments
 * after `--`. Changes nothing outside this folder but npm's own cache.
 */
import path from 'node:path';
import process from 'node:process';
import { runInForeground } from './lib/child.mjs';
import { ensureDependencies } from './lib/install.mjs';
import { checkLauncher, findNode, nodeEnvironment, productFlags, root } from './lib/node.mjs';
import { main, say } from './lib/say.mjs';

await main(async () => {
  checkLauncher();
  say();
  await ensureDependencies({ development: false });
  const node = findNode();
  const own = process.versions.node;
  const other = node.version === own ? '' : `; your own is ${own}`;
  say(`  ✔ Node ${node.version} (${node.from}${other})`);
  const program = path.join(root, 'packages', 'cli', 'src', 'main.ts');
  const words = [...productFlags(), program, 'dev', ...process.argv.slice(2)];
  return runInForeground(node.file, words, { env: nodeEnvironment() });
});
