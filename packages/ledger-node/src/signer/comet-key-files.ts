/** The key and the memory of a validator that CometBFT has signed for by itself until now, read from its home folder. */
import { verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { emptyBytes } from '@symbolon/core/basics/bytes';
import { SetupError } from '@symbolon/core/faults/operator-errors';
import type { ConsensusTime } from '@symbolon/core/light/light-block';
import type { LastSigned, VotingStep } from '@symbolon/core/voting/signing-rule';
import { readSecretFile } from '@symbolon/host/config/secret-file';
import { BinaryReader } from 'cosmjs-types/binary';
import { Timestamp } from 'cosmjs-types/google/protobuf/timestamp';
import { z } from 'zod';
import { signerLimits } from '../limits/node-limits.ts';
import { publicKeyOf, seedBytes } from '../signatures/ed25519.ts';
import { publicKeyObject } from './signing-key.ts';

/** What is there is not what CometBFT 0.38 writes. */
export class CometFilesUnusable extends SetupError {
  override name = 'CometFilesUnusable';
}

export interface CometSigning {
  readonly seed: Uint8Array;
  readonly last: LastSigned;
}

const keySchema = z.object({
  priv_key: z.object({ type: z.literal('tendermint/PrivKeyEd25519'), value: z.base64() }),
});

const stateSchema = z.strictObject({
  height: z
    .string()
    .regex(/^[0-9]{1,19}$/)
    .transform(BigInt),
  round: z.int().min(0),
  step: z.int().min(0).max(3),
  signature: z.base64().optional(),
  signbytes: z
    .string()
    .regex(/^([0-9A-F]{2})+$/)
    .optional(),
});

export const cometKeyPath = (home: string): string => path.join(home, 'config/priv_validator_key.json');
export const cometStatePath = (home: string): string => path.join(home, 'data/priv_validator_state.json');

/** CometBFT must not run: whatever it signs after this is not known here. */
export async function readCometSigning(home: string): Promise<CometSigning> {
  const keyFile = cometKeyPath(home);
  const keyText = await readSecretFile(keyFile, {
    holds: "a validator's key",
    bytesMax: signerLimits.stateBytesMax,
  }).catch((error: Error) => {
    throw new CometFilesUnusable(error.message, { cause: error });
  });
  const key = parsed(keySchema, keyText, keyFile);
  const pair = Buffer.from(key.priv_key.value, 'base64');
  const seed = Uint8Array.from(pair.subarray(0, seedBytes));
  if (pair.length !== 2 * seedBytes || !pair.subarray(seedBytes).equals(publicKeyOf(seed)))
    throw new CometFilesUnusable(`${keyFile} does not hold a key of CometBFT.`);
  const stateFile = cometStatePath(home);
  const stateText = await readFile(stateFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CometFilesUnusable(
      `${stateFile} cannot be read (${error.code}), and with it what this key has signed.`,
    );
  });
  const last = lastSignedOf(parsed(stateSchema, stateText, stateFile), stateFile);
  if (last.said && !verify(null, last.said.bytes, publicKeyObject(publicKeyOf(seed)), last.said.signature))
    throw new CometFilesUnusable(`${stateFile} has a signature that is not of the key in ${keyFile}.`);
  return { seed, last };
}

function parsed<Schema extends z.ZodType>(schema: Schema, text: string, file: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text)) as z.output<Schema>;
  } catch {
    throw new CometFilesUnusable(`${file} is not as CometBFT 0.38 writes it.`);
  }
}

function lastSignedOf(state: z.output<typeof stateSchema>, file: string): LastSigned {
  const { height, round, step, signature, signbytes } = state;
  if (step === 0) return { height, round, step: 1 };
  if (signature === undefined || signbytes === undefined)
    throw new CometFilesUnusable(`${file} does not say what was signed last.`);
  const bytes = Uint8Array.from(Buffer.from(signbytes, 'hex'));
  const said = {
    time: ballotFacts(bytes).time,
    bytes,
    signature: Uint8Array.from(Buffer.from(signature, 'base64')),
  };
  return { height, round, step: step as VotingStep, said };
}

export interface BallotFacts {
  readonly time: ConsensusTime;
  readonly chainId: string;
}

/** Of what is signed the chain's name is the last field, and the time the one before. */
export function ballotFacts(bytes: Uint8Array): BallotFacts {
  const reader = new BinaryReader(bytes);
  reader.uint32();
  const fields: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const [, type] = reader.tag();
    if (type === 2) fields.push(reader.bytes());
    else reader.skipType(type);
  }
  const [time = emptyBytes, chainId = emptyBytes] = fields.slice(-2);
  const { seconds, nanos } = Timestamp.decode(time);
  return { time: { seconds, nanos }, chainId: Buffer.from(chainId).toString() };
}
