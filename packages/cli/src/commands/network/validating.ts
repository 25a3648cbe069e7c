/** `symbolon network add-validator|remove-validator`: who validates, by a transaction of the council. */
import type { JailKind, ValidatorEntry } from '@symbolon/core/ledger/terms/validators';
import {
  type CouncilEntry,
  clientOf,
  decidingNetwork,
  readCouncilEntry,
  writeCouncilEntry,
} from '../../network/council.ts';
import { makeNode } from '../../network/further-node.ts';
import { usualPower } from '../../network/make-network.ts';
import {
  indexOf,
  type Network,
  type NetworkNode,
  nodeOf,
  readNetwork,
  writeNetwork,
} from '../../network/network-file.ts';
import { whileLocked } from '../../network/network-lock.ts';
import { isQuorum, type NetworkLook, summed, validatorPowers } from '../../network/observing.ts';
import { startNodeProcesses } from '../../network/processes.ts';
import { assertRuns, untilLook } from '../../network/readiness.ts';
import { usageFailure } from '../../terminal/failure.ts';
import { ifInterrupted } from '../../terminal/interruption.ts';
import { printFields } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printJson, processTerminal } from '../../terminal/terminal.ts';
import { receiptFacts, receiptFields } from '../../transactions/sending.ts';

interface ValidatingWords {
  readonly dir: string;
  readonly json?: boolean;
  /** Lifts a jail. */
  readonly pardon?: boolean;
  /** Removes one without whom no block may be made. */
  readonly yes?: boolean;
}

/** The node has all blocks before it counts: a validator that is away is one that has failed. */
export async function addValidator(index: number | undefined, words: ValidatingWords): Promise<void> {
  const { dir } = words;
  const found = await readNetwork(dir);
  const { asked } = await decidingNetwork(found);
  const meant = index ?? (await madeBefore(found, asked));
  const { network, node } = await whileLocked(dir, async () => {
    const before = await readNetwork(dir);
    const [all, one] =
      meant === undefined
        ? await makeNode(before, { isAdded: true })
        : ([before, nodeOf(before, meant)] as const);
    await startNodeProcesses(all, one);
    return { network: all, node: one };
  });
  const again = `symbolon network add-validator ${indexOf(node)} --dir ${shellWord(dir)}`;
  ifInterrupted(`Interrupted. ${node.name} runs, and is no validator yet. Go on with: ${again}`);
  await untilLook(network, {
    what: `${node.name} has the blocks of the others`,
    isDone: ({ nodes }) => {
      const own = nodes.find(({ node: { name } }) => name === node.name);
      if (own) assertRuns(network, own);
      // A single validator may stay a few blocks ahead of whoever follows; it waits as soon as there are two.
      return own?.state === 'runs';
    },
  });
  await change(network, { node, words, validates: true });
  await whileLocked(dir, async () => {
    const { adding, ...all } = await readNetwork(dir);
    if (adding === indexOf(node)) await writeNetwork(dir, all);
  });
}

/** One that was made to validate, and of which nothing came: a second one would be left over. */
async function madeBefore(network: Network, asked: NetworkNode): Promise<number | undefined> {
  const made = network.nodes.find((node) => indexOf(node) === network.adding);
  if (!made) return undefined;
  const { entries } = await readCouncilEntry(clientOf(asked), network);
  if (entries.some(({ publicKey }) => publicKey === made.publicKey)) return undefined;
  processTerminal.remark(`It is ${made.name}, which was made before and does not validate yet.`);
  return indexOf(made);
}

export async function removeValidator(index: number, words: ValidatingWords): Promise<void> {
  const network = await readNetwork(words.dir);
  await change(network, { node: nodeOf(network, index), words, validates: false });
}

interface Change {
  readonly node: NetworkNode;
  readonly words: ValidatingWords;
  readonly validates: boolean;
}

