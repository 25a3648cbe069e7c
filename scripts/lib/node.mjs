/**
 * Which Node runs what in a checkout. The choice itself is the command's own (`packages/cli/launcher`); here it is told
 * where the checkout has things. Decides only; the install is install.mjs.
 */
import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { assertLauncher, chooseNode, NoNode } from '../../packages/cli/launcher/node-choice.mjs';
import { Complaint, say } from './say.mjs';

export { isAtLeast, nodePins, productFlags, stackFlags } from '../../packages/cli/launcher/node-choice.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const cacheFolder = path.join(root, '.cache');

/** What the package that executes blocks says of its Node, as `symbolon doctor` reads it, too. */
function productEngines() {
  const file = path.join(root, 'packages', 'ledger-node', 'package.json');
  return JSON.parse(readFileSync(file, 'utf8')).engines.node;
}

function complaining(work) {
  try {
    return work();
  } catch (error) {
    throw error instanceof NoNode ? new Complaint(error.message) : error;
  }
}

export const checkLauncher = () => complaining(assertLauncher);

/** The bundled one comes first: tests and people of a checkout run the same. */
export const findNode = () =>
  complaining(() =>
    chooseNode({
      engines: productEngines(),
      bundledFile: (platform) => path.join(root, 'node_modules', `node-${platform}`, 'bin', 'node'),
      isCheckout: true,
    }),
  );

/** The environment for the product: compiled code is kept between runs, inside the folder if it can be. */
export function nodeEnvironment() {
  const compiled = path.join(cacheFolder, 'v8');
  try {
    mkdirSync(compiled, { recursive: true });
    accessSync(compiled, constants.W_OK);
    return { ...process.env, NODE_COMPILE_CACHE: compiled };
  } catch (error) {
    say(
      `  ! ${compiled} cannot be written (${error.code}): every start compiles anew and takes a little longer`,
    );
    return { ...process.env };
  }
}
