/**
 * What is handed in, one request body a line and a file for each validator. Transfers of a sender all go to one validator,
 * over one connection, in their order; pairs for the key-value store are as long as transfers are on the network.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { senders } from '../ledger/people.ts';
import { prepareTransfers, readBodies } from '../ledger/transfers.ts';

export interface BodyFiles {
  /** By validator; each has as many lines as the others. */
  readonly files: readonly string[];
  readonly perFile: number;
}

export interface BodyOrder {
  readonly cache: string;
  readonly scratch: string;
  readonly validators: number;
  readonly connections: number;
  readonly accounts: number;
  /** At least so many for each validator. */
  readonly perValidator: number;
}

/** How many of the senders there are for each validator, so that each always has the same connection. */
const sendersEach = ({ validators, connections }: BodyOrder): number =>
  Math.floor(senders / (validators * connections)) * connections;

export async function transferFiles(order: BodyOrder): Promise<BodyFiles> {
  const { cache, scratch, validators, accounts, perValidator } = order;
  const each = sendersEach(order);
  const rounds = Math.ceil(perValidator / each);
  const all = await readBodies(await prepareTransfers(cache, accounts, rounds * senders), {
    from: 0,
    to: rounds * senders,
  });
  const lines: string[][] = Array.from({ length: validators }, () => []);
  for (const [index, body] of all.entries()) {
    const sender = index % senders;
    if (sender < each * validators) lines[sender % validators]?.push(body);
  }
  return { files: write(scratch, 'transfers', lines), perFile: rounds * each };
}

export function pairFiles(order: BodyOrder, bytes: number): BodyFiles {
  const { scratch, validators, perValidator } = order;
  const lines = Array.from({ length: validators }, (_, validator) =>
    Array.from({ length: perValidator }, (_, index) => {
      const tx = Buffer.from(`key-${validator}-${index}=`.padEnd(bytes, 'v')).toString('base64');
      return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'broadcast_tx_sync', params: { tx } });
    }),
  );
  return { files: write(scratch, 'pairs', lines), perFile: perValidator };
}

function write(scratch: string, name: string, lines: readonly (readonly string[])[]): readonly string[] {
  return lines.map((own, validator) => {
    const file = path.join(scratch, `${name}-${validator}.jsonl`);
    writeFileSync(file, `${own.join('\n')}\n`);
    return file;
  });
}

/** How long the transfer of a body is among validators, but for a few bytes. */
export function networkBytesOf(body: string): number {
  const [{ transaction_blob, signatures }] = JSON.parse(body).items;
  const [{ sign_data, public_key }] = signatures;
  return transaction_blob.length / 2 + sign_data.length / 2 + public_key.length;
}
