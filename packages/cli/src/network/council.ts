/**
 * The council's word on who validates: its entry `validators`, read from a node of the network and written again with one
 * validator more or less. What was read is named by its version, so that a change between is not undone.
 */
import {
  encodeValidators,
  parseValidators,
  type ValidatorEntry,
  validatorsKey,
} from '@symbolon/core/ledger/terms/validators';
import { createLedgerClient, type LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { Receipt } from '@symbolon/sdk/ledger/receipts';
import { httpTransport } from '@symbolon/sdk/transport/transport';
import { readKeyFile } from '../profile/key-file.ts';
import { keyFormat } from '../profile/key-format.ts';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { shellWord } from '../terminal/quoting.ts';
import { balanceOf, paymentOf, sendOperations } from '../transactions/sending.ts';
import { dueFailure } from './due-upgrade.ts';
import {
  councilKeyFile,
  genesisKeyFile,
  ledgerUrlOf,
  type Network,
  type NetworkNode,
} from './network-file.ts';
import { missingWords } from './network-table.ts';
import { hasQuorum, isQuorum, lookAtNetwork, type NetworkLook, summed } from './observing.ts';
import { processParts } from './processes.ts';
import { untilLook } from './readiness.ts';

export interface CouncilEntry {
  readonly entries: readonly ValidatorEntry[];
  readonly version: bigint;
}

/** A node that answers, of those that are furthest; `why` says what one is needed for. */
export function furthestNode({ nodes }: NetworkLook, network: Network, why: string): NetworkNode {
  const [furthest] = nodes
    .filter(({ block, state }) => block !== undefined && state === 'runs')
    .toSorted((left, right) => (right.block as number) - (left.block as number));
  if (furthest) return furthest.node;
  const due = nodes.find((look) => look.due)?.due;
  if (due) throw dueFailure(network, due);
  throw new CommandFailure(
    `No node of this network answers; nothing was done.\n${why}\nStart the network: symbolon network up --detach --dir ${shellWord(network.folder)}`,
    exitCodes.unreachable,
  );
}

const needsBlocks = 'The validators are changed by a transaction, which needs blocks.';

/**
 * A look at a network that can decide, and a node that hands over the council's transaction. Where too few run for blocks
 * it is refused: the transaction would wait, and change the network whenever it goes on.
 */
export async function decidingNetwork(
  network: Network,
): Promise<{ readonly look: NetworkLook; readonly asked: NetworkNode }> {
  const first = await lookAtNetwork(network);
  furthestNode(first, network, needsBlocks);
  if (!mayHaveQuorum(first))
    throw new CommandFailure(
      `The network makes no blocks; nothing was done.\n${needsBlocks} ${missingWords(first)}\nStart them: symbolon network start --dir ${shellWord(network.folder)}`,
      exitCodes.failed,
      { code: 'notReady' },
    );
  const look = hasQuorum(first)
    ? first
    : await untilLook(network, { what: 'blocks go on', isDone: hasQuorum });
  return { look, asked: furthestNode(look, network, needsBlocks) };
}

/** Whether those that run would be enough, once they answer and have caught up. */
function mayHaveQuorum({ power, nodes }: NetworkLook): boolean {
  const down = nodes.filter(({ running }) => running.length < processParts.length);
  const lost = summed(down.map((look) => look.power ?? 0));
  return !power || isQuorum({ present: power.whole - lost, whole: power.whole });
}

export const clientOfAddress = (address: string): LedgerClient => createLedgerClient(httpTransport(address));

export const clientOf = (node: NetworkNode): LedgerClient => clientOfAddress(ledgerUrlOf(node));

export async function readCouncilEntry(
  client: LedgerClient,
  { council }: Pick<Network, 'council'>,
): Promise<CouncilEntry> {
  const { result } = await client.getAccountMetaData({ address: council, key: validatorsKey });
  const { value = '', version = 0 } = result?.[validatorsKey] ?? {};
  const parsed = parseValidators(value, keyFormat);
  if ('entries' in parsed) return { entries: parsed.entries, version: BigInt(version) };
  throw new CommandFailure(`The node says of the validators what cannot be read: ${parsed.problem}.`);
}

/** What the council has for its transactions; one costs a few thousandths of it. */
const allowance = 1_000_000_000n;
const allowanceMin = 100_000_000n;

/** Has the council write who validates from now on. An account without coins gets some from the chain's first account. */
export async function writeCouncilEntry(
  client: LedgerClient,
  network: Network,
  { entries, version }: CouncilEntry,
): Promise<Receipt> {
  const council = await readKeyFile(councilKeyFile(network.folder));
  if (((await balanceOf(client, council.address)) ?? 0n) < allowanceMin) {
    const { operation } = await paymentOf(client, { destAddress: council.address, amount: allowance });
    const signer = await readKeyFile(genesisKeyFile(network.folder));
    await sendOperations({ client, signer, operations: [operation], spends: allowance, pins: {} });
  }
  const setMetadata = { key: validatorsKey, value: encodeValidators(entries), version };
  return sendOperations({ client, signer: council, operations: [{ setMetadata }], spends: 0n, pins: {} });
}
