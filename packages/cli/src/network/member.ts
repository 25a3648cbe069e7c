/**
 * A validator whose network is not on this machine alone: its own folder, what it tells the others of itself
 * (`member.json`), and what all of them agree on (`founding.json`). Nothing secret stands in either.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { validatorLimits } from '@symbolon/core/limits/consensus';
import { cometSettingsPath } from '@symbolon/ledger-node/node/comet-home';
import { z } from 'zod';
import { writeWhole } from '../machine/durable-files.ts';
import { keyFormat } from '../profile/key-format.ts';
import { usageFailure } from '../terminal/failure.ts';
import { parseFileText } from '../terminal/json-file.ts';

/** These stand in settings of CometBFT, so they have no quotes and no line ends. */
const memberName = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/);
const place = z
  .string()
  .regex(/^([a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:]{2,39}\]):[1-9][0-9]{0,4}$/i);
const address = z.string().refine((text) => keyFormat.isAddress(text), 'must be an address');
const port = z.int().min(1).max(65_535);

export const memberSchema = z.strictObject({
  name: memberName,
  /** With which it votes: raw Ed25519 in hex. */
  publicKey: z.string().regex(/^[0-9a-f]{64}$/),
  /** By which its peers know it, and where they reach it. */
  peerId: z.string().regex(/^[0-9a-f]{40}$/),
  at: place,
  /** Who gets the fees of the blocks that it proposes. */
  payTo: address,
  power: z.int().min(1).max(validatorLimits.powerMax),
});

export const foundingSchema = z.strictObject({
  symbolonNetwork: z.literal(1),
  council: address,
  genesisAddress: address,
  /** From when on there are blocks. */
  time: z.iso.datetime(),
  commitMs: z.int().min(1).max(60_000),
  members: z.array(memberSchema).min(1).max(validatorLimits.countMax),
  /** What follows from all of this, so that programs that see it otherwise say so. */
  chainId: z.string(),
  cometGenesisHash: z.string().regex(/^[0-9a-f]{64}$/),
});

const ownSchema = z.strictObject({
  ports: z.strictObject({ http: port, socket: port, abci: port, rpc: port, p2p: port }),
  snapshotEvery: z.int().min(0),
  /** The socket on which its signer calls, where CometBFT does not have the key. */
  signer: z.string().optional(),
});

export type Member = Readonly<z.infer<typeof memberSchema>>;
export type Founding = Readonly<z.infer<typeof foundingSchema>>;
export type OwnSettings = Readonly<z.infer<typeof ownSchema>>;

export const memberFile = (folder: string): string => path.join(folder, 'member.json');
export const ownFile = (folder: string): string => path.join(folder, 'validator.json');
export const ledgerPart = (folder: string): string => path.join(folder, 'ledger');
export const cometPart = (folder: string): string => path.join(folder, 'cometbft');

const bytesMax = 1024 * 1024;

async function readJson<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  what: string,
): Promise<z.output<Schema>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usageFailure(`${file} cannot be read (${error.code}).\nIt should be ${what}.`);
  });
  const value = text.length > bytesMax ? undefined : parseFileText(file, text);
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const at = issue?.path.join('.');
  throw usageFailure(`${file} is not ${what}${at ? `: ${at}` : ''}${issue ? ` (${issue.message})` : ''}.`);
}

export const readMember = (file: string): Promise<Member> =>
  readJson(file, memberSchema, 'what "symbolon validator init" says of a validator');
export const readFounding = (file: string): Promise<Founding> =>
  readJson(file, foundingSchema, 'what "symbolon validator genesis" makes of a network');
export const readOwn = (folder: string): Promise<OwnSettings> =>
  readJson(ownFile(folder), ownSchema, 'the folder of a validator, which "symbolon validator init" makes');

/** The settings of its CometBFT are the last that joining a network writes. */
export const hasJoined = (folder: string): boolean => existsSync(cometSettingsPath(cometPart(folder)));

/** Has the folder of a validator say where its signer calls, if the home is that of one. */
export async function recordSigner(home: string, address: string): Promise<void> {
  const folder = path.dirname(path.resolve(home));
  if (cometPart(folder) !== path.resolve(home) || !existsSync(ownFile(folder))) return;
  const own: OwnSettings = { ...(await readOwn(folder)), signer: address };
  await writeWhole(ownFile(folder), `${JSON.stringify(own, null, 2)}\n`);
}
