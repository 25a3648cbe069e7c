/**
 * A ledger that its operator does things to while a service uses it: the node is stopped, its chain is copied, put back
 * or thrown away, another chain is put in its place. Whoever has its client reaches whatever node runs right now.
 */
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { directClient } from '@symbolon/cli/servers/start-node';
import type { ServedNode } from '@symbolon/ledger-node/operation/serve-node';
import { SdkError } from '@symbolon/sdk/errors/errors';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { Owner } from './owner.ts';
import { makeChain, type NodeOrder, type RunningNode, runningNodeOf, serveFolder } from './running-node.ts';
import { makeTempFolder, removeFolder } from './temp-folder.ts';

export interface ChangingLedger {
  /** Reaches the node that runs; fails as an unreachable one while none does. */
  readonly client: LedgerClient;
  /** The node that runs now. */
  node(): RunningNode;
  stop(): Promise<void>;
  /** The chain as it is now, to be put back later. The node is stopped for it and starts again. */
  copy(): Promise<string>;
  /** Ends the node and starts it on a copy. */
  putBack(copy: string): Promise<void>;
  /** Ends the node and starts another chain in its place. */
  replace(order?: NodeOrder): Promise<void>;
}

export async function changingLedger(owner: Owner): Promise<ChangingLedger> {
  const place = makeTempFolder();
  owner.after(() => removeFolder(place));
  const folder = path.join(place, 'node');
  let copies = 0;
  let running: RunningNode | undefined;
  let served: ServedNode | undefined;

  const start = async (): Promise<void> => {
    const { served: now, logged } = await serveFolder(folder);
    served = now;
    running = runningNodeOf(now, folder, logged);
  };
  const stop = async (): Promise<void> => {
    running = undefined;
    await served?.close();
    served = undefined;
  };
  const node = (): RunningNode => {
    if (!running) throw new SdkError('unreachable', 'the node does not answer', { hint: 'none' });
    return running;
  };
  await makeChain(folder);
  await start();
  owner.after(stop);
  const routes = Object.keys(clientOf(node())) as (keyof LedgerClient)[];
  const calls = routes.map((name) => [
    name,
    async (argument: never) => {
      const call = clientOf(node())[name] as (argument: never) => Promise<unknown>;
      return call(argument);
    },
  ]);
  const exchange = async (put: () => void | Promise<void>): Promise<void> => {
    await stop();
    rmSync(folder, { recursive: true });
    await put();
    await start();
  };

  return {
    client: Object.fromEntries(calls) as LedgerClient,
    node,
    stop,
    async copy() {
      await stop();
      copies += 1;
      const copy = path.join(place, `copy-${copies}`);
      cpSync(folder, copy, { recursive: true });
      await start();
      return copy;
    },
    putBack: (copy) => exchange(() => cpSync(copy, folder, { recursive: true })),
    replace: (order) => exchange(() => makeChain(folder, order)),
  };
}

const clientOf = ({ served }: RunningNode): LedgerClient =>
  directClient(served.node, (name, error) => {
    throw new Error(`the query ${name} failed`, { cause: error });
  });
