/**
 * Ports for the nodes of a network, chosen once and kept. They lie below those that systems give to whoever asks for any,
 * so that no connection of another program has one of them when a node wants it back.
 */
import { randomInt } from 'node:crypto';
import { isPortFree } from '../machine/ports.ts';
import { CommandFailure } from '../terminal/failure.ts';
import type { NodePorts } from './network-file.ts';

const lowest = 20_000;
const highest = 32_000;
const names = ['http', 'socket', 'abci', 'rpc', 'p2p'] as const;

/**
 * Ports for so many nodes, in a row as far as they are free; from a place that differs from network to network unless one
 * is named, so that two that are made at once do not take the same.
 */
export async function chooseNodePorts(
  count: number,
  {
    from,
    taken = new Set(),
  }: { readonly from?: number | undefined; readonly taken?: ReadonlySet<number> } = {},
): Promise<NodePorts[]> {
  const wanted = count * names.length;
  const start = from ?? randomInt(lowest, highest - 2 * wanted);
  const free: number[] = [];
  for (let port = start; free.length < wanted && port <= 65_535; port++)
    if (!taken.has(port) && (await isPortFree(port))) free.push(port);
  if (free.length < wanted)
    throw new CommandFailure(
      `There are not ${wanted} free ports from ${start} on.\nA node takes ${names.length}.\nBegin lower with --ports-from.`,
    );
  return Array.from({ length: count }, (_, node) => {
    const [http, socket, abci, rpc, p2p] = free.slice(node * names.length) as [
      number,
      number,
      number,
      number,
      number,
    ];
    return { http, socket, abci, rpc, p2p };
  });
}

export const portsOf = (nodes: readonly { readonly ports: NodePorts }[]): ReadonlySet<number> =>
  new Set(nodes.flatMap(({ ports }) => Object.values(ports)));
