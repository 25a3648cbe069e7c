/** `symbolon chain time|snapshot|revert|faucet`: a development chain, moved as whoever tries things on it needs it. */
import path from 'node:path';
import { createLedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { coinText } from '@symbolon/sdk/transactions/transaction-sentence';
import { httpTransport } from '@symbolon/sdk/transport/transport';
import type { Command } from 'commander';
import { readKeyFile } from '../../profile/key-file.ts';
import { addressOrDid, coinAmount, duration, jsonOption } from '../../profile/options.ts';
import { orderDevelopment } from '../../servers/development-control.ts';
import { printFields } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printJson, processTerminal, type Terminal } from '../../terminal/terminal.ts';
import { paymentOf, receiptFacts, receiptFields, sendOperations } from '../../transactions/sending.ts';

interface ChainWords {
  readonly data: string;
  readonly json?: boolean;
}

export function addChainCommands(program: Command, terminal: Terminal = processTerminal): void {
  const chain = program
    .command('chain')
    .description('move a development chain (node init --development): its time, its state, its coins');
  const add = (name: string): Command =>
    chain
      .command(name)
      .requiredOption('--data <folder>', "the folder of its node, which must be running; no other chain's")
      .addOption(jsonOption());

  add('time')
    .description('let time pass at once: closes a block that much later')
    .argument('<duration>', 'how much: +90s, +30m, +12h, +1d or +2w', duration)
    .action((duration: number, words: ChainWords) => moveTime(duration, words, terminal));

  add('snapshot')
    .description('remember the state of the chain; prints the number to go back to it')
    .action((words: ChainWords) => snapshot(words, terminal));

  add('revert')
    .description('go back to a snapshot: every later block is gone')
    .argument('<number>', 'of the snapshot')
    .action((id: string, words: ChainWords) => revert(id, words, terminal));

  add('faucet')
    .description("pay coins of the chain's first account to somebody")
    .argument('<to>', 'an address or a DID', addressOrDid)
    .argument('<amount>', 'such as 1.5gas, or 1500000 in the smallest unit', coinAmount)
    .action((to: string, amount: bigint, words: ChainWords) => pourOut({ to, amount }, words, terminal));
}

async function moveTime(duration: number, { data, json }: ChainWords, terminal: Terminal): Promise<void> {
  const { block, closeTimeMs } = await orderDevelopment(data, { do: 'time', seconds: duration });
  const time = new Date(closeTimeMs).toISOString();
  if (json) return printJson(terminal, { block, time });
  printFields(terminal, 'Time has passed on the chain.', { time, block });
  terminal.remark('Every other clock stays: a service on this chain has the time of its machine.');
}

async function snapshot({ data, json }: ChainWords, terminal: Terminal): Promise<void> {
  const { snapshot: id, block } = await orderDevelopment(data, { do: 'snapshot' });
  if (json) return printJson(terminal, { snapshot: id, block });
  printFields(terminal, 'The state of the chain is kept.', { snapshot: id, block });
  terminal.remark(`Go back to it: symbolon chain revert ${id} --data ${shellWord(data)}`);
}

async function revert(id: string, { data, json }: ChainWords, terminal: Terminal): Promise<void> {
  const { block } = await orderDevelopment(data, { do: 'revert', id });
  if (json) return printJson(terminal, { snapshot: id, block });
  printFields(terminal, 'The chain is where it was; later blocks are gone.', { snapshot: id, block });
  terminal.remark([
    'A credential service that knows later blocks does not go on: to it this ledger was rolled back.',
    'See what it has lost, and record it again: symbolon service reconcile --data <its folder>',
  ]);
}

/** Signed with the key in the node's folder; asked for first is whether it is a development chain's. */
async function pourOut(
  { to, amount }: { to: string; amount: bigint },
  { data, json }: ChainWords,
  terminal: Terminal,
): Promise<void> {
  const { url } = await orderDevelopment(data, { do: 'look' });
  const client = createLedgerClient(httpTransport(url));
  const signer = await readKeyFile(path.join(data, 'genesis-account.key'));
  const { operation, isNew } = await paymentOf(client, { destAddress: to, amount });
  const receipt = await sendOperations({ client, signer, operations: [operation], spends: amount, pins: {} });
  if (json) return printJson(terminal, { to, amount, newAccount: isNew, ...receiptFacts(receipt) });
  printFields(terminal, `${coinText(amount)} for ${to}.`, receiptFields(receipt));
}
