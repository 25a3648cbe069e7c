/** A node in a process of its own that tells how much memory it holds. Started by `child-node.ts`, not by hand. */
import process from 'node:process';
import { makeChain, serveFolder } from '../support/running-node.ts';

export interface Memory {
  readonly heapUsed: number;
  readonly external: number;
}

export type ChildReport =
  | { readonly kind: 'serving'; readonly url: string }
  | { readonly kind: 'memory'; readonly memory: Memory }
  | { readonly kind: 'closed'; readonly logged: string };

export type ChildRequest = { readonly kind: 'memory' | 'close' };

const [folder, config] = process.argv.slice(2);

function report(content: ChildReport): void {
  process.send?.(content);
}

await makeChain(folder);
const { served, logged } = await serveFolder(folder, JSON.parse(config));

/** After everything that can be collected is gone; `--expose-gc` gives the function. */
function memory(): Memory {
  for (let round = 0; round < 4; round++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return { heapUsed, external };
}

process.on('message', async ({ kind }: ChildRequest) => {
  if (kind === 'memory') return report({ kind, memory: memory() });
  await served.close();
  report({ kind: 'closed', logged: logged() });
  process.disconnect();
});

report({ kind: 'serving', url: served.httpUrl });
