/**
 * Passwords as scrypt hashes (RFC 7914): a salt of its own for each, on threads, only so many at a time, because each
 * takes tens of megabytes, and in fair turns: a stranger who guesses keeps owners waiting for a hash, not for all
 * guesses. A hash is kept with the numbers it was made with, so that those may change.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { assert } from '@symbolon/core/basics/assert';
import { Fault } from '@symbolon/core/faults/faults';
import { FairTurns } from '@symbolon/host/work/fair-turns';
import { custodyWorkLimits as limits } from '../limits/service-limits.ts';

export interface PasswordHash {
  readonly cost: number;
  readonly blockSize: number;
  readonly parallel: number;
  /** Base64, like the hash. */
  readonly salt: string;
  readonly hash: string;
}

/** Callers, told apart by their network address, take turns. */
export interface Passwords {
  hash(password: string, caller: string): Promise<PasswordHash>;
  /**
   * Takes as long for a wrong password as for the right one. `before` is asked when its turn has come, and may throw.
   */
  isRight(
    password: string,
    known: PasswordHash,
    asked: { readonly caller: string; readonly before?: () => void },
  ): Promise<boolean>;
  /** A hash that no password has, for accounts that do not exist. */
  decoy(): PasswordHash;
}

export interface PasswordsOptions {
  readonly cost?: number;
  readonly hashesMax?: number;
  readonly waitingMax?: number;
}

export function createPasswords({
  cost = limits.hashCost,
  hashesMax = limits.hashesMax,
  waitingMax = limits.hashesWaitingMax,
}: PasswordsOptions = {}): Passwords {
  const turns = new FairTurns({ atOnceMax: hashesMax, waitingMax });
  const inTurn = async <Answer>(caller: string, work: () => Promise<Answer>): Promise<Answer> => {
    if (!turns.hasRoomFor(caller))
      throw new Fault('overloaded', {
        detail: 'Too many passwords wait to be checked',
        retryAfterSeconds: 5,
      });
    return await turns.run(caller, work);
  };
  const parameters = { cost, blockSize: limits.hashBlockSize, parallel: limits.hashParallel };

  return {
    async hash(password, caller) {
      const salt = randomBytes(limits.hashSaltBytes);
      const hash = await inTurn(caller, () => derive(password, salt, parameters));
      return { ...parameters, salt: salt.toString('base64'), hash: hash.toString('base64') };
    },
    async isRight(password, known, { caller, before }) {
      const salt = Buffer.from(known.salt, 'base64');
      const expected = Buffer.from(known.hash, 'base64');
      const hash = await inTurn(caller, async () => {
        before?.();
        return derive(password, salt, known);
      });
      assert(hash.length === expected.length, 'hashes of passwords have one length');
      try {
        return timingSafeEqual(hash, expected);
      } finally {
        hash.fill(0);
        expected.fill(0);
      }
    },
    decoy: () => ({
      ...parameters,
      salt: randomBytes(limits.hashSaltBytes).toString('base64'),
      hash: randomBytes(limits.hashBytes).toString('base64'),
    }),
  };
}

type Parameters = Pick<PasswordHash, 'cost' | 'blockSize' | 'parallel'>;

function derive(
  password: string,
  salt: Uint8Array,
  { cost, blockSize, parallel }: Parameters,
): Promise<Buffer> {
  const maxmem = 256 * cost * blockSize;
  const options: ScryptOptions = { N: cost, r: blockSize, p: parallel, maxmem };
  const bytes = Buffer.from(password, 'utf8');
  return new Promise<Buffer>((resolve, reject) => {
    scrypt(bytes, salt, limits.hashBytes, options, (error, hash) => {
      bytes.fill(0);
      if (error) reject(error);
      else resolve(hash);
    });
  });
}