async function change(network: Network, { node, words, validates }: Change): Promise<void> {
  const { dir, json } = words;
  const { look, asked } = await decidingNetwork(network);
  const client = clientOf(asked);
  const { entries, version } = await readCouncilEntry(client, network);
  const own = entries.find(({ publicKey }) => publicKey === node.publicKey);
  const next = changedEntries({ entries, version }, { node, validates, words });
  const isDone = validates ? own !== undefined && !own.jailed : own === undefined;
  if (!validates && !isDone && !words.yes) assertEnoughRuns(look, next.entries, { network, node });
  const receipt = isDone ? undefined : await writeCouncilEntry(client, network, next);
  await untilLook(network, {
    what: `${node.name} ${validates ? 'validates' : 'validates no longer'}`,
    isDone: async () => (await validatorPowers(asked))?.has(node.publicKey) === validates,
  });
  const terminal = processTerminal;
  const needed = neededOf(next.entries);
  const facts = {
    node: indexOf(node),
    name: node.name,
    validates,
    validators: next.entries.length,
    bearsLoss: needed.length === 0,
  };
  if (json) return printJson(terminal, { ...facts, ...(receipt && receiptFacts(receipt)) });
  const done = validates ? `${node.name} validates.` : `${node.name} validates no longer, and follows.`;
  printFields(terminal, done, { validators: next.entries.length, ...(receipt && receiptFields(receipt)) });
  if (needed.length > 0) terminal.remark(noLossWords(network, needed));
  if (!validates)
    terminal.remark(
      `End it, if it is not needed: symbolon network stop ${indexOf(node)} --dir ${shellWord(dir)}`,
    );
}

/** Who remains must have the power for blocks, and be there: those who are away do not come back by a transaction. */
function assertEnoughRuns(
  { nodes }: NetworkLook,
  entries: readonly ValidatorEntry[],
  { network, node }: { readonly network: Network; readonly node: NetworkNode },
): void {
  const powers = powersOf(entries);
  const away = nodes.filter(({ node: one, isThere }) => !isThere && powers.has(one.publicKey));
  const whole = summed([...powers.values()]);
  const there = nodes.filter(({ isThere }) => isThere);
  const present = summed(there.map(({ node: { publicKey } }) => powers.get(publicKey) ?? 0));
  const power = { present, whole };
  if (isQuorum(power)) return;
  const starts = away.map(
    (one) => `symbolon network start ${indexOf(one.node)} --dir ${shellWord(network.folder)}`,
  );
  throw usageFailure(
    `Without ${node.name} no block would be made; nothing was sent.
Of the validators that remain, those that run would have ${present} of ${whole} of the power, and blocks need more than two thirds. Not there: ${away.map(({ node: { name } }) => name).join(', ') || 'validators of others'}.
Start first what is stopped${starts.length > 0 ? `: ${starts.join('; ')}` : '.'}
Say --yes to remove it all the same; the network then stands still until they are back.`,
    { power },
  );
}

const powersOf = (entries: readonly ValidatorEntry[]): ReadonlyMap<string, number> =>
  new Map(entries.map(({ publicKey, power, jailed }) => [publicKey, jailed ? 0 : power]));

/** Those without any one of whom no block is made. */
function neededOf(entries: readonly ValidatorEntry[]): readonly string[] {
  const powers = [...powersOf(entries)];
  const whole = summed(powers.map(([, power]) => power));
  return powers.flatMap(([publicKey, power]) =>
    isQuorum({ present: whole - power, whole }) ? [] : [publicKey],
  );
}

function noLossWords({ nodes }: Network, needed: readonly string[]): string {
  const names = nodes.filter(({ publicKey }) => needed.includes(publicKey)).map(({ name }) => name);
  return `No loss is borne: while one of these is away, no block is made: ${names.join(', ')}. Four validators of the same power bear the loss of one.`;
}

const jailWords: Readonly<Record<JailKind, string>> = {
  duplicateVote: 'two votes of one height',
  lightClientAttack: 'a header that was made to deceive light clients',
};

function changedEntries(
  { entries, version }: CouncilEntry,
  { node, validates, words: { dir, pardon } }: Change,
): CouncilEntry {
  const { publicKey, payTo } = node;
  const others = entries.filter((entry) => entry.publicKey !== publicKey);
  if (validates) {
    const { jailed, ...own } = entries.find((entry) => entry.publicKey === publicKey) ?? {
      publicKey,
      power: usualPower,
      payTo,
    };
    if (!jailed || pardon) return { entries: [...others, own], version };
    throw usageFailure(
      `${node.name} is jailed since block ${jailed.height}, for ${jailWords[jailed.kind]}; nothing was sent.\nIts key signs in two places, or somebody else has it.\nWhen that has an end, lift it: symbolon network add-validator ${indexOf(node)} --pardon --dir ${shellWord(dir)}`,
    );
  }
  if (others.some(({ jailed }) => !jailed)) return { entries: others, version };
  throw usageFailure(
    `${node.name} is the last validator; nothing was sent.\nWithout one no block would ever be made again.\nAdd another one first: symbolon network add-validator --dir ${shellWord(dir)}`,
  );
}
