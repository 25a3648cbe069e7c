/**
 * How far a validator has signed, on disk: `signed.json` in the folder of its signer. What is said here is on the disk
 * before the signature leaves, and the file that is not there, or not whole, is no reason to begin anew: whoever does
 * not know what was signed signs nothing.
 */
import { verify } from 'node:crypto';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { encodeHex, parseHex } from '@symbolon/core/basics/bytes';
import { DamageError, SetupError } from '@symbolon/core/faults/operator-errors';
import { type LastSigned, type SignedBallot, votingSteps } from '@symbolon/core/voting/signing-rule';
import { syncFolder } from '@symbolon/host/work/sync-folder';
import { z } from 'zod';
import { signerLimits } from '../limits/node-limits.ts';
import { publicKeyObject } from './signing-key.ts';

/** The state is not whole, or not of this key. */
export class SignedStateDamaged extends DamageError {
  override name = 'SignedStateDamaged';
}

/** There is none. */
export class SignedStateMissing extends SetupError {
  override name = 'SignedStateMissing';
}

const wholeNumber = z
  .string()
  .regex(/^-?[0-9]{1,19}$/)
  .transform(BigInt);
const hex = z
  .string()
  .regex(/^([0-9a-f]{2})+$/)
  .transform((text) => parseHex(text) as Uint8Array);

const stateSchema = z.strictObject({
  height: wholeNumber,
  round: z.int().min(0),
  step: z.literal(Object.values(votingSteps)),
  said: z
    .strictObject({
      seconds: wholeNumber,
      nanos: z.int(),
      bytes: hex,
      signature: hex,
    })
    .optional(),
});

export const signedStatePath = (folder: string): string => path.join(folder, 'signed.json');

/** Of a key that has never signed, or of one of which only the height is known up to which it may have. */
export const stateUpTo = (height: bigint): LastSigned =>
  height === 0n ? { height, round: 0, step: 1 } : { height, round: 2 ** 31 - 1, step: votingSteps.precommit };

export async function readSignedState(folder: string, publicKey: Uint8Array): Promise<LastSigned> {
  const file = signedStatePath(folder);
  const parsed = stateSchema.safeParse(await readState(file));
  if (!parsed.success) throw damaged(file, 'is not whole');
  const { height, round, step, said } = parsed.data;
  if (!said) return { height, round, step };
  const { seconds, nanos, bytes, signature } = said;
  const signed: SignedBallot = { time: { seconds, nanos }, bytes, signature };
  if (!verify(null, bytes, publicKeyObject(publicKey), signature))
    throw damaged(file, 'has a signature that is not of this key');
  return { height, round, step, said: signed };
}

async function readState(file: string): Promise<unknown> {
  try {
    if ((await stat(file)).size > signerLimits.stateBytesMax) throw damaged(file, 'is too large');
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw damaged(file, 'is not whole');
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new SignedStateMissing(
      `${file} is missing, and with it what this key has signed.\nWithout it the key might sign against itself, so nothing is signed.\nPut the file back, or make a signer that signs above a height at which it has certainly not signed yet: symbolon signer init --after`,
    );
  }
}

const damaged = (file: string, what: string): SignedStateDamaged =>
  new SignedStateDamaged(
    `${file} ${what}.\nWhat this key has signed is not known, so nothing is signed.\nMake a signer that signs above a height at which it has certainly not signed yet: symbolon signer init --after`,
  );

/** On the disk when this resolves; before that the older one is. */
export async function writeSignedState(
  folder: string,
  { height, round, step, said }: LastSigned,
): Promise<void> {
  const file = signedStatePath(folder);
  const content = {
    height: String(height),
    round,
    step,
    said: said && {
      seconds: String(said.time.seconds),
      nanos: said.time.nanos,
      bytes: encodeHex(said.bytes),
      signature: encodeHex(said.signature),
    },
  };
  // Its own process alone writes it: what a crash left of the new file is written over.
  await writeFile(`${file}.new`, `${JSON.stringify(content)}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  await syncFolder(folder);
}
