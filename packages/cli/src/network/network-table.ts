/** How the nodes of a network are, as rows for a person and as JSON for a program. */
import { firstHeight } from '@symbolon/ledger-node/drivers/comet/handshake';
import type { JsonObject } from '@symbolon/wire/json/json';
import { type Terminal, toned } from '../terminal/terminal.ts';
import { dueWords } from './due-upgrade.ts';
import { indexOf, ledgerUrlOf, type Network } from './network-file.ts';
import {
  endedPart,
  hasQuorum,
  type NetworkLook,
  type NodeLook,
  type NodeState,
  type PowerShare,
} from './observing.ts';
import { processLogOf } from './processes.ts';

/** Enough to tell two hashes apart at a glance. */
const hashCharsShown = 12;

const title = ['node', 'state', 'height', 'lag', 'peers', 'power', 'app hash', 'ledger'];

export const tableRows = (look: NetworkLook, terminal: Terminal): readonly (readonly string[])[] => [
  title,
  ...look.nodes.map((node) => rowOf(node, terminal)),
];

const known = (value: number | undefined): string => (value === undefined ? '-' : String(value));

const rowOf = (
  { node, state, height, lag, peers, appHash, power }: NodeLook,
  terminal: Terminal,
): readonly string[] => [
  node.name,
  toned(
    terminal,
    state === 'runs' ? 'good' : state === 'stopped' || state === 'half down' ? 'bad' : 'strong',
    state,
  ),
  known(height),
  known(lag),
  known(peers),
  known(power),
  appHash?.slice(0, hashCharsShown) ?? '-',
  `:${node.ports.http}`,
];

/** What follows from the rows, in a sentence each. */
export const conclusions = (network: Network, look: NetworkLook): readonly string[] => [
  ...dueLines(network, look).slice(0, 1),
  ...agreementWords(look),
  ...powerWords(look),
  ...look.nodes.flatMap(beginningWords),
  ...look.nodes.flatMap((node) => endedWords(network, node)),
];

function agreementWords({ agreement }: NetworkLook): readonly string[] {
  if (!agreement) return ['No node answers.'];
  const { height, isSame, nodes } = agreement;
  if (isSame)
    return [`Block ${height} is the same on ${nodes.length === 1 ? '1 node' : `${nodes.length} nodes`}.`];
  const told = nodes.map(({ name, appHash }) => `${name} ${appHash.slice(0, hashCharsShown)}`);
  return [`BLOCK ${height} IS NOT THE SAME EVERYWHERE: ${told.join(', ')}.`];
}

function powerWords(look: NetworkLook): readonly string[] {
  if (!look.power) return [];
  return [hasQuorum(look) ? `${shareWords(look.power)}: blocks go on.` : missingWords(look)];
}

const shareWords = ({ present, whole }: PowerShare): string =>
  `Validators with ${present} of ${whole} of the power are there`;

/** Why no block is made, and who is away. */
export function missingWords({ power, nodes }: NetworkLook): string {
  const away = nodes.filter((look) => !look.isThere && look.power !== 0);
  const named = away.map(({ node, state }) => ` ${node.name} ${awayWords[state]}.`);
  return power
    ? `${shareWords(power)}: blocks need more than two thirds, and wait.${named.join('')}`
    : `Who validates cannot be asked.${named.join('')}`;
}

const awayWords: Readonly<Record<NodeState, string>> = {
  runs: 'runs',
  'catching up': 'is catching up',
  starting: 'is starting',
  slow: 'runs, and does not answer in time',
  'half down': 'runs with one process of two',
  stopped: 'is stopped',
};

/** The upgrade for which nodes have stopped: what, why, and what to do; nothing where there is none. */
export function dueLines(network: Network, { nodes }: NetworkLook): readonly string[] {
  const due = nodes.find((look) => look.due && look.state !== 'runs')?.due;
  return due ? dueWords(network, due) : [];
}

/** Those that began with the first block need no word. */
const beginningWords = ({ node, first = 0 }: NodeLook): readonly string[] =>
  first > Number(firstHeight)
    ? [`${node.name} began with a snapshot, and has the blocks from ${first} on.`]
    : [];

function endedWords(network: Network, look: NodeLook): readonly string[] {
  const part = endedPart(look);
  return part
    ? [`${look.node.name}: its log says why it ended: ${processLogOf(network, look.node, part)}`]
    : [];
}

export const lookJson = (network: Network, look: NetworkLook): JsonObject => ({
  chainId: network.chainId,
  quorum: hasQuorum(look),
  power: look.power ? { ...look.power } : null,
  agreement: look.agreement
    ? {
        height: look.agreement.height,
        same: look.agreement.isSame,
        nodes: look.agreement.nodes.map((node) => ({ ...node })),
      }
    : null,
  nodes: look.nodes.map(
    ({ node, state, running, height, block, lag, peers, appHash, power, first, due }) => ({
      node: indexOf(node),
      name: node.name,
      state,
      running: [...running],
      height: height ?? null,
      block: block ?? null,
      first: first ?? null,
      lag: lag ?? null,
      peers: peers ?? null,
      appHash: appHash ?? null,
      power: power ?? null,
      upgrade: due ? { ...due } : null,
      ledger: ledgerUrlOf(node),
      publicKey: node.publicKey,
    }),
  ),
});
