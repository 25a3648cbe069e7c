/** `symbolon node status`: what a running node says of itself. */
import { codes } from '@symbolon/core/ledger/terms/codes';
import { ledgerAddress } from '../../profile/addresses.ts';
import type { PartyWords } from '../../profile/connection.ts';
import { askReadiness, unanswered } from '../../servers/readiness.ts';
import { CommandFailure, exitCodes, unsuccessful, usageFailure } from '../../terminal/failure.ts';
import { printable, processTerminal } from '../../terminal/terminal.ts';

const { print } = processTerminal;

export async function showNodeStatus({ json, ...words }: PartyWords): Promise<void> {
  const url = await ledgerAddress(words);
  const address = URL.parse('/getModulesStatus', url);
  if (!address) throw usageFailure(`${url} is not an address, like http://127.0.0.1:36002`);
  const status = await fetchJson(address);
  const ledger = status.ledger_manager as Record<string, unknown> | undefined;
  const queue = status.glue_manager as Record<string, unknown> | undefined;
  if (status.error_code === codes.queueFull)
    throw new CommandFailure(
      `The node at ${address.origin} is busy: it has as many connections as it takes.\nTry again in a moment.`,
    );
  if (!ledger || !queue) {
    throw new CommandFailure(
      `What answers at ${address.origin} is not a ledger node.`,
      exitCodes.unreachable,
    );
  }
  const readiness = await askReadiness(new URL('/readyz', address), 'node');
  const isReady = readiness.status !== 503;
  const network = await networkFacts(address, status, isReady);
  if (json) {
    const problem = unsuccessful('The node is not ready.', exitCodes.failed, { code: 'notReady' });
    print(
      JSON.stringify({
        ...status,
        ...(network && { network }),
        ready: isReady,
        ...(isReady ? {} : { problem: readiness.text, ...problem }),
      }),
    );
    // One document: what is wrong stands in it.
    if (!isReady) process.exitCode = exitCodes.failed;
    return;
  }
  print([
    `block         ${ledger.ledger_sequence}`,
    `transactions  ${ledger.tx_count}`,
    `accounts      ${ledger.account_count}`,
    `waiting       ${queue.transaction_size}`,
    ...(network ? networkLines(network) : []),
  ]);
  if (!isReady) throw new CommandFailure(`The node is not ready: ${printable(readiness.text)}`);
}

/** How a node of a network is within it. */
interface NetworkFacts {
  readonly peers: number;
  /** Null where its CometBFT does not say who it is. */
  readonly power: number | null;
  readonly wholePower: number;
  /** Blocks that its CometBFT has and it has not. */
  readonly lag: number;
}

async function networkFacts(
  address: URL,
  status: Record<string, unknown>,
  isReady: boolean,
): Promise<NetworkFacts | undefined> {
  if (memberOf(status['consensus manager'], 'type') !== 'cometbft') return undefined;
  const [consensus, set] = await Promise.all(
    ['/getConsensusInfo', '/getLedgerValidators'].map((route) => fetchJson(new URL(route, address))),
  );
  const validators = memberOf(set?.result, 'validators');
  const powers = (Array.isArray(validators) ? validators : []).map((one) =>
    numberOf(memberOf(one, 'pledge_coin_amount')),
  );
  const place = Number(consensus?.replica_id);
  const ledger = status.ledger_manager;
  const newest = numberOf(memberOf(ledger, 'chain_max_ledger_seq'));
  return {
    peers: numberOf(memberOf(status.peer_manager, 'connected')),
    power: powers[place] ?? (isReady ? 0 : null),
    wholePower: powers.reduce((all, one) => all + one, 0),
    lag: Math.max(0, newest - numberOf(memberOf(ledger, 'ledger_sequence'))),
  };
}

const networkLines = ({ peers, power, wholePower, lag }: NetworkFacts): readonly string[] => [
  `peers         ${peers}`,
  `power         ${power ?? '-'} of ${wholePower}${power === 0 ? ', it follows' : ''}`,
  `lag           ${lag} ${lag === 1 ? 'block' : 'blocks'}`,
];

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
const numberOf = (value: unknown): number => (Number.isSafeInteger(value) ? (value as number) : 0);

async function fetchJson(url: URL): Promise<Record<string, unknown>> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    return (await response.json()) as Record<string, unknown>;
  } catch (error) {
    throw await unanswered(error, { what: 'node', address: url });
  }
}
