/** `symbolon node export|verify`: the chain of a folder, written out or executed again. */
import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { chainGone, isChainGone } from '@symbolon/ledger-node/node/chain-mark';
import { readGenesis, storePath } from '@symbolon/ledger-node/node/node-folder';
import { exportChain } from '@symbolon/ledger-node/operation/export-chain';
import { verifyStore } from '@symbolon/ledger-node/operation/verify-chain';
import { type Checkpoint, CheckpointDamaged } from '@symbolon/ledger-node/operation/verify-checkpoint';
import { LevelStore } from '@symbolon/ledger-node/store/level-store';
import { CommandFailure, exitCodes } from '../../terminal/failure.ts';
import { ifInterrupted, removeIfInterrupted } from '../../terminal/interruption.ts';
import { printAll, printable, processTerminal } from '../../terminal/terminal.ts';

const { print, remark } = processTerminal;

/** The store of a folder that has one: asking about a chain must not make a new one. */
async function openStore(data: string): Promise<LevelStore> {
  await readGenesis(data);
  if (isChainGone(data)) throw chainGone(data);
  const path = storePath(data);
  if (!existsSync(path)) throw new CommandFailure(`${path} is missing: this node has never been started.`);
  return LevelStore.open(path);
}

type ExportWords = Parameters<typeof exportChain>[1] & { data: string; out?: string };

export async function exportNode({ data, from, to, out }: ExportWords): Promise<void> {
  const store = await openStore(data);
  const lines = exportChain(store, { from, to });
  async function* fileLines() {
    for await (const line of lines) yield `${line}\n`;
  }
  try {
    if (out === undefined) await printAll(lines);
    else {
      const whole = removeIfInterrupted(out);
      ifInterrupted('Interrupted. There is no export; what was begun of it is removed.');
      await pipeline(fileLines, createWriteStream(out));
      whole();
      processTerminal.remark(`The blocks are in ${printable(out)}, one a line.`);
      processTerminal.remark(`The blocks are in ${printable(out)}, one a line.`);
    }
  } finally {
    await store.close();
  }
}

interface VerifyWords {
  readonly data: string;
  readonly save?: string;
  readonly from?: string;
  readonly json?: boolean;
}

export async function verifyNode({ data, save, from, json }: VerifyWords): Promise<void> {
  const rules = await readGenesis(data);
  const store = await openStore(data);
  try {
    const onProgress = json ? undefined : reportProgress();
    const order = { store, rules, onProgress, save, from };
    const verified = await verifyStore(join(data, `verify-${randomUUID()}`), order).catch((error) => {
      if (error instanceof CheckpointDamaged) throw new CommandFailure(error.message, exitCodes.damaged);
      throw error;
    });
    const { blocks, transactions, stateRows, head, checkpoint, provenTo } = verified;
    const trustedBlocks = checkpoint?.block ?? 0n;
    const hash = encodeHex(head.hash);
    if (json)
      return print(
        `{"blocks":${blocks},"trustedBlocks":${trustedBlocks},"provenTo":${provenTo ?? null},"transactions":${transactions},"stateRows":${stateRows},"hash":"${hash}"}`,
      );
    print(`The chain holds: ${blocks} blocks, ${transactions} transactions, ${stateRows} state rows.`);
    print(`Head: block ${head.seq} ${hash}`);
    if (provenTo !== head.seq) print(agreementWords(provenTo, head.seq));
    if (checkpoint) print(trustWords(checkpoint));
    if (save !== undefined) print(`Checkpoint of block ${head.seq}: ${save}`);
  } finally {
    await store.close();
  }
}

/** Of a network: what CometBFT has not said yet. The commit of a block proves what the one before led to. */
const agreementWords = (provenTo: bigint | undefined, head: bigint): string => {
  const proven = provenTo ?? 1n;
  const rest = proven + 1n === head ? `Block ${head} is` : `Blocks ${proven + 1n} to ${head} are`;
  return `More than two thirds of the validators' power stand behind every block up to ${proven}. ${rest} not proven yet: what validators said is known later.`;
};

/** What was not computed again, and whose word stands for it. */
function trustWords({ block, savedAt, begunAt }: Checkpoint): string[] {
  const before = begunAt > 1n ? `, which began at another one, of block ${begunAt}` : '';
  return [
    `Blocks 2 to ${block} were hashed and not executed: headers and transactions are the ones that block ${block} binds.`,
    `That they lead to the state of that block is the word of the checkpoint of ${savedAt}${before}.`,
  ];
}

/** One line for every tenth of the way. */
function reportProgress(): (done: bigint, total: bigint) => void {
  let reported = 0n;
  return (done, total) => {
    const tenth = (done * 10n) / total;
    if (tenth === reported) return;
    reported = tenth;
    remark(`verified ${done} of ${total} blocks`);
  };
}
