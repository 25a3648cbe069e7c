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
  if (json) {
    const problem = unsuccessful('The node is not ready.', exitCodes.failed, { code: 'notReady' });
    print(
      JSON.stringify({
        ...status,
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
  ]);
  if (!isReady) throw new CommandFailure(`The node is not ready: ${printable(readiness.text)}`);
}

async function fetchJson(url: URL): Promise<Record<string, unknown>> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    return (await response.json()) as Record<string, unknown>;
  } catch (error) {
    throw await unanswered(error, { what: 'node', address: url });
  }
}
