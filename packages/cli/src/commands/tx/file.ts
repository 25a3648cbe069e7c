/**
 * A transaction on its way between machines: the blob in hex, or a file with blob and signatures. The file is an item
 * of the interface's `submitTransaction`, so that any client can submit it; it holds no secret.
 */

import { rename, rm, writeFile } from 'node:fs/promises';
import { encodeHex, parseHex } from '@symbolon/core/basics/bytes';
import { openTransaction, type SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { transactionLimits } from '@symbolon/core/limits/consensus';
import type { Signature } from '@symbolon/core/proto/ledger_pb';
import { sha256 } from '@symbolon/host/work/sha256';
import { openItem, transactionItem } from '@symbolon/sdk/transactions/transaction-texts';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { readSmallText, readStream } from '../../machine/files.ts';
import { CommandFailure, usageFailure } from '../../terminal/failure.ts';
import { parseFileText } from '../../terminal/json-file.ts';

/** Hex takes two characters a byte; signatures and names take some more. */
const fileBytesMax = 2 * transactionLimits.envelopeBytesMax + 262_144;

/** Reads what was given: hex itself, a file, or `-` for standard input. */
export async function readTransactionWord(word: string): Promise<SignedTransaction> {
  const isHex = word.length >= 64 && /^[0-9a-fA-F]+$/.test(word);
  const text = (isHex ? word : await readTextFile(word)).trim();
  const signed = /^[0-9a-fA-F]+$/.test(text)
    ? ofBlob(parseHex(text), [])
    : openItem(parseFileText(word, text));
  if (signed) return signed;
  throw usageFailure(
    `This is not a transaction.\nIt is neither a blob in hex nor a file that "symbolon tx build" wrote, or a part is missing.\nWas all of it copied?`,
  );
}

const ofBlob = (
  blob: Uint8Array | undefined,
  signatures: readonly Signature[],
): SignedTransaction | undefined => blob && openTransaction(blob, signatures, sha256);

/** The transaction with one signature more. */
export function withSignature(
  given: SignedTransaction,
  publicKey: string,
  signData: Uint8Array,
): SignedTransaction {
  const item = transactionItem(given);
  const signatures = [
    ...(item.signatures as JsonObject[]),
    { public_key: publicKey, sign_data: encodeHex(signData) },
  ];
  const signed = openItem({ ...item, signatures });
  if (signed) return signed;
  throw new CommandFailure(`A transaction has at most ${transactionLimits.signaturesMax} signatures.`);
}

/** Into a new file, or, when `replaces` says so, in the place of an old one: whole or not at all. */
export async function writeTransactionFile(
  file: string,
  signed: SignedTransaction,
  { replaces = false }: { replaces?: boolean } = {},
): Promise<void> {
  const text = `${stringifyJson(transactionItem(signed))}\n`;
  if (!replaces) return writeNewFile(file, text);
  const unfinished = `${file}.${process.pid}.new`;
  try {
    await writeNewFile(unfinished, text);
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function writeNewFile(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx', flush: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'EEXIST'
      ? usageFailure(`${file} is there already.\nNothing was written. Name another file.`)
      : usageFailure(`${file} cannot be written (${code}).\nName another file.`);
  }
}

/** A file, or standard input, as text of bounded length. */
export async function readTextFile(file: string): Promise<string> {
  const isInput = file === '-';
  const text = await (isInput
    ? readStream(process.stdin as AsyncIterable<Buffer>, fileBytesMax)
    : readSmallText(file, fileBytesMax)
  ).catch(({ code }: NodeJS.ErrnoException) => {
    // What was given is not repeated: it may be anything, a key included.
    throw usageFailure(
      `There is no such file that could be read (${code}).\nGive a file, a blob in hex, or - for standard input.`,
    );
  });
  if (text !== undefined) return text;
  throw usageFailure(`${isInput ? 'standard input' : file} is too large for a transaction.`);
}
